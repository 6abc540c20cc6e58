#include "reports/metrics/fairness.hpp"

#include <algorithm>
#include <numeric>

#include "model/base/assert.hpp"

namespace headroom {

std::vector<double> max_min_split(std::span<const double> demands, std::span<const double> weights, double capacity) {
  HEADROOM_ASSERT(demands.size() == weights.size(), "{} demands, {} weights", demands.size(), weights.size());
  std::vector<std::size_t> by_level(demands.size());
  std::iota(by_level.begin(), by_level.end(), std::size_t{0});
  // Who is satisfied at the lowest level comes first.
  std::sort(by_level.begin(), by_level.end(), [&](std::size_t a, std::size_t b) {
    const double left = demands[a] * weights[b];
    const double right = demands[b] * weights[a];
    return left != right ? left < right : a < b;
  });
  double weight_left = 0;
  for (const double weight : weights) {
    HEADROOM_ASSERT(weight > 0, "a weight of {}", weight);
    weight_left += weight;
  }
  std::vector<double> parts(demands.size(), 0);
  for (const std::size_t i : by_level) {
    parts[i] = std::min(demands[i], capacity * weights[i] / weight_left);
    capacity = std::max(0.0, capacity - parts[i]);
    weight_left -= weights[i];
  }
  return parts;
}

std::optional<std::vector<double>> entitled_shares(std::span<const double> demands, std::span<const double> weights,
                                                   double served) {
  if (served <= 0) {
    return std::nullopt;
  }
  std::vector<double> shares = max_min_split(demands, weights, served);
  for (double& share : shares) {
    share /= served;
  }
  return shares;
}

}  // namespace headroom
