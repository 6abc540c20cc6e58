// work_conserving (spec 2.4): no sweep leaves batch unused while an active namespace could take more.
#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "model/properties/properties.hpp"

namespace headroom {
namespace {

class WorkConserving final : public Property {
 public:
  explicit WorkConserving(const Cluster& cluster) : demands_(cluster.nodes()) {}

  [[nodiscard]] std::string_view name() const override { return "work_conserving"; }
  [[nodiscard]] std::span<const EffectKind> watches() const override { return kWatched; }

  void on(const Effect& effect, const Cluster& cluster, Time at) override {
    if (effect.kind == EffectKind::sweep_planned) {
      note_demand(effect.node, cluster);
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
  struct Demand {
    NamespaceId name;
    std::uint64_t rows;  // min(headroom, claimable)
  };
  static constexpr std::array kWatched{EffectKind::sweep_planned, EffectKind::sweep_finished};

  // Active namespaces in order until their demand fills the batch: more cannot be left over.
  void note_demand(NodeId node, const Cluster& cluster) {
    std::vector<Demand>& demands = demands_[node.value()];
    demands.clear();
    std::uint64_t sum = 0;
    const OrderedBitmap& active = cluster.active(node);
    for (std::uint32_t i = active.next(0); i < active.size() && sum < cluster.config().batch_size;
         i = active.next(i + 1)) {
      const NamespaceId name(i);
      const std::uint64_t rows = std::min(cluster.headroom(node, name), cluster.holding(node, name).claimable);
      demands.push_back({name, rows});
      sum += rows;
    }
  }

  void check_grants(NodeId node, const Cluster& cluster, Time at) {
    const Plan& plan = cluster.sweep(node).plan;
    sweeps_ += plan.active > 0 ? 1 : 0;
    std::uint64_t granted = 0;
    for (const Grant& grant : plan.grants) {
      granted += grant.rows;
    }
    const std::uint64_t batch = cluster.config().batch_size;
    if (granted >= batch) {
      return;
    }
    for (const Demand& demand : demands_[node.value()]) {
      const std::uint32_t got = plan.granted_to(demand.name);
      if (got < demand.rows) {
        violate(at, [&] {
          return fmt::format("node n{}, sweep {}: {} of batch {} granted, while tenant {} got {} and could take {}",
                             node.value() + 1, cluster.sweep(node).number, granted, batch,
                             cluster.layout().config(demand.name).name, got, demand.rows);
        });
      }
    }
  }

  std::vector<std::vector<Demand>> demands_;  // by node
  std::uint64_t sweeps_ = 0;
};

}  // namespace

std::unique_ptr<Property> make_work_conserving(const Cluster& cluster, const PropertyBounds& /*bounds*/) {
  return std::make_unique<WorkConserving>(cluster);
}

}  // namespace headroom
