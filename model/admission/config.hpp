// What the HTTP side of a cluster is made of: the knobs of spec 1.4.
#pragma once

#include <cstdint>
#include <optional>

#include "model/admission/refusal.hpp"
#include "model/base/time.hpp"

namespace headroom {

// Tokens come back at `nanohertz` a 10^9th of a second, up to `burst`. Needs both above 0.
struct RateLimit {
  std::int64_t nanohertz = 0;
  std::uint32_t burst = 1;
  friend bool operator==(const RateLimit&, const RateLimit&) = default;
};

// Of one tenant in one process; absent: none.
struct TenantLimits {
  std::optional<std::uint32_t> max_inflight;
  std::optional<std::uint32_t> max_queue_depth;
  std::optional<RateLimit> rate_limit;
  friend bool operator==(const TenantLimits&, const TenantLimits&) = default;
};

// Of one process; absent: none.
struct GateLimits {
  std::optional<std::uint32_t> max_inflight;
  std::optional<std::uint32_t> max_queue_depth;
  friend bool operator==(const GateLimits&, const GateLimits&) = default;
};

enum class QueueOrder : std::uint8_t { fifo, lifo, tenant_round_robin };

// Not ready when depth > depth_high or lag > lag_high; ready again when depth < depth_low and lag < lag_low. Lag is the
// age of the oldest waiter. An absent pair does not matter.
struct ReadinessMarks {
  std::optional<std::uint32_t> depth_high;
  std::optional<std::uint32_t> depth_low;
  std::optional<Duration> lag_high;
  std::optional<Duration> lag_low;
  friend bool operator==(const ReadinessMarks&, const ReadinessMarks&) = default;
};

struct GateConfig {
  GateLimits limits;
  bool may_wait = false;  // queue_wait > 0
  QueueOrder order = QueueOrder::tenant_round_robin;
  RetryAfter retry_after;
  std::optional<ReadinessMarks> readiness;
  friend bool operator==(const GateConfig&, const GateConfig&) = default;
};

// A resource of the whole fleet of which a handler holds one unit at a time.
struct ResourceConfig {
  std::uint32_t size = 1;
  std::uint32_t reserve = 0;  // units that only health checks may take
};

struct AdmissionConfig {
  std::uint16_t processes = 1;  // of each node
  GateConfig gate;
  std::optional<ResourceConfig> database_pool;
  std::optional<ResourceConfig> downstream;
};

}  // namespace headroom
