// ceiling (spec 2.4): no claim ever takes a tenant past its node's ceiling at that instant, or a sweep past its batch.
#include <array>
#include <fmt/format.h>

#include "model/properties/properties.hpp"
#include "model/properties/row_books.hpp"

namespace headroom {
namespace {

class Ceiling final : public Property {
 public:
  [[nodiscard]] std::string_view name() const override { return "ceiling"; }
  [[nodiscard]] std::span<const EffectKind> watches() const override { return kWatched; }

  void on(const Effect& effect, const Cluster& cluster, Time at) override {
    ++claims_;
    if (over_ceiling(cluster, effect.node, effect.name)) {
      violate(at, [&] { return text_of_over_ceiling(cluster, effect.node, effect.name); });
    }
    if (over_batch(cluster, effect.node)) {
      violate(at, [&] { return text_of_over_batch(cluster, effect.node); });
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
