// Cluster: shards change hands, nodes crash and come back.
#include <algorithm>
#include <utility>

#include "model/base/assert.hpp"
#include "model/base/mutation.hpp"
#include "model/cluster/cluster.hpp"

namespace headroom {

// Moves a shard's rows between the holdings of two nodes (either may be none) and into the lanes of the new one.
void Cluster::change_holder(ShardId shard, NodeId to, Step step) {
  std::vector<RowSlot> due;
  std::vector<RowSlot> claimed;
  outbox_.for_each_in_shard(shard, [&](RowSlot slot) {
    const Row& row = outbox_.row(slot);
    if (row.due()) {
      due.push_back(slot);
    } else if (row.status == RowStatus::claimed) {
      claimed.push_back(slot);
    }
  });
  for (const RowSlot slot : due) {
    count_due(slot, -1);
  }
  for (const RowSlot slot : claimed) {
    count_claim(slot, -1);
  }
  if (!to.is_none()) {
    std::erase(nodes_[to.value()].kept, shard);  // its own again
  }
  const bool was_ownerless = outbox_.holder(shard).is_none();
  outbox_.assign_shard(shard, to, outbox_.epoch(shard) + (to.is_none() ? 0 : 1));
  for (const RowSlot slot : due) {
    count_due(slot, +1);
  }
  for (const RowSlot slot : claimed) {
    count_claim(slot, +1);
  }
  step.effects.push_back(
      {.kind = EffectKind::owner_changed, .live = was_ownerless, .node = to, .value = shard.value()});
}

// Its shards lose their owner.
void Cluster::orphan_shards(NodeId node, Step step) {
  for (std::uint32_t shard = 0; shard < config().shards; ++shard) {
    if (outbox_.holder(ShardId(shard)) == node) {
      change_holder(ShardId(shard), NodeId::none(), step);
      ++ownerless_;
    }
  }
}

// It gets back those of its shards that nobody has adopted.
void Cluster::regain_shards(NodeId node, Step step) {
  for (std::uint32_t i = 0; i < config().shards; ++i) {
    const ShardId shard(i);
    if (outbox_.holder(shard).is_none() && charges_.owner(shard) == node) {
      change_holder(shard, node, step);
      --ownerless_;
    }
  }
}

// The shard gets a new owner that is up; its share of every quota follows, at once or as it settles.
void Cluster::change_owner(ShardId shard, NodeId to, Step step) {
  const NodeId from = charges_.owner(shard);
  if (outbox_.holder(shard).is_none()) {
    --ownerless_;
  }
  change_holder(shard, to, step);
  if (from != to) {
    charges_.set_owner(shard, to);
    for (std::uint32_t i = 0; i < namespaces(); ++i) {
      const NamespaceId name(i);
      const bool was_unsettled = charges_.unsettled(name);
      if (was_unsettled || holding(from, name).started > 0) {
        charges_.hand_over(name, shard, from, to, quota(name), started_by_node(name));
      }
      // An unsettled namespace's ceilings may move on any node.
      if (was_unsettled || charges_.unsettled(name)) {
        for (std::uint16_t node = 0; node < nodes(); ++node) {
          if (nodes_[node].up) {
            held_by(NodeId(node), name).ceiling = ceiling_of(NodeId(node), name);
            refresh(NodeId(node), name, step);
          }
        }
      }
    }
    if (up(from)) {
      refresh_all(from, step);
    }
  }
  refresh_all(to, step);
  step.effects.push_back({.kind = EffectKind::ceilings_changed});
}

void Cluster::apply(const Handoff& action, Step step) {
  const NodeId from = outbox_.holder(action.shard);
  if (!from.is_none() && from != action.to && member(action.to)) {
    std::vector<ShardId>& kept = nodes_[from.value()].kept;
    if (config().scope_on_loss == ScopeOnLoss::keep && std::ranges::find(kept, action.shard) == kept.end()) {
      kept.push_back(action.shard);
    }
    change_owner(action.shard, action.to, step);
  }
}

void Cluster::apply(const Adopt& action, Step step) {
  const bool free = outbox_.holder(action.shard).is_none() || mutated(Mutation::adopted_while_owned);
  if (free && member(action.by)) {
    change_owner(action.shard, action.by, step);
  }
}

void Cluster::apply(const Crash& action, Step step) {
  Node& node = nodes_[action.node.value()];
  if (!node.up) {
    return;
  }
  orphan_shards(action.node, step);
  node.up = false;
  node.paused = false;
  node.expelled = false;
  leave_to_others(std::exchange(node.listed, {}));
  node.kept.clear();
  ++node.life;
  node.wake_wanted = false;
  node.memory = PlannerMemory{};
  if (node.sweep.running) {
    node.sweep.running = false;
    step.effects.push_back({.kind = EffectKind::sweep_aborted, .node = action.node});
  }
  node.awaits_result = false;
  std::deque<WorkItem> lost = std::exchange(node.batch, {});
  lost.insert(lost.end(), node.sweep.items.begin(), node.sweep.items.end());
  node.sweep.items.clear();
  // Rows that wait for a worker are lost with the node that keeps them; what a worker has started goes on.
  const std::deque<WorkItem> waiting = std::exchange(node.workers.queue, {});
  lost.insert(lost.end(), waiting.begin(), waiting.end());
  step.effects.push_back({.kind = EffectKind::crashed, .node = action.node});
  refresh_all(action.node, step);
  step.effects.push_back({.kind = EffectKind::ceilings_changed});
  for (const WorkItem& item : lost) {
    lose(item, step);
  }
  if (api_) {
    api_->crash(action.node, step.at, step.effects);
  }
}

void Cluster::apply(const Restart& action, Step step) {
  Node& node = nodes_[action.node.value()];
  if (node.up) {
    return;
  }
  node.up = true;
  for (std::uint32_t i = 0; i < namespaces() && config().quota_cached; ++i) {
    believed_quotas_[place(action.node, NamespaceId(i))] = quota(NamespaceId(i));  // it does not start without them
  }
  step.effects.push_back({.kind = EffectKind::restarted, .node = action.node});
  regain_shards(action.node, step);
  node.boot_shards = charges_.owned(action.node);
  refresh_all(action.node, step);
  step.effects.push_back({.kind = EffectKind::ceilings_changed});
  if (api_) {
    api_->restart(action.node, step.at, step.effects);
  }
}

}  // namespace headroom
