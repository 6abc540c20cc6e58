// Cluster: claims that go stale, and how they are taken back.
#include <utility>

#include "model/base/assert.hpp"
#include "model/base/mutation.hpp"
#include "model/cluster/cluster.hpp"

namespace headroom {

// A claim whose worker lives and reaches the store is renewed instead, where leases are.
void Cluster::apply(const GoStale& action, Step step) {
  const Row& claim = outbox_.row(action.row);
  const bool claimed = claim.status == RowStatus::claimed && claim.fence == action.fence && !claim.stale;
  if (claimed && config().lease_renewal && claim.executing && link(claim.claimed_by) == Link::connected) {
    outbox_.renew(action.row, step.at);
    step.effects.push_back({.kind = EffectKind::lease_renewed,
                            .node = claim.claimed_by,
                            .name = claim.name(),
                            .row = action.row,
                            .key = claim.key});
    return;
  }
  if (outbox_.go_stale(action.row, action.fence)) {
    const Row& row = outbox_.row(action.row);
    step.effects.push_back({.kind = EffectKind::went_stale,
                            .node = row.claimed_by,
                            .name = row.name(),
                            .row = action.row,
                            .key = row.key});
  }
}

void Cluster::apply(const RearmPass& action, Step step) {
  Node& node = nodes_[action.node.value()];
  if (!node.up || node.paused || node.link != Link::connected) {
    return;
  }
  node.kept.clear();  // the node looks at what it owns
  std::vector<RowSlot> stale;
  for (std::uint32_t i = 0; i < config().shards; ++i) {
    const ShardId shard(i);
    if (outbox_.holder(shard) != action.node || outbox_.stale_claims(shard).empty()) {
      continue;
    }
    for (const RowSlot slot : outbox_.stale_claims(shard)) {
      const Row& row = outbox_.row(slot);
      const bool overdue = row.stale || mutated(Mutation::fresh_claim_rearmed);
      if (row.shard == shard && row.status == RowStatus::claimed && overdue) {
        stale.push_back(slot);  // else the marked claim has settled; its slot may be another row's by now
      }
    }
    outbox_.forget_stale_claims(shard);
  }
  if (config().rearm_pass == RearmPassKind::list_and_act) {
    for (const RowSlot slot : stale) {
      node.listed.emplace_back(slot, outbox_.row(slot).key);
    }
    if (!node.listed.empty()) {
      step.effects.push_back({.kind = EffectKind::stale_listed, .node = action.node});
    }
    return;
  }
  for (const RowSlot slot : stale) {
    const bool overdue = outbox_.row(slot).stale || mutated(Mutation::fresh_claim_rearmed);
    if (overdue) {  // a row that went stale twice is listed twice
      rearm_row(action.node, slot, false, step);
    }
  }
}

// What was listed may have settled, or be another claim by now: re-armed all the same, which is the fault.
void Cluster::apply(const ActOnStale& action, Step step) {
  Node& node = nodes_[action.node.value()];
  if (!node.up || node.paused || node.link != Link::connected) {
    return;
  }
  std::vector<std::pair<RowSlot, DispatchKey>> of_others;
  for (const auto& [slot, key] : std::exchange(node.listed, {})) {
    const Row& row = outbox_.row(slot);
    if (row.key != key || row.status != RowStatus::claimed) {
      continue;
    }
    if (outbox_.holder(row.shard) == action.node) {
      rearm_row(action.node, slot, true, step);
    } else {
      of_others.emplace_back(slot, key);
    }
  }
  leave_to_others(std::move(of_others));
}

// What a node had listed and will not re-arm is for the shard's present owner to find.
void Cluster::leave_to_others(std::vector<std::pair<RowSlot, DispatchKey>> listed) {
  for (const auto& [slot, key] : listed) {
    if (outbox_.holds(slot, key) && outbox_.row(slot).stale) {
      outbox_.list_stale_claim(slot);
    }
  }
}

void Cluster::rearm_row(NodeId node, RowSlot slot, bool unchecked, Step step) {
  const Row& row = outbox_.row(slot);
  const bool was_executing = row.executing;
  if (mutated(Mutation::rearm_keeps_claim_counted)) {
    count_claim(slot, +1);
  }
  const EndingClaim claim = end_claim(slot);
  Effect effect{.kind = EffectKind::rearmed,
                .live = was_executing,
                .node = node,
                .name = row.name(),
                .row = slot,
                .key = row.key};
  if (outbox_.rearm_is_last_try(slot)) {
    outbox_.bury(slot);
    effect.kind = EffectKind::dead_lettered;
    step.effects.push_back(effect);
    claim_ended(claim, step, Wake::no);
    return;
  }
  const bool rearmed = outbox_.rearm(slot, outbox_.epoch(row.shard), step.at, unchecked);
  HEADROOM_ASSERT(rearmed, "the store refused to re-arm a stale claim");
  count_due(slot, +1);
  step.effects.push_back(effect);
  effect.kind = EffectKind::became_due;
  effect.live = false;
  step.effects.push_back(effect);
  claim_ended(claim, step, Wake::no);
}

}  // namespace headroom
