#include "model/properties/gate_mirror.hpp"

#include <fmt/format.h>

namespace headroom {

GateMirror::GateMirror(const Cluster& cluster)
    : namespaces_(cluster.namespaces()),
      processes_(cluster.api()->processes()),
      tenants_(processes_.size() * namespaces_) {
  for (std::uint16_t i = 0; i < processes(); ++i) {
    take_configured_limits(ProcessId(i), cluster.config());
  }
}

GateMirror::GateMirror(const FleetContents& contents)
    : namespaces_(static_cast<std::uint32_t>(contents.namespaces())),
      processes_(contents.processes.size()),
      tenants_(contents.tenants.size()) {
  for (std::size_t i = 0; i < processes_.size(); ++i) {
    processes_[i].limits = contents.processes[i].gate.limits;
    processes_[i].draining = contents.processes[i].gate.draining;
  }
  for (std::size_t i = 0; i < tenants_.size(); ++i) {
    tenants_[i].limits = contents.tenants[i].limits;
  }
  for (const FleetContents::Inside& request : contents.requests) {
    const bool waits = request.stage == Stage::waiting;
    Process& process = processes_[request.process.value()];
    Tenant& tenant = tenants_[place(request.process, request.tenant)];
    ++(waits ? process.waiting : process.inflight);
    ++(waits ? tenant.waiting : tenant.inflight);
  }
}

void GateMirror::take_configured_limits(ProcessId id, const ClusterConfig& config) {
  processes_[id.value()].limits = config.admission->gate.limits;
  for (std::uint32_t name = 0; name < namespaces_; ++name) {
    tenants_[place(id, NamespaceId(name))].limits = config.namespaces[name].limits;
  }
}

void GateMirror::on(const Effect& effect, const ApiFleet& fleet, const ClusterConfig& config) {
  Process& process = processes_[effect.process.value()];
  switch (effect.kind) {
    case EffectKind::request_admitted:
    case EffectKind::request_queued:
    case EffectKind::request_refused:
    case EffectKind::request_gone:
    case EffectKind::request_finished: {
      const GateDelta delta = delta_of(effect);
      Tenant& tenant = tenants_[place(effect.process, effect.name)];
      process.inflight += delta.inflight;
      process.waiting += delta.waiting;
      tenant.inflight += delta.inflight;
      tenant.waiting += delta.waiting;
      break;
    }
    case EffectKind::limits_changed: {
      const Gate& gate = fleet.gate(effect.process);
      if (effect.name.is_none()) {
        process.limits = gate.limits();
      } else {
        tenants_[place(effect.process, effect.name)].limits = gate.tenant(effect.name).limits;
      }
      break;
    }
    case EffectKind::drain_began:
    case EffectKind::drain_ended:
      process.draining = effect.kind == EffectKind::drain_began;
      break;
    default:  // process_up
      process.draining = false;
      take_configured_limits(effect.process, config);
      break;
  }
}

std::string process_name(const ClusterConfig& config, ProcessId id) {
  const std::uint16_t per_node = config.admission->processes;
  const int node = id.value() / per_node + 1;
  return per_node == 1 ? fmt::format("n{}", node) : fmt::format("n{}/p{}", node, id.value() % per_node + 1);
}

std::string process_name(const Cluster& cluster, ProcessId id) {
  return process_name(cluster.config(), id);
}

std::string tenant_on(const ClusterConfig& config, ProcessId id, NamespaceId name) {
  return fmt::format("tenant {} on {}", config.namespaces[name.value()].name, process_name(config, id));
}

std::string tenant_on(const Cluster& cluster, ProcessId id, NamespaceId name) {
  return tenant_on(cluster.config(), id, name);
}

}  // namespace headroom
