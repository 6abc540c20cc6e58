#include "model/properties/backlogged_fairness.hpp"

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

BackloggedFairness::BackloggedFairness(std::vector<std::uint32_t> weights)
    : weights_(std::move(weights)), accounts_(weights_.size()) {}

std::optional<double> BackloggedFairness::add_window(Time start, std::span<const Service> backlogged) {
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
    return std::nullopt;
  }
  ++windows_judged_;
  if (!worst_ || *index_of_window < worst_->index) {
    worst_ = WorstWindow{*index_of_window, start};
  }
  for (const Service& service : backlogged) {
    const double entitled = static_cast<double>(served) * weights_[service.tenant] / weight;
    const double share = static_cast<double>(service.amount) / entitled;
    if (!least_ || share < least_->share) {
      least_ = LeastShare{share, service.tenant};
    }
    Account& account = accounts_[service.tenant];
    account.served += service.amount;
    account.entitled += entitled;
  }
  return index_of_window;
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
