#include "sim/engine/fixed_point.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <limits>

namespace headroom {
namespace {

using Wide = Fixed::Wide;
__extension__ using SignedWide = __int128;

constexpr std::uint64_t kOneLessUnit = std::numeric_limits<std::uint64_t>::max();

constexpr std::uint64_t multiply_high(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::uint64_t>((static_cast<Wide>(a) * b) >> 64U);
}

// 1 / n in units of 2^-64, n > 1.
constexpr std::uint64_t reciprocal(std::uint64_t n) {
  return static_cast<std::uint64_t>((Wide{1} << 64U) / n);
}

// Working precision of the compile-time series: units of 2^-108, so that a product with a 20-bit integer fits.
constexpr unsigned kSeriesBits = 108;

constexpr std::uint64_t series_to_fraction(Wide units) {
  return static_cast<std::uint64_t>((units + (Wide{1} << (kSeriesBits - 65))) >> (kSeriesBits - 64));
}

// ln(numerator / denominator) from 2 artanh(z) = 2 (z + z^3/3 + z^5/5 + ...), z = (n - d) / (n + d); 1 <= n/d <= 2,
// n + d < 2^20. In series units.
constexpr Wide series_log(std::uint32_t numerator, std::uint32_t denominator) {
  const std::uint32_t top = numerator - denominator;
  const std::uint32_t bottom = numerator + denominator;
  Wide power = (Wide{1} << kSeriesBits) * top / bottom;
  Wide sum = 0;
  for (std::uint32_t odd = 1; power != 0; odd += 2) {
    sum += power / odd;
    power = power * top / bottom;
    power = power * top / bottom;
  }
  return 2 * sum;
}

// arctan(1 / n) in series units.
constexpr Wide series_arctan(std::uint32_t n) {
  Wide power = (Wide{1} << kSeriesBits) / n;
  Wide positive = 0;
  Wide negative = 0;
  for (std::uint32_t odd = 1; power != 0; odd += 2) {
    (odd % 4 == 1 ? positive : negative) += power / odd;
    power = power / n / n;
  }
  return positive - negative;
}

constexpr std::uint64_t kLn2 = series_to_fraction(series_log(2, 1));
// log2(e) in units of 2^-63.
constexpr std::uint64_t kLog2E = static_cast<std::uint64_t>((Wide{1} << 127U) / kLn2);
// Machin's formula: pi/4 = 4 arctan(1/5) - arctan(1/239).
constexpr std::uint64_t kQuarterPi = series_to_fraction(4 * series_arctan(5) - series_arctan(239));

constexpr std::size_t kIntervals = 128;

// For a mantissa in [1/2 + i/256, 1/2 + (i+1)/256): an approximate reciprocal c >= 1 of its upper end, in units of
// 2^-16 and rounded down, and ln(c). mantissa * c = 1 - r then has 0 <= r < 2^-7, and the last interval has c = 1, so
// that all parts of -ln(mantissa) = ln(c) - ln(1 - r) are positive and fractions near 1 lose no relative accuracy.
struct LogInterval {
  std::uint64_t reciprocal;
  std::uint64_t log;
};

constexpr std::array<LogInterval, kIntervals> log_intervals() {
  std::array<LogInterval, kIntervals> table{};
  for (std::size_t i = 0; i < kIntervals; ++i) {
    const auto upper = static_cast<std::uint32_t>(kIntervals + i + 1);  // in units of 2^-8
    const std::uint32_t c = (std::uint32_t{1} << 24U) / upper;
    table[i] = {c, series_to_fraction(series_log(c, std::uint32_t{1} << 16U))};
  }
  return table;
}
constexpr std::array<LogInterval, kIntervals> kLogIntervals = log_intervals();

// 2^(i/128) in units of 2^-63, from the power series of exp.
constexpr std::array<std::uint64_t, kIntervals> powers_of_two() {
  std::array<std::uint64_t, kIntervals> table{};
  for (std::size_t i = 0; i < kIntervals; ++i) {
    const auto x = static_cast<std::uint64_t>(static_cast<Wide>(kLn2) * i / kIntervals);
    Wide term = Wide{1} << 63U;
    Wide sum = 0;
    for (std::uint64_t k = 1; term != 0; ++k) {
      sum += term;
      term = ((term * x) >> 64U) / k;
    }
    table[i] = static_cast<std::uint64_t>(sum);
  }
  return table;
}
constexpr std::array<std::uint64_t, kIntervals> kPowersOfTwo = powers_of_two();

// For x in units of 2^-71 (x < 2^-7): coefficient + x * value.
constexpr std::uint64_t horner(std::uint64_t coefficient, std::uint64_t x, std::uint64_t value) {
  return coefficient + (multiply_high(x, value) >> 7U);
}

// x + x^2 * value in units of 2^-64, rounded, for x in units of 2^-71.
constexpr std::uint64_t add_square_times(std::uint64_t x, std::uint64_t value) {
  const std::uint64_t square_times_value = multiply_high(multiply_high(x, x), value);  // units of 2^-78
  return static_cast<std::uint64_t>((static_cast<Wide>(x) + (square_times_value >> 7U) + 64U) >> 7U);
}

// -ln(1 - r) = r + r^2 (1/2 + r/3 + r^2/4 + r^3/5 + r^4/6 + r^5/7); what is left out is below 2^-58.
constexpr std::uint64_t negative_log_of_rest(std::uint64_t r) {
  std::uint64_t value = reciprocal(7);
  value = horner(reciprocal(6), r, value);
  value = horner(reciprocal(5), r, value);
  value = horner(reciprocal(4), r, value);
  value = horner(reciprocal(3), r, value);
  value = horner(reciprocal(2), r, value);
  return add_square_times(r, value);
}

// e^s - 1 = s + s^2 (1/2 + s/6 + s^2/24 + s^3/120), s < ln(2)/128; what is left out is below 4e-17.
constexpr std::uint64_t exp_minus_one(std::uint64_t s) {
  std::uint64_t value = reciprocal(120);
  value = horner(reciprocal(24), s, value);
  value = horner(reciprocal(6), s, value);
  value = horner(reciprocal(2), s, value);
  return add_square_times(s, value);
}

// 1 / (n (n - 1)) for n = first, first - 2, ...: each term of sin and cos over the one before it.
constexpr std::array<std::uint64_t, 8> term_ratios(std::uint64_t first) {
  std::array<std::uint64_t, 8> ratios{};
  for (std::uint64_t& ratio : ratios) {
    ratio = reciprocal(first * (first - 1));
    first -= 2;
  }
  return ratios;
}
constexpr std::array<std::uint64_t, 8> kSineRatios = term_ratios(17);
constexpr std::array<std::uint64_t, 8> kCosineRatios = term_ratios(16);

// 1 - x^2 r_7 (1 - x^2 r_6 (1 - ...)), all in units of 2^-64.
std::uint64_t alternating_series(std::uint64_t angle, const std::array<std::uint64_t, 8>& ratios) {
  const std::uint64_t square = multiply_high(angle, angle);
  std::uint64_t value = kOneLessUnit;
  for (const std::uint64_t ratio : ratios) {
    value = kOneLessUnit - multiply_high(multiply_high(square, value), ratio);
  }
  return value;
}

// Of an angle of at most pi/4; series up to x^17 / 17! and x^16 / 16!.
std::uint64_t sine(std::uint64_t angle) {
  return multiply_high(angle, alternating_series(angle, kSineRatios));
}
std::uint64_t cosine(std::uint64_t angle) {
  return alternating_series(angle, kCosineRatios);
}

// sin(turn * pi/2) for a part of a quarter turn, in units of 2^-64.
std::uint64_t sine_of_quarter(std::uint64_t turn) {
  constexpr std::uint64_t half = std::uint64_t{1} << 63U;
  if (turn < half) return sine(multiply_high(turn << 1U, kQuarterPi));
  const std::uint64_t complement = 0 - turn;  // 1 - turn
  return complement == half ? cosine(kQuarterPi) : cosine(multiply_high(complement << 1U, kQuarterPi));
}

// -ln(numerator / 2^64) in units of 2^-64.
Wide negative_log_units(std::uint64_t numerator) {
  HEADROOM_ASSERT(numerator != 0, "the logarithm of 0 is not finite");
  const auto halvings = static_cast<unsigned>(std::countl_zero(numerator));
  const std::uint64_t mantissa = numerator << halvings;
  const LogInterval& interval = kLogIntervals[(mantissa >> 56U) & (kIntervals - 1)];
  const Wide product = static_cast<Wide>(mantissa) * interval.reciprocal;  // units of 2^-80
  const auto rest = static_cast<std::uint64_t>(((Wide{1} << 80U) - product) >> 9U);
  return static_cast<Wide>(halvings) * kLn2 + interval.log + negative_log_of_rest(rest);
}

}  // namespace

Fixed negative_log(UnitFraction fraction) {
  return Fixed::units(negative_log_units(fraction.numerator));
}

SmallFixed log(Fixed x) {
  const Wide units = x.units();
  HEADROOM_ASSERT(units != 0, "the logarithm of 0 is not finite");
  const auto high = static_cast<std::uint64_t>(units >> 64U);
  const int leading_zeros =
      high != 0 ? std::countl_zero(high) : 64 + std::countl_zero(static_cast<std::uint64_t>(units));
  const auto mantissa = static_cast<std::uint64_t>((units << static_cast<unsigned>(leading_zeros)) >> 64U);
  // x = mantissa / 2^64 * 2^(64 - leading zeros)
  const SignedWide whole = static_cast<SignedWide>(kLn2) * (64 - leading_zeros);
  const SignedWide result = whole - static_cast<SignedWide>(negative_log_units(mantissa));
  return {static_cast<std::int64_t>(result >> (64 - SmallFixed::kFractionBits))};
}

Fixed exp(SmallFixed x) {
  constexpr int product_bits = SmallFixed::kFractionBits + 63;
  const SignedWide power = static_cast<SignedWide>(x.units) * kLog2E;  // x / ln 2
  const auto whole = static_cast<int>(power >> product_bits);
  const auto part = static_cast<std::uint64_t>(power >> (product_bits - 64));
  const std::uint64_t base = kPowersOfTwo[part >> 57U];
  const std::uint64_t rest = multiply_high(part << 7U, kLn2);
  const std::uint64_t mantissa = base + multiply_high(base, exp_minus_one(rest));  // in [1, 2), units of 2^-63
  if (whole >= 64) return Fixed::max();
  if (whole >= -1) return Fixed::units(static_cast<Wide>(mantissa) << static_cast<unsigned>(whole + 1));
  if (whole < -65) return Fixed();
  const auto shift = static_cast<unsigned>(-1 - whole);
  return Fixed::units((static_cast<Wide>(mantissa) + (Wide{1} << (shift - 1))) >> shift);
}

SmallFixed cosine_of_turn(UnitFraction turn) {
  const std::uint64_t quadrant = turn.numerator >> 62U;
  const std::uint64_t part = turn.numerator << 2U;
  // cos falls from 1 to 0 in the even quadrants; in the odd ones it is a sine.
  const std::uint64_t size = sine_of_quarter(quadrant % 2 == 1 ? part : 0 - part);
  const auto units = static_cast<std::int64_t>(size >> (64 - SmallFixed::kFractionBits));
  return {quadrant == 1 || quadrant == 2 ? -units : units};
}

SmallFixed standard_normal(UnitFraction radius, UnitFraction turn) {
  const Fixed squared = negative_log(radius) + negative_log(radius);
  const Fixed length = exp({log(squared).units / 2});
  const auto length_units = static_cast<SignedWide>(length.units() >> (64 - SmallFixed::kFractionBits));
  return {static_cast<std::int64_t>((length_units * cosine_of_turn(turn).units) >> SmallFixed::kFractionBits)};
}

}  // namespace headroom
