// Simulation: what goes wrong, one function a kind, and which of it a seed has under swarm testing.
#include <algorithm>
#include <utility>
#include <variant>

#include "sim/engine/variate.hpp"
#include "sim/run/simulation.hpp"

namespace headroom {
bool Simulation::fault_over(const Event& event) {
  if (event.node.is_none()) {
    set_workflows(std::get<WorkflowFault>(faults_[event.subject].kind), false);
  } else if (clocks_[event.node.value()].episode == event.payload) {
    go_on(event.node);
  }
  return !effects_.empty();
}

std::vector<NodeId> Simulation::nodes_of(NodeId node) const {
  std::vector<NodeId> nodes;
  for (std::uint16_t i = 0; i < cluster_.nodes(); ++i) {
    if (node.is_none() || node == NodeId(i)) {
      nodes.emplace_back(i);
    }
  }
  return nodes;
}

// A group's name stands for all its members.
std::vector<NamespaceId> Simulation::tenants_of(const std::string& name) const {
  std::vector<NamespaceId> names;
  for (std::uint32_t i = 0; i < tenants_.size(); ++i) {
    if (tenants_[i].name == name || scenario_.tenants[tenants_[i].spec_index].name == name) {
      names.emplace_back(i);
    }
  }
  return names;
}

// -- nodes ------------------------------------------------------------------------------------------------------------

void Simulation::cause(const CrashFault& fault, std::uint32_t /*index*/) {
  step(Crash{fault.node});
}

void Simulation::cause(const RestartFault& fault, std::uint32_t /*index*/) {
  if (!has_left_[fault.node.value()]) {
    step(Restart{fault.node});
  }
}

// Repeated handoffs go to and fro.
void Simulation::cause(const HandoffFault& fault, std::uint32_t index) {
  const NodeId owner = cluster_.outbox().holder(fault.shard);
  const bool again = faults_[index].every || faults_[index].rate;
  const bool back = again && owner == fault.to && !handed_from_[index].is_none();
  const NodeId to = back ? handed_from_[index] : fault.to;
  if (!back) {
    handed_from_[index] = owner;
  }
  step(Handoff{fault.shard, to});
}

void Simulation::cause(const PauseFault& fault, std::uint32_t index) {
  step(PauseNode{fault.node});
  out_of_touch(fault.node, fault.duration, index);
}

void Simulation::cause(const PartitionFault& fault, std::uint32_t index) {
  step(CutOff{fault.node, fault.one_way});
  out_of_touch(fault.node, fault.duration, index);
}

// The others miss it after `detection_delay`, as if it had crashed.
void Simulation::out_of_touch(NodeId node, Duration duration, std::uint32_t index) {
  NodeClock& clock = clocks_[node.value()];
  ++clock.episode;
  push(now_ + duration, Priority::faults_and_ownership,
       {.payload = clock.episode, .subject = index, .node = node, .kind = EventKind::fault_over});
  push(now_ + scenario_.cluster.detection_delay, Priority::faults_and_ownership,
       {.subject = clock.episode, .node = node, .kind = EventKind::expulsion});
}

bool Simulation::expel(NodeId node, std::uint32_t episode) {
  if (clocks_[node.value()].episode != episode) {
    return false;
  }
  step(ExpelNode{node});
  if (effects_.empty()) {
    return false;  // it is back by now, or dead
  }
  clocks_[node.value()].orphaned_at = now_ + scenario_.cluster.adoption_delay;
  push(now_ + scenario_.cluster.adoption_delay, Priority::faults_and_ownership, {.kind = EventKind::adoption});
  return true;
}

// The pause or the partition is over: the node goes on where it was, and learns later that it was taken for dead.
void Simulation::go_on(NodeId node) {
  NodeClock& clock = clocks_[node.value()];
  step(ResumeNode{node});
  step(Reconnect{node});
  if (std::exchange(clock.sweep_held, false)) {
    push(now_, Priority::sweeps, {.subject = clock.life, .node = node, .kind = EventKind::sweep_step});
  }
  if (cluster_.expelled(node)) {
    push(now_ + scenario_.cluster.adoption_delay, Priority::faults_and_ownership,
         {.node = node, .kind = EventKind::rejoining});
  }
  if (cluster_.wake_wanted(node)) {
    arm_wake(node);
  }
}

void Simulation::cause(const JoinFault& fault, std::uint32_t /*index*/) {
  has_left_[fault.node.value()] = false;
  step(Restart{fault.node});
  rebalance();
  if (cluster_.api() != nullptr) {
    for (const ProcessId process : processes_of(fault.node, std::nullopt)) {
      step(ResumeProcess{process});
    }
  }
}

void Simulation::cause(const LeaveFault& fault, std::uint32_t /*index*/) {
  if (!cluster_.up(fault.node) || has_left_[fault.node.value()]) {
    return;
  }
  has_left_[fault.node.value()] = true;
  if (cluster_.api() != nullptr) {
    for (const ProcessId process : processes_of(fault.node, std::nullopt)) {
      step(DrainProcess{process, drain_draws_.next()});
    }
  }
  depart(fault.node);
}

// Its shards go to those that have the fewest; it goes once its sweep is over.
bool Simulation::depart(NodeId node) {
  for (std::uint32_t i = 0; i < cluster_.config().shards; ++i) {
    if (cluster_.outbox().holder(ShardId(i)) == node) {
      const NodeId to = adopter();
      if (!to.is_none()) {
        step(Handoff{ShardId(i), to});
      }
    }
  }
  step(Leave{node});
  if (cluster_.up(node)) {
    push(now_ + scenario_.cluster.poll_interval, Priority::faults_and_ownership,
         {.node = node, .kind = EventKind::departure});
  }
  return !effects_.empty();
}

// From the member with the most shards to the one with the fewest, until they differ by one at most.
void Simulation::rebalance() {
  while (true) {
    NodeId most = NodeId::none();
    const NodeId fewest = adopter();
    for (std::uint16_t i = 0; i < cluster_.nodes(); ++i) {
      if (cluster_.member(NodeId(i)) && (most.is_none() || cluster_.owned(NodeId(i)) > cluster_.owned(most))) {
        most = NodeId(i);
      }
    }
    if (most.is_none() || fewest.is_none() || cluster_.owned(most) <= cluster_.owned(fewest) + 1) {
      return;
    }
    std::uint32_t shard = 0;
    while (cluster_.outbox().holder(ShardId(shard)) != most) {
      ++shard;
    }
    step(Handoff{ShardId(shard), fewest});
  }
}

void Simulation::cause(const ClockSkewFault& fault, std::uint32_t /*index*/) {
  clocks_[fault.node.value()].skew = fault.offset;
}

void Simulation::cause(const LostWakeUpFault& fault, std::uint32_t /*index*/) {
  if (cluster_.wake_wanted(fault.node)) {
    step(LoseWake{fault.node});
  } else {
    clocks_[fault.node.value()].loses_wake = true;
  }
}

// -- the store --------------------------------------------------------------------------------------------------------

void Simulation::cause(const StoreErrorFault& fault, std::uint32_t /*index*/) {
  for (const NodeId node : nodes_of(fault.node)) {
    clocks_[node.value()].store_error = fault.release;
  }
}

// While it lasts, another one of the same kind is none: factors do not pile up.
void Simulation::cause(const StoreSlownessFault& fault, std::uint32_t index) {
  if (slow_until_[index] > now_) {
    return;
  }
  slow_until_[index] = now_ + fault.duration;
  slowdown_.add(
      {.shift = {
           .target = ShiftTarget::store, .factor = fault.factor, .at = now_, .shape = StepShift{fault.duration}}});
}

void Simulation::cause(const DuplicateAppendFault& fault, std::uint32_t index) {
  rows_.clear();
  for (const NamespaceId name : tenants_of(fault.tenant)) {
    if (sources_[name.value()]) {
      sources_[name.value()]->repeat_rows(fault.n, now_, fault_draws_[index], rows_);
    }
  }
  step(AppendRows{rows_});
}

void Simulation::cause(const QuotaErrorFault& fault, std::uint32_t /*index*/) {
  for (const NodeId node : nodes_of(fault.node)) {
    clocks_[node.value()].quota_error_until = now_ + fault.duration;
  }
}

// -- workers ----------------------------------------------------------------------------------------------------------

// One that runs on the node (on any node), each as likely as the other.
ExecutionId Simulation::any_execution(NodeId node, std::uint32_t index) {
  std::vector<ExecutionId> running;
  for (std::uint32_t i = 0; i < execution_serial_.size(); ++i) {
    const ExecutionId id(i);
    if (cluster_.executions().running(id) && (node.is_none() || cluster_.executions()[id].node == node)) {
      running.push_back(id);
    }
  }
  return running.empty() ? ExecutionId::none()
                         : running[static_cast<std::size_t>(fault_draws_[index].below(running.size()))];
}

void Simulation::cause(const WorkerDeathFault& fault, std::uint32_t index) {
  if (const ExecutionId execution = any_execution(fault.node, index); !execution.is_none()) {
    step(KillExecution{execution});
  }
}

void Simulation::cause(const WorkerHangFault& fault, std::uint32_t index) {
  const ExecutionId execution = any_execution(fault.node, index);
  if (execution.is_none()) {
    return;
  }
  const CheckoutId connection = cluster_.executions()[execution].connection;
  const bool works = connection.is_none() || cluster_.api()->resource(Resource::database_pool)->checked_out(connection);
  if (works) {  // else it waits for its connection, which is another kind of delay
    end_at(execution, std::max(execution_ends_[execution.value()], now_) + fault.duration);
  }
}

// -- tenants ----------------------------------------------------------------------------------------------------------

void Simulation::cause(const WorkflowFault& fault, std::uint32_t index) {
  set_workflows(fault, fault.what == WorkflowFault::What::pause);
  if (fault.duration) {
    push(now_ + *fault.duration, Priority::faults_and_ownership, {.subject = index, .kind = EventKind::fault_over});
  }
}

void Simulation::set_workflows(const WorkflowFault& fault, bool paused) {
  for (const NamespaceId name : tenants_of(fault.tenant)) {
    const Layout& layout = cluster_.layout();
    const std::uint32_t first = layout.first_workflow(name.value());
    const std::uint32_t count = layout.config(name).workflows;
    for (std::uint32_t i = 0; i < count; ++i) {
      if (fault.workflow && *fault.workflow != i + 1) {
        continue;
      }
      if (fault.what == WorkflowFault::What::end) {
        step(EndWorkflow{WorkflowId(first + i)});
      } else {
        step(PauseWorkflow{WorkflowId(first + i), paused});
      }
    }
  }
}

void Simulation::cause(const QuotaChangeFault& fault, std::uint32_t /*index*/) {
  for (const NamespaceId name : tenants_of(fault.tenant)) {
    step(ChangeQuota{name, fault.quota});
  }
}

// -- the HTTP side ----------------------------------------------------------------------------------------------------

void Simulation::cause(const DrainFault& fault, std::uint32_t /*index*/) {
  for (const ProcessId process : processes_of(fault.node, fault.process)) {
    step(DrainProcess{process, drain_draws_.next()});
    if (fault.duration) {
      push(now_ + *fault.duration, Priority::faults_and_ownership,
           {.subject = process.value(), .kind = EventKind::drain_over});
    }
  }
}

void Simulation::cause(const LimitChangeFault& fault, std::uint32_t /*index*/) {
  for (const ProcessId process : processes_of(fault.node, fault.process)) {
    if (fault.tenant.empty()) {
      GateLimits limits = cluster_.api()->gate(process).limits();
      limits.max_inflight = fault.max_inflight.value_or(limits.max_inflight);
      limits.max_queue_depth = fault.max_queue_depth.value_or(limits.max_queue_depth);
      step(ChangeLimits{process, limits});
      continue;
    }
    for (const NamespaceId name : tenants_of(fault.tenant)) {
      TenantLimits limits = cluster_.api()->gate(process).tenant(name).limits;
      limits.max_inflight = fault.max_inflight.value_or(limits.max_inflight);
      limits.max_queue_depth = fault.max_queue_depth.value_or(limits.max_queue_depth);
      limits.rate_limit = fault.rate_limit.value_or(limits.rate_limit);
      step(ChangeTenantLimits{process, name, limits});
    }
  }
}

void Simulation::cause(const ClientDisconnectFault& fault, std::uint32_t index) {
  std::vector<std::uint32_t> open;
  for (std::uint32_t i = 0; i < calls_.size(); ++i) {
    const Call& call = calls_[i];
    if (!call.waiting || call.request.is_none()) {
      continue;
    }
    const bool running = cluster_.api()->requests()[call.request].running();
    const bool of_stage = fault.stage == ClientDisconnectFault::Stage::any ||
                          (fault.stage == ClientDisconnectFault::Stage::running) == running;
    const TenantInstance& tenant = tenants_[call.tenant.value()];
    if (of_stage && (tenant.name == fault.tenant || scenario_.tenants[tenant.spec_index].name == fault.tenant)) {
      open.push_back(i);
    }
  }
  if (!open.empty()) {
    const std::uint32_t chosen = open[static_cast<std::size_t>(fault_draws_[index].below(open.size()))];
    client_leaves(chosen, calls_[chosen].serial);
  }
}

void Simulation::cause(const HandlerFailureFault& fault, std::uint32_t index) {
  const std::vector<NamespaceId> names = tenants_of(fault.tenant);
  std::vector<std::uint32_t> running;
  for (std::uint32_t i = 0; i < handled_.size(); ++i) {
    const Request& request = cluster_.api()->requests()[RequestId(i)];
    if (request.running() && std::ranges::binary_search(names, request.tenant)) {
      running.push_back(i);
    }
  }
  if (!running.empty()) {
    handled_[running[static_cast<std::size_t>(fault_draws_[index].below(running.size()))]].will_fail = true;
  }
}

}  // namespace headroom
