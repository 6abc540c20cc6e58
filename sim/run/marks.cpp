#include "sim/run/marks.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <variant>

#include "sim/scenario/exact_number.hpp"

namespace headroom {
namespace {

std::string shape_of(const LatencyShift& shift) {
  if (std::holds_alternative<RampShift>(shift.shape)) {
    return "ramp";
  }
  if (std::holds_alternative<SpikeShift>(shift.shape)) {
    return "spike";
  }
  return std::holds_alternative<PeriodicShift>(shift.shape) ? "periodic" : "step";
}

Time end_of(const LatencyShift& shift, Time end_of_run) {
  if (const auto* step = std::get_if<StepShift>(&shift.shape)) {
    return shift.at + step->duration;
  }
  if (const auto* ramp = std::get_if<RampShift>(&shift.shape)) {
    return shift.at + ramp->over + ramp->duration;
  }
  if (const auto* spike = std::get_if<SpikeShift>(&shift.shape)) {
    return shift.at + spike->duration;
  }
  return end_of_run;
}

// A fault that lasts for a while says so itself.
Time end_of(const Fault& fault, Time at) {
  return std::visit(
      [at](const auto& kind) {
        if constexpr (requires { kind.duration; }) {
          const std::optional<Duration> length = kind.duration;
          return at + length.value_or(Duration::zero());
        } else {
          return at;
        }
      },
      fault.kind);
}

std::string where(NodeId node, std::optional<std::uint16_t> process) {
  const std::string nodes = node.is_none() ? "all nodes" : fmt::format("n{}", node.value() + 1);
  return process ? fmt::format("{}, process {}", nodes, *process) : nodes;
}

// What a mark says of a fault.
class Label {
 public:
  std::string operator()(const CrashFault& fault) const { return "crash " + name(fault.node); }
  std::string operator()(const RestartFault& fault) const { return "restart " + name(fault.node); }
  std::string operator()(const HandoffFault& fault) const {
    return fmt::format("handoff of shard {} to {}", fault.shard.value(), name(fault.to));
  }
  std::string operator()(const DrainFault& fault) const { return "drain of " + where(fault.node, fault.process); }
  std::string operator()(const LimitChangeFault& fault) const {
    return "limits of " + where(fault.node, fault.process) +
           (fault.tenant.empty() ? "" : " for tenant " + fault.tenant);
  }
  std::string operator()(const PauseFault& fault) const { return "pause of " + name(fault.node); }
  std::string operator()(const PartitionFault& fault) const {
    return (fault.one_way ? "one-way partition of " : "partition of ") + name(fault.node);
  }
  std::string operator()(const JoinFault& fault) const { return "join " + name(fault.node); }
  std::string operator()(const LeaveFault& fault) const { return "leave " + name(fault.node); }
  std::string operator()(const StoreErrorFault& fault) const {
    return "store error on " + where(fault.node, std::nullopt) + (fault.release ? ", released" : ", leaked");
  }
  std::string operator()(const StoreSlownessFault& fault) const {
    return fmt::format("store {}x slower", fault.factor.to_double());
  }
  std::string operator()(const WorkerDeathFault& fault) const { return "worker death on " + some(fault.node); }
  std::string operator()(const WorkerHangFault& fault) const { return "worker hang on " + some(fault.node); }
  std::string operator()(const ClockSkewFault& fault) const {
    return fmt::format("clock of {} off by {}", name(fault.node), format_duration(fault.offset));
  }
  std::string operator()(const LostWakeUpFault& fault) const { return "lost wake-up of " + name(fault.node); }
  std::string operator()(const DuplicateAppendFault& fault) const {
    return fmt::format("{} duplicate appends for tenant {}", fault.n, fault.tenant);
  }
  std::string operator()(const WorkflowFault& fault) const {
    const std::string which = fault.workflow ? fmt::format("workflow {}", *fault.workflow) : "workflows";
    return fmt::format("{} {} of tenant {}", verb(fault.what), which, fault.tenant);
  }
  std::string operator()(const QuotaChangeFault& fault) const {
    return fmt::format("quota of tenant {} to {}", fault.tenant, fault.quota);
  }
  std::string operator()(const QuotaErrorFault& fault) const {
    return "quotas unreadable on " + where(fault.node, std::nullopt);
  }
  std::string operator()(const ClientDisconnectFault& fault) const {
    return "client of tenant " + fault.tenant + " disconnects";
  }
  std::string operator()(const HandlerFailureFault& fault) const {
    return "handler of tenant " + fault.tenant + " fails";
  }

 private:
  static std::string name(NodeId node) { return fmt::format("n{}", node.value() + 1); }
  static std::string some(NodeId node) { return node.is_none() ? "any node" : name(node); }
  static std::string verb(WorkflowFault::What what) {
    switch (what) {
      case WorkflowFault::What::pause:
        return "pause of";
      case WorkflowFault::What::resume:
        return "resumption of";
      case WorkflowFault::What::end:
        return "end of";
    }
    return {};
  }
};

// Whether the scenario says when it happens: the seed draws the instants of the others, and under swarm even which of
// them there are.
bool planned(const Fault& fault, const Scenario& scenario) {
  return !fault.rate && !scenario.swarm;
}

}  // namespace

std::vector<Mark> marks_of(const Scenario& scenario) {
  const Time end = Time::at(scenario.duration);
  constexpr std::size_t most_marks = 500;
  std::vector<Mark> marks;
  marks.reserve(scenario.latency_shifts.size() + scenario.faults.size());
  for (const LatencyShift& shift : scenario.latency_shifts) {
    marks.push_back({Mark::Kind::latency_shift, shift.at, std::min(end_of(shift, end), end),
                     fmt::format("latency {} {}x{}", shape_of(shift), shift.factor.to_double(),
                                 shift.name.empty() ? " (store)" : " " + shift.name)});
  }
  for (const Fault& fault : scenario.faults) {
    if (!planned(fault, scenario)) {
      continue;
    }
    const std::string label = std::visit(Label(), fault.kind);
    for (Time at = fault.at; at < end && marks.size() < most_marks; at = at + fault.every.value_or(Duration::max())) {
      marks.push_back({Mark::Kind::fault, at, std::min(end_of(fault, at), end), label});
    }
  }
  std::ranges::stable_sort(marks, {}, &Mark::at);
  return marks;
}

std::optional<Trigger> trigger_of(const Scenario& scenario) {
  const Time end = Time::at(scenario.duration);
  Trigger trigger{Time::max(), Time::zero()};
  for (const Fault& fault : scenario.faults) {
    const bool goes_on = fault.every || !planned(fault, scenario);
    trigger.start = std::min(trigger.start, fault.at);
    trigger.end = std::max(trigger.end, goes_on ? end : end_of(fault, fault.at));
  }
  for (const LatencyShift& shift : scenario.latency_shifts) {
    trigger.start = std::min(trigger.start, shift.at);
    trigger.end = std::max(trigger.end, end_of(shift, end));
  }
  return trigger.start < end && trigger.end < end ? std::optional(trigger) : std::nullopt;
}

}  // namespace headroom
