// fairness (spec 2.4): over the windows in which at least two tenants were backlogged, Jain's index of the rows that
// they were served per weight, J = (sum y)^2 / (n sum y^2) (Jain, Chiu, Hawe, DEC-TR-301, 1984), and the least share of
// a tenant against the equal one. The index is the mean over those windows. A bound not given is not judged; with none
// given at all the mean index must be at least 0.9.
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>

#include "model/properties/properties.hpp"

namespace headroom {
namespace {

class Fairness final : public Property {
 public:
  Fairness(const Cluster& cluster, const PropertyBounds& bounds) : bounds_(bounds), served_(cluster.namespaces(), 0) {
    if (!bounds_.at_least && !bounds_.worst_window_at_least && !bounds_.max_min_share_at_least) {
      bounds_.at_least = 0.9;
    }
  }

  [[nodiscard]] std::string_view name() const override { return "fairness"; }
  [[nodiscard]] std::span<const EffectKind> watches() const override { return kWatched; }

  void on(const Effect& effect, const Cluster& /*cluster*/, Time /*at*/) override { ++served_[effect.name.value()]; }

  void on_window(std::span<const NamespaceId> backlogged, const Cluster& cluster, Time end) override {
    double sum = 0;
    double squares = 0;
    double least = 0;
    NamespaceId worst = NamespaceId::none();
    for (const NamespaceId name : backlogged) {
      const double served =
          static_cast<double>(served_[name.value()]) / static_cast<double>(cluster.layout().weight(name));
      sum += served;
      squares += served * served;
      if (worst.is_none() || served < least) {
        least = served;
        worst = name;
      }
    }
    std::ranges::fill(served_, 0);
    if (backlogged.size() < 2 || sum == 0) {
      return;
    }
    const auto names = static_cast<double>(backlogged.size());
    const double index = sum * sum / (names * squares);
    const double share = least * names / sum;
    index_sum_ += index;
    ++windows_;
    if (index < worst_index_) {
      worst_index_ = index;
      worst_index_at_ = end;
    }
    if (share < worst_share_) {
      worst_share_ = share;
      worst_share_name_ = cluster.layout().config(worst).name;
    }
  }

  [[nodiscard]] PropertyOutcome outcome() const override {
    PropertyOutcome outcome;
    if (windows_ == 0) {
      outcome.held = Held::undefined;
      outcome.reason = "no window in which two tenants were backlogged throughout";
      return outcome;
    }
    const double index = index_sum_ / static_cast<double>(windows_);
    const bool holds = (!bounds_.at_least || index >= *bounds_.at_least) &&
                       (!bounds_.worst_window_at_least || worst_index_ >= *bounds_.worst_window_at_least) &&
                       (!bounds_.max_min_share_at_least || worst_share_ >= *bounds_.max_min_share_at_least);
    outcome.held = holds ? Held::yes : Held::no;
    outcome.value = index;
    outcome.bound = bounds_.at_least;
    outcome.violations = holds ? 0 : 1;
    outcome.reason = fmt::format(
        "Jain's index {:.4f} over {} backlogged windows, {:.4f} in the worst (ending at {} ms); least share {:.4f} of "
        "the equal one (tenant {})",
        index, windows_, worst_index_, worst_index_at_.nanoseconds() / 1'000'000, worst_share_, worst_share_name_);
    return outcome;
  }

 private:
  static constexpr std::array kWatched{EffectKind::claimed};

  PropertyBounds bounds_;
  std::vector<std::uint64_t> served_;  // rows claimed in the window, by namespace
  std::uint64_t windows_ = 0;
  double index_sum_ = 0;
  double worst_index_ = 1;
  Time worst_index_at_;
  double worst_share_ = 1;
  std::string worst_share_name_;
};

}  // namespace

std::unique_ptr<Property> make_fairness(const Cluster& cluster, const PropertyBounds& bounds) {
  return std::make_unique<Fairness>(cluster, bounds);
}

}  // namespace headroom
