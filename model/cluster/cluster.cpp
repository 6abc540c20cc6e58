#include "model/cluster/cluster.hpp"

#include <algorithm>
#include <utility>

#include "model/base/assert.hpp"
#include "model/base/mutation.hpp"
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
  if (this->config().quota_cached) {
    for (const std::uint32_t quota : quotas_) {
      believed_quotas_.insert(believed_quotas_.end(), nodes(), quota);
    }
  }
  Effects unseen;
  for (const NodeId absent : this->config().absent) {
    HEADROOM_ASSERT(charges_.owned(absent) == 0, "node {} owns shards before it is there", absent.value());
    nodes_[absent.value()].up = false;
    if (api_) {
      api_->crash(absent, Time::zero(), unseen);
    }
  }
  for (std::uint16_t i = 0; i < nodes(); ++i) {
    Node& node = nodes_[i];
    node.boot_shards = charges_.owned(NodeId(i));
    node.workers.size = this->config().workers;
    node.active = OrderedBitmap(namespaces());
    node.present = OrderedBitmap(namespaces());
    for (std::uint32_t name = 0; name < namespaces(); ++name) {
      held_by(NodeId(i), NamespaceId(name)).ceiling = ceiling_of(NodeId(i), NamespaceId(name));
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
  return entry.up && !entry.paused && entry.link == Link::connected && !entry.sweep.running && entry.batch.empty() &&
         !entry.awaits_result;
}

std::uint32_t Cluster::claimed(const Holding& held) const {
  if (mutated(Mutation::pending_counted_into_headroom)) {
    return held.claimed_owned + held.started_elsewhere + held.claimable;
  }
  if (mutated(Mutation::started_elsewhere_not_counted)) {
    return held.claimed_owned;
  }
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
  step.effects.push_back(
      {.kind = EffectKind::workflow_paused, .live = action.paused, .value = action.workflow.value()});
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
    if (mutated(Mutation::cancelled_claim_goes_on) && row.status == RowStatus::claimed) {
      step.effects.push_back(
          {.kind = EffectKind::cancelled, .live = true, .name = row.name(), .row = slot, .key = key});
      continue;
    }
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
      held_by(NodeId(node), name).ceiling = ceiling_of(NodeId(node), name);
      refresh(NodeId(node), name, step);
    }
  }
  step.effects.push_back({.kind = EffectKind::ceilings_changed, .name = name});
}

// For new claims, by what the node believes.
std::uint32_t Cluster::ceiling_of(NodeId node, NamespaceId name) const {
  if (!up(node)) {
    return 0;
  }
  std::uint32_t shards = config().fraction_refresh == FractionRefresh::live ? charges_.owned_and_charged(name, node)
                                                                            : nodes_[node.value()].boot_shards;
  if (mutated(Mutation::stale_fraction)) {
    shards = nodes_[node.value()].boot_shards;
  }
  if (shards == 0 && (config().zero_owned == ZeroOwned::counts_as_one || mutated(Mutation::idle_node_counts_as_one))) {
    shards = 1;
  }
  const std::uint32_t quota = believed_quota(node, name);
  if (mutated(Mutation::ceil_and_floor_swapped)) {
    return static_cast<std::uint32_t>(std::uint64_t{quota} * shards / charges_.shard_count());
  }
  if (mutated(Mutation::quota_share_overflows)) {
    return div_ceil(quota * shards, charges_.shard_count());
  }
  return quota_share(quota, shards, charges_.shard_count());
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
    held_by(node, NamespaceId(name)).ceiling = ceiling_of(node, NamespaceId(name));
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
