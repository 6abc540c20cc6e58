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

// No guard reads it.
constexpr Time kNow = Time::zero();
using Kind = ClusterActionKind;

ClusterScope with_outbox_only(ClusterScope scope) {
  const std::optional<std::string> fault = find_fault(scope);
  HEADROOM_ASSERT(!fault, "a scope that cannot be checked: {}", *fault);
  scope.config.wake = false;
  scope.config.admission.reset();
  for (NamespaceConfig& name : scope.config.namespaces) {
    name.rows_use_database_pool = false;
  }
  return scope;
}

bool contains(const std::vector<std::string>& names, const char* name) {
  return std::ranges::find(names, name) != names.end();
}

ClusterSnapshot initial_snapshot(const Cluster& cluster, const RowRoster& roster) {
  ClusterSnapshot snapshot;
  cluster.snapshot(roster, snapshot);
  std::ranges::fill(snapshot.rows, RowSnapshot{.fate = RowFate::pending, .visible = true});
  return snapshot;
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
  initial_.cluster.restore(roster_, initial_snapshot(initial_.cluster, roster_));
  if (keeps_runs_) {
    initial_.past.runs.resize(std::size_t{scope_.config.nodes} * scope_.config.namespaces.size());
  }
}

// -- steps ------------------------------------------------------------------------------------------------------------

void ClusterModel::step(State& state, const Action& action, Effects& effects) const {
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
  take(state.cluster, action, effects);
  if (scope_.renew) {
    renew(state.cluster, was_final, effects);
  }
  if (keeps_runs_) {
    advance_runs(state.past.runs, active, state.cluster, effects);
  }
  if (scope_.counts.quota_changes > 0) {
    state.past.changing = changing_after(state.past.changing, state.cluster, effects);
  }
}

void ClusterModel::use_up(FaultCounts& left, const Action& action) const {
  const auto once = [](std::uint32_t& count) {
    HEADROOM_ASSERT(count > 0, "a fault more than the scope has");
    count -= count == kUnbounded ? 0 : 1;
  };
  switch (action.kind) {
    case Kind::finish:
      return action.good ? void() : once(left.failures);
    case Kind::read_quotas:
      return action.good ? void() : once(left.quota_errors);
    case Kind::pause:
      return action.good ? once(left.pauses) : void();
    case Kind::fail_sweep:
      return once(left.sweep_errors);
    case Kind::kill:
      return once(left.kills);
    case Kind::go_stale:
      return once(left.rearms);
    case Kind::crash:
      return once(left.crashes);
    case Kind::restart:
      return once(left.restarts);
    case Kind::handoff:
      return once(left.handoffs);
    case Kind::reappend:
      return once(left.reappends);
    case Kind::cancel:
      return once(left.cancels);
    case Kind::quota:
      return once(left.quota_changes);
    case Kind::pause_node:
      return once(left.node_pauses);
    case Kind::expel:
      return once(left.expels);
    case Kind::cut:
      return once(left.cuts);
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

void ClusterModel::take(Cluster& cluster, const Action& action, Effects& effects) const {
  const auto step = [&](const headroom::Action& of_cluster) { cluster.step(of_cluster, kNow, effects); };
  const NodeId node = action.node;
  switch (action.kind) {
    case Kind::sweep: {
      step(PlanSweep{node});
      std::span<const std::uint32_t> rows = action.rows;
      while (cluster.claims_left(node)) {
        const auto end = std::ranges::find(rows, kClaimEnds);
        HEADROOM_ASSERT(end != rows.end(), "a sweep of other claims than were chosen");
        const auto size = static_cast<std::size_t>(end - rows.begin());
        take_claim(cluster, node, rows.first(size), effects);
        rows = rows.subspan(size + 1);
      }
      return step(FinishSweep{node});
    }
    case Kind::plan:
      return step(PlanSweep{node});
    case Kind::claim:
      return take_claim(cluster, node, action.rows, effects);
    case Kind::hand_over:
      return step(FinishSweep{node});
    case Kind::fail_sweep:
      return step(FailSweep{node, action.good});
    case Kind::finish:
      return step(FinishExecution{execution_of(cluster, action.execution), action.good});
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
      const RowPlace& place = roster_.place(action.item);
      const RowSlot slot = slot_of(cluster, action.item);
      const DispatchKey key = slot.is_none() ? roster_.key(action.item, 0) : cluster.outbox().row(slot).key;
      const NewRow again{.key = key, .workflow = place.workflow, .route = place.route, .shard = place.shard};
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

void ClusterModel::take_claim(Cluster& cluster, NodeId node, std::span<const std::uint32_t> rows,
                              Effects& effects) const {
  thread_local std::vector<RowSlot> slots;
  slots.clear();
  for (const std::uint32_t row : rows) {
    slots.push_back(slot_of(cluster, row));
  }
  cluster.step(ClaimNext{node, slots}, kNow, effects);
}

// Rows that became Done or Failed in this step are followed by fresh ones.
void ClusterModel::renew(Cluster& cluster, const std::vector<bool>& was_final, Effects& effects) const {
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
    const RowPlace& place = roster_.place(row);
    const NewRow fresh{.key = key, .workflow = place.workflow, .route = place.route, .shard = place.shard};
    cluster.step(AppendRows{std::span(&fresh, 1)}, kNow, effects);
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
