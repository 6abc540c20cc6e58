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
std::span<const EnumName<FractionRefresh>> enum_names<FractionRefresh>() {
  static constexpr std::array names = {
      EnumName<FractionRefresh>{FractionRefresh::live, "live", "a ceiling counts the shards that the node owns by now"},
      EnumName<FractionRefresh>{FractionRefresh::at_boot, "at_boot",
                                "a ceiling counts the shards that the node owned when it started"},
  };
  return names;
}

template <>
std::span<const EnumName<OnQuotaError>> enum_names<OnQuotaError>() {
  static constexpr std::array names = {
      EnumName<OnQuotaError>{OnQuotaError::last_known, "last_known", "the quota that the node last read"},
      EnumName<OnQuotaError>{OnQuotaError::platform_default, "platform_default", "the platform's default of 1024"},
      EnumName<OnQuotaError>{OnQuotaError::closed, "closed", "0: nothing is claimed until a read succeeds"},
  };
  return names;
}

template <>
std::span<const EnumName<ScopeOnLoss>> enum_names<ScopeOnLoss>() {
  static constexpr std::array names = {
      EnumName<ScopeOnLoss>{ScopeOnLoss::narrow, "narrow", "a node no longer plans for a shard that it has lost"},
      EnumName<ScopeOnLoss>{ScopeOnLoss::keep, "keep",
                            "it does until its next re-arm pass; the store refuses those claims"},
  };
  return names;
}

template <>
std::span<const EnumName<ZeroOwned>> enum_names<ZeroOwned>() {
  static constexpr std::array names = {
      EnumName<ZeroOwned>{ZeroOwned::zero, "zero", "a node without shards has a ceiling of 0"},
      EnumName<ZeroOwned>{ZeroOwned::counts_as_one, "counts_as_one", "a node without shards counts as owning one"},
  };
  return names;
}

template <>
std::span<const EnumName<SettleGuard>> enum_names<SettleGuard>() {
  static constexpr std::array names = {
      EnumName<SettleGuard>{SettleGuard::fence, "fence", "a result counts under the fence of the present claim"},
      EnumName<SettleGuard>{SettleGuard::status, "status", "a result of any claim counts while the row is Claimed"},
      EnumName<SettleGuard>{SettleGuard::none, "none", "every result counts"},
  };
  return names;
}

template <>
std::span<const EnumName<RearmPassKind>> enum_names<RearmPassKind>() {
  static constexpr std::array names = {
      EnumName<RearmPassKind>{RearmPassKind::one_step, "one_step", "stale claims are found and taken back in one step"},
      EnumName<RearmPassKind>{RearmPassKind::list_and_act, "list_and_act",
                              "they are listed first and taken back later, whatever became of them"},
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

template <>
std::span<const EnumName<ClientDisconnectFault::Stage>> enum_names<ClientDisconnectFault::Stage>() {
  using Stage = ClientDisconnectFault::Stage;
  static constexpr std::array names = {
      EnumName<Stage>{Stage::any, "any", "wherever its request is"},
      EnumName<Stage>{Stage::waiting, "waiting", "while its request waits at the gate"},
      EnumName<Stage>{Stage::running, "running", "while its handler runs"},
  };
  return names;
}

template <>
std::span<const EnumName<SplitStep>> enum_names<SplitStep>() {
  static constexpr std::array names = {
      EnumName<SplitStep>{SplitStep::sweep, "sweep", "the plan, each of its claims and their hand-over to workers"},
  };
  return names;
}

std::span<const OtherProperty> properties_not_of_a_run() {
  static constexpr std::array names = {
      OtherProperty{"name_blind", "compares two runs and is not evaluated during one"},
  };
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
      GoalName{"paused", "a workflow was paused"},
      GoalName{"cancelled", "a row was cancelled because its workflow had ended"},
      GoalName{"node_paused", "a node stood still"},
      GoalName{"partitioned", "a node could not reach the store"},
      GoalName{"expelled", "a node that lived was taken for dead"},
      GoalName{"zombie", "a node that had been taken for dead went on with what it believed"},
      GoalName{"rejoined", "a node that had been taken for dead became a member again"},
      GoalName{"joined", "a node came that had not been there, or had left"},
      GoalName{"left", "a node left as planned"},
      GoalName{"result_delayed", "a result, or the reply to it, did not get through"},
      GoalName{"recorded_twice", "a second result of a row counted, for want of a guard"},
      GoalName{"store_error", "a store error ended a sweep in the middle"},
      GoalName{"released", "a row that such a sweep had claimed went back to Pending at once"},
      GoalName{"work_lost", "a row was claimed and nobody was left to run it"},
      GoalName{"claim_refused", "the store refused a claim for a shard that the node had lost"},
      GoalName{"worker_died", "a worker died with its work"},
      GoalName{"lease_renewed", "a claim was renewed instead of going stale"},
      GoalName{"listed_stale", "a re-arm pass listed stale claims to act on later"},
      GoalName{"wake_lost", "a wake did not reach its node"},
      GoalName{"quota_changed", "a quota changed"},
      GoalName{"quota_unread", "a node could not read the quotas"},
  };
  static_assert(names.size() == kGoals);
  return names;
}

}  // namespace headroom
