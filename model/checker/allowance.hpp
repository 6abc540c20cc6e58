// How often something may still happen in a scope.
//
//   Allowance crashes = 2;                     // or Allowance::unbounded(), std::nullopt, an optional count
//   if (crashes.any()) crashes.use_one();
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "model/base/assert.hpp"
#include "model/checker/bits.hpp"

namespace headroom::checker {

class Allowance {
 public:
  constexpr Allowance() = default;
  constexpr Allowance(std::uint32_t times) : times_(times) { HEADROOM_ASSERT(bounded(), "a count of {}", times); }
  constexpr Allowance(std::nullopt_t /*without bound*/) : times_(kUnbounded) {}
  constexpr Allowance(const std::optional<std::uint32_t>& times) : times_(times.value_or(kUnbounded)) {}
  [[nodiscard]] static constexpr Allowance unbounded() { return std::nullopt; }

  [[nodiscard]] constexpr bool any() const { return times_ > 0; }
  [[nodiscard]] constexpr bool bounded() const { return times_ != kUnbounded; }
  // Needs a bound.
  [[nodiscard]] constexpr std::uint32_t times() const { return times_; }
  // Needs any.
  constexpr void use_one() {
    HEADROOM_ASSERT(any(), "something happens more often than the scope allows");
    times_ -= bounded() ? 1 : 0;
  }

  // Writes or reads what is left of `whole`: without a bound nothing, else as many bits as it needs.
  template <class Bits>
  static void pack(Bits& bits, auto& left, const Allowance& whole) {
    if (whole.bounded()) {
      field(bits, left.times_, width_of(whole.times_));
    } else if constexpr (Bits::kReads) {
      left = whole;
    }
  }

  friend constexpr bool operator==(const Allowance&, const Allowance&) = default;

 private:
  static constexpr std::uint32_t kUnbounded = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t times_ = 0;
};

}  // namespace headroom::checker
