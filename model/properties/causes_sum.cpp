// causes_sum (spec 2.4, 2.5): every interval of a row's wait has exactly one cause. The causes before the claim sum to
// the time that rows were Pending, to the nanosecond; that time is counted here from the effects alone.
#include <array>
#include <fmt/format.h>
#include <vector>

#include "model/properties/properties.hpp"
#include "model/properties/wait_causes.hpp"

namespace headroom {
namespace {

class CausesSum final : public Property {
 public:
  explicit CausesSum(const Cluster& cluster) : pending_(cluster.namespaces()) {}

  [[nodiscard]] std::string_view name() const override { return "causes_sum"; }
  [[nodiscard]] std::span<const EffectKind> watches() const override { return kWatched; }

  void on(const Effect& effect, const Cluster& /*cluster*/, Time at) override {
    switch (effect.kind) {
      case EffectKind::appended:
      case EffectKind::retried:
      case EffectKind::rearmed:
      case EffectKind::released:
        count(effect.name, +1, at);
        break;
      case EffectKind::claimed:
        ++claims_;
        count(effect.name, -1, at);
        break;
      case EffectKind::cancelled:
        count(effect.name, effect.live ? 0 : -1, at);
        break;
      case EffectKind::recorded:
        count(effect.name, effect.live ? -1 : 0, at);
        break;
      default:
        break;
    }
  }

  void on_causes(const WaitCauses& causes, const Cluster& cluster, Time at) override {
    for (std::uint32_t i = 0; i < pending_.size(); ++i) {
      const NamespaceId name(i);
      count(name, 0, at);
      const RowTime with_cause = causes.of(name).before_claim() + causes.open_time(name, at);
      if (with_cause != pending_[i].time) {
        violate(at, [&] {
          return fmt::format("tenant {}: rows were Pending for {:.6f} row-seconds, and the causes sum to {:.6f}",
                             cluster.layout().config(name).name, static_cast<double>(pending_[i].time) / 1e9,
                             static_cast<double>(with_cause) / 1e9);
        });
      }
    }
  }

  [[nodiscard]] PropertyOutcome outcome() const override {
    PropertyOutcome outcome = first();
    if (!violated()) {
      outcome.held = claims_ == 0 ? Held::undefined : Held::yes;
      outcome.reason =
          fmt::format("the causes of {} claims and of what still waits sum to the time of waiting", claims_);
    }
    return outcome;
  }

 private:
  static constexpr std::array kWatched{EffectKind::appended, EffectKind::claimed, EffectKind::recorded,
                                       EffectKind::retried,  EffectKind::rearmed, EffectKind::released,
                                       EffectKind::cancelled};

  struct Pending {
    std::int64_t rows = 0;
    Time since;
    RowTime time = 0;
  };

  void count(NamespaceId name, std::int64_t change, Time at) {
    Pending& pending = pending_[name.value()];
    pending.time += static_cast<RowTime>(pending.rows) * (at - pending.since).count();
    pending.rows += change;
    pending.since = at;
  }

  std::vector<Pending> pending_;  // by namespace
  std::uint64_t claims_ = 0;
};

}  // namespace

std::unique_ptr<Property> make_causes_sum(const Cluster& cluster, const PropertyBounds& /*bounds*/) {
  return std::make_unique<CausesSum>(cluster);
}

}  // namespace headroom
