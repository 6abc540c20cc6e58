// Logarithms, exponentials and normal variates in integer arithmetic: the same bits on every machine, where libm gives
// different ones on different processors. All tables and constants are computed at compile time from integers.
//
//   const Fixed wait = Fixed::whole(50'000'000) * negative_log(stream.unit());   // exponential, mean 50 ms
//
// Errors, from the terms that the series leave out and tested against long double: negative_log 1e-9 relative for every
// fraction, 1e-15 for those below 1 - 2^-8; log 2^-55; exp 2e-15 relative, at least 2^-64; cosine_of_turn 2^-55;
// standard_normal 1e-15.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>

#include "model/base/time.hpp"
#include "sim/engine/stream.hpp"

namespace headroom {

// A number from 0 to below 2^64, in units of 2^-64. Results that do not fit become the largest one.
class Fixed {
 public:
  __extension__ using Wide = unsigned __int128;

  constexpr Fixed() = default;
  [[nodiscard]] static constexpr Fixed units(Wide count) { return Fixed(count); }
  [[nodiscard]] static constexpr Fixed whole(std::uint64_t value) { return Fixed(static_cast<Wide>(value) << 64U); }
  [[nodiscard]] static constexpr Fixed max() { return Fixed(~Wide{0}); }
  // numerator / denominator, rounded down; denominator > 0.
  [[nodiscard]] static constexpr Fixed ratio(std::uint64_t numerator, std::uint64_t denominator) {
    return Fixed((static_cast<Wide>(numerator) << 64U) / denominator);
  }

  [[nodiscard]] constexpr Wide units() const { return units_; }
  // The nearest whole number, halves up; the largest int64 where it does not fit.
  [[nodiscard]] constexpr std::int64_t rounded() const {
    constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    const auto floor = static_cast<std::uint64_t>(units_ >> 64U);
    if (floor >= largest) return static_cast<std::int64_t>(largest);
    return static_cast<std::int64_t>(floor + (static_cast<std::uint64_t>(units_) >> 63U));
  }

  friend constexpr auto operator<=>(const Fixed& a, const Fixed& b) = default;
  friend constexpr Fixed operator+(Fixed a, Fixed b) {
    const Wide sum = a.units_ + b.units_;
    return sum < a.units_ ? max() : Fixed(sum);
  }
  // Rounded down, by less than two units.
  friend constexpr Fixed operator*(Fixed a, Fixed b) {
    const Wide a_whole = a.units_ >> 64U;
    const Wide a_part = static_cast<std::uint64_t>(a.units_);
    const Wide b_whole = b.units_ >> 64U;
    const Wide b_part = static_cast<std::uint64_t>(b.units_);
    const Wide top = a_whole * b_whole;
    if ((top >> 64U) != 0) return max();
    return Fixed(top << 64U) + Fixed(a_whole * b_part) + Fixed(a_part * b_whole) + Fixed((a_part * b_part) >> 64U);
  }
  friend constexpr Fixed operator/(Fixed a, std::uint64_t divisor) { return Fixed(a.units_ / divisor); }

 private:
  constexpr explicit Fixed(Wide units) : units_(units) {}
  Wide units_ = 0;
};

// A number between -128 and 128, in units of 2^-56: exponents, logarithms, normal variates.
struct SmallFixed {
  static constexpr int kFractionBits = 56;
  std::int64_t units = 0;

  friend constexpr auto operator<=>(const SmallFixed&, const SmallFixed&) = default;
  friend constexpr SmallFixed operator+(SmallFixed a, SmallFixed b) { return {a.units + b.units}; }
  friend constexpr SmallFixed operator-(SmallFixed a, SmallFixed b) { return {a.units - b.units}; }
};

// -ln(fraction): an exponential variate of mean 1 when the fraction is uniform. At most 64 ln 2 = 44.4.
[[nodiscard]] Fixed negative_log(UnitFraction fraction);

// ln(x), x > 0.
[[nodiscard]] SmallFixed log(Fixed x);

// e^x; 0 below 2^-65, the largest Fixed from 2^64 on.
[[nodiscard]] Fixed exp(SmallFixed x);

// cos(2 pi turn), from -1 to 1.
[[nodiscard]] SmallFixed cosine_of_turn(UnitFraction turn);

// A standard normal variate when both are uniform and independent; its absolute value is below 9.5.
// Source: Box and Muller, A Note on the Generation of Random Normal Deviates, 1958.
[[nodiscard]] SmallFixed standard_normal(UnitFraction radius, UnitFraction turn);

}  // namespace headroom
