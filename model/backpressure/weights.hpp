// Weights of tenants against each other. Only their ratios count, so they are kept as small as they can be: one round
// of deficit_round_robin then is as short as it can be.
#pragma once

#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "model/base/assert.hpp"

namespace headroom {

inline constexpr std::uint32_t kMaxWeight = 1'000'000;

// The weights divided by their greatest common divisor. Needs 1 <= weight <= kMaxWeight for each.
[[nodiscard]] inline std::vector<std::uint32_t> reduced_weights(std::span<const std::uint32_t> weights) {
  std::uint32_t divisor = 0;
  for (const std::uint32_t weight : weights) {
    HEADROOM_ASSERT(weight >= 1 && weight <= kMaxWeight, "a weight of {} is out of range", weight);
    divisor = std::gcd(divisor, weight);
  }
  std::vector<std::uint32_t> reduced(weights.begin(), weights.end());
  for (std::uint32_t& weight : reduced) {
    weight /= divisor;
  }
  return reduced;
}

}  // namespace headroom
