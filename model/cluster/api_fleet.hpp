// The HTTP half of the system: the API processes of all nodes with their gates, the resources that their handlers
// share, and the requests inside. A part of Cluster, which adds what the two halves do together.
//
// A value. Each function is one step, and appends what it did to the effects; `at` is payload.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "model/admission/config.hpp"
#include "model/admission/gate.hpp"
#include "model/admission/resource_pool.hpp"
#include "model/base/ids.hpp"
#include "model/base/time.hpp"
#include "model/cluster/action.hpp"
#include "model/cluster/effect.hpp"
#include "model/cluster/fleet_contents.hpp"
#include "model/cluster/requests.hpp"

namespace headroom {

class ApiFleet {
 public:
  // `limits`: of each tenant in each process, by NamespaceId.
  ApiFleet(const AdmissionConfig& config, std::uint16_t nodes, std::vector<TenantLimits> limits);

  // Actions of these names; see action.hpp.
  void apply(const ArriveRequest& action, Time at, Effects& effects);
  void apply(const ExpireWait& action, Time at, Effects& effects);
  void apply(const PassAge& action, Time at, Effects& effects);
  void apply(const AbandonRequest& action, Time at, Effects& effects);
  void apply(const EnterDownstream& action, Time at, Effects& effects);
  void apply(const RefillToken& action, Time at, Effects& effects);
  void apply(const BeginHealthCheck& action, Time at, Effects& effects);
  void apply(const EndHealthCheck& action, Time at, Effects& effects);
  void apply(const ChangeLimits& action, Time at, Effects& effects);
  void apply(const ChangeTenantLimits& action, Time at, Effects& effects);
  void apply(const DrainProcess& action, Time at, Effects& effects);
  void apply(const ResumeProcess& action, Time at, Effects& effects);
  // Gives the execution whose wait it ended, if it was one's: the caller fails it.
  ExecutionId apply(const ExpireCheckout& action, Time at, Effects& effects);
  // Whether the request's handler works, so that it may be finished.
  [[nodiscard]] bool may_finish(const FinishRequest& action) const;
  // Its permit and all that it holds come back, and are handed on.
  void finish(RequestId id, HandlerOutcome outcome, Time at, Effects& effects);

  // All processes of a node die: waiters are gone, handlers end without an effect.
  void crash(NodeId node, Time at, Effects& effects);
  void restart(NodeId node, Time at, Effects& effects);

  // An executing row asks for a connection, and gives it (or its wait for it) back.
  CheckoutId check_out(ExecutionId execution, NamespaceId name, NodeId node, Effects& effects);
  void check_in(CheckoutId checkout, ExecutionId execution, NamespaceId name, NodeId node, Effects& effects);

  [[nodiscard]] std::uint16_t processes() const { return static_cast<std::uint16_t>(processes_.size()); }
  [[nodiscard]] NodeId node_of(ProcessId process) const {
    return NodeId(static_cast<std::uint16_t>(process.value() / per_node_));
  }
  [[nodiscard]] bool up(ProcessId process) const { return processes_[process.value()].up; }
  [[nodiscard]] const Gate& gate(ProcessId process) const { return processes_[process.value()].gate; }
  // The process's place in the pool while it checks its health; none otherwise.
  [[nodiscard]] CheckoutId health_check(ProcessId process) const { return processes_[process.value()].health_check; }
  [[nodiscard]] const RequestTable& requests() const { return requests_; }
  [[nodiscard]] const RequestCounts& counts(NamespaceId name) const { return counts_[name.value()]; }
  // Null: there is no such resource.
  [[nodiscard]] const ResourcePool* resource(Resource which) const {
    const std::optional<ResourcePool>& pool = resources_[static_cast<std::size_t>(which)];
    return pool ? &*pool : nullptr;
  }
  // Whether it is known to be ready, or not ready: what its last change of readiness said.
  [[nodiscard]] bool known_ready(ProcessId process) const { return processes_[process.value()].known_ready; }
  // Stands so from here on. Needs contents of a fleet of the same configuration, without health checks in progress.
  void restore(const FleetContents& contents);
  // Whether all permits and units are free and all queues empty.
  [[nodiscard]] bool quiet() const;

  friend bool operator==(const ApiFleet&, const ApiFleet&) = default;

 private:
  struct Process {
    Gate gate;
    bool up = true;
    bool known_ready = true;
    CheckoutId health_check;  // in progress
    friend bool operator==(const Process&, const Process&) = default;
  };

  void restore(const FleetContents::Inside& inside);
  Process& process(ProcessId id) { return processes_[id.value()]; }
  std::optional<ResourcePool>& pool(Resource which) { return resources_[static_cast<std::size_t>(which)]; }
  void start(RequestId id, bool waited, Effects& effects);
  void ask(RequestId id, Resource which, Effects& effects);
  void begin_stage(RequestId id, Stage stage, Effects& effects);
  void give_back(RequestId id, Resource which, Effects& effects);
  void serve(Resource which, Effects& effects);
  void end_health_check(ProcessId id, Effects& effects);
  void grant(ProcessId id, Effects& effects);
  void refuse(RequestId id, Refusal refusal, bool waited, std::uint64_t draw, Effects& effects);
  void await_token(ProcessId id, NamespaceId tenant, Time at, Effects& effects);
  void note_readiness(ProcessId id, Effects& effects);
  [[nodiscard]] Effect about(EffectKind kind, RequestId id) const;

  GateConfig gate_config_;
  std::uint16_t per_node_;
  std::vector<TenantLimits> limits_;  // as configured, for a process that starts again
  std::vector<Process> processes_;
  std::array<std::optional<ResourcePool>, kResources> resources_;
  RequestTable requests_;
  std::vector<RequestCounts> counts_;
};

}  // namespace headroom
