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
#include "sim/engine/stream.hpp"

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
// Sum of k exponentials of mean / k.
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

}  // namespace headroom
