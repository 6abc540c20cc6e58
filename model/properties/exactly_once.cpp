// exactly_once (spec 1.1): for every key ever appended one row, at most one live fence at any moment, one recorded
// result (or one dead letter, or a cancel) once the system has drained; nothing lost. Kept key by key from the effects,
// independently of the outbox's own table; a byte a key.
#include <array>
#include <fmt/format.h>

#include "model/properties/properties.hpp"

namespace headroom {
namespace {

class ExactlyOnce final : public Property {
 public:
  explicit ExactlyOnce(const Cluster& cluster) : keys_(std::size_t{2} * cluster.namespaces()) {}

  [[nodiscard]] std::string_view name() const override { return "exactly_once"; }
  [[nodiscard]] std::span<const EffectKind> watches() const override { return kWatched; }

  void on(const Effect& effect, const Cluster& cluster, Time at) override {
    std::uint8_t& state = state_of(effect.key);
    const auto require = [&](bool holds, const char* what) {
      if (!holds) {
        violate(at, [&] {
          return fmt::format("tenant {}, row {}: {}", cluster.layout().config(effect.name).name, effect.key.ordinal(),
                             what);
        });
      }
    };
    switch (effect.kind) {
      case EffectKind::appended:
        require(state == 0, "a second row for one key");
        state = kAppended;
        ++open_;
        break;
      case EffectKind::claimed:
        require((state & kAppended) != 0, "claimed, but never appended");
        require((state & kLive) == 0, "claimed while another fence is live");
        require((state & kFinal) == 0, "claimed after it was final");
        state |= kLive;
        break;
      case EffectKind::retried:
      case EffectKind::rearmed:
      case EffectKind::released:
        require((state & kLive) != 0, "Pending again without a live fence");
        state &= static_cast<std::uint8_t>(~kLive);
        break;
      case EffectKind::recorded:
      case EffectKind::dead_lettered:
        require((state & kLive) != 0, "settled without a live fence");
        [[fallthrough]];
      default:
        require((state & kFinal) == 0, "final twice: a second result was recorded");
        open_ -= (state & kFinal) == 0 ? 1 : 0;
        state = static_cast<std::uint8_t>((state & ~kLive) | kFinal);
        break;
    }
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
  static constexpr std::uint8_t kAppended = 1;
  static constexpr std::uint8_t kLive = 2;
  static constexpr std::uint8_t kFinal = 4;

  std::uint8_t& state_of(DispatchKey key) {
    // Rows of requests are numbered from far above, in a line of their own.
    const bool of_request = key.ordinal() >= DispatchKey::kFirstOfRequests;
    const auto index = static_cast<std::size_t>(key.ordinal() - (of_request ? DispatchKey::kFirstOfRequests : 0));
    std::vector<std::uint8_t>& states = keys_[std::size_t{2} * key.name().value() + (of_request ? 1 : 0)];
    if (index >= states.size()) {
      states.resize(index + 1, 0);
    }
    return states[index];
  }

  std::vector<std::vector<std::uint8_t>> keys_;  // by namespace, then who appends, then ordinal
  std::uint64_t open_ = 0;                       // keys that are not final
};

}  // namespace

std::unique_ptr<Property> make_exactly_once(const Cluster& cluster, const PropertyBounds& /*bounds*/) {
  return std::make_unique<ExactlyOnce>(cluster);
}

}  // namespace headroom
