// Cluster: from a finished sweep through the workers to the result.
#include "model/base/assert.hpp"
#include "model/base/mutation.hpp"
#include "model/cluster/cluster.hpp"

namespace headroom {

void Cluster::hand_on(NodeId node, Step step) {
  Node& entry = nodes_[node.value()];
  switch (config().dispatch) {
    case DispatchKind::parallel:
      for (const WorkItem& item : entry.sweep.items) {
        give_to_workers(item, step);
      }
      break;
    case DispatchKind::sequential:
      entry.batch.assign(entry.sweep.items.begin(), entry.sweep.items.end());
      release_next(node, step);
      break;
    case DispatchKind::push_then_done:
      for (const WorkItem& item : entry.sweep.items) {
        push_done(item, step);
      }
      break;
  }
  entry.sweep.items.clear();
}

// The row is Done as soon as it is pushed; what the worker makes of it has no row any more.
void Cluster::push_done(const WorkItem& item, Step step) {
  if (!outbox_.live(item.row, item.key, item.fence)) {
    step.effects.push_back({.kind = EffectKind::result_ignored,
                            .node = item.dispatcher,
                            .name = item.name(),
                            .row = item.row,
                            .key = item.key});
    outbox_.complete(item.row, item.key, item.fence);
    return;
  }
  const EndingClaim claim = end_claim(item.row);
  outbox_.complete(item.row, item.key, item.fence);
  step.effects.push_back(
      {.kind = EffectKind::recorded, .node = item.dispatcher, .name = item.name(), .row = item.row, .key = item.key});
  claim_ended(claim, step, Wake::if_headroom_opens);
  WorkItem pushed = item;
  pushed.fence = Fence::none();
  give_to_workers(pushed, step);
}

// Dispatch `sequential`: the next row of the batch, if the result of the one before is there.
void Cluster::release_next(NodeId node, Step step) {
  Node& entry = nodes_[node.value()];
  while (!entry.batch.empty() && !entry.awaits_result) {
    const WorkItem item = entry.batch.front();
    entry.batch.pop_front();
    entry.awaits_result = true;
    give_to_workers(item, step);  // may lose the row, and with it the wait
  }
}

// Rows that are pinned to a worker pool run on its next node that is up, from the dispatcher's own on.
NodeId Cluster::worker_node(const WorkItem& item) const {
  const PoolId pool = layout_->route(item.route).pool;
  if (pool.is_none()) {
    return item.dispatcher;
  }
  NodeId wrapped = NodeId::none();
  for (const NodeId node : config().pool_nodes[pool.value()]) {  // ascending
    if (!up(node)) {
      continue;
    }
    if (node >= item.dispatcher) {
      return node;
    }
    if (wrapped.is_none()) {
      wrapped = node;
    }
  }
  return wrapped;
}

void Cluster::give_to_workers(const WorkItem& item, Step step) {
  const NodeId node = worker_node(item);
  if (node.is_none()) {
    lose(item, step);
    return;
  }
  Workers& workers = nodes_[node.value()].workers;
  if (workers.has_free()) {
    start(node, item, step);
  } else {
    workers.queue.push_back(item);
  }
}

void Cluster::start(NodeId node, const WorkItem& item, Step step) {
  ++nodes_[node.value()].workers.busy;
  const ExecutionId execution = executions_.start(item, node);
  const bool live = outbox_.begin_execution(item.row, item.key, item.fence);
  if (live) {
    ++executing_live_[item.name().value()];
  }
  step.effects.push_back({.kind = EffectKind::started,
                          .live = live,
                          .node = node,
                          .name = item.name(),
                          .row = item.row,
                          .execution = execution,
                          .key = item.key});
  if (layout_->config(item.name()).rows_use_database_pool) {
    executions_.hold(execution, api_->check_out(execution, item.name(), node, step.effects));
  }
}

// No worker will ever run it: the row stays Claimed until it is re-armed.
void Cluster::lose(const WorkItem& item, Step step) {
  step.effects.push_back(
      {.kind = EffectKind::work_lost, .node = item.dispatcher, .name = item.name(), .row = item.row, .key = item.key});
  result_arrived(item, step);
}

void Cluster::result_arrived(const WorkItem& item, Step step) {
  Node& dispatcher = nodes_[item.dispatcher.value()];
  if (config().dispatch != DispatchKind::sequential || dispatcher.life != item.dispatcher_life) {
    return;
  }
  dispatcher.awaits_result = false;
  release_next(item.dispatcher, step);
}

void Cluster::apply(const FinishExecution& action, Step step) {
  finish_execution(action.execution, action.succeeded, step);
}

void Cluster::finish_execution(ExecutionId id, bool succeeded, Step step) {
  HEADROOM_ASSERT(executions_.running(id), "execution {} does not run", id.value());
  const Execution execution = executions_[id];
  const WorkItem& item = execution.item;
  step.effects.push_back({.kind = EffectKind::finished,
                          .node = execution.node,
                          .name = item.name(),
                          .row = item.row,
                          .execution = id,
                          .key = item.key});
  if (!execution.connection.is_none()) {
    api_->check_in(execution.connection, id, item.name(), execution.node, step.effects);
  }
  report(item, succeeded, id, execution.node, step);
  free_worker(execution.node, step);
  result_arrived(item, step);
  // Last, so that the execution can be read under its id while the step's effects are observed.
  executions_.finish(id);
}

// A result on its way to the store, from a worker of `node`.
void Cluster::report(const WorkItem& item, bool succeeded, ExecutionId id, NodeId node, Step step) {
  Node& entry = nodes_[node.value()];
  if (entry.link != Link::connected && !item.fence.is_none()) {
    entry.unsent.push_back({item, succeeded});
    step.effects.push_back({.kind = EffectKind::result_delayed,
                            .live = entry.link == Link::replies_lost,
                            .node = node,
                            .name = item.name(),
                            .row = item.row,
                            .execution = id,
                            .key = item.key});
  }
  if (entry.link != Link::cut) {
    settle(item, succeeded, id, step);
  }
}

void Cluster::settle(const WorkItem& item, bool succeeded, ExecutionId id, Step step) {
  Effect effect{.kind = EffectKind::result_ignored,
                .node = item.dispatcher,
                .name = item.name(),
                .row = item.row,
                .execution = id,
                .key = item.key};
  if (!outbox_.accepts(item.row, item.key, item.fence)) {
    if (succeeded) {
      settle_unguarded(item, effect, step);
    } else if (!item.fence.is_none()) {
      outbox_.fail(item.row, item.key, item.fence, step.at);
      step.effects.push_back(effect);
    }
    return;
  }
  const std::uint16_t attempt = outbox_.row(item.row).attempt;
  const EndingClaim claim = end_claim(item.row);
  const Settled settled = succeeded ? outbox_.complete(item.row, item.key, item.fence)
                                    : outbox_.fail(item.row, item.key, item.fence, step.at);
  effect.kind = settled == Settled::recorded  ? EffectKind::recorded
                : settled == Settled::retried ? EffectKind::retried
                                              : EffectKind::dead_lettered;
  effect.value = settled == Settled::retried ? outbox_.retry_delay(attempt).count() : 0;
  step.effects.push_back(effect);
  claim_ended(claim, step, Wake::if_headroom_opens);
}

// A result under a stale fence: ignored, unless the store has no guard.
void Cluster::settle_unguarded(const WorkItem& item, Effect effect, Step step) {
  if (item.fence.is_none()) {
    return;
  }
  const Row& row = outbox_.row(item.row);
  const bool was_pending = config().settle_guard == SettleGuard::none && row.key == item.key;
  const NodeId owner = was_pending ? outbox_.holder(row.shard) : NodeId::none();
  if (was_pending && row.due()) {
    count_due(item.row, -1);
  }
  const Settled settled = outbox_.complete(item.row, item.key, item.fence);
  if (settled != Settled::stale) {
    effect.kind = EffectKind::recorded;
    effect.live = settled == Settled::recorded;
    effect.detail = settled == Settled::recorded_again ? 1 : 0;
  }
  step.effects.push_back(effect);
  if (!owner.is_none()) {
    refresh(owner, item.name(), step);
  }
}

void Cluster::free_worker(NodeId node, Step step) {
  Workers& workers = nodes_[node.value()].workers;
  --workers.busy;
  if (!workers.queue.empty() && !mutated(Mutation::freed_worker_takes_nobody)) {
    const WorkItem next = workers.queue.front();
    workers.queue.pop_front();
    start(node, next, step);
  }
}

}  // namespace headroom
