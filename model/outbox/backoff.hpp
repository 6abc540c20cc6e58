// How long a failed row stays invisible before its next try.
#pragma once

#include <cstdint>

#include "model/base/arithmetic.hpp"
#include "model/base/time.hpp"

namespace headroom {

struct Backoff {
  Duration base = Duration::milliseconds(50);
  std::uint32_t multiplier = 2;  // >= 1
  Duration max = Duration::seconds(1);
  std::uint16_t max_attempts = 5;  // >= 1; the try number `max_attempts` is the last

  // min(base * multiplier^attempt, max); `attempt` counts the failed tries before this one. Never overflows.
  [[nodiscard]] constexpr Duration delay(std::uint16_t attempt) const {
    Duration delay = base;
    for (std::uint16_t i = 0; i < attempt && delay < max && multiplier > 1 && delay > Duration::zero(); ++i) {
      delay = Duration::nanoseconds(multiply_divide(delay.count(), multiplier, 1));
    }
    return delay < max ? delay : max;
  }

  friend bool operator==(const Backoff&, const Backoff&) = default;
};

}  // namespace headroom
