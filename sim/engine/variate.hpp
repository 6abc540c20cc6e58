// Random factors with mean 1 for the laws whose draws are their mean times a factor. Scaling the mean scales every
// draw, since the words taken from the stream do not depend on it.
//
//   const ParetoVariate heavy(Decimal{1'500'000'000});
//   const Fixed interval = mean_interval * heavy.draw(stream);
#pragma once

#include <cstdint>

#include "sim/engine/decimal.hpp"
#include "sim/engine/fixed_point.hpp"
#include "sim/engine/stream.hpp"

namespace headroom {

class ExponentialVariate {
 public:
  [[nodiscard]] Fixed draw(Stream& stream) const { return negative_log(stream.unit()); }
};

// The mean of `stages` exponentials: Erlang-k with mean 1. A draw costs as many words.
class ErlangVariate {
 public:
  static constexpr std::uint32_t kMaximumStages = 1000;

  // 1 <= stages <= kMaximumStages
  explicit ErlangVariate(std::uint32_t stages);
  [[nodiscard]] Fixed draw(Stream& stream) const;

 private:
  std::uint32_t stages_;
};

// e^(sigma (Z - sigma / 2)), Z standard normal.
class LognormalVariate {
 public:
  // sigma >= 0
  explicit LognormalVariate(Decimal sigma);
  [[nodiscard]] Fixed draw(Stream& stream) const;

 private:
  SmallFixed sigma_;
};

// Pareto type I: (shape - 1) / shape * U^(-1 / shape).
class ParetoVariate {
 public:
  // shape > 1
  explicit ParetoVariate(Decimal shape);
  [[nodiscard]] Fixed draw(Stream& stream) const;

 private:
  Fixed inverse_shape_;
  SmallFixed log_minimum_;
};

}  // namespace headroom
