// end_to_end (spec 1.5): a request that is answered 2xx has all of its rows in the outbox in that step; one that ends
// otherwise has none, unless an earlier try of the same logical request was answered 2xx. So the rows that requests
// appended are always fan-out times the logical requests that had an effect. Once each: none of them has a second
// result.
#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "model/properties/gate_mirror.hpp"
#include "model/properties/properties.hpp"

namespace headroom {
namespace {

class EndToEnd final : public Property {
 public:
  explicit EndToEnd(const Cluster& cluster) : tenants_(cluster.namespaces()) {}

  [[nodiscard]] std::string_view name() const override { return "end_to_end"; }
  [[nodiscard]] std::span<const EffectKind> watches() const override { return kWatched; }

  void on(const Effect& effect, const Cluster& cluster, Time at) override {
    if (effect.kind == EffectKind::appended) {
      if (effect.key.ordinal() >= DispatchKey::kFirstOfRequests) {
        ++tenants_[effect.name.value()].rows;
        touched_.push_back(effect.name);
      }
      return;
    }
    if (effect.kind == EffectKind::recorded) {
      note_result(effect, cluster, at);
      return;
    }
    touched_.push_back(effect.name);
    ++ended_;
    const bool answered_2xx = effect.kind == EffectKind::request_finished &&
                              effect.detail == static_cast<std::uint8_t>(HandlerOutcome::succeeded);
    const std::uint64_t logical = cluster.api()->requests()[effect.request].logical;
    const bool had_effect = note(tenants_[effect.name.value()], logical, answered_2xx);
    const std::uint32_t fan_out = cluster.layout().config(effect.name).fan_out;
    const std::uint32_t there = rows_there(cluster, effect.name, logical);
    if (answered_2xx ? there != fan_out : !had_effect && there != 0) {
      violate(at, [&] {
        return fmt::format("{}: request {} {}, and {} of its {} rows are in the outbox",
                           tenant_on(cluster, effect.process, effect.name), logical, how(effect), there, fan_out);
      });
    }
  }

  void after_step(const Cluster& cluster, Time at) override {
    for (const NamespaceId name : touched_) {
      check_sum(name, cluster, at);
    }
    touched_.clear();
  }

  void finish(const Cluster& cluster, Time at) override {
    for (std::uint32_t name = 0; name < cluster.namespaces(); ++name) {
      check_sum(NamespaceId(name), cluster, at);
    }
  }

  [[nodiscard]] PropertyOutcome outcome() const override {
    PropertyOutcome outcome = first();
    if (!violated()) {
      outcome.held = ended_ == 0 ? Held::undefined : Held::yes;
      outcome.reason =
          fmt::format("{} requests ended; those answered 2xx have all of their rows, the others none", ended_);
    }
    return outcome;
  }

 private:
  struct Tenant {
    std::vector<bool> had_effect;  // by logical request
    std::uint64_t effects = 0;     // logical requests that had one
    std::uint64_t rows = 0;        // appended by requests
  };
  static constexpr std::array kWatched{EffectKind::appended, EffectKind::recorded, EffectKind::request_finished,
                                       EffectKind::request_refused, EffectKind::request_gone};

  void note_result(const Effect& effect, const Cluster& cluster, Time at) {
    if (effect.detail == 0 || effect.key.ordinal() < DispatchKey::kFirstOfRequests) {
      return;
    }
    const NamespaceConfig& config = cluster.layout().config(effect.name);
    violate(at, [&] {
      return fmt::format("tenant {}: a row of request {} has a second result", config.name,
                         (effect.key.ordinal() - DispatchKey::kFirstOfRequests) / config.fan_out);
    });
  }

  // Whether the logical request has had an effect; `now`: it has one from here on.
  static bool note(Tenant& tenant, std::uint64_t logical, bool now) {
    const auto index = static_cast<std::size_t>(logical);
    const bool before = index < tenant.had_effect.size() && tenant.had_effect[index];
    if (now && !before) {
      tenant.had_effect.resize(std::max(tenant.had_effect.size(), index + 1));
      tenant.had_effect[index] = true;
      ++tenant.effects;
    }
    return before || now;
  }

  static std::uint32_t rows_there(const Cluster& cluster, NamespaceId name, std::uint64_t logical) {
    const std::uint32_t fan_out = cluster.layout().config(name).fan_out;
    std::uint32_t there = 0;
    for (std::uint32_t row = 0; row < fan_out; ++row) {
      there += cluster.outbox().ever_appended(DispatchKey::of_request(name, logical, fan_out, row)) ? 1 : 0;
    }
    return there;
  }

  static std::string_view how(const Effect& effect) {
    if (effect.kind == EffectKind::request_gone) {
      return "was gone";
    }
    if (effect.kind == EffectKind::request_refused) {
      return "was refused";
    }
    return effect.detail == static_cast<std::uint8_t>(HandlerOutcome::succeeded) ? "was answered 2xx" : "failed";
  }

  void check_sum(NamespaceId name, const Cluster& cluster, Time at) {
    const Tenant& tenant = tenants_[name.value()];
    const std::uint64_t fan_out = cluster.layout().config(name).fan_out;
    if (tenant.rows != fan_out * tenant.effects) {
      violate(at, [&] {
        return fmt::format("tenant {}: requests appended {} rows; {} of them had an effect, with a fan-out of {}",
                           cluster.layout().config(name).name, tenant.rows, tenant.effects, fan_out);
      });
    }
  }

  std::vector<Tenant> tenants_;
  std::vector<NamespaceId> touched_;
  std::uint64_t ended_ = 0;
};

}  // namespace

std::unique_ptr<Property> make_end_to_end(const Cluster& cluster, const PropertyBounds& /*bounds*/) {
  return std::make_unique<EndToEnd>(cluster);
}

}  // namespace headroom
