// Numbers of a scenario that are not whole: fixed point with nine digits, so that no decision rests on floating point.
#pragma once

#include <compare>
#include <cstdint>

namespace headroom {

// A number in units of 10^-9.
struct Decimal {
  static constexpr std::int64_t kOne = 1'000'000'000;
  std::int64_t billionths = 0;

  [[nodiscard]] static constexpr Decimal whole(std::int64_t value) { return {value * kOne}; }
  [[nodiscard]] constexpr double to_double() const { return static_cast<double>(billionths) / 1e9; }
  friend constexpr auto operator<=>(const Decimal&, const Decimal&) = default;
};

// Events per second, in units of 10^-9 per second.
struct Rate {
  std::int64_t nanohertz = 0;
  friend constexpr auto operator<=>(const Rate&, const Rate&) = default;
};

}  // namespace headroom
