#include "sim/engine/variate.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "model/base/assert.hpp"

namespace headroom {
namespace {

__extension__ using SignedWide = __int128;

constexpr unsigned kFixedToSmall = 64 - SmallFixed::kFractionBits;

// Above this sigma every factor is 0 (|Z| < 9.5, and e^(9.5 sigma - sigma^2 / 2) < 2^-65), so nothing is lost by it.
constexpr Decimal kLargestSigma = Decimal::whole(25);

constexpr SmallFixed to_small(Decimal value) {
  return {static_cast<std::int64_t>((static_cast<SignedWide>(value.billionths) << SmallFixed::kFractionBits) /
                                    Decimal::kOne)};
}

// Clamped to the range of a SmallFixed, beyond which exp is 0 or its largest value anyway.
SmallFixed product(SmallFixed a, SmallFixed b) {
  const SignedWide units = (static_cast<SignedWide>(a.units) * b.units) >> SmallFixed::kFractionBits;
  constexpr SignedWide largest = std::numeric_limits<std::int64_t>::max();
  return {static_cast<std::int64_t>(std::clamp(units, -largest, largest))};
}

}  // namespace

ErlangVariate::ErlangVariate(std::uint32_t stages) : stages_(stages) {
  HEADROOM_ASSERT(stages >= 1 && stages <= kMaximumStages, "{} stages of an Erlang variate", stages);
}

Fixed ErlangVariate::draw(Stream& stream) const {
  Fixed sum;
  for (std::uint32_t stage = 0; stage < stages_; ++stage) sum = sum + negative_log(stream.unit());
  return sum / stages_;
}

LognormalVariate::LognormalVariate(Decimal sigma) : sigma_(to_small(std::min(sigma, kLargestSigma))) {
  HEADROOM_ASSERT(sigma.billionths >= 0, "sigma of {} billionths", sigma.billionths);
}

Fixed LognormalVariate::draw(Stream& stream) const {
  const UnitFraction radius = stream.unit();
  const UnitFraction turn = stream.unit();
  const SmallFixed centred = standard_normal(radius, turn) - SmallFixed{sigma_.units / 2};
  return exp(product(sigma_, centred));
}

ParetoVariate::ParetoVariate(Decimal shape) {
  HEADROOM_ASSERT(shape > Decimal::whole(1), "a Pareto shape of {} billionths has no mean", shape.billionths);
  const auto billionths = static_cast<std::uint64_t>(shape.billionths);
  constexpr auto one = static_cast<std::uint64_t>(Decimal::kOne);
  inverse_shape_ = Fixed::ratio(one, billionths);
  log_minimum_ = log(Fixed::whole(billionths - one)) - log(Fixed::whole(billionths));
}

Fixed ParetoVariate::draw(Stream& stream) const {
  const Fixed power = negative_log(stream.unit()) * inverse_shape_;
  return exp(SmallFixed{static_cast<std::int64_t>(power.units() >> kFixedToSmall)} + log_minimum_);
}

}  // namespace headroom
