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
      EnumName<ShiftTarget>{ShiftTarget::tenant, "tenant", "the service times of a tenant's rows and requests"},
      EnumName<ShiftTarget>{ShiftTarget::route, "route", "the service times of a queue's rows"},
      EnumName<ShiftTarget>{ShiftTarget::node, "node", "the service times of rows and requests on a node"},
      EnumName<ShiftTarget>{ShiftTarget::store, "store", "sweep and claim costs"},
      EnumName<ShiftTarget>{ShiftTarget::database_pool, "database_pool", "whatever holds a database connection"},
      EnumName<ShiftTarget>{ShiftTarget::downstream, "downstream", "the part of a handler in the next service"},
  };
  return names;
}

template <>
std::span<const EnumName<QueueOrder>> enum_names<QueueOrder>() {
  static constexpr std::array names = {
      EnumName<QueueOrder>{QueueOrder::fifo, "fifo", "the oldest waiter whose tenant is below its cap"},
      EnumName<QueueOrder>{QueueOrder::lifo, "lifo", "the youngest waiter whose tenant is below its cap"},
      EnumName<QueueOrder>{QueueOrder::tenant_round_robin, "tenant_round_robin",
                           "tenants below their cap in turn, the oldest waiter of each"},
  };
  return names;
}

template <>
std::span<const EnumName<RetryAfterForm>> enum_names<RetryAfterForm>() {
  static constexpr std::array names = {
      EnumName<RetryAfterForm>{RetryAfterForm::seconds, "seconds", "whole seconds from the refusal on"},
      EnumName<RetryAfterForm>{RetryAfterForm::http_date, "http_date", "an instant, rounded up to a second"},
  };
  return names;
}

template <>
std::span<const EnumName<BalancingPolicy>> enum_names<BalancingPolicy>() {
  static constexpr std::array names = {
      EnumName<BalancingPolicy>{BalancingPolicy::round_robin, "round_robin", "processes in turn"},
      EnumName<BalancingPolicy>{BalancingPolicy::least_loaded, "least_loaded",
                                "the process with the fewest requests inside"},
      EnumName<BalancingPolicy>{BalancingPolicy::sticky, "sticky", "a tenant's requests go to one process"},
  };
  return names;
}

template <>
std::span<const EnumName<RetryKind>> enum_names<RetryKind>() {
  static constexpr std::array names = {
      EnumName<RetryKind>{RetryKind::none, "none", "a request is tried once"},
      EnumName<RetryKind>{RetryKind::fixed, "fixed", "the same delay before each retry"},
      EnumName<RetryKind>{RetryKind::exponential, "exponential", "a delay that grows with each retry"},
  };
  return names;
}

template <>
std::span<const EnumName<RetryJitter>> enum_names<RetryJitter>() {
  static constexpr std::array names = {
      EnumName<RetryJitter>{RetryJitter::none, "none", "the delay itself"},
      EnumName<RetryJitter>{RetryJitter::full, "full", "anything from 0 to the delay"},
      EnumName<RetryJitter>{RetryJitter::equal, "equal", "anything from half the delay to all of it"},
  };
  return names;
}

template <>
std::span<const EnumName<OnTimeout>> enum_names<OnTimeout>() {
  static constexpr std::array names = {
      EnumName<OnTimeout>{OnTimeout::disconnect, "disconnect", "the gate sees that the client is gone"},
      EnumName<OnTimeout>{OnTimeout::silent, "silent", "the gate does not learn of it: the request runs for nobody"},
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
      GoalName{"refused_429", "a request was refused because of its own tenant's limits"},
      GoalName{"refused_503", "a request was refused because of its process"},
      GoalName{"queued", "a request waited at a gate"},
      GoalName{"handed_over", "a waiting request got a permit"},
      GoalName{"wait_expired", "a request waited for as long as it may and was refused"},
      GoalName{"gone", "a client left before its handler started"},
      GoalName{"abandoned", "a client left while its handler ran"},
      GoalName{"retried_request", "a client tried a request again"},
      GoalName{"gave_up", "a client tried a request for the last time, in vain"},
      GoalName{"unready", "a process became not ready"},
      GoalName{"drained", "a draining process had nothing left inside"},
      GoalName{"database_wait", "work waited for a database connection"},
      GoalName{"database_timeout", "work gave up waiting for a database connection"},
      GoalName{"limit_changed", "the limits of a gate changed"},
      GoalName{"request_retry_deduplicated", "a retry met the rows of an earlier try of its request"},
  };
  static_assert(names.size() == kGoals);
  return names;
}

std::span<const std::string_view> later_goals() {
  static constexpr std::array<std::string_view, 1> names = {"paused"};
  return names;
}

}  // namespace headroom
