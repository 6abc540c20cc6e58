// exactly_once (spec 1.1): for every key ever appended one row, at most one live fence at any moment, one recorded
// result (or one dead letter, or a cancel) once the system has drained; nothing lost. Kept key by key from the effects,
// independently of the outbox's own table.
#include <array>
#include <fmt/format.h>

#include "model/properties/properties.hpp"
#include "model/properties/row_books.hpp"

namespace headroom {
namespace {

class ExactlyOnce final : public Property {
 public:
  explicit ExactlyOnce(const Cluster& cluster) : keys_(std::size_t{2} * cluster.namespaces()) {}

  [[nodiscard]] std::string_view name() const override { return "exactly_once"; }
  [[nodiscard]] std::span<const EffectKind> watches() const override { return kWatched; }

  void on(const Effect& effect, const Cluster& cluster, Time at) override {
    KeyLife& life = life_of(effect.key);
    const KeyLife before = life;
    if (const auto wrong = life.take(effect.kind)) {
      violate(at, [&] {
        return fmt::format("tenant {}, row {}: {}", cluster.layout().config(effect.name).name, effect.key.ordinal(),
                           *wrong);
      });
    }
    open_ += effect.kind == EffectKind::appended ? 1 : 0;
    open_ -= life.ended && !before.ended ? 1 : 0;
  }

  void finish(const Cluster& cluster, Time at) override {
    if (open_ != cluster.outbox().live_rows()) {
      violate(at, [&] {
        return fmt::format("{} keys are not final, but {} rows are left: {}", open_, cluster.outbox().live_rows(),
                           open_ > cluster.outbox().live_rows() ? "rows were lost" : "rows came from nowhere");
      });
    }
  }

  [[nodiscard]] PropertyOutcome outcome() const override {
    PropertyOutcome outcome = first();
    if (!violated()) {
      outcome.reason = "every key has one row and at most one live fence and result; nothing was lost";
    }
    return outcome;
  }

 private:
  static constexpr std::array kWatched{EffectKind::appended,      EffectKind::claimed,  EffectKind::retried,
                                       EffectKind::rearmed,       EffectKind::released, EffectKind::recorded,
                                       EffectKind::dead_lettered, EffectKind::cancelled};
  KeyLife& life_of(DispatchKey key) {
    // Rows of requests are numbered from far above, in a line of their own.
    const bool of_request = key.ordinal() >= DispatchKey::kFirstOfRequests;
    const auto index = static_cast<std::size_t>(key.ordinal() - (of_request ? DispatchKey::kFirstOfRequests : 0));
    std::vector<KeyLife>& lives = keys_[std::size_t{2} * key.name().value() + (of_request ? 1 : 0)];
    if (index >= lives.size()) {
      lives.resize(index + 1);
    }
    return lives[index];
  }

  std::vector<std::vector<KeyLife>> keys_;  // by namespace, then who appends, then ordinal
  std::uint64_t open_ = 0;                  // keys that are not final
};

}  // namespace

std::unique_ptr<Property> make_exactly_once(const Cluster& cluster, const PropertyBounds& /*bounds*/) {
  return std::make_unique<ExactlyOnce>(cluster);
}

}  // namespace headroom
