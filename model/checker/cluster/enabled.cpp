// ClusterModel: which steps are possible.
#include <algorithm>
#include <tuple>

#include "model/checker/cluster/room.hpp"

namespace headroom::checker {
namespace {

constexpr Time kNow = Time::zero();
using Kind = ClusterActionKind;

using Classes = std::vector<std::vector<std::uint32_t>>;

// Calls f for each way to take `take` rows of classes of interchangeable ones; `ordered`: in each order.
template <class F>
void each_choice(const Classes& classes, std::uint32_t take, bool ordered, F f) {
  std::vector<std::size_t> used(classes.size(), 0);  // of each class, the rows that are taken come first
  std::vector<std::uint32_t> rows;
  const auto extend = [&](const auto& self, std::size_t from) -> void {
    if (rows.size() == take) {
      f(rows);
      return;
    }
    for (std::size_t i = from; i < classes.size(); ++i) {
      if (used[i] < classes[i].size()) {
        rows.push_back(classes[i][used[i]++]);
        self(self, ordered ? 0 : i);
        rows.pop_back();
        --used[i];
      }
    }
  };
  extend(extend, 0);
}

bool runs(const NodeSnapshot& node) {
  return node.up && !node.paused && node.link == Link::connected;
}

}  // namespace

void ClusterModel::enabled(const State& state, std::vector<Action>& actions) const {
  Room& room = ClusterModel::room();
  state.cluster.snapshot(roster_, room.snapshot);
  room.rows.look_at(roster_, room.snapshot, orders_claims_);
  enabled_sweeps(state, room, actions);
  enabled_work(state, room, actions);
  enabled_rows(state, room, actions);
  enabled_ownership(state, room, actions);
  enabled_nodes(state, room, actions);
  enabled_tenants(state, room, actions);
}

bool ClusterModel::interchangeable(const Room& room, std::uint32_t a, std::uint32_t b) const {
  return a == b || (scope_.symmetry && roster_.group_of(a) == roster_.group_of(b) && room.rows.same(a, b));
}

// -- sweeps -----------------------------------------------------------------------------------------------------------

bool ClusterModel::sweep_enabled(const State& state, NodeId node) const {
  const Cluster& cluster = state.cluster;
  if (cluster.sweep(node).running) {
    return cluster.up(node) && !cluster.paused(node);
  }
  const ClusterConfig& config = cluster.config();
  const bool certain = planner_for(config.planner).heeds_ceilings() && config.scope_on_loss == ScopeOnLoss::narrow;
  if (!cluster.can_sweep(node)) {
    return false;
  }
  if (cluster.wake_wanted(node) || !scope_.polls) {
    return cluster.wake_wanted(node);  // a woken node sweeps for whatever it finds, and is not woken any more
  }
  if (certain && !cluster.active(node).empty()) {
    return true;  // somebody is granted a row and gets it
  }
  if (certain && config.planner != PlannerKind::deficit_round_robin) {
    return false;
  }
  Room& room = ClusterModel::room();
  Cluster& copy = room.copy(0, cluster);
  room.effects.clear();
  copy.step(PlanSweep{node}, kNow, room.effects);
  while (copy.claims_left(node)) {
    copy.step(ClaimNext{node}, kNow, room.effects);
  }
  return copy.sweep(node).rows_claimed > 0 || copy.planner_memory(node) != cluster.planner_memory(node);
}

void ClusterModel::enabled_sweeps(const State& state, Room& room, std::vector<Action>& actions) const {
  for (std::uint16_t i = 0; i < state.cluster.nodes(); ++i) {
    const NodeId node(i);
    if (!sweep_enabled(state, node)) {
      continue;
    }
    if (!splits_sweeps_) {
      Cluster& copy = room.copy(0, state.cluster);
      room.effects.clear();
      copy.step(PlanSweep{node}, kNow, room.effects);
      Action action{.kind = Kind::sweep, .node = node};
      choose_claims(0, node, action, room, actions);
    } else if (!state.cluster.sweep(node).running) {
      actions.push_back({.kind = Kind::plan, .node = node});
    } else if (state.cluster.claims_left(node)) {
      std::vector<std::vector<std::uint32_t>> choices;
      choose_next_claim(state.cluster, node, room, choices);
      for (std::vector<std::uint32_t>& rows : choices) {
        actions.push_back({.kind = Kind::claim, .node = node, .rows = std::move(rows)});
      }
    } else {
      actions.push_back({.kind = Kind::hand_over, .node = node});
    }
    if (state.cluster.sweep(node).running && state.past.left.sweep_errors.any()) {
      actions.push_back({.kind = Kind::fail_sweep, .node = node, .good = true});
      actions.push_back({.kind = Kind::fail_sweep, .node = node, .good = false});
    }
  }
}

// All ways to make the claims that are left to the sweep of the copy at `depth`; those made so far are in `action`.
void ClusterModel::choose_claims(std::size_t depth, NodeId node, Action& action, Room& room,
                                 std::vector<Action>& actions) const {
  std::vector<std::vector<std::uint32_t>> choices;
  while (room.copies[depth].claims_left(node)) {
    choices.clear();
    choose_next_claim(room.copies[depth], node, room, choices);
    if (choices.size() > 1) {
      break;
    }
    action.rows.insert(action.rows.end(), choices[0].begin(), choices[0].end());
    action.rows.push_back(kClaimEnds);
    room.effects.clear();
    take_claim(room.copies[depth], node, choices[0], room.effects);
  }
  if (!room.copies[depth].claims_left(node)) {
    actions.push_back(action);
    return;
  }
  for (const std::vector<std::uint32_t>& rows : choices) {
    Cluster& next = room.copy(depth + 1, room.copies[depth]);
    room.effects.clear();
    take_claim(next, node, rows, room.effects);
    Action longer = action;
    longer.rows.insert(longer.rows.end(), rows.begin(), rows.end());
    longer.rows.push_back(kClaimEnds);
    choose_claims(depth + 1, node, longer, room, actions);
  }
}

void ClusterModel::choose_next_claim(const Cluster& cluster, NodeId node, Room& room,
                                     std::vector<std::vector<std::uint32_t>>& choices) const {
  std::vector<std::uint32_t> rows;
  for (std::uint32_t i = 0; i < cluster.config().shards; ++i) {
    cluster.outbox().for_each_in_shard(ShardId(i), [&](RowSlot slot) {
      if (cluster.next_claim_may_take(node, slot)) {
        rows.push_back(roster_.row_of(cluster.outbox().row(slot).key));
      }
    });
  }
  std::ranges::sort(rows);
  const auto take = std::min(cluster.next_claim_limit(node), static_cast<std::uint32_t>(rows.size()));
  if (take == 0 || (take == rows.size() && !orders_claims_)) {
    choices.push_back(take == 0 ? std::vector<std::uint32_t>() : std::move(rows));
    return;
  }
  Classes classes;
  for (const std::uint32_t row : rows) {
    const auto alike = [&](const auto& members) { return interchangeable(room, members.front(), row); };
    const auto found = std::ranges::find_if(classes, alike);
    if (found == classes.end()) {
      classes.push_back({row});
    } else {
      found->push_back(row);
    }
  }
  each_choice(classes, take, orders_claims_,
              [&](const std::vector<std::uint32_t>& chosen) { choices.push_back(chosen); });
}

// -- work and rows ----------------------------------------------------------------------------------------------------

void ClusterModel::enabled_work(const State& state, Room& room, std::vector<Action>& actions) const {
  const std::vector<ExecutionSnapshot>& executions = room.snapshot.executions;
  const auto alike = [&](const ExecutionSnapshot& a, const ExecutionSnapshot& b) {
    const auto all_but_row = [](const ExecutionSnapshot& of) {
      return std::tuple(of.node, of.item.fence, of.item.dispatcher, of.item.former_life);
    };
    return all_but_row(a) == all_but_row(b) && interchangeable(room, a.item.row, b.item.row);
  };
  for (auto execution = executions.begin(); execution != executions.end(); ++execution) {
    if (std::any_of(executions.begin(), execution, [&](const auto& before) { return alike(before, *execution); })) {
      continue;
    }
    actions.push_back({.kind = Kind::finish, .node = execution->node, .good = true, .execution = *execution});
    if (state.past.left.failures.any()) {
      actions.push_back({.kind = Kind::finish, .node = execution->node, .good = false, .execution = *execution});
    }
    if (state.past.left.kills.any()) {
      actions.push_back({.kind = Kind::kill, .node = execution->node, .execution = *execution});
    }
  }
}

void ClusterModel::enabled_rows(const State& state, Room& room, std::vector<Action>& actions) const {
  for (std::uint32_t row = 0; row < roster_.size(); ++row) {
    const std::uint32_t group = roster_.groups()[roster_.group_of(row)];
    bool is_first = true;
    for (std::uint32_t before = group; before < row && is_first; ++before) {
      is_first = !interchangeable(room, before, row);
    }
    if (!is_first) {
      continue;
    }
    const RowSnapshot& is = room.snapshot.rows[row];
    if (is.fate == RowFate::claimed && !is.stale && state.past.left.rearms.any()) {
      actions.push_back({.kind = Kind::go_stale, .item = row});
    }
    if (is.fate == RowFate::pending && !is.visible) {
      actions.push_back({.kind = Kind::visible, .item = row});
    }
    if (is.fate != RowFate::absent && state.past.left.reappends.any()) {
      actions.push_back({.kind = Kind::reappend, .item = row});
    }
  }
}

// -- shards and nodes -------------------------------------------------------------------------------------------------

void ClusterModel::enabled_ownership(const State& state, Room& room, std::vector<Action>& actions) const {
  for (std::uint32_t shard = 0; shard < room.snapshot.shards.size(); ++shard) {
    const NodeId holder = room.snapshot.shards[shard].holder;
    for (std::uint16_t i = 0; i < state.cluster.nodes(); ++i) {
      if (!state.cluster.member(NodeId(i)) || holder == NodeId(i)) {
        continue;
      }
      if (holder.is_none()) {
        actions.push_back({.kind = Kind::adopt, .node = NodeId(i), .item = shard});
      } else if (state.past.left.handoffs.any()) {
        actions.push_back({.kind = Kind::handoff, .node = NodeId(i), .item = shard});
      }
    }
  }
}

void ClusterModel::enabled_nodes(const State& state, Room& room, std::vector<Action>& actions) const {
  const FaultCounts& left = state.past.left;
  for (std::uint16_t i = 0; i < state.cluster.nodes(); ++i) {
    const NodeId node(i);
    const NodeSnapshot& is = room.snapshot.nodes[i];
    const auto offer = [&](bool possible, Kind kind, bool good = true) {
      if (possible) {
        actions.push_back({.kind = kind, .node = node, .good = good});
      }
    };
    bool any_stale = false;
    for (std::uint32_t row = 0; row < roster_.size() && !any_stale; ++row) {
      any_stale =
          room.snapshot.rows[row].awaits_pass && room.snapshot.shards[roster_.place(row).shard.value()].holder == node;
    }
    offer(runs(is) && (any_stale || !is.kept.empty()), Kind::rearm);
    offer(runs(is) && !is.listed.empty(), Kind::act_on_stale);
    offer(is.up && left.crashes.any(), Kind::crash);
    offer(!is.up && left.restarts.any(), Kind::restart);
    offer(is.up && !is.paused && left.node_pauses.any(), Kind::pause_node);
    offer(is.paused, Kind::resume_node);
    offer(state.cluster.member(node) && (is.paused || is.link != Link::connected) && left.expels.any(), Kind::expel);
    offer(is.expelled && runs(is), Kind::rejoin);
    offer(is.up && is.link == Link::connected && left.cuts.any(), Kind::cut, false);
    offer(is.up && is.link == Link::connected && left.cuts.any(), Kind::cut, true);
    offer(is.link != Link::connected, Kind::reconnect);
    offer(is.wake_wanted && left.lost_wakes.any(), Kind::lose_wake);
  }
}

// -- tenants ----------------------------------------------------------------------------------------------------------

void ClusterModel::enabled_tenants(const State& state, Room& room, std::vector<Action>& actions) const {
  const FaultCounts& left = state.past.left;
  const Cluster& cluster = state.cluster;
  for (std::uint32_t workflow = 0; workflow < room.snapshot.paused.size(); ++workflow) {
    bool is_live = false;
    cluster.outbox().for_each_in_workflow(WorkflowId(workflow), [&](RowSlot /*row*/) { is_live = true; });
    if (left.cancels.any() && is_live) {
      actions.push_back({.kind = Kind::cancel, .item = workflow});
    }
    if (room.snapshot.paused[workflow]) {
      actions.push_back({.kind = Kind::pause, .item = workflow, .good = false});
    } else if (left.pauses.any() && is_live) {
      actions.push_back({.kind = Kind::pause, .item = workflow, .good = true});
    }
  }
  for (std::uint32_t i = 0; i < cluster.namespaces() && left.quota_changes.any(); ++i) {
    const std::uint32_t configured = cluster.config().namespaces[i].quota;
    const std::vector<std::uint32_t> values =
        scope_.quota_values.empty() ? std::vector<std::uint32_t>{0, configured} : scope_.quota_values;
    for (const std::uint32_t value : values) {
      if (value != cluster.quota(NamespaceId(i))) {
        actions.push_back({.kind = Kind::quota, .item = i, .value = value});
      }
    }
  }
  for (std::uint16_t i = 0; i < cluster.nodes() && cluster.config().quota_cached; ++i) {
    const NodeId node(i);
    bool is_behind = false;
    for (std::uint32_t name = 0; name < cluster.namespaces(); ++name) {
      is_behind = is_behind || cluster.believed_quota(node, NamespaceId(name)) != cluster.quota(NamespaceId(name));
    }
    if (cluster.up(node) && is_behind) {
      actions.push_back({.kind = Kind::read_quotas, .node = node, .good = true});
    }
    if (cluster.up(node) && left.quota_errors.any() && cluster.config().on_quota_error != OnQuotaError::last_known) {
      actions.push_back({.kind = Kind::read_quotas, .node = node, .good = false});
    }
  }
}

}  // namespace headroom::checker
