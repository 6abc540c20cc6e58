// Every name that a scenario may use as a value, in one place: the reader, the JSON Schema, `headroom list` and the
// suggestions for misspelt names all come from these tables.
//
//   name_of(DispatchKind::parallel)        // "parallel"
//   for (const auto& entry : enum_names<TieBreak>()) ...
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/admission/config.hpp"
#include "model/backpressure/planner.hpp"
#include "model/backpressure/quota.hpp"
#include "model/cluster/config.hpp"
#include "model/outbox/outbox.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/world/client.hpp"
#include "sim/world/fault.hpp"
#include "sim/world/latency_shift.hpp"
#include "sim/world/load_balancer.hpp"

namespace headroom {

template <class E>
struct EnumName {
  E value;
  std::string_view name;
  std::string_view summary;
};

// All values of an enumeration that a scenario may name. Defined for PlannerKind, ClaimedCounts, CeilingGrowth,
// FractionRefresh, OnQuotaError, ScopeOnLoss, ZeroOwned, SettleGuard, RearmPassKind, DispatchKind, ShardBy, TieBreak,
// ShiftTarget, QueueOrder, RetryAfterForm, BalancingPolicy, RetryKind, RetryJitter, OnTimeout,
// ClientDisconnectFault::Stage and SplitStep.
template <class E>
[[nodiscard]] std::span<const EnumName<E>> enum_names();
template <>
std::span<const EnumName<PlannerKind>> enum_names<PlannerKind>();
template <>
std::span<const EnumName<ClaimedCounts>> enum_names<ClaimedCounts>();
template <>
std::span<const EnumName<CeilingGrowth>> enum_names<CeilingGrowth>();
template <>
std::span<const EnumName<FractionRefresh>> enum_names<FractionRefresh>();
template <>
std::span<const EnumName<OnQuotaError>> enum_names<OnQuotaError>();
template <>
std::span<const EnumName<ScopeOnLoss>> enum_names<ScopeOnLoss>();
template <>
std::span<const EnumName<ZeroOwned>> enum_names<ZeroOwned>();
template <>
std::span<const EnumName<SettleGuard>> enum_names<SettleGuard>();
template <>
std::span<const EnumName<RearmPassKind>> enum_names<RearmPassKind>();
template <>
std::span<const EnumName<DispatchKind>> enum_names<DispatchKind>();
template <>
std::span<const EnumName<ShardBy>> enum_names<ShardBy>();
template <>
std::span<const EnumName<TieBreak>> enum_names<TieBreak>();
template <>
std::span<const EnumName<ShiftTarget>> enum_names<ShiftTarget>();
template <>
std::span<const EnumName<QueueOrder>> enum_names<QueueOrder>();
template <>
std::span<const EnumName<RetryAfterForm>> enum_names<RetryAfterForm>();
template <>
std::span<const EnumName<BalancingPolicy>> enum_names<BalancingPolicy>();
template <>
std::span<const EnumName<RetryKind>> enum_names<RetryKind>();
template <>
std::span<const EnumName<RetryJitter>> enum_names<RetryJitter>();
template <>
std::span<const EnumName<OnTimeout>> enum_names<OnTimeout>();
template <>
std::span<const EnumName<ClientDisconnectFault::Stage>> enum_names<ClientDisconnectFault::Stage>();
template <>
std::span<const EnumName<SplitStep>> enum_names<SplitStep>();

template <class E>
[[nodiscard]] std::string_view name_of(E value) {
  for (const EnumName<E>& entry : enum_names<E>()) {
    if (entry.value == value) {
      return entry.name;
    }
  }
  return {};
}

// Properties of the specification that a run cannot be held against, and why not.
struct OtherProperty {
  std::string_view name;
  std::string_view why;
};
[[nodiscard]] std::span<const OtherProperty> properties_not_of_a_run();

// In the order of goal_names().
enum class Goal : std::uint8_t {
  duplicate_ignored,
  retried,
  dead_lettered,
  rearmed,
  stale_completion,
  at_ceiling,
  held,
  crashed,
  adopted,
  handed_off,
  unsettled,
  row_waited_for_worker,
  refused_429,
  refused_503,
  queued,
  handed_over,
  wait_expired,
  gone,
  abandoned,
  retried_request,
  gave_up,
  unready,
  drained,
  database_wait,
  database_timeout,
  limit_changed,
  request_retry_deduplicated,
  paused,
  cancelled,
  node_paused,
  partitioned,
  expelled,
  zombie,
  rejoined,
  joined,
  left,
  result_delayed,
  recorded_twice,
  store_error,
  released,
  work_lost,
  claim_refused,
  worker_died,
  lease_renewed,
  listed_stale,
  wake_lost,
  quota_changed,
  quota_unread,
};
inline constexpr std::size_t kGoals = static_cast<std::size_t>(Goal::quota_unread) + 1;

struct GoalName {
  std::string_view name;
  std::string_view summary;
};
// What a `sometimes` expectation may ask for.
[[nodiscard]] std::span<const GoalName> goal_names();

// One heading of `headroom list` and what stands under it.
struct NameList {
  struct Entry {
    std::string name;
    std::string summary;
  };
  std::string title;
  std::vector<Entry> entries;
};
// Everything a scenario may name, kinds with their keys.
[[nodiscard]] std::vector<NameList> all_names();

}  // namespace headroom
