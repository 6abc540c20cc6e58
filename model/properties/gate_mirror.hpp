// What the gates of a cluster hold, as far as the effects of its steps say: counted anew, so that properties can judge
// the gates' own counters and decisions.
//
//   GateMirror mirror(cluster);
//   ... judge the effect against mirror.process(p), mirror.tenant(p, name), then: mirror.on(effect, cluster);
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "model/cluster/cluster.hpp"
#include "model/cluster/effect.hpp"
#include "model/properties/gate_rules.hpp"

namespace headroom {

class GateMirror {
 public:
  using Tenant = TenantAtGate;
  using Process = ProcessAtGate;
  static constexpr std::array kWatched{
      EffectKind::request_admitted, EffectKind::request_queued,   EffectKind::request_refused,
      EffectKind::request_gone,     EffectKind::request_finished, EffectKind::limits_changed,
      EffectKind::drain_began,      EffectKind::drain_ended,      EffectKind::process_up};

  // Needs a cluster with an HTTP side.
  explicit GateMirror(const Cluster& cluster);
  // Begins with what is in a fleet.
  explicit GateMirror(const FleetContents& contents);
  // `fleet` and `config`: of the cluster after the step.
  void on(const Effect& effect, const ApiFleet& fleet, const ClusterConfig& config);
  void on(const Effect& effect, const Cluster& cluster) { on(effect, *cluster.api(), cluster.config()); }

  [[nodiscard]] const Process& process(ProcessId id) const { return processes_[id.value()]; }
  [[nodiscard]] const Tenant& tenant(ProcessId id, NamespaceId name) const { return tenants_[place(id, name)]; }
  // Where the effect happens.
  [[nodiscard]] AtGate at(const Effect& effect, bool may_wait) const {
    return {tenant(effect.process, effect.name), process(effect.process), may_wait};
  }
  // Of a tenant in a process, among all of them.
  [[nodiscard]] std::size_t place(ProcessId id, NamespaceId name) const {
    return static_cast<std::size_t>(id.value()) * namespaces_ + name.value();
  }
  [[nodiscard]] std::size_t places() const { return tenants_.size(); }
  [[nodiscard]] std::uint16_t processes() const { return static_cast<std::uint16_t>(processes_.size()); }

 private:
  void take_configured_limits(ProcessId id, const ClusterConfig& config);

  std::uint32_t namespaces_;
  std::vector<Process> processes_;
  std::vector<Tenant> tenants_;  // by process, then tenant
};

// "n2/p1", or "n2" where a node has one process.
[[nodiscard]] std::string process_name(const ClusterConfig& config, ProcessId id);
[[nodiscard]] std::string process_name(const Cluster& cluster, ProcessId id);
// "tenant a on n2/p1".
[[nodiscard]] std::string tenant_on(const ClusterConfig& config, ProcessId id, NamespaceId name);
[[nodiscard]] std::string tenant_on(const Cluster& cluster, ProcessId id, NamespaceId name);

}  // namespace headroom
