// Every function against long double libm, at the accuracy that the header states.
#include "sim/engine/fixed_point.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <vector>

namespace headroom {
namespace {

constexpr long double kTwo64 = 18446744073709551616.0L;

long double value(Fixed x) {
  return static_cast<long double>(static_cast<std::uint64_t>(x.units() >> 64U)) +
         static_cast<long double>(static_cast<std::uint64_t>(x.units())) / kTwo64;
}
long double value(SmallFixed x) {
  return std::ldexp(static_cast<long double>(x.units), -SmallFixed::kFractionBits);
}
long double value(UnitFraction u) {
  return static_cast<long double>(u.numerator) / kTwo64;
}

// -ln(u) without the cancellation near 1.
long double reference_negative_log(UnitFraction u) {
  const std::uint64_t complement = 0 - u.numerator;
  if (complement < (std::uint64_t{1} << 62U)) return -std::log1p(-static_cast<long double>(complement) / kTwo64);
  return -std::log(value(u));
}

void check_negative_log(std::uint64_t numerator) {
  const UnitFraction u{numerator};
  const long double expected = reference_negative_log(u);
  const long double error = std::abs(value(negative_log(u)) - expected) / expected;
  const bool near_one = numerator >= 0xFF00000000000000ULL;
  if (!(error < (near_one ? 1e-9L : 1e-15L))) {
    FAIL("-ln(" << numerator << " / 2^64) has a relative error of " << static_cast<double>(error));
  }
}

TEST_CASE("negative_log keeps its relative accuracy over random fractions") {
  Stream stream(1, 1, Purpose::service);
  for (int i = 0; i < 1'000'000; ++i) check_negative_log(stream.unit().numerator);
}

TEST_CASE("negative_log keeps its relative accuracy at every scale, next to 0 and next to 1") {
  Stream stream(2, 2, Purpose::service);
  for (unsigned shift = 0; shift < 64; ++shift) {
    for (int i = 0; i < 2000; ++i) {
      const std::uint64_t small = (stream.next() >> shift) | 1U;
      check_negative_log(small);
      check_negative_log(0 - small);
    }
  }
  check_negative_log(1);
  check_negative_log(std::numeric_limits<std::uint64_t>::max());
}

TEST_CASE("negative_log keeps its relative accuracy at both ends of every interval of its table") {
  for (std::uint64_t interval = 128; interval < 256; ++interval) {
    for (std::uint64_t offset = 0; offset < 3; ++offset) {
      check_negative_log((interval << 56U) + offset);
      check_negative_log((interval << 56U) - 1 - offset);
    }
  }
}

TEST_CASE("negative_log of a power of one half is that many times ln 2") {
  for (unsigned halvings = 1; halvings < 64; ++halvings) {
    const long double expected = halvings * std::numbers::ln2_v<long double>;
    REQUIRE(std::abs(value(negative_log({std::uint64_t{1} << (64 - halvings)})) - expected) < 4e-18L * halvings);
  }
}

TEST_CASE("negative_log falls as its fraction grows") {
  Stream stream(3, 3, Purpose::service);
  for (int i = 0; i < 100'000; ++i) {
    const std::uint64_t numerator = stream.next() | 1U;
    if (numerator == std::numeric_limits<std::uint64_t>::max()) continue;
    REQUIRE(negative_log({numerator}) >= negative_log({numerator + 2}));
  }
}

TEST_CASE("log agrees with libm over the whole range of Fixed") {
  Stream stream(4, 4, Purpose::service);
  for (unsigned shift = 0; shift < 128; ++shift) {
    for (int i = 0; i < 500; ++i) {
      const Fixed::Wide random = (static_cast<Fixed::Wide>(stream.next()) << 64U) | stream.next();
      const Fixed x = Fixed::units((random >> shift) | 1U);
      const long double error = std::abs(value(log(x)) - std::log(value(x)));
      if (!(error < std::ldexp(1.0L, -55))) FAIL("shift " << shift << " error " << static_cast<double>(error));
    }
  }
  REQUIRE(log(Fixed::whole(1)).units == 0);
}

TEST_CASE("exp agrees with libm wherever its result fits") {
  Stream stream(5, 5, Purpose::service);
  for (int i = 0; i < 300'000; ++i) {
    const auto units = static_cast<std::int64_t>(stream.next()) >> (i % 60);
    const SmallFixed x{units};
    const long double exact = std::exp(value(x));
    const long double result = value(exp(x));
    if (exact >= kTwo64) {
      REQUIRE(exp(x) == Fixed::max());
    } else if (!(std::abs(result - exact) <= 2e-15L * exact + 1 / kTwo64)) {
      FAIL("exp(" << static_cast<double>(value(x)) << ") = " << static_cast<double>(result));
    }
  }
  REQUIRE(exp({0}) == Fixed::whole(1));
  REQUIRE(exp({std::numeric_limits<std::int64_t>::min()}) == Fixed());
  REQUIRE(exp({std::numeric_limits<std::int64_t>::max()}) == Fixed::max());
}

TEST_CASE("cosine_of_turn agrees with libm all the way round") {
  Stream stream(6, 6, Purpose::service);
  for (int i = 0; i < 300'000; ++i) {
    const UnitFraction turn = stream.unit();
    const long double expected = std::cos(2 * std::numbers::pi_v<long double> * value(turn));
    const long double error = std::abs(value(cosine_of_turn(turn)) - expected);
    if (!(error < std::ldexp(1.0L, -55))) {
      FAIL("cos of " << turn.numerator << " / 2^64 turns is off by " << static_cast<double>(error));
    }
  }
}

TEST_CASE("cosine_of_turn is exact to its last bits at the eighths of a turn") {
  const std::uint64_t eighth = std::uint64_t{1} << 61U;
  for (std::uint64_t k = 1; k < 8; ++k) {
    for (const std::uint64_t numerator : {k * eighth - 1, k * eighth + 1}) {
      const long double expected = std::cos(std::numbers::pi_v<long double> / 4 * static_cast<long double>(k));
      REQUIRE(std::abs(value(cosine_of_turn({numerator})) - expected) < std::ldexp(1.0L, -55));
    }
  }
}

TEST_CASE("standard_normal is Box and Muller's formula") {
  Stream stream(7, 7, Purpose::service);
  for (int i = 0; i < 300'000; ++i) {
    const UnitFraction radius = stream.unit();
    const UnitFraction turn = stream.unit();
    const long double expected =
        std::sqrt(2 * reference_negative_log(radius)) * std::cos(2 * std::numbers::pi_v<long double> * value(turn));
    const long double error = std::abs(value(standard_normal(radius, turn)) - expected);
    if (!(error < 1e-15L)) FAIL("off by " << static_cast<double>(error));
  }
}

TEST_CASE("Fixed products are exact to two units and saturate") {
  Stream stream(8, 8, Purpose::service);
  for (int i = 0; i < 200'000; ++i) {
    const Fixed a = Fixed::units(((static_cast<Fixed::Wide>(stream.next()) << 64U) | stream.next()) >> (i % 128));
    const Fixed b = Fixed::units(((static_cast<Fixed::Wide>(stream.next()) << 64U) | stream.next()) >> (i / 128 % 128));
    const long double exact = value(a) * value(b);
    const long double product = value(a * b);
    if (exact >= kTwo64) {
      REQUIRE(product >= kTwo64 * (1 - 1e-18L));
    } else {
      REQUIRE(std::abs(product - exact) <= exact * 1e-18L + 2 / kTwo64);
    }
  }
  REQUIRE(Fixed::max() * Fixed::whole(2) == Fixed::max());
  REQUIRE(Fixed::max() + Fixed::units(1) == Fixed::max());
  REQUIRE(Fixed::whole(6) * Fixed::whole(7) == Fixed::whole(42));
}

TEST_CASE("Fixed rounds to the nearest whole number, halves up, and saturates at the largest int64") {
  REQUIRE(Fixed::ratio(1, 2).rounded() == 1);
  REQUIRE((Fixed::ratio(1, 2).units() - 1) >> 64U == 0);
  REQUIRE(Fixed::units(Fixed::ratio(1, 2).units() - 1).rounded() == 0);
  REQUIRE(Fixed::ratio(7, 3).rounded() == 2);
  REQUIRE(Fixed::max().rounded() == std::numeric_limits<std::int64_t>::max());
  REQUIRE(Fixed::whole(std::uint64_t{1} << 63U).rounded() == std::numeric_limits<std::int64_t>::max());
}

}  // namespace
}  // namespace headroom
