// no_starvation, bounded form (spec 2.4): per node and namespace, the longest run of unserved sweeps and the time from
// its first sweep to the service. Without bounds of its own: fewer than K sweeps (spec 1.0).
#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "model/properties/properties.hpp"

namespace headroom {
namespace {

class NoStarvation final : public Property {
 public:
  explicit NoStarvation(const PropertyBounds& bounds) : bounds_(bounds) {}

  [[nodiscard]] std::string_view name() const override { return "no_starvation"; }
  [[nodiscard]] std::span<const EffectKind> watches() const override { return {}; }
  void on(const Effect& /*effect*/, const Cluster& /*cluster*/, Time /*at*/) override {}

  void on_run(const UnservedRun& run, const Cluster& cluster) override {
    ++runs_;
    longest_ = std::max(longest_, run.sweeps);
    const std::int64_t lasted_ms = run.lasted.count() / 1'000'000;
    const bool within_bounds =
        (!bounds_.at_most_sweeps || static_cast<std::int64_t>(run.sweeps) <= *bounds_.at_most_sweeps) &&
        (!bounds_.at_most_ms || static_cast<double>(run.lasted.count()) <= *bounds_.at_most_ms * 1e6);
    const bool own_bound = bounds_.at_most_sweeps.has_value() || bounds_.at_most_ms.has_value();
    if (own_bound ? within_bounds : run.allowed == 0 || run.sweeps < run.allowed) {
      return;
    }
    if (run.sweeps > worst_sweeps_) {  // the longest one is the one to tell
      worst_sweeps_ = run.sweeps;
      worst_ = fmt::format("tenant {} on node n{}: active for {} sweeps ({} ms), served 0{}",
                           cluster.layout().config(run.name).name, run.node.value() + 1, run.sweeps, lasted_ms,
                           own_bound ? ""
                                     : fmt::format("; at most {} may pass with {} active and batch {}", run.allowed - 1,
                                                   run.active_names, cluster.config().batch_size));
    }
    violate(run.ended, [&] { return worst_; });
  }

  [[nodiscard]] PropertyOutcome outcome() const override {
    PropertyOutcome outcome = first();
    outcome.value = static_cast<double>(longest_);
    if (bounds_.at_most_sweeps) {
      outcome.bound = static_cast<double>(*bounds_.at_most_sweeps);
    }
    if (violated()) {
      outcome.reason = worst_;
    } else {
      outcome.held = runs_ == 0 ? Held::undefined : Held::yes;
      outcome.reason = fmt::format("the longest run of unserved sweeps is {}", longest_);
    }
    return outcome;
  }

 private:
  PropertyBounds bounds_;
  std::uint64_t runs_ = 0;
  std::uint64_t longest_ = 0;
  std::uint64_t worst_sweeps_ = 0;
  std::string worst_;
};

}  // namespace

std::unique_ptr<Property> make_no_starvation(const Cluster& /*cluster*/, const PropertyBounds& bounds) {
  return std::make_unique<NoStarvation>(bounds);
}

}  // namespace headroom
