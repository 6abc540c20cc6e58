// The causes of which every interval of a row's wait has exactly one (spec 2.5).
//
//   name_of(WaitCause::own_ceiling)   // "own_ceiling"
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace headroom {

// In the order of test.
enum class WaitCause : std::uint8_t {
  no_owner,
  store_error,  // its owner does not reach the store, or the sweep met an error of it
  not_visible,
  paused,
  own_ceiling,     // the sweep's grant used the tenant's whole headroom
  awaiting_sweep,  // the next sweep that looked at it claimed it, or none has come
  batch_budget,
  lost_in_order,    // the tenant got less than its max-min part of the batch
  claimed_waiting,  // claimed, and not executing
  executing,
};
inline constexpr std::size_t kWaitCauses = 10;
inline constexpr std::size_t kCausesBeforeClaim = 8;
[[nodiscard]] std::string_view name_of(WaitCause cause);

}  // namespace headroom
