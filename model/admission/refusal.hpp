// Why a request is refused, and what its caller is told.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "model/base/hash.hpp"

namespace headroom {

// Decided at the instant of the refusal, the tenant's own bounds first (spec 1.4).
enum class Refusal : std::uint8_t {
  no_token,              // 429: the tenant's rate limit
  tenant_inflight,       // 429: the tenant is at its in-flight cap
  tenant_queue_full,     // 429: the tenant's share of the queue is full
  tenant_wait_expired,   // 429: waited for too long, and the tenant is at its in-flight cap
  process_inflight,      // 503: the process is at its in-flight cap, and nobody may wait
  process_queue_full,    // 503
  process_wait_expired,  // 503: waited for too long for the process
  draining,              // 503: the process shuts down
};
inline constexpr std::size_t kRefusals = 8;

[[nodiscard]] constexpr bool of_tenant(Refusal refusal) {
  return refusal <= Refusal::tenant_wait_expired;
}
// HTTP status: 429 where the caller's own budget is used up, 503 where shared capacity is.
[[nodiscard]] constexpr int status_of(Refusal refusal) {
  return of_tenant(refusal) ? 429 : 503;
}
// As in reports and in the `reason` of a metric.
[[nodiscard]] constexpr std::string_view name_of(Refusal refusal) {
  constexpr std::array<std::string_view, kRefusals> names{
      "rate_limit",       "tenant_inflight",    "tenant_queue_full",    "tenant_wait_expired",
      "process_inflight", "process_queue_full", "process_wait_expired", "draining"};
  return names[static_cast<std::size_t>(refusal)];
}

struct RetryAfter {
  std::uint32_t seconds = 1;  // at least 1
  std::uint32_t jitter = 0;   // whole seconds that are added at most
  friend bool operator==(const RetryAfter&, const RetryAfter&) = default;
};

// What a refusal tells its caller to wait, in whole seconds: uniform over [seconds, seconds + jitter] for a uniform
// `draw` of 64 bits.
[[nodiscard]] constexpr std::int64_t retry_after(const RetryAfter& config, std::uint64_t draw) {
  __extension__ using Wide = unsigned __int128;
  const Wide choices = static_cast<Wide>(config.jitter) + 1;
  return static_cast<std::int64_t>(config.seconds) + static_cast<std::int64_t>((choices * draw) >> 64U);
}

}  // namespace headroom
