#include "model/cluster/cluster.hpp"

#include <algorithm>
#include <utility>

#include "model/base/assert.hpp"
#include "model/cluster/node_view.hpp"

namespace headroom {

Cluster::Cluster(ClusterConfig config)
    : layout_(std::make_shared<const Layout>(std::move(config))),
      outbox_(layout_->outbox_config()),
      charges_(this->config().ceiling_growth, namespaces(), this->config().nodes, this->config().initial_owner),
      nodes_(this->config().nodes),
      holdings_(static_cast<std::size_t>(namespaces()) * this->config().nodes),
      executing_live_(namespaces(), 0) {
  for (const NamespaceConfig& name : this->config().namespaces) {
    quotas_.push_back(name.quota);
  }
  if (this->config().admission) {
    std::vector<TenantLimits> limits;
    limits.reserve(namespaces());
    for (const NamespaceConfig& name : this->config().namespaces) {
      limits.push_back(name.limits);
    }
    api_.emplace(*this->config().admission, nodes(), std::move(limits));
  }
  for (std::uint32_t shard = 0; shard < this->config().shards; ++shard) {
    outbox_.assign_shard(ShardId(shard), charges_.owner(ShardId(shard)), 1);
  }
  for (std::uint16_t i = 0; i < nodes(); ++i) {
    Node& node = nodes_[i];
    node.workers.size = this->config().workers;
    node.active = OrderedBitmap(namespaces());
    node.present = OrderedBitmap(namespaces());
    for (std::uint32_t name = 0; name < namespaces(); ++name) {
      held_by(NodeId(i), NamespaceId(name)).ceiling = charges_.ceiling(NamespaceId(name), NodeId(i), quotas_[name]);
    }
  }
}

void Cluster::step(const Action& action, Time at, Effects& effects) {
  std::visit([&](const auto& chosen) { apply(chosen, Step{at, effects}); }, action);
}

void Cluster::sweep_at_once(NodeId node, Time at, Effects& effects) {
  step(PlanSweep{node}, at, effects);
  while (claims_left(node)) {
    step(ClaimNext{node}, at, effects);
  }
  step(FinishSweep{node}, at, effects);
}

bool Cluster::can_sweep(NodeId node) const {
  const Node& entry = nodes_[node.value()];
  return entry.up && !entry.sweep.running && entry.batch.empty() && !entry.awaits_result;
}

std::uint32_t Cluster::claimed(const Holding& held) const {
  switch (config().claimed_counts) {
    case ClaimedCounts::owned_shards:
      return held.claimed_owned;
    case ClaimedCounts::started:
      return held.started;
    case ClaimedCounts::owned_or_started:
      return held.claimed_owned + held.started_elsewhere;
  }
  HEADROOM_ASSERT(false, "unknown claimed_counts");
}

// -- rows coming and going --------------------------------------------------------------------------------------------

void Cluster::apply(const AppendRows& action, Step step) {
  for (const NewRow& added : action.rows) {
    const std::optional<RowSlot> slot = outbox_.append(added, step.at);
    if (!slot) {
      step.effects.push_back({.kind = EffectKind::duplicate_ignored, .name = added.key.name(), .key = added.key});
      continue;
    }
    const NodeId owner = outbox_.holder(added.shard);
    step.effects.push_back({.kind = EffectKind::appended,
                            .node = owner,
                            .name = added.key.name(),
                            .row = *slot,
                            .key = added.key,
                            .value = (added.visible_after - step.at).count()});
    if (added.visible) {
      count_due(*slot, +1);
      step.effects.push_back(
          {.kind = EffectKind::became_due, .node = owner, .name = added.key.name(), .row = *slot, .key = added.key});
    }
    if (!owner.is_none()) {
      refresh(owner, added.key.name(), step);
      wake(owner, step);
    }
  }
}

void Cluster::apply(const BecomeVisible& action, Step step) {
  const Row& row = outbox_.row(action.row);
  if (row.key != action.key || row.status != RowStatus::pending || row.visible) {
    return;
  }
  outbox_.become_visible(action.row, step.at);
  count_due(action.row, +1);
  const NodeId owner = outbox_.holder(row.shard);
  step.effects.push_back(
      {.kind = EffectKind::became_due, .node = owner, .name = row.name(), .row = action.row, .key = row.key});
  if (!owner.is_none()) {
    refresh(owner, row.name(), step);
  }
}

void Cluster::apply(const PauseWorkflow& action, Step step) {
  if (outbox_.paused(action.workflow) == action.paused) {
    return;
  }
  std::vector<RowSlot> due;
  outbox_.for_each_in_workflow(action.workflow, [&](RowSlot slot) {
    if (outbox_.row(slot).due()) {
      due.push_back(slot);
    }
  });
  for (const RowSlot slot : due) {
    count_due(slot, -1);
  }
  outbox_.set_paused(action.workflow, action.paused);
  for (const RowSlot slot : due) {
    count_due(slot, +1);
    const NodeId owner = outbox_.holder(outbox_.row(slot).shard);
    if (!owner.is_none()) {
      refresh(owner, outbox_.row(slot).name(), step);
    }
  }
}

void Cluster::apply(const EndWorkflow& action, Step step) {
  std::vector<RowSlot> ended;
  outbox_.for_each_in_workflow(action.workflow, [&](RowSlot slot) { ended.push_back(slot); });
  for (const RowSlot slot : ended) {
    const Row& row = outbox_.row(slot);
    const DispatchKey key = row.key;
    step.effects.push_back({.kind = EffectKind::cancelled,
                            .live = row.status == RowStatus::claimed,
                            .name = row.name(),
                            .row = slot,
                            .key = key});
    if (row.status == RowStatus::claimed) {
      const EndingClaim claim = end_claim(slot);
      outbox_.cancel(slot);
      claim_ended(claim, step, Wake::no);
      continue;
    }
    const NodeId owner = outbox_.holder(row.shard);
    if (row.due()) {
      count_due(slot, -1);
    }
    outbox_.cancel(slot);
    if (!owner.is_none()) {
      refresh(owner, key.name(), step);
    }
  }
}

// -- sweeps -----------------------------------------------------------------------------------------------------------

void Cluster::apply(const PlanSweep& action, Step step) {
  HEADROOM_ASSERT(can_sweep(action.node), "node {} cannot sweep now", action.node.value());
  Node& node = nodes_[action.node.value()];
  node.wake_wanted = false;
  Sweep& sweep = node.sweep;
  sweep.running = true;
  ++sweep.number;
  sweep.next_claim = 0;
  sweep.rows_claimed = 0;
  planner_for(config().planner).plan(NodeView(*this, action.node), config().batch_size, node.memory, sweep.plan);
  sweep.claimed.assign(sweep.plan.grants.size(), 0);
  step.effects.push_back({.kind = EffectKind::sweep_planned, .node = action.node});
}

// The oldest row that a scoped claim may take next.
RowSlot Cluster::next_row(NodeId node, const ScopedClaim& claim) const {
  if (claim.name.is_none()) {
    return outbox_.oldest(node, RouteId(0));
  }
  const RowSlot own = outbox_.oldest(node, claim.route);
  const RouteId unpinned = layout_->route(claim.route).unpinned;
  const RowSlot other = unpinned.is_none() ? RowSlot::none() : outbox_.oldest(node, unpinned);
  if (own.is_none() || other.is_none()) {
    return own.is_none() ? other : own;
  }
  return claimed_before(outbox_.row(other), outbox_.row(own)) ? other : own;
}

void Cluster::apply(const ClaimNext& action, Step step) {
  HEADROOM_ASSERT(claims_left(action.node), "node {} has no claim left to make", action.node.value());
  Node& node = nodes_[action.node.value()];
  Sweep& sweep = node.sweep;
  const ScopedClaim claim = sweep.plan.claims[sweep.next_claim++];
  if (claim.name.is_none()) {
    for (std::uint32_t taken = 0; taken < claim.rows; ++taken) {
      const RowSlot row = next_row(action.node, claim);
      if (row.is_none()) {
        break;
      }
      claim_row(action.node, row, step);
    }
    record_unscoped_grants(node);
    return;
  }
  const auto grant = std::ranges::lower_bound(sweep.plan.grants, claim.name, {}, &Grant::name);
  HEADROOM_ASSERT(grant != sweep.plan.grants.end() && grant->name == claim.name, "a claim without a grant");
  std::uint32_t& claimed = sweep.claimed[static_cast<std::size_t>(grant - sweep.plan.grants.begin())];
  const std::uint32_t limit = std::min({claim.rows, grant->rows - claimed, headroom(action.node, claim.name)});
  for (std::uint32_t taken = 0; taken < limit; ++taken) {
    const RowSlot row = next_row(action.node, claim);
    if (row.is_none()) {
      break;
    }
    claim_row(action.node, row, step);
    ++claimed;
  }
}

void Cluster::claim_row(NodeId node, RowSlot slot, Step step) {
  count_due(slot, -1);
  const Row& row = outbox_.row(slot);
  const std::optional<Fence> fence = outbox_.claim(slot, node, outbox_.epoch(row.shard), step.at);
  HEADROOM_ASSERT(fence.has_value(), "the store refused a claimable row");
  count_claim(slot, +1);
  refresh(node, row.name(), step);
  Sweep& sweep = nodes_[node.value()].sweep;
  ++sweep.rows_claimed;
  sweep.items.push_back({.key = row.key,
                         .fence = *fence,
                         .row = slot,
                         .route = row.route,
                         .due_since = row.due_since,
                         .claimed_at = step.at,
                         .dispatcher = node,
                         .attempt = row.attempt,
                         .dispatcher_life = nodes_[node.value()].life});
  step.effects.push_back({.kind = EffectKind::claimed, .node = node, .name = row.name(), .row = slot, .key = row.key});
}

// Without scopes a tenant's grant is what its rows happened to be claimed.
void Cluster::record_unscoped_grants(Node& node) {
  Sweep& sweep = node.sweep;
  sweep.plan.grants.clear();
  for (const WorkItem& item : sweep.items) {
    sweep.plan.grants.push_back({item.name(), 1, 0});
  }
  std::ranges::sort(sweep.plan.grants, {}, &Grant::name);
  std::size_t kept = 0;
  for (const Grant& grant : sweep.plan.grants) {
    if (kept > 0 && sweep.plan.grants[kept - 1].name == grant.name) {
      ++sweep.plan.grants[kept - 1].rows;
    } else {
      sweep.plan.grants[kept++] = grant;
    }
  }
  sweep.plan.grants.resize(kept);
  sweep.claimed.clear();
  for (const Grant& grant : sweep.plan.grants) {
    sweep.claimed.push_back(grant.rows);
  }
}

void Cluster::apply(const FinishSweep& action, Step step) {
  Node& node = nodes_[action.node.value()];
  HEADROOM_ASSERT(node.sweep.running && !claims_left(action.node), "node {} has no sweep to finish",
                  action.node.value());
  node.sweep.running = false;
  step.effects.push_back({.kind = EffectKind::sweep_finished, .node = action.node});
  hand_on(action.node, step);
}

// -- stale claims -----------------------------------------------------------------------------------------------------

void Cluster::apply(const GoStale& action, Step step) {
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
  if (!up(action.node)) {
    return;
  }
  for (std::uint32_t i = 0; i < config().shards; ++i) {
    const ShardId shard(i);
    if (outbox_.holder(shard) != action.node || outbox_.stale_claims(shard).empty()) {
      continue;
    }
    for (const RowSlot slot : outbox_.stale_claims(shard)) {
      const Row& row = outbox_.row(slot);
      if (row.shard != shard || row.status != RowStatus::claimed || !row.stale) {
        continue;  // the marked claim has settled; its slot may be another row's by now
      }
      const bool was_executing = row.executing;
      const EndingClaim claim = end_claim(slot);
      const bool rearmed = outbox_.rearm(slot, outbox_.epoch(shard), step.at);
      HEADROOM_ASSERT(rearmed, "the store refused to re-arm a stale claim");
      count_due(slot, +1);
      step.effects.push_back({.kind = EffectKind::rearmed,
                              .live = was_executing,
                              .node = action.node,
                              .name = row.name(),
                              .row = slot,
                              .key = row.key});
      step.effects.push_back(
          {.kind = EffectKind::became_due, .node = action.node, .name = row.name(), .row = slot, .key = row.key});
      claim_ended(claim, step, Wake::no);
    }
    outbox_.forget_stale_claims(shard);
  }
}

// -- what nodes hold --------------------------------------------------------------------------------------------------

void Cluster::count_due(RowSlot slot, std::int32_t change) {
  const Row& row = outbox_.row(slot);
  const NodeId owner = outbox_.holder(row.shard);
  if (owner.is_none()) {
    return;
  }
  Holding& held = held_by(owner, row.name());
  held.due += static_cast<std::uint32_t>(change);
  if (!outbox_.paused(row.workflow)) {
    held.claimable += static_cast<std::uint32_t>(change);
  }
}

void Cluster::count_claim(RowSlot slot, std::int32_t change) {
  const Row& row = outbox_.row(slot);
  const NodeId owner = outbox_.holder(row.shard);
  const auto amount = static_cast<std::uint32_t>(change);
  if (!owner.is_none()) {
    held_by(owner, row.name()).claimed_owned += amount;
  }
  Holding& starter = held_by(row.claimed_by, row.name());
  starter.started += amount;
  if (owner != row.claimed_by) {
    starter.started_elsewhere += amount;
  }
}

Cluster::EndingClaim Cluster::end_claim(RowSlot slot) {
  const Row& row = outbox_.row(slot);
  count_claim(slot, -1);
  if (row.executing) {
    --executing_live_[row.name().value()];
  }
  return {row.name(), outbox_.holder(row.shard), row.claimed_by};
}

void Cluster::claim_ended(const EndingClaim& claim, Step step, Wake wake) {
  if (charges_.unsettled(claim.name)) {
    settle_charges(claim.name, step);
  }
  if (!claim.owner.is_none()) {
    refresh(claim.owner, claim.name, step, wake);
  }
  if (claim.claimer != claim.owner) {
    refresh(claim.claimer, claim.name, step, wake);
  }
}

std::vector<std::uint32_t> Cluster::started_by_node(NamespaceId name) const {
  std::vector<std::uint32_t> started(nodes());
  for (std::uint16_t node = 0; node < nodes(); ++node) {
    started[node] = holding(NodeId(node), name).started;
  }
  return started;
}

void Cluster::settle_charges(NamespaceId name, Step step) {
  if (!charges_.settle(name, quota(name), started_by_node(name))) {
    return;
  }
  for (std::uint16_t node = 0; node < nodes(); ++node) {
    if (nodes_[node].up) {
      held_by(NodeId(node), name).ceiling = charges_.ceiling(name, NodeId(node), quota(name));
      refresh(NodeId(node), name, step);
    }
  }
  step.effects.push_back({.kind = EffectKind::ceilings_changed, .name = name});
}

void Cluster::refresh(NodeId node, NamespaceId name, Step step, Wake wake_when) {
  const Holding& held = holding(node, name);
  Node& entry = nodes_[node.value()];
  const std::uint32_t index = name.value();
  if (entry.present.test(index) != (held.due > 0)) {
    entry.present.assign(index, held.due > 0);
  }
  const bool active = held.claimable > 0 && headroom_of(held.ceiling, claimed(held)) > 0;
  if (entry.active.test(index) == active) {
    return;
  }
  entry.active.assign(index, active);
  step.effects.push_back(
      {.kind = active ? EffectKind::became_active : EffectKind::became_inactive, .node = node, .name = name});
  if (active && wake_when == Wake::if_headroom_opens && planner_for(config().planner).heeds_ceilings()) {
    wake(node, step);
  }
}

void Cluster::refresh_all(NodeId node, Step step) {
  for (std::uint32_t name = 0; name < namespaces(); ++name) {
    held_by(node, NamespaceId(name)).ceiling = up(node) ? charges_.ceiling(NamespaceId(name), node, quotas_[name]) : 0;
    refresh(node, NamespaceId(name), step);
  }
}

void Cluster::wake(NodeId node, Step step) {
  Node& entry = nodes_[node.value()];
  if (config().wake && entry.up && !entry.wake_wanted) {
    entry.wake_wanted = true;
    step.effects.push_back({.kind = EffectKind::wake, .node = node});
  }
}

}  // namespace headroom
