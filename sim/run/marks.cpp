#include "sim/run/marks.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <type_traits>
#include <variant>

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

Time end_of(const Fault& fault, Time at) {
  const auto* drain = std::get_if<DrainFault>(&fault.kind);
  return drain != nullptr && drain->duration ? at + *drain->duration : at;
}

std::string where(NodeId node, std::optional<std::uint16_t> process) {
  const std::string nodes = node.is_none() ? "all nodes" : fmt::format("n{}", node.value() + 1);
  return process ? fmt::format("{}, process {}", nodes, *process) : nodes;
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
    const std::string label = std::visit(
        [](const auto& kind) -> std::string {
          using Kind = std::decay_t<decltype(kind)>;
          if constexpr (std::is_same_v<Kind, CrashFault>) {
            return fmt::format("crash n{}", kind.node.value() + 1);
          } else if constexpr (std::is_same_v<Kind, RestartFault>) {
            return fmt::format("restart n{}", kind.node.value() + 1);
          } else if constexpr (std::is_same_v<Kind, HandoffFault>) {
            return fmt::format("handoff of shard {} to n{}", kind.shard.value(), kind.to.value() + 1);
          } else if constexpr (std::is_same_v<Kind, DrainFault>) {
            return "drain of " + where(kind.node, kind.process);
          } else {
            return "limits of " + where(kind.node, kind.process) +
                   (kind.tenant.empty() ? "" : " for tenant " + kind.tenant);
          }
        },
        fault.kind);
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
    trigger.start = std::min(trigger.start, fault.at);
    trigger.end = std::max(trigger.end, fault.every ? end : end_of(fault, fault.at));
  }
  for (const LatencyShift& shift : scenario.latency_shifts) {
    trigger.start = std::min(trigger.start, shift.at);
    trigger.end = std::max(trigger.end, end_of(shift, end));
  }
  return trigger.start < end && trigger.end < end ? std::optional(trigger) : std::nullopt;
}

}  // namespace headroom
