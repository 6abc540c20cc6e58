// slice (spec 2.4): in every completed sweep an active namespace is granted at least
// min(headroom, claimable, floor(batch / active)), and no run of unserved sweeps is too long (spec 1.0).
#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "model/properties/properties.hpp"

namespace headroom {
namespace {

class Slice final : public Property {
 public:
  explicit Slice(const Cluster& cluster) : due_(cluster.nodes()) {}

  [[nodiscard]] std::string_view name() const override { return "slice"; }
  [[nodiscard]] std::span<const EffectKind> watches() const override { return kWatched; }

  void on(const Effect& effect, const Cluster& cluster, Time at) override {
    if (effect.kind == EffectKind::sweep_planned) {
      note_slices(effect.node, cluster);
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
  struct Due {
    NamespaceId name;
    std::uint32_t headroom;
    std::uint32_t claimable;
    std::uint32_t rows;
  };
  static constexpr std::array kWatched{EffectKind::sweep_planned, EffectKind::sweep_finished};

  // What each active namespace must get, as the plan saw it. With more of them than batch nobody is due a row.
  void note_slices(NodeId node, const Cluster& cluster) {
    std::vector<Due>& due = due_[node.value()];
    due.clear();
    const OrderedBitmap& active = cluster.active(node);
    const std::uint32_t batch = cluster.config().batch_size;
    if (active.empty() || active.count() > batch) {
      return;
    }
    const std::uint32_t part = batch / active.count();
    for (std::uint32_t i = active.next(0); i < active.size(); i = active.next(i + 1)) {
      const std::uint32_t headroom = cluster.headroom(node, NamespaceId(i));
      const std::uint32_t claimable = cluster.holding(node, NamespaceId(i)).claimable;
      due.push_back({NamespaceId(i), headroom, claimable, std::min({headroom, claimable, part})});
    }
  }

  void check_slices(NodeId node, const Cluster& cluster, Time at) {
    sweeps_ += cluster.sweep(node).plan.active > 0 ? 1 : 0;
    for (const Due& due : due_[node.value()]) {
      const std::uint32_t granted = cluster.sweep(node).plan.granted_to(due.name);
      if (granted < due.rows) {
        violate(at, [&] {
          return fmt::format(
              "tenant {} on node n{}: granted {} rows in sweep {}, its slice is {} (headroom {}, "
              "claimable {}, batch {}, active {})",
              cluster.layout().config(due.name).name, node.value() + 1, granted, cluster.sweep(node).number, due.rows,
              due.headroom, due.claimable, cluster.config().batch_size, due_[node.value()].size());
        });
      }
    }
  }

  std::vector<std::vector<Due>> due_;  // by node
  std::uint64_t sweeps_ = 0;
};

}  // namespace

std::unique_ptr<Property> make_slice(const Cluster& cluster, const PropertyBounds& /*bounds*/) {
  return std::make_unique<Slice>(cluster);
}

}  // namespace headroom
