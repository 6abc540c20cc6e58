#include "sim/world/latency_shift.hpp"

#include <limits>

#include "model/base/assert.hpp"

namespace headroom {
namespace {

__extension__ using SignedWide = __int128;

constexpr Decimal kUnchanged = Decimal::whole(1);

// The value that stands `elapsed` of `whole` on the way between two factors; 0 <= elapsed < whole.
Decimal between(Decimal from, Decimal to, Duration elapsed, Duration whole) {
  const SignedWide weighted = static_cast<SignedWide>(from.billionths) * (whole - elapsed).count() +
                              static_cast<SignedWide>(to.billionths) * elapsed.count();
  return {static_cast<std::int64_t>(weighted / whole.count())};
}

// The factor `since` after the start of a shift; since >= 0.
struct FactorOf {
  Decimal factor;
  Duration since;

  Decimal operator()(const StepShift& shape) const { return since < shape.duration ? factor : kUnchanged; }
  Decimal operator()(const RampShift& shape) const {
    if (since < shape.over) return between(kUnchanged, factor, since, shape.over);
    return since - shape.over < shape.duration ? factor : kUnchanged;
  }
  Decimal operator()(const SpikeShift& shape) const {
    return since < shape.duration ? between(factor, kUnchanged, since, shape.duration) : kUnchanged;
  }
  Decimal operator()(const PeriodicShift& shape) const {
    HEADROOM_ASSERT(shape.every > Duration::zero(), "a periodic shift every {} ns", shape.every.count());
    return since.count() % shape.every.count() < shape.duration.count() ? factor : kUnchanged;
  }
};

}  // namespace

Decimal shift_factor_at(const LatencyShift& shift, Time now) {
  if (now < shift.at) return kUnchanged;
  return std::visit(FactorOf{shift.factor, now - shift.at}, shift.shape);
}

Duration scaled(Duration duration, Decimal factor) {
  HEADROOM_ASSERT(duration >= Duration::zero() && factor.billionths >= 0, "{} ns scaled by {} billionths",
                  duration.count(), factor.billionths);
  const SignedWide exact = static_cast<SignedWide>(duration.count()) * factor.billionths;
  const SignedWide rounded = (exact + Decimal::kOne / 2) / Decimal::kOne;
  if (rounded > Duration::max().count()) return Duration::max();
  if (rounded == 0 && exact > 0) return Duration::nanoseconds(1);  // work never becomes no work: time has to pass
  return Duration::nanoseconds(static_cast<std::int64_t>(rounded));
}

}  // namespace headroom
