// work_conserving (spec 2.4): no sweep leaves batch unused while an active namespace could take more.
#include <array>
#include <fmt/format.h>

#include "model/properties/properties.hpp"
#include "model/properties/sweep_dues.hpp"

namespace headroom {
namespace {

class WorkConserving final : public Property {
 public:
  explicit WorkConserving(const Cluster& cluster) : demands_(cluster.nodes()) {}

  [[nodiscard]] std::string_view name() const override { return "work_conserving"; }
  [[nodiscard]] std::span<const EffectKind> watches() const override { return kWatched; }

  void on(const Effect& effect, const Cluster& cluster, Time at) override {
    if (effect.kind == EffectKind::sweep_planned) {
      sweep_demands(cluster, effect.node, demands_[effect.node.value()]);
    } else {
      check_grants(effect.node, cluster, at);
    }
  }

  [[nodiscard]] PropertyOutcome outcome() const override {
    PropertyOutcome outcome = first();
    if (!violated()) {
      outcome.held = sweeps_ == 0 ? Held::undefined : Held::yes;
      outcome.reason = fmt::format("no batch was left unused in {} sweeps while a tenant could take more", sweeps_);
    }
    return outcome;
  }

 private:
  static constexpr std::array kWatched{EffectKind::sweep_planned, EffectKind::sweep_finished};

  void check_grants(NodeId node, const Cluster& cluster, Time at) {
    sweeps_ += cluster.sweep(node).plan.active > 0 ? 1 : 0;
    for_each_left_wanting(cluster, node, demands_[node.value()], [&](const SweepDemand& demand, std::uint64_t granted) {
      violate(at, [&] { return text_of(demand, granted, cluster, node); });
    });
  }

  std::vector<std::vector<SweepDemand>> demands_;  // by node
  std::uint64_t sweeps_ = 0;
};

}  // namespace

std::unique_ptr<Property> make_work_conserving(const Cluster& cluster, const PropertyBounds& /*bounds*/) {
  return std::make_unique<WorkConserving>(cluster);
}

}  // namespace headroom
