#include "sim/scenario/names.hpp"

#include <array>

namespace headroom {

template <>
std::span<const EnumName<PlannerKind>> enum_names<PlannerKind>() {
  static const std::vector<EnumName<PlannerKind>> names = [] {
    std::vector<EnumName<PlannerKind>> known;
    for (const PlannerKind kind : all_planners()) {
      known.push_back({kind, planner_for(kind).name(), planner_for(kind).summary()});
    }
    return known;
  }();
  return names;
}

template <>
std::span<const EnumName<ClaimedCounts>> enum_names<ClaimedCounts>() {
  static constexpr std::array names = {
      EnumName<ClaimedCounts>{ClaimedCounts::owned_shards, "owned_shards", "Claimed rows on the node's shards"},
      EnumName<ClaimedCounts>{ClaimedCounts::started, "started", "rows that the node started and whose fence lives"},
      EnumName<ClaimedCounts>{ClaimedCounts::owned_or_started, "owned_or_started", "either, each row once"},
  };
  return names;
}

template <>
std::span<const EnumName<CeilingGrowth>> enum_names<CeilingGrowth>() {
  static constexpr std::array names = {
      EnumName<CeilingGrowth>{CeilingGrowth::immediate, "immediate", "a ceiling follows the owned shards at once"},
      EnumName<CeilingGrowth>{CeilingGrowth::settled, "settled",
                              "a shard counts for its new owner once the old one has room without it"},
  };
  return names;
}

template <>
std::span<const EnumName<DispatchKind>> enum_names<DispatchKind>() {
  static constexpr std::array names = {
      EnumName<DispatchKind>{DispatchKind::parallel, "parallel", "a row executes as soon as a worker is free"},
      EnumName<DispatchKind>{DispatchKind::sequential, "sequential",
                             "the dispatcher waits for each row's result before the next"},
      EnumName<DispatchKind>{DispatchKind::push_then_done, "push_then_done",
                             "rows are Done as soon as they are pushed"},
  };
  return names;
}

template <>
std::span<const EnumName<ShardBy>> enum_names<ShardBy>() {
  static constexpr std::array names = {
      EnumName<ShardBy>{ShardBy::dispatch_key, "dispatch_key", "rows scatter uniformly over the shards"},
      EnumName<ShardBy>{ShardBy::workflow, "workflow", "all rows of a workflow are on one shard"},
  };
  return names;
}

template <>
std::span<const EnumName<TieBreak>> enum_names<TieBreak>() {
  static constexpr std::array names = {
      EnumName<TieBreak>{TieBreak::sequence, "sequence", "simultaneous events by priority, then in order of arrival"},
      EnumName<TieBreak>{TieBreak::random, "random", "simultaneous events in an order drawn from the seed"},
  };
  return names;
}

template <>
std::span<const EnumName<ShiftTarget>> enum_names<ShiftTarget>() {
  static constexpr std::array names = {
      EnumName<ShiftTarget>{ShiftTarget::tenant, "tenant", "the service times of a tenant's rows"},
      EnumName<ShiftTarget>{ShiftTarget::route, "route", "the service times of a queue's rows"},
      EnumName<ShiftTarget>{ShiftTarget::node, "node", "the service times of rows on a node"},
      EnumName<ShiftTarget>{ShiftTarget::store, "store", "sweep and claim costs"},
  };
  return names;
}

std::span<const std::string_view> later_properties() {
  static constexpr std::array<std::string_view, 6> names = {"end_to_end",    "name_blind", "gate_safety",
                                                            "gate_progress", "readiness",  "causes_sum"};
  return names;
}

std::span<const GoalName> goal_names() {
  static constexpr std::array names = {
      GoalName{"duplicate_ignored", "an append met its own key and was ignored"},
      GoalName{"retried", "a failed row went back to Pending"},
      GoalName{"dead_lettered", "a row used up its attempts"},
      GoalName{"rearmed", "a stale claim was taken back"},
      GoalName{"stale_completion", "a result came under a stale fence and was ignored"},
      GoalName{"at_ceiling", "a tenant with claimable rows stood at its ceiling"},
      GoalName{"held", "a sweep passed over a claimable row because of backpressure"},
      GoalName{"crashed", "a node crashed"},
      GoalName{"adopted", "a survivor adopted a shard"},
      GoalName{"handed_off", "a shard changed its owner as planned"},
      GoalName{"unsettled", "a shard was charged to a node that does not own it"},
      GoalName{"row_waited_for_worker", "a claimed row waited for a free worker"},
  };
  static_assert(names.size() == kGoals);
  return names;
}

std::span<const std::string_view> later_goals() {
  static constexpr std::array<std::string_view, 3> names = {"refused_429", "refused_503", "paused"};
  return names;
}

}  // namespace headroom
