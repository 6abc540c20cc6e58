// Integer arithmetic that every rule of the model shares.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>

namespace headroom {

// The least integer not below numerator / denominator. Needs denominator > 0; cannot overflow.
template <std::unsigned_integral T>
[[nodiscard]] constexpr T div_ceil(T numerator, T denominator) {
  return static_cast<T>(numerator / denominator + (numerator % denominator != 0 ? 1 : 0));
}

// value * numerator / denominator, rounded down, with a product of 128 bits; the largest int64 where the result does
// not fit. Needs value >= 0, numerator >= 0, denominator > 0.
[[nodiscard]] constexpr std::int64_t multiply_divide(std::int64_t value, std::int64_t numerator,
                                                     std::int64_t denominator) {
  __extension__ using Wide = __int128;
  const Wide result = static_cast<Wide>(value) * numerator / denominator;
  constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
  return result > largest ? largest : static_cast<std::int64_t>(result);
}

}  // namespace headroom
