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
  sweep.turn_before = turn_of(node.memory);
  note_kept_rows(action.node);
  const NodeView view(*this, action.node);
  const Planner& planner = planner_for(config().planner);
  if (node.kept_rows.empty()) {
    planner.plan(view, config().batch_size, node.memory, sweep.plan);
  } else {
    planner.plan(KeptScopeView(*this, action.node), config().batch_size, node.memory, sweep.plan);
  }
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

// The next of the choice that the claim may take, which is then taken from the choice.
RowSlot Cluster::chosen_row(NodeId node, const ScopedClaim& claim, std::span<const RowSlot>& choice) const {
  while (!choice.empty()) {
    const RowSlot slot = choice.front();
    choice = choice.subspan(1);
    if (may_take(node, claim, slot)) {
      return slot;
    }
  }
  return RowSlot::none();
}

bool Cluster::may_take(NodeId node, const ScopedClaim& claim, RowSlot slot) const {
  const Row& row = outbox_.row(slot);
  if (!row.due() || outbox_.paused(row.workflow) || outbox_.holder(row.shard) != node) {
    return false;
  }
  return claim.name.is_none() || row.route == claim.route || row.route == layout_->route(claim.route).unpinned;
}

bool Cluster::next_claim_may_take(NodeId node, RowSlot slot) const {
  const Sweep& of = sweep(node);
  return may_take(node, of.plan.claims[of.next_claim], slot);
}

// By the plan, what is left of the tenant's grant, and its headroom now.
std::uint32_t Cluster::claim_limit(NodeId node, const ScopedClaim& claim) const {
  if (claim.name.is_none()) {
    return claim.rows;
  }
  const Sweep& of = sweep(node);
  const auto grant = std::ranges::lower_bound(of.plan.grants, claim.name, {}, &Grant::name);
  HEADROOM_ASSERT(grant != of.plan.grants.end() && grant->name == claim.name, "a claim without a grant");
  const std::uint32_t claimed = of.claimed[static_cast<std::size_t>(grant - of.plan.grants.begin())];
  return std::min({claim.rows, grant->rows - claimed, headroom(node, claim.name)});
}

std::uint32_t Cluster::next_claim_limit(NodeId node) const {
  const Sweep& of = sweep(node);
  const ScopedClaim& claim = of.plan.claims[of.next_claim];
  if (link(node) == Link::cut) {
    return 0;
  }
  const std::uint32_t limit = claim_limit(node, claim);
  return claim.name.is_none() || kept_rows(node).empty()
             ? limit
             : limit - std::min(limit, kept_rows(node)[claim.route.value()]);
}

void Cluster::apply(const ClaimNext& action, Step step) {
  HEADROOM_ASSERT(claims_left(action.node), "node {} has no claim left to make", action.node.value());
  Node& node = nodes_[action.node.value()];
  Sweep& sweep = node.sweep;
  const ScopedClaim claim = sweep.plan.claims[sweep.next_claim++];
  if (node.link == Link::cut) {
    return;  // the store does not hear of it
  }
  if (node.expelled && claim.rows > 0) {
    step.effects.push_back({.kind = EffectKind::claim_refused, .node = action.node, .name = claim.name});
  }
  const std::size_t items_before = sweep.items.size();
  std::span<const RowSlot> choice = action.choice;
  const auto take_next = [&, oldest = choice.empty()] {
    return oldest ? next_row(action.node, claim) : chosen_row(action.node, claim, choice);
  };
  const std::uint32_t limit = claim_limit(action.node, claim);
  if (claim.name.is_none()) {
    for (std::uint32_t taken = 0; taken < limit; ++taken) {
      const RowSlot row = take_next();
      if (row.is_none()) {
        break;
      }
      claim_row(action.node, row, step);
    }
    record_unscoped_grants(node);
    lose_unheard(action.node, items_before, step);
    return;
  }
  const auto grant = std::ranges::lower_bound(sweep.plan.grants, claim.name, {}, &Grant::name);
  std::uint32_t& claimed = sweep.claimed[static_cast<std::size_t>(grant - sweep.plan.grants.begin())];
  for (std::uint32_t taken = refuse_kept(action.node, claim, limit, step); taken < limit; ++taken) {
    const RowSlot row = take_next();
    if (row.is_none()) {
      break;
    }
    claim_row(action.node, row, step);
    ++claimed;
  }
  lose_unheard(action.node, items_before, step);
}

// The claims were made, and the node does not know: nobody will run those rows.
void Cluster::lose_unheard(NodeId node, std::size_t items_before, Step step) {
  Sweep& sweep = nodes_[node.value()].sweep;
  if (nodes_[node.value()].link != Link::replies_lost || sweep.items.size() == items_before) {
    return;
  }
  const std::vector<WorkItem> unheard(sweep.items.begin() + static_cast<std::ptrdiff_t>(items_before),
                                      sweep.items.end());
  sweep.items.resize(items_before);
  for (const WorkItem& item : unheard) {
    step.effects.push_back(
        {.kind = EffectKind::work_lost, .node = node, .name = item.name(), .row = item.row, .key = item.key});
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
      if (row.shard == shard && row.status == RowStatus::claimed && row.stale) {
        stale.push_back(slot);  // else the marked claim has settled; its slot may be another row's by now
      }
    }
    outbox_.forget_stale_claims(shard);
  }
  if (config().rearm_pass == RearmPassKind::list_and_act) {
    for (const RowSlot slot : stale) {
      node.listed.emplace_back(slot, outbox_.row(slot).key);
    }
    if (!stale.empty()) {
      step.effects.push_back({.kind = EffectKind::stale_listed, .node = action.node});
    }
    return;
  }
  for (const RowSlot slot : stale) {
    if (outbox_.row(slot).stale) {  // a row that went stale twice is listed twice
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
  for (const auto& [slot, key] : std::exchange(node.listed, {})) {
    const Row& row = outbox_.row(slot);
    if (row.key == key && row.status == RowStatus::claimed && outbox_.holder(row.shard) == action.node) {
      rearm_row(action.node, slot, true, step);
    }
  }
}

void Cluster::rearm_row(NodeId node, RowSlot slot, bool unchecked, Step step) {
  const Row& row = outbox_.row(slot);
  const bool was_executing = row.executing;
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
  if (shards == 0 && config().zero_owned == ZeroOwned::counts_as_one) {
    shards = 1;
  }
  return quota_share(believed_quota(node, name), shards, charges_.shard_count());
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
