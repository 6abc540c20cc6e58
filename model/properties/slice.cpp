// slice (spec 2.4): in every completed sweep an active namespace is granted at least
// min(headroom, claimable, floor(batch / active)), and no run of unserved sweeps is too long (spec 1.0).
#include <array>
#include <fmt/format.h>

#include "model/properties/properties.hpp"
#include "model/properties/sweep_dues.hpp"

namespace headroom {
namespace {

class Slice final : public Property {
 public:
  explicit Slice(const Cluster& cluster) : due_(cluster.nodes()) {}

  [[nodiscard]] std::string_view name() const override { return "slice"; }
  [[nodiscard]] std::span<const EffectKind> watches() const override { return kWatched; }

  void on(const Effect& effect, const Cluster& cluster, Time at) override {
    if (effect.kind == EffectKind::sweep_planned) {
      slices_due(cluster, effect.node, due_[effect.node.value()]);
    } else {
      check_slices(effect.node, cluster, at);
    }
  }

  void on_run(const UnservedRun& run, const Cluster& cluster) override {
    if (run.allowed > 0 && run.sweeps >= run.allowed) {
      violate(run.ended, [&] {
        return fmt::format(
            "tenant {} on node n{}: active for {} sweeps, served 0; with {} active and batch {} at most "
            "{} may pass",
            cluster.layout().config(run.name).name, run.node.value() + 1, run.sweeps, run.active_names,
            cluster.config().batch_size, run.allowed - 1);
      });
    }
  }

  [[nodiscard]] PropertyOutcome outcome() const override {
    PropertyOutcome outcome = first();
    if (!violated()) {
      outcome.held = sweeps_ == 0 ? Held::undefined : Held::yes;
      outcome.reason = fmt::format("every active namespace got its slice in {} sweeps", sweeps_);
    }
    return outcome;
  }

 private:
  static constexpr std::array kWatched{EffectKind::sweep_planned, EffectKind::sweep_finished};

  void check_slices(NodeId node, const Cluster& cluster, Time at) {
    sweeps_ += cluster.sweep(node).plan.active > 0 ? 1 : 0;
    const std::vector<SliceDue>& due = due_[node.value()];
    for (const SliceDue& each : due) {
      if (!each.met_by(cluster.sweep(node).plan)) {
        violate(at, [&] { return text_of(each, due.size(), cluster, node); });
      }
    }
  }

  std::vector<std::vector<SliceDue>> due_;  // by node
  std::uint64_t sweeps_ = 0;
};

}  // namespace

std::unique_ptr<Property> make_slice(const Cluster& cluster, const PropertyBounds& /*bounds*/) {
  return std::make_unique<Slice>(cluster);
}

}  // namespace headroom
