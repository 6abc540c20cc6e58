// ceiling (spec 2.4): no claim ever takes a tenant past its node's ceiling at that instant.
#include <array>
#include <fmt/format.h>

#include "model/properties/properties.hpp"

namespace headroom {
namespace {

class Ceiling final : public Property {
 public:
  [[nodiscard]] std::string_view name() const override { return "ceiling"; }
  [[nodiscard]] std::span<const EffectKind> watches() const override { return kWatched; }

  void on(const Effect& effect, const Cluster& cluster, Time at) override {
    ++claims_;
    const Holding& held = cluster.holding(effect.node, effect.name);
    const std::uint32_t claimed = cluster.claimed(held);
    if (claimed > held.ceiling) {
      violate(at, [&] {
        return fmt::format("tenant {} on node n{}: a claim took it to {} claimed rows over a ceiling of {}",
                           cluster.layout().config(effect.name).name, effect.node.value() + 1, claimed, held.ceiling);
      });
    }
  }

  [[nodiscard]] PropertyOutcome outcome() const override {
    PropertyOutcome outcome = first();
    if (!violated()) {
      outcome.held = claims_ == 0 ? Held::undefined : Held::yes;
      outcome.reason = fmt::format("none of {} claims went past a ceiling", claims_);
    }
    return outcome;
  }

 private:
  static constexpr std::array kWatched{EffectKind::claimed};
  std::uint64_t claims_ = 0;
};

}  // namespace

std::unique_ptr<Property> make_ceiling(const Cluster& /*cluster*/, const PropertyBounds& /*bounds*/) {
  return std::make_unique<Ceiling>();
}

}  // namespace headroom
