// Distributions of durations, drawn with integer arithmetic only: the same bits on every compiler and machine.
//
//   Distribution service(ExponentialSpec{Duration::milliseconds(50)});
//   const Duration work = service.draw(stream);
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "model/base/time.hpp"
#include "sim/engine/decimal.hpp"
#include "sim/engine/fixed_point.hpp"
#include "sim/engine/stream.hpp"
#include "sim/engine/variate.hpp"

namespace headroom {

struct ConstantSpec {
  Duration value;
};
struct UniformSpec {
  Duration low;
  Duration high;  // both ends included
};
struct ExponentialSpec {
  Duration mean;
};
// `sigma` is that of the underlying normal; cv^2 = exp(sigma^2) - 1.
struct LognormalSpec {
  Duration mean;
  Decimal sigma;
};
// Pareto type I; the mean exists for shape > 1, which the reader demands.
struct ParetoSpec {
  Duration mean;
  Decimal shape;
};
// Sum of k exponentials of mean / k; k at most ErlangVariate::kMaximumStages.
struct ErlangSpec {
  Duration mean;
  std::uint32_t k = 1;
};
// One of the values, each as likely as the others.
struct EmpiricalSpec {
  std::vector<Duration> values;
};

using DistributionSpec =
    std::variant<ConstantSpec, UniformSpec, ExponentialSpec, LognormalSpec, ParetoSpec, ErlangSpec, EmpiricalSpec>;

// A value that is cheap to copy: the values of an empirical distribution are shared. Draws are rounded to the nearest
// nanosecond, never negative, and Duration::max() where they would be longer. How many words a draw takes from its
// stream does not depend on the durations, so scaling all of them by k scales every draw by k, up to rounding.
class Distribution {
 public:
  // Needs what the reader of scenarios checks: no negative duration, low <= high, sigma >= 0, shape > 1,
  // 1 <= k <= ErlangVariate::kMaximumStages, at least one empirical value.
  explicit Distribution(const DistributionSpec& spec);

  [[nodiscard]] Duration draw(Stream& stream) const;
  // Rounded to the nearest nanosecond, halves up.
  [[nodiscard]] Duration mean() const;

 private:
  template <class Variate>
  struct Scaled {
    Duration mean;
    Variate variate;
  };
  struct Empirical {
    std::shared_ptr<const std::vector<Duration>> values;
    Duration mean;
  };
  using Law = std::variant<ConstantSpec, UniformSpec, Scaled<ExponentialVariate>, Scaled<LognormalVariate>,
                           Scaled<ParetoVariate>, Scaled<ErlangVariate>, Empirical>;
  struct LawOf;
  struct DrawFrom;
  struct MeanOf;

  Law law_;
};

// mean * factor, rounded to the nearest nanosecond; Duration::max() where it is longer. Needs mean >= 0.
[[nodiscard]] constexpr Duration scaled(Duration mean, Fixed factor) {
  return Duration::nanoseconds((Fixed::whole(static_cast<std::uint64_t>(mean.count())) * factor).rounded());
}

}  // namespace headroom
