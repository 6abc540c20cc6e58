// ledger (spec 2.4): appended = pending + claimed + done + failed + cancelled, per tenant and in all, after every step.
// The right-hand side is counted here from the effects and must equal the outbox's counters.
#include <array>
#include <fmt/format.h>

#include "model/properties/properties.hpp"

namespace headroom {
namespace {

class Ledger final : public Property {
 public:
  explicit Ledger(const Cluster& cluster) : counts_(cluster.namespaces()) {}

  [[nodiscard]] std::string_view name() const override { return "ledger"; }
  [[nodiscard]] std::span<const EffectKind> watches() const override { return kWatched; }

  void on(const Effect& effect, const Cluster& /*cluster*/, Time /*at*/) override {
    RowCounts& counts = counts_[effect.name.value()];
    switch (effect.kind) {
      case EffectKind::appended:
        ++counts.appended;
        ++counts.pending;
        break;
      case EffectKind::claimed:
        --counts.pending;
        ++counts.claimed;
        break;
      case EffectKind::retried:
      case EffectKind::rearmed:
        --counts.claimed;
        ++counts.pending;
        break;
      case EffectKind::recorded:
        --counts.claimed;
        ++counts.done;
        break;
      case EffectKind::dead_lettered:
        --counts.claimed;
        ++counts.failed;
        break;
      default:  // cancelled
        --(effect.live ? counts.claimed : counts.pending);
        ++counts.cancelled;
        break;
    }
    touched_.push_back(effect.name);
  }

  void after_step(const Cluster& cluster, Time at) override {
    for (const NamespaceId name : touched_) {
      const RowCounts& is = cluster.outbox().counts(name);
      const RowCounts& want = counts_[name.value()];
      const bool balanced = is.appended == is.pending + is.claimed + is.done + is.failed + is.cancelled;
      const bool equal = is.appended == want.appended && is.pending == want.pending && is.claimed == want.claimed &&
                         is.done == want.done && is.failed == want.failed && is.cancelled == want.cancelled;
      if (!balanced || !equal) {
        violate(at, [&] {
          return fmt::format(
              "tenant {}: appended {} = pending {} + claimed {} + done {} + failed {} + cancelled {}; its steps say {} "
              "= {} + {} + {} + {} + {}",
              cluster.layout().config(name).name, is.appended, is.pending, is.claimed, is.done, is.failed, is.cancelled,
              want.appended, want.pending, want.claimed, want.done, want.failed, want.cancelled);
        });
      }
    }
    touched_.clear();
  }

  void finish(const Cluster& cluster, Time at) override {
    std::uint64_t open = 0;
    for (std::uint32_t name = 0; name < cluster.namespaces(); ++name) {
      const RowCounts& counts = cluster.outbox().counts(NamespaceId(name));
      open += counts.pending + counts.claimed;
    }
    if (open != cluster.outbox().live_rows()) {
      violate(at, [&] {
        return fmt::format("in all: pending + claimed = {}, but {} rows are live", open, cluster.outbox().live_rows());
      });
    }
  }

  [[nodiscard]] PropertyOutcome outcome() const override {
    PropertyOutcome outcome = first();
    if (!violated()) {
      outcome.reason = "appended = pending + claimed + done + failed + cancelled after every step";
    }
    return outcome;
  }

 private:
  static constexpr std::array kWatched{EffectKind::appended, EffectKind::claimed,  EffectKind::retried,
                                       EffectKind::rearmed,  EffectKind::recorded, EffectKind::dead_lettered,
                                       EffectKind::cancelled};

  std::vector<RowCounts> counts_;
  std::vector<NamespaceId> touched_;
};

}  // namespace

std::unique_ptr<Property> make_ledger(const Cluster& cluster, const PropertyBounds& /*bounds*/) {
  return std::make_unique<Ledger>(cluster);
}

}  // namespace headroom
