#include "sim/world/latency_shift.hpp"

#include <catch2/catch.hpp>

namespace headroom {
namespace {

constexpr Time at_seconds(std::int64_t seconds) {
  return Time::at(Duration::seconds(seconds));
}
constexpr Duration kNanosecond = Duration::nanoseconds(1);

LatencyShift tripled(ShiftShape shape) {
  return {ShiftTarget::tenant, "noisy", Decimal::whole(3), at_seconds(60), shape};
}

TEST_CASE("a step holds its factor from its start until just before its end") {
  const LatencyShift shift = tripled(StepShift{Duration::seconds(10)});
  REQUIRE(shift_factor_at(shift, Time::zero()) == Decimal::whole(1));
  REQUIRE(shift_factor_at(shift, Time::at(Duration::seconds(60) - kNanosecond)) == Decimal::whole(1));
  REQUIRE(shift_factor_at(shift, at_seconds(60)) == Decimal::whole(3));
  REQUIRE(shift_factor_at(shift, Time::at(Duration::seconds(70) - kNanosecond)) == Decimal::whole(3));
  REQUIRE(shift_factor_at(shift, at_seconds(70)) == Decimal::whole(1));
}

TEST_CASE("a step without an end lasts for ever") {
  REQUIRE(shift_factor_at(tripled(StepShift{Duration::max()}), Time::at(Duration::max() - kNanosecond)) ==
          Decimal::whole(3));
}

TEST_CASE("a ramp grows evenly and then holds") {
  const LatencyShift shift = tripled(RampShift{Duration::seconds(8), Duration::seconds(10)});
  REQUIRE(shift_factor_at(shift, at_seconds(60)) == Decimal::whole(1));
  REQUIRE(shift_factor_at(shift, at_seconds(62)) == Decimal{1'500'000'000});
  REQUIRE(shift_factor_at(shift, at_seconds(66)) == Decimal{2'500'000'000});
  REQUIRE(shift_factor_at(shift, at_seconds(68)) == Decimal::whole(3));
  REQUIRE(shift_factor_at(shift, Time::at(Duration::seconds(78) - kNanosecond)) == Decimal::whole(3));
  REQUIRE(shift_factor_at(shift, at_seconds(78)) == Decimal::whole(1));
}

TEST_CASE("a ramp over no time is a step") {
  const LatencyShift shift = tripled(RampShift{Duration::zero(), Duration::seconds(1)});
  REQUIRE(shift_factor_at(shift, at_seconds(60)) == Decimal::whole(3));
  REQUIRE(shift_factor_at(shift, at_seconds(61)) == Decimal::whole(1));
}

TEST_CASE("a spike jumps and falls back evenly") {
  const LatencyShift shift = tripled(SpikeShift{Duration::seconds(4)});
  REQUIRE(shift_factor_at(shift, at_seconds(60)) == Decimal::whole(3));
  REQUIRE(shift_factor_at(shift, at_seconds(61)) == Decimal{2'500'000'000});
  REQUIRE(shift_factor_at(shift, at_seconds(63)) == Decimal{1'500'000'000});
  REQUIRE(shift_factor_at(shift, at_seconds(64)) == Decimal::whole(1));
}

TEST_CASE("a periodic shift comes back once in every period, first at its start") {
  const LatencyShift shift = tripled(PeriodicShift{Duration::seconds(10), Duration::seconds(2)});
  for (const std::int64_t start : {60, 70, 1060}) {
    REQUIRE(shift_factor_at(shift, at_seconds(start)) == Decimal::whole(3));
    REQUIRE(shift_factor_at(shift, at_seconds(start + 1)) == Decimal::whole(3));
    REQUIRE(shift_factor_at(shift, at_seconds(start + 2)) == Decimal::whole(1));
    REQUIRE(shift_factor_at(shift, at_seconds(start + 9)) == Decimal::whole(1));
  }
  REQUIRE(shift_factor_at(shift, at_seconds(50)) == Decimal::whole(1));
}

TEST_CASE("a factor below one makes work faster, and its ramp falls") {
  LatencyShift shift = tripled(RampShift{Duration::seconds(4), Duration::seconds(1)});
  shift.factor = Decimal{500'000'000};
  REQUIRE(shift_factor_at(shift, at_seconds(62)) == Decimal{750'000'000});
}

TEST_CASE("scaling rounds to the nearest nanosecond, halves up, and saturates") {
  REQUIRE(scaled(Duration::milliseconds(50), Decimal::whole(3)) == Duration::milliseconds(150));
  REQUIRE(scaled(Duration::nanoseconds(3), Decimal{500'000'000}) == Duration::nanoseconds(2));
  REQUIRE(scaled(Duration::nanoseconds(3), Decimal{499'999'999}) == Duration::nanoseconds(1));
  REQUIRE(scaled(Duration::max(), Decimal::whole(1)) == Duration::max());
  REQUIRE(scaled(Duration::max(), Decimal{1'000'000'001}) == Duration::max());
  REQUIRE(scaled(Duration::seconds(1), Decimal{0}) == Duration::zero());
}

}  // namespace
}  // namespace headroom
