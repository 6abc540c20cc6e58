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
#include "sim/scenario/scenario.hpp"
#include "sim/world/client.hpp"
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
// DispatchKind, ShardBy, TieBreak, ShiftTarget, QueueOrder, RetryAfterForm, BalancingPolicy, RetryKind, RetryJitter and
// OnTimeout.
template <class E>
[[nodiscard]] std::span<const EnumName<E>> enum_names();
template <>
std::span<const EnumName<PlannerKind>> enum_names<PlannerKind>();
template <>
std::span<const EnumName<ClaimedCounts>> enum_names<ClaimedCounts>();
template <>
std::span<const EnumName<CeilingGrowth>> enum_names<CeilingGrowth>();
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

template <class E>
[[nodiscard]] std::string_view name_of(E value) {
  for (const EnumName<E>& entry : enum_names<E>()) {
    if (entry.value == value) {
      return entry.name;
    }
  }
  return {};
}

// Properties of the specification that this version does not evaluate.
[[nodiscard]] std::span<const std::string_view> later_properties();

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
};
inline constexpr std::size_t kGoals = 27;

struct GoalName {
  std::string_view name;
  std::string_view summary;
};
// What a `sometimes` expectation may ask for.
[[nodiscard]] std::span<const GoalName> goal_names();
[[nodiscard]] std::span<const std::string_view> later_goals();

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
