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

std::optional<double> share_error(std::span<const double> achieved, std::span<const double> fair) {
  HEADROOM_ASSERT(achieved.size() == fair.size(), "{} parts, {} fair ones", achieved.size(), fair.size());
  std::optional<double> worst;
  for (std::size_t i = 0; i < fair.size(); ++i) {
    if (fair[i] > 0) {
      const double distance = achieved[i] > fair[i] ? achieved[i] - fair[i] : fair[i] - achieved[i];
      worst = std::max(worst.value_or(0), distance / fair[i]);
    }
  }
  return worst;
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
