// fairness (spec 2.4): over the windows in which at least two tenants were backlogged, Jain's index of what they were
// served against what their weights entitle them to, and the least share of a tenant. A bound not given is not judged;
// with none given at all the index must be at least 0.9.
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>
#include <vector>

#include "model/properties/backlogged_fairness.hpp"
#include "model/properties/properties.hpp"

namespace headroom {
namespace {

class Fairness final : public Property {
 public:
  Fairness(const Cluster& cluster, const PropertyBounds& bounds)
      : bounds_(bounds), served_(cluster.namespaces(), 0), fairness_(cluster.layout().weights()) {
    if (!bounds_.at_least && !bounds_.worst_window_at_least && !bounds_.max_min_share_at_least) {
      bounds_.at_least = 0.9;
    }
  }

  [[nodiscard]] std::string_view name() const override { return "fairness"; }
  [[nodiscard]] std::span<const EffectKind> watches() const override { return kWatched; }

  void on(const Effect& effect, const Cluster& /*cluster*/, Time /*at*/) override { ++served_[effect.name.value()]; }

  void on_window(std::span<const NamespaceId> backlogged, const Cluster& cluster, Time end) override {
    if (backlogged.size() > 1) {
      services_.clear();
      for (const NamespaceId name : backlogged) {
        services_.push_back({name.value(), served_[name.value()]});
      }
      fairness_.add_window(end, services_);
      if (const auto least = fairness_.least_share()) {
        least_name_ = cluster.layout().config(NamespaceId(static_cast<std::uint32_t>(least->tenant))).name;
      }
    }
    std::ranges::fill(served_, 0);
  }

  [[nodiscard]] PropertyOutcome outcome() const override {
    PropertyOutcome outcome;
    const std::optional<double> index = fairness_.index();
    const auto worst = fairness_.worst_window();
    const auto least = fairness_.least_share();
    if (!index || !worst || !least) {
      outcome.held = Held::undefined;
      outcome.reason = "no window in which two tenants were backlogged throughout and served";
      return outcome;
    }
    const bool holds = (!bounds_.at_least || *index >= *bounds_.at_least) &&
                       (!bounds_.worst_window_at_least || worst->index >= *bounds_.worst_window_at_least) &&
                       (!bounds_.max_min_share_at_least || least->share >= *bounds_.max_min_share_at_least);
    outcome.held = holds ? Held::yes : Held::no;
    outcome.value = index;
    outcome.bound = bounds_.at_least;
    outcome.violations = holds ? 0 : 1;
    outcome.reason = fmt::format(
        "Jain's index {:.4f} over {} backlogged windows, {:.4f} in the worst (ending at {} ms); least share {:.4f} of "
        "the entitled one (tenant {})",
        *index, fairness_.windows_judged(), worst->index, worst->start.nanoseconds() / 1'000'000, least->share,
        least_name_);
    return outcome;
  }

 private:
  static constexpr std::array kWatched{EffectKind::claimed};

  PropertyBounds bounds_;
  std::vector<std::uint64_t> served_;  // rows claimed in the window, by namespace
  BackloggedFairness fairness_;        // its windows are named by their ends here
  std::vector<BackloggedFairness::Service> services_;
  std::string least_name_;
};

}  // namespace

std::unique_ptr<Property> make_fairness(const Cluster& cluster, const PropertyBounds& bounds) {
  return std::make_unique<Fairness>(cluster, bounds);
}

}  // namespace headroom
