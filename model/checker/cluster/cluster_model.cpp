// ClusterModel: steps, and states as bytes. What is possible stands in enabled.cpp, what is promised in properties.cpp,
// what people read in texts.cpp.
#include "model/checker/cluster/cluster_model.hpp"

#include <algorithm>
#include <utility>

#include "model/base/assert.hpp"
#include "model/checker/cluster/room.hpp"
#include "model/checker/cluster/runs.hpp"

namespace headroom::checker {
namespace {

using Kind = ClusterActionKind;

ClusterScope with_outbox_only(ClusterScope scope) {
  const std::optional<std::string> fault = find_fault(scope);
  HEADROOM_ASSERT(!fault, "a scope that cannot be checked: {}", *fault);
  scope.config.wake = scope.config.wake && (!scope.polls || scope.counts.lost_wakes.any());
  scope.config.admission.reset();
  for (NamespaceConfig& name : scope.config.namespaces) {
    name.rows_use_database_pool = false;
  }
  return scope;
}

bool contains(const std::vector<std::string>& names, const char* name) {
  return std::ranges::find(names, name) != names.end();
}

void step_of_cluster(Cluster& cluster, const headroom::Action& action, Effects& effects, const Following& following) {
  const std::size_t first = effects.size();
  cluster.step(action, following.at, effects);
  if (following.on_step && effects.size() > first) {
    following.on_step(cluster, std::span(effects).subspan(first));
  }
}

}  // namespace

ClusterModel::ClusterModel(ClusterScope scope)
    : scope_(with_outbox_only(std::move(scope))),
      roster_(places_of(scope_), static_cast<std::uint32_t>(scope_.config.namespaces.size())),
      initial_{Cluster(scope_.config), {.left = scope_.counts}},
      packing_(scope_, initial_.cluster.layout(), roster_),
      orders_claims_(initial_.cluster.order_of_claims_matters()),
      splits_sweeps_(contains(scope_.split, "sweep")),
      keeps_runs_(contains(scope_.properties, "slice")) {
  if (keeps_runs_) {
    initial_.past.runs.resize(std::size_t{scope_.config.nodes} * scope_.config.namespaces.size());
  }
  Effects effects;
  append_rows(initial_, effects, {});
}

ClusterState ClusterModel::without_rows() const {
  return {Cluster(scope_.config), initial_.past};
}

void ClusterModel::append_rows(State& state, Effects& effects, const Following& following) const {
  std::vector<NewRow> rows;
  rows.reserve(roster_.size());
  for (std::uint32_t row = 0; row < roster_.size(); ++row) {
    rows.push_back(new_row(row, roster_.key(row, 0), following.at));
  }
  effects.clear();
  step_of_cluster(state.cluster, AppendRows{rows}, effects, following);
}

NewRow ClusterModel::new_row(std::uint32_t row, DispatchKey key, Time at) const {
  const RowPlace& place = roster_.place(row);
  return {.key = key, .workflow = place.workflow, .route = place.route, .shard = place.shard, .visible_after = at};
}

// -- steps ------------------------------------------------------------------------------------------------------------

void ClusterModel::step(State& state, const Action& action, Effects& effects) const {
  static const Following nobody;
  step(state, action, effects, nobody);
}

void ClusterModel::step(State& state, const Action& action, Effects& effects, const Following& following) const {
  effects.clear();
  thread_local std::vector<std::uint32_t> active;
  if (keeps_runs_) {
    active_tenants(state.cluster, active);
  }
  // Without a guard a result is also recorded of a row that was final before.
  thread_local std::vector<bool> was_final;
  was_final.assign(roster_.size(), false);
  if (scope_.renew && scope_.config.settle_guard == SettleGuard::none) {
    for (std::uint32_t row = 0; row < roster_.size(); ++row) {
      was_final[row] = slot_of(state.cluster, row).is_none();
    }
  }
  use_up(state.past.left, action);
  take(state.cluster, action, effects, following);
  if (scope_.renew) {
    renew(state.cluster, was_final, effects, following);
  }
  if (keeps_runs_) {
    advance_runs(state.past.runs, active, state.cluster, effects);
  }
  if (scope_.counts.quota_changes.any()) {
    state.past.changing = changing_after(state.past.changing, state.cluster, effects);
  }
}

void ClusterModel::use_up(FaultCounts& left, const Action& action) const {
  switch (action.kind) {
    case Kind::finish:
      return action.good ? void() : left.failures.use_one();
    case Kind::read_quotas:
      return action.good ? void() : left.quota_errors.use_one();
    case Kind::pause:
      return action.good ? left.pauses.use_one() : void();
    case Kind::fail_sweep:
      return left.sweep_errors.use_one();
    case Kind::kill:
      return left.kills.use_one();
    case Kind::lose_wake:
      return left.lost_wakes.use_one();
    case Kind::go_stale:
      return left.rearms.use_one();
    case Kind::crash:
      return left.crashes.use_one();
    case Kind::restart:
      return left.restarts.use_one();
    case Kind::handoff:
      return left.handoffs.use_one();
    case Kind::reappend:
      return left.reappends.use_one();
    case Kind::cancel:
      return left.cancels.use_one();
    case Kind::quota:
      return left.quota_changes.use_one();
    case Kind::pause_node:
      return left.node_pauses.use_one();
    case Kind::expel:
      return left.expels.use_one();
    case Kind::cut:
      return left.cuts.use_one();
    case Kind::sweep:
    case Kind::plan:
    case Kind::claim:
    case Kind::hand_over:
    case Kind::rearm:
    case Kind::act_on_stale:
    case Kind::visible:
    case Kind::adopt:
    case Kind::resume_node:
    case Kind::rejoin:
    case Kind::reconnect:
      return;
  }
}

bool ClusterModel::is_fault(const Action& action) const {
  FaultCounts once;
  for (const auto count : kFaultCounts) {
    once.*count = 1;
  }
  FaultCounts left = once;
  use_up(left, action);
  return left != once;
}

void ClusterModel::take(Cluster& cluster, const Action& action, Effects& effects, const Following& following) const {
  const auto step = [&](const headroom::Action& of_cluster) {
    step_of_cluster(cluster, of_cluster, effects, following);
  };
  const NodeId node = action.node;
  switch (action.kind) {
    case Kind::sweep: {
      step(PlanSweep{node});
      std::span<const std::uint32_t> rows = action.rows;
      while (cluster.claims_left(node)) {
        const auto end = std::ranges::find(rows, kClaimEnds);
        HEADROOM_ASSERT(end != rows.end(), "a sweep of other claims than were chosen");
        const auto size = static_cast<std::size_t>(end - rows.begin());
        take_claim(cluster, node, rows.first(size), effects, following);
        rows = rows.subspan(size + 1);
      }
      return step(FinishSweep{node});
    }
    case Kind::plan:
      return step(PlanSweep{node});
    case Kind::claim:
      return take_claim(cluster, node, action.rows, effects, following);
    case Kind::hand_over:
      return step(FinishSweep{node});
    case Kind::fail_sweep:
      return step(FailSweep{node, action.good});
    case Kind::finish:
      return step(FinishExecution{execution_of(cluster, action.execution), action.good});
    case Kind::lose_wake:
      return step(LoseWake{node});
    case Kind::kill:
      return step(KillExecution{execution_of(cluster, action.execution)});
    case Kind::go_stale: {
      const RowSlot slot = slot_of(cluster, action.item);
      return step(GoStale{slot, cluster.outbox().row(slot).fence});
    }
    case Kind::rearm:
      return step(RearmPass{node});
    case Kind::act_on_stale:
      return step(ActOnStale{node});
    case Kind::visible: {
      const RowSlot slot = slot_of(cluster, action.item);
      return step(BecomeVisible{slot, cluster.outbox().row(slot).key});
    }
    case Kind::crash:
      return step(Crash{node});
    case Kind::restart:
      return step(Restart{node});
    case Kind::adopt:
      return step(Adopt{ShardId(action.item), node});
    case Kind::handoff:
      return step(Handoff{ShardId(action.item), node});
    case Kind::reappend: {
      const RowSlot slot = slot_of(cluster, action.item);
      const DispatchKey key = slot.is_none() ? roster_.key(action.item, 0) : cluster.outbox().row(slot).key;
      const NewRow again = new_row(action.item, key, following.at);
      return step(AppendRows{std::span(&again, 1)});
    }
    case Kind::cancel:
      return step(EndWorkflow{WorkflowId(action.item)});
    case Kind::pause:
      return step(PauseWorkflow{WorkflowId(action.item), action.good});
    case Kind::quota:
      return step(ChangeQuota{NamespaceId(action.item), action.value});
    case Kind::read_quotas:
      return step(ReadQuotas{node, action.good});
    case Kind::pause_node:
      return step(PauseNode{node});
    case Kind::resume_node:
      return step(ResumeNode{node});
    case Kind::expel:
      return step(ExpelNode{node});
    case Kind::rejoin:
      return step(RejoinNode{node});
    case Kind::cut:
      return step(CutOff{node, action.good});
    case Kind::reconnect:
      return step(Reconnect{node});
  }
}

void ClusterModel::take_claim(Cluster& cluster, NodeId node, std::span<const std::uint32_t> rows, Effects& effects,
                              const Following& following) const {
  thread_local std::vector<RowSlot> slots;
  slots.clear();
  for (const std::uint32_t row : rows) {
    slots.push_back(slot_of(cluster, row));
  }
  step_of_cluster(cluster, ClaimNext{node, slots}, effects, following);
}

// Rows that became Done or Failed in this step are followed by fresh ones.
void ClusterModel::renew(Cluster& cluster, const std::vector<bool>& was_final, Effects& effects,
                         const Following& following) const {
  for (std::size_t i = 0, seen = effects.size(); i < seen; ++i) {
    const Effect effect = effects[i];
    if (effect.kind != EffectKind::recorded && effect.kind != EffectKind::dead_lettered) {
      continue;
    }
    const std::uint32_t row = roster_.row_of(effect.key);
    const DispatchKey key = roster_.next(effect.key);
    if (was_final[row] || cluster.outbox().ever_appended(key)) {
      continue;  // a second result
    }
    const NewRow fresh = new_row(row, key, following.at);
    step_of_cluster(cluster, AppendRows{std::span(&fresh, 1)}, effects, following);
  }
}

// None if the row is final.
RowSlot ClusterModel::slot_of(const Cluster& cluster, std::uint32_t row) const {
  RowSlot found = RowSlot::none();
  cluster.outbox().for_each_in_shard(roster_.place(row).shard, [&](RowSlot slot) {
    if (roster_.row_of(cluster.outbox().row(slot).key) == row) {
      found = slot;
    }
  });
  return found;
}

ExecutionId ClusterModel::execution_of(const Cluster& cluster, const ExecutionSnapshot& execution) const {
  for (std::uint32_t i = 0; i < cluster.executions().places(); ++i) {
    const ExecutionId id(i);
    if (cluster.executions().running(id) && cluster.snapshot_execution(roster_, id) == execution) {
      return id;
    }
  }
  HEADROOM_ASSERT(false, "no such execution of row {} on node {}", execution.item.row, execution.node.value());
}

// -- states as bytes --------------------------------------------------------------------------------------------------

std::size_t ClusterModel::pack(const State& state, std::span<std::byte> bytes) const {
  Room& room = ClusterModel::room();
  state.cluster.snapshot(roster_, room.snapshot);
  room.past = state.past;
  return packing_.pack(room.snapshot, room.past, bytes);
}

std::size_t ClusterModel::pack_canonical(const State& state, std::span<std::byte> bytes) const {
  Room& room = ClusterModel::room();
  state.cluster.snapshot(roster_, room.snapshot);
  room.rows.look_at(roster_, room.snapshot, orders_claims_);
  sort_rows(roster_, room.rows, room.snapshot, orders_claims_);
  room.past = state.past;
  return packing_.pack(room.snapshot, room.past, bytes);
}

void ClusterModel::unpack(std::span<const std::byte> bytes, State& state) const {
  Room& room = ClusterModel::room();
  room.snapshot.charges.clear();
  packing_.unpack(bytes, room.snapshot, state.past);
  state.cluster.restore(roster_, room.snapshot);
}

}  // namespace headroom::checker
