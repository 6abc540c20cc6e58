#include "model/properties/pool_mirror.hpp"

#include <algorithm>

namespace headroom {

std::optional<std::string> PoolMirror::on(const Effect& effect, const Cluster& cluster) {
  if (effect.kind == EffectKind::started || effect.kind == EffectKind::finished) {
    if (cluster.layout().config(effect.name).rows_use_database_pool) {
      executions_ += effect.kind == EffectKind::started ? +1 : -1;
    }
    return std::nullopt;
  }
  if (effect.kind == EffectKind::process_down) {
    // A check that held a connection gives it back with an effect of its own.
    HealthCheck& check = health_checks_[effect.process.value()];
    check = check == HealthCheck::waiting ? HealthCheck::none : check;
    return std::nullopt;
  }
  const auto which = static_cast<Resource>(effect.detail);
  UnitsOut& units = units_[effect.detail];
  const bool privileged = effect.request.is_none() && effect.execution.is_none();
  std::int64_t& held = privileged ? units.privileged : units.ordinary;
  held += effect.kind == EffectKind::resource_granted ? 1 : effect.kind == EffectKind::resource_returned ? -1 : 0;
  if (privileged) {
    health_checks_[effect.process.value()] = effect.kind == EffectKind::resource_awaited   ? HealthCheck::waiting
                                             : effect.kind == EffectKind::resource_granted ? HealthCheck::holding
                                                                                           : HealthCheck::none;
  } else if (effect.kind == EffectKind::resource_awaited && which == Resource::database_pool) {
    return judge_wait(cluster);
  }
  return judge_units(which, cluster);
}

std::optional<std::string> PoolMirror::judge_units(Resource which, const Cluster& cluster) const {
  return wrong_units(which, units_[static_cast<std::size_t>(which)], cluster.api()->resource(which));
}

std::optional<std::string> PoolMirror::judge_wait(const Cluster& cluster) const {
  return wrong_checkout_wait(handlers_, executions_, units_[static_cast<std::size_t>(Resource::database_pool)],
                             *cluster.api()->resource(Resource::database_pool));
}

std::optional<std::string> PoolMirror::compare(const Cluster& cluster) const {
  for (const Resource which : {Resource::database_pool, Resource::downstream}) {
    const ResourcePool* pool = cluster.api()->resource(which);
    if (pool != nullptr) {
      if (auto wrong = wrong_pool_counts(which, units_[static_cast<std::size_t>(which)], *pool)) {
        return wrong;
      }
    }
  }
  return std::nullopt;
}

bool PoolMirror::checks_health() const {
  return std::ranges::any_of(health_checks_, [](HealthCheck check) { return check != HealthCheck::none; });
}

}  // namespace headroom
