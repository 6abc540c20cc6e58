// Who holds units of the fleet's resources, counted anew from the effects, and judged against what a pool promises:
// never more than its size, ordinary claimants never in the reserve, and nobody waits for a connection while all
// claimants fit in what the reserve leaves (so nobody ever does where the in-flight caps fit in it).
//
//   PoolMirror pools(cluster);
//   if (auto wrong = pools.on(effect, cluster)) report(*wrong);
//   ... after the step: if (auto wrong = pools.compare(cluster)) report(*wrong);
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/cluster/cluster.hpp"
#include "model/cluster/effect.hpp"
#include "model/properties/gate_rules.hpp"

namespace headroom {

class PoolMirror {
 public:
  // Needs a cluster with an HTTP side.
  explicit PoolMirror(const Cluster& cluster) : health_checks_(cluster.api()->processes(), HealthCheck::none) {}

  [[nodiscard]] static constexpr bool watches(EffectKind kind) {
    return kind == EffectKind::resource_awaited || kind == EffectKind::resource_granted ||
           kind == EffectKind::resource_returned || kind == EffectKind::resource_timed_out ||
           kind == EffectKind::started || kind == EffectKind::finished || kind == EffectKind::process_down;
  }
  // What the effect shows to be wrong.
  [[nodiscard]] std::optional<std::string> on(const Effect& effect, const Cluster& cluster);
  // Each handler holds one connection or waits for one.
  void count_handlers(std::int64_t change) { handlers_ += change; }
  // Where the cluster's pools do not hold what the steps say.
  [[nodiscard]] std::optional<std::string> compare(const Cluster& cluster) const;
  // Whether a health check holds a connection or waits for one.
  [[nodiscard]] bool checks_health() const;

 private:
  enum class HealthCheck : std::uint8_t { none, waiting, holding };

  [[nodiscard]] std::optional<std::string> judge_units(Resource which, const Cluster& cluster) const;
  [[nodiscard]] std::optional<std::string> judge_wait(const Cluster& cluster) const;

  std::array<UnitsOut, kResources> units_{};
  std::int64_t handlers_ = 0;
  std::int64_t executions_ = 0;  // those that need a connection
  std::vector<HealthCheck> health_checks_;
};

}  // namespace headroom
