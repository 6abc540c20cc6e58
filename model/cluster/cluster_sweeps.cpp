// Cluster: a sweep, from the plan through its scoped claims to the hand-over.
#include <algorithm>

#include "model/base/assert.hpp"
#include "model/base/mutation.hpp"
#include "model/cluster/cluster.hpp"
#include "model/cluster/node_view.hpp"

namespace headroom {

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
    planner.plan(view, config().batch_size + (mutated(Mutation::batch_exceeded_by_one) ? 1 : 0), node.memory,
                 sweep.plan);
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
  if (mutated(Mutation::headroom_not_looked_at_again)) {
    return std::min(claim.rows, grant->rows - claimed);
  }
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
  if (mutated(Mutation::blocked_claim_ends_sweep) && sweep.items.size() < items_before + claim.rows) {
    sweep.next_claim = sweep.plan.claims.size();
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

}  // namespace headroom
