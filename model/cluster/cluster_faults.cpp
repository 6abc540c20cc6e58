// Cluster: what goes wrong besides crashes, and beliefs that are no longer true.
#include <algorithm>
#include <utility>

#include "model/base/assert.hpp"
#include "model/base/mutation.hpp"
#include "model/cluster/cluster.hpp"

namespace headroom {

// -- nodes that stand still, or are out of reach ----------------------------------------------------------------------

void Cluster::apply(const PauseNode& action, Step step) {
  Node& node = nodes_[action.node.value()];
  if (node.up && !std::exchange(node.paused, true)) {
    step.effects.push_back({.kind = EffectKind::node_paused, .node = action.node});
  }
}

void Cluster::apply(const ResumeNode& action, Step step) {
  if (std::exchange(nodes_[action.node.value()].paused, false)) {
    step.effects.push_back({.kind = EffectKind::node_resumed, .node = action.node});
  }
}

void Cluster::apply(const ExpelNode& action, Step step) {
  Node& node = nodes_[action.node.value()];
  if (!member(action.node) || !(node.paused || node.link != Link::connected)) {
    return;
  }
  orphan_shards(action.node, step);
  node.expelled = true;
  step.effects.push_back({.kind = EffectKind::node_expelled, .node = action.node});
  refresh_all(action.node, step);
  step.effects.push_back({.kind = EffectKind::ceilings_changed});
}

void Cluster::apply(const RejoinNode& action, Step step) {
  if (!up(action.node) || !std::exchange(nodes_[action.node.value()].expelled, false)) {
    return;
  }
  step.effects.push_back({.kind = EffectKind::node_rejoined, .node = action.node});
  regain_shards(action.node, step);
  refresh_all(action.node, step);
  step.effects.push_back({.kind = EffectKind::ceilings_changed});
}

void Cluster::apply(const CutOff& action, Step step) {
  Node& node = nodes_[action.node.value()];
  if (node.link == Link::connected) {
    node.link = action.one_way ? Link::replies_lost : Link::cut;
    step.effects.push_back({.kind = EffectKind::node_cut_off, .live = action.one_way, .node = action.node});
  }
}

void Cluster::apply(const Reconnect& action, Step step) {
  Node& node = nodes_[action.node.value()];
  if (std::exchange(node.link, Link::connected) == Link::connected) {
    return;
  }
  step.effects.push_back({.kind = EffectKind::node_reconnected, .node = action.node});
  for (const UnsentResult& result : std::exchange(node.unsent, {})) {
    settle(result.item, result.succeeded, ExecutionId::none(), step);
  }
}

void Cluster::apply(const Leave& action, Step step) {
  Node& node = nodes_[action.node.value()];
  if (!node.up || charges_.owned(action.node) > 0 || node.sweep.running || !node.batch.empty()) {
    return;
  }
  node.up = false;
  node.paused = false;
  node.expelled = false;
  node.wake_wanted = false;
  node.memory = PlannerMemory{};
  leave_to_others(std::exchange(node.listed, {}));
  step.effects.push_back({.kind = EffectKind::node_left, .node = action.node});
  refresh_all(action.node, step);
  step.effects.push_back({.kind = EffectKind::ceilings_changed});
}

// -- sweeps and workers that come to nothing --------------------------------------------------------------------------

void Cluster::apply(const FailSweep& action, Step step) {
  Node& node = nodes_[action.node.value()];
  if (!node.sweep.running) {
    return;
  }
  node.sweep.running = false;
  if (!mutated(Mutation::turn_of_failed_sweep_lost)) {
    give_back(node.memory, node.sweep.turn_before);
  }
  step.effects.push_back({.kind = EffectKind::sweep_failed, .live = action.release, .node = action.node});
  for (const WorkItem& item : std::exchange(node.sweep.items, {})) {
    if (!action.release || !outbox_.live(item.row, item.key, item.fence)) {
      step.effects.push_back(
          {.kind = EffectKind::work_lost, .node = action.node, .name = item.name(), .row = item.row, .key = item.key});
      continue;
    }
    const EndingClaim claim = end_claim(item.row);
    if (!mutated(Mutation::released_row_lost)) {
      outbox_.release(item.row);
    }
    count_due(item.row, +1);
    const NodeId owner = outbox_.holder(outbox_.row(item.row).shard);
    Effect effect{.kind = EffectKind::released, .node = owner, .name = item.name(), .row = item.row, .key = item.key};
    step.effects.push_back(effect);
    effect.kind = EffectKind::became_due;
    step.effects.push_back(effect);
    claim_ended(claim, step, Wake::no);
  }
}

void Cluster::apply(const KillExecution& action, Step step) {
  if (!executions_.running(action.execution)) {
    return;
  }
  const Execution execution = executions_[action.execution];
  const WorkItem& item = execution.item;
  const bool live = outbox_.live(item.row, item.key, item.fence);
  step.effects.push_back({.kind = EffectKind::execution_died,
                          .live = live,
                          .node = execution.node,
                          .name = item.name(),
                          .row = item.row,
                          .execution = action.execution,
                          .key = item.key});
  if (!execution.connection.is_none()) {
    api_->check_in(execution.connection, action.execution, item.name(), execution.node, step.effects);
  }
  if (live) {
    outbox_.end_execution(item.row);
    --executing_live_[item.name().value()];
  }
  free_worker(execution.node, step);
  result_arrived(item, step);
  executions_.finish(action.execution);
}

void Cluster::apply(const LoseWake& action, Step step) {
  if (std::exchange(nodes_[action.node.value()].wake_wanted, false)) {
    step.effects.push_back({.kind = EffectKind::wake_lost, .node = action.node});
  }
}

// -- quotas -----------------------------------------------------------------------------------------------------------

void Cluster::apply(const ChangeQuota& action, Step step) {
  if (std::exchange(quotas_[action.name.value()], action.quota) == action.quota) {
    return;
  }
  step.effects.push_back({.kind = EffectKind::quota_changed, .name = action.name, .value = action.quota});
  if (!config().quota_cached && !mutated(Mutation::quota_change_not_heard)) {
    refresh_ceilings(action.name, step);
  }
}

void Cluster::refresh_ceilings(NamespaceId name, Step step) {
  charges_.settle(name, quota(name), started_by_node(name));
  for (std::uint16_t node = 0; node < nodes(); ++node) {
    held_by(NodeId(node), name).ceiling = ceiling_of(NodeId(node), name);
    refresh(NodeId(node), name, step, Wake::if_headroom_opens);
  }
  step.effects.push_back({.kind = EffectKind::ceilings_changed, .name = name});
}

void Cluster::apply(const ReadQuotas& action, Step step) {
  if (!config().quota_cached || !up(action.node)) {
    return;
  }
  step.effects.push_back({.kind = EffectKind::quotas_read, .live = action.succeeded, .node = action.node});
  if (!action.succeeded && config().on_quota_error == OnQuotaError::last_known) {
    return;
  }
  const std::uint32_t otherwise = config().on_quota_error == OnQuotaError::closed ? 0 : kPlatformDefaultQuota;
  for (std::uint32_t i = 0; i < namespaces(); ++i) {
    const NamespaceId name(i);
    const std::uint32_t read = action.succeeded ? quota(name) : otherwise;
    if (std::exchange(believed_quotas_[place(action.node, name)], read) != read) {
      refresh_ceilings(name, step);
    }
  }
}

// -- scopes that are too wide -----------------------------------------------------------------------------------------

// What the node still takes for its own, as it plans.
void Cluster::note_kept_rows(NodeId node) {
  Node& entry = nodes_[node.value()];
  entry.kept_rows.clear();
  if (entry.kept.empty()) {
    return;
  }
  entry.kept_rows.assign(layout_->first_route(namespaces()), 0);
  for (const ShardId shard : entry.kept) {
    outbox_.for_each_in_shard(shard, [&](RowSlot slot) {
      const Row& row = outbox_.row(slot);
      if (row.due() && !outbox_.paused(row.workflow)) {
        ++entry.kept_rows[row.route.value()];
      }
    });
  }
}

// The store refuses the rows of shards that the node has lost: they use up the claim for nothing.
std::uint32_t Cluster::refuse_kept(NodeId node, const ScopedClaim& claim, std::uint32_t limit, Step step) {
  std::vector<std::uint32_t>& kept = nodes_[node.value()].kept_rows;
  if (kept.empty()) {
    return 0;
  }
  const std::uint32_t refused = std::min(limit, kept[claim.route.value()]);
  kept[claim.route.value()] -= refused;
  for (std::uint32_t i = 0; i < refused; ++i) {
    step.effects.push_back({.kind = EffectKind::claim_refused, .node = node, .name = claim.name});
  }
  return refused;
}

}  // namespace headroom
