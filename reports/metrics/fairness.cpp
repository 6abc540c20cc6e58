#include "reports/metrics/fairness.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "model/base/assert.hpp"

namespace headroom {

std::optional<double> jain_index(std::span<const double> figures) {
  double sum = 0;
  double squares = 0;
  for (const double figure : figures) {
    sum += figure;
    squares += figure * figure;
  }
  if (squares == 0) {
    return std::nullopt;
  }
  return sum * sum / (static_cast<double>(figures.size()) * squares);
}

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

BackloggedFairness::BackloggedFairness(std::vector<std::uint32_t> weights)
    : weights_(std::move(weights)), accounts_(weights_.size()) {}

void BackloggedFairness::add_window(Time start, std::span<const Service> backlogged) {
  std::uint64_t served = 0;
  double weight = 0;
  normalised_.clear();
  for (const Service& service : backlogged) {
    const double own_weight = weights_[service.tenant];
    HEADROOM_ASSERT(own_weight > 0, "tenant {} has no weight", service.tenant);
    served += service.amount;
    weight += own_weight;
    normalised_.push_back(static_cast<double>(service.amount) / own_weight);
  }
  const std::optional<double> index_of_window = jain_index(normalised_);
  if (!index_of_window) {
    return;
  }
  ++windows_judged_;
  if (!worst_ || *index_of_window < worst_->index) {
    worst_ = WorstWindow{*index_of_window, start};
  }
  for (const Service& service : backlogged) {
    Account& account = accounts_[service.tenant];
    account.served += service.amount;
    account.entitled += static_cast<double>(served) * weights_[service.tenant] / weight;
  }
}

std::optional<double> BackloggedFairness::index() const {
  std::vector<double> satisfaction;
  for (const Account& account : accounts_) {
    if (account.entitled > 0) {
      satisfaction.push_back(static_cast<double>(account.served) / account.entitled);
    }
  }
  return jain_index(satisfaction);
}

}  // namespace headroom
