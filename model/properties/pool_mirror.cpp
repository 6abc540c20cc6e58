#include "model/properties/pool_mirror.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace headroom {
namespace {

std::string_view name_of(Resource which) {
  return which == Resource::database_pool ? "database pool" : "downstream";
}

}  // namespace

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
  Units& units = units_[effect.detail];
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
  const ResourcePool* pool = cluster.api()->resource(which);
  const Units& units = units_[static_cast<std::size_t>(which)];
  if (pool == nullptr || units.ordinary < 0 || units.privileged < 0) {
    return fmt::format("the {}: units came back that were not out", name_of(which));
  }
  if (units.ordinary + units.privileged > pool->size() || units.ordinary + pool->reserve() > pool->size()) {
    return fmt::format("the {}: {} units are out to requests and rows and {} to health checks; size {}, reserve {}",
                       name_of(which), units.ordinary, units.privileged, pool->size(), pool->reserve());
  }
  return std::nullopt;
}

// Health checks beyond the reserve take what ordinary claimants could have.
std::optional<std::string> PoolMirror::judge_wait(const Cluster& cluster) const {
  const ResourcePool& pool = *cluster.api()->resource(Resource::database_pool);
  const Units& units = units_[static_cast<std::size_t>(Resource::database_pool)];
  const std::int64_t kept = std::max<std::int64_t>(pool.reserve(), units.privileged);
  if (handlers_ + executions_ + kept <= pool.size()) {
    return fmt::format("the database pool: a claimant waits although {} handlers and {} rows fit in {} less {} units",
                       handlers_, executions_, pool.size(), kept);
  }
  return std::nullopt;
}

std::optional<std::string> PoolMirror::compare(const Cluster& cluster) const {
  for (const Resource which : {Resource::database_pool, Resource::downstream}) {
    const ResourcePool* pool = cluster.api()->resource(which);
    const Units& units = units_[static_cast<std::size_t>(which)];
    if (pool != nullptr &&
        (pool->in_use() != units.ordinary + units.privileged || pool->in_use_by_privileged() != units.privileged)) {
      return fmt::format("the {}: {} units are out, {} of them to health checks; its claimants say {} and {}",
                         name_of(which), pool->in_use(), pool->in_use_by_privileged(),
                         units.ordinary + units.privileged, units.privileged);
    }
  }
  return std::nullopt;
}

bool PoolMirror::checks_health() const {
  return std::ranges::any_of(health_checks_, [](HealthCheck check) { return check != HealthCheck::none; });
}

}  // namespace headroom
