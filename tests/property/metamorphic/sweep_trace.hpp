// The sweeps of a run, with what each tenant had and got; tenants are known by what their id hashes to, so that runs
// can be compared whatever their tenants are called.
//
//   const std::vector<TracedSweep> sweeps = sweeps_of(scenario, seed);
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <rapidcheck.h>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/run/simulation.hpp"
#include "sim/scenario/read_scenario.hpp"

namespace headroom::test {

[[nodiscard]] inline Scenario scenario_of(const std::string& text) {
  const Result<Scenario> scenario = read_scenario_text(text, "generated.json");
  if (!scenario) {
    RC_FAIL(scenario.faults().front().text() + "\n" + text);
  }
  return scenario.value();
}

struct TracedTenant {
  std::uint32_t headroom = 0;
  std::uint32_t claimable = 0;
  std::uint32_t granted = 0;
  std::uint32_t claimed = 0;  // rows that the sweep's claims found

  [[nodiscard]] std::uint32_t cap() const { return std::min(headroom, claimable); }
  friend bool operator==(const TracedTenant&, const TracedTenant&) = default;
};

struct TracedSweep {
  Time at;  // when it planned
  NodeId node;
  std::map<std::uint64_t, TracedTenant> tenants;  // by entity

  [[nodiscard]] bool someone_is_active() const {
    return std::ranges::any_of(tenants, [](const auto& each) { return each.second.cap() > 0; });
  }
  friend bool operator==(const TracedSweep&, const TracedSweep&) = default;
};

// Sweeps in which somebody could be served, in the order in which they planned; those that a crash or an error ended,
// too.
class SweepTrace final : public RunObserver {
 public:
  explicit SweepTrace(const std::vector<TenantInstance>& tenants) : tenants_(tenants) {}

  void on_step(const Cluster& cluster, std::span<const Effect> effects, Time at) override {
    for (const Effect& effect : effects) {
      if (effect.kind == EffectKind::sweep_planned && cluster.sweep(effect.node).plan.active > 0) {
        begin(cluster, effect.node, at);
      } else if (effect.kind == EffectKind::claimed) {
        const auto sweep = latest_.find(effect.node);
        ++sweeps_[sweep->second].tenants.at(tenants_[effect.key.name().value()].entity).claimed;
      }
    }
  }
  [[nodiscard]] std::vector<TracedSweep> take() { return std::move(sweeps_); }

 private:
  void begin(const Cluster& cluster, NodeId node, Time at) {
    latest_[node] = sweeps_.size();
    TracedSweep& sweep = sweeps_.emplace_back(TracedSweep{.at = at, .node = node, .tenants = {}});
    for (std::uint32_t i = 0; i < tenants_.size(); ++i) {
      const NamespaceId name(i);
      sweep.tenants[tenants_[i].entity] = {.headroom = cluster.headroom(node, name),
                                           .claimable = cluster.holding(node, name).claimable,
                                           .granted = cluster.sweep(node).plan.granted_to(name)};
    }
  }

  const std::vector<TenantInstance>& tenants_;
  std::map<NodeId, std::size_t> latest_;  // by node: its sweep in progress, or the last one
  std::vector<TracedSweep> sweeps_;
};

[[nodiscard]] inline std::vector<TracedSweep> sweeps_of(const Scenario& scenario, std::uint64_t seed) {
  Simulation simulation(scenario, seed);
  SweepTrace trace(simulation.tenants());
  simulation.observe(trace);
  simulation.run({});
  return trace.take();
}

// As if one tenant were not there.
[[nodiscard]] inline std::vector<TracedSweep> without(std::vector<TracedSweep> sweeps, std::uint64_t entity) {
  for (TracedSweep& sweep : sweeps) {
    sweep.tenants.erase(entity);
  }
  std::erase_if(sweeps, [](const TracedSweep& sweep) { return !sweep.someone_is_active(); });
  return sweeps;
}

}  // namespace headroom::test
