// Whether latency shifts and faults happen inside the run, to what is there.
#include <set>
#include <string>
#include <vector>

#include "sim/scenario/checking.hpp"
#include "sim/scenario/names.hpp"
#include "sim/scenario/nearest.hpp"
#include "sim/scenario/rule.hpp"

namespace headroom {
namespace {

void check_queue_name(const std::string& name, const std::string& pointer, const Scenario& scenario, Reading& reading) {
  if (!reading.sound("/tenants")) {
    return;
  }
  std::set<std::string_view> known;
  for (const TenantSpec& tenant : scenario.tenants) {
    for (const RouteSpec& route : tenant.routes) {
      known.insert(route.queue);
    }
  }
  if (!known.contains(name)) {
    const std::vector<std::string_view> names(known.begin(), known.end());
    reading.fault_at(pointer, "there is no route " + in_quotes(name), suggest(name, names));
  }
}

// A resource that handlers hold; `key`: where the scenario would have it.
void check_resource(bool there, std::string_view key, const std::string& pointer, Reading& reading) {
  if (!there && reading.sound("/admission")) {
    reading.fault_at(pointer, "there is no " + in_quotes(key), in_quotes(key) + " under \"admission\"");
  }
}

// What a shift slows down must be there.
void check_shift_target(const LatencyShift& shift, const std::string& on, const Scenario& scenario, Reading& reading) {
  const std::string pointer = on + "/" + std::string(name_of(shift.target));
  switch (shift.target) {
    case ShiftTarget::store:
      return;
    case ShiftTarget::node:
      check_node(NodeId(static_cast<std::uint16_t>(std::stoi(shift.name.substr(1)) - 1)), pointer, scenario, reading);
      return;
    case ShiftTarget::tenant:
      check_tenant_name(shift.name, pointer, scenario, reading);
      return;
    case ShiftTarget::route:
      check_queue_name(shift.name, pointer, scenario, reading);
      return;
    case ShiftTarget::database_pool:
      check_resource(scenario.admission && scenario.admission->database_pool, "database_pool", on, reading);
      return;
    case ShiftTarget::downstream:
      check_resource(scenario.admission && scenario.admission->downstream, "downstream", on, reading);
      return;
  }
}

void check_inside_run(Time when, const std::string& pointer, const Scenario& scenario, Reading& reading) {
  if (usable({pointer, "/duration"}, reading) && when.since_start() >= scenario.duration) {
    reading.fault_at(pointer, format_duration(when.since_start()) + " is not inside the run",
                     "before " + format_duration(scenario.duration));
  }
}

void check_shifts(const Scenario& scenario, Reading& reading) {
  for (std::size_t i = 0; i < scenario.latency_shifts.size(); ++i) {
    const LatencyShift& shift = scenario.latency_shifts[i];
    const std::string entry = "/latency_shifts/" + std::to_string(i);
    if (usable({entry}, reading)) {
      check_inside_run(shift.at, entry + "/at", scenario, reading);
      check_shift_target(shift, entry + "/on", scenario, reading);
    }
  }
}

// What a fault befalls must be there.
class FaultTarget {
 public:
  FaultTarget(std::string entry, const Scenario& scenario, Reading& reading)
      : entry_(std::move(entry)), scenario_(scenario), reading_(reading) {}

  void operator()(const CrashFault& crash) const { check_node(crash.node, entry_ + "/node", scenario_, reading_); }
  void operator()(const RestartFault& restart) const {
    check_node(restart.node, entry_ + "/node", scenario_, reading_);
  }
  void operator()(const HandoffFault& handoff) const {
    check_node(handoff.to, entry_ + "/to", scenario_, reading_);
    if (reading_.sound("/cluster/shards") && handoff.shard.value() >= scenario_.cluster.shards) {
      reading_.fault_at(entry_ + "/shard", "there is no shard " + std::to_string(handoff.shard.value()),
                        "shards are 0 to " + std::to_string(scenario_.cluster.shards - 1));
    }
  }
  void operator()(const DrainFault& drain) const { check_processes(drain.node, drain.process); }
  void operator()(const LimitChangeFault& change) const {
    check_processes(change.node, change.process);
    if (!change.tenant.empty()) {
      check_tenant_name(change.tenant, entry_ + "/tenant", scenario_, reading_);
    }
  }

 private:
  void check_processes(NodeId node, std::optional<std::uint16_t> process) const {
    if (!scenario_.admission && reading_.sound("/admission")) {
      reading_.fault_at(entry_ + "/kind", "there is no gate", "a section \"admission\"");
    }
    if (!node.is_none()) {
      check_node(node, entry_ + "/node", scenario_, reading_);
    }
    if (process && reading_.sound("/cluster/processes") && *process > scenario_.cluster.processes) {
      const std::string most = std::to_string(scenario_.cluster.processes);
      reading_.fault_at(entry_ + "/process", "a node has no process " + std::to_string(*process),
                        scenario_.cluster.processes == 1 ? "the only process is 1" : "processes are 1 to " + most);
    }
  }

  std::string entry_;
  const Scenario& scenario_;
  Reading& reading_;
};

void check_faults(const Scenario& scenario, Reading& reading) {
  for (std::size_t i = 0; i < scenario.faults.size(); ++i) {
    const Fault& fault = scenario.faults[i];
    const std::string entry = "/faults/" + std::to_string(i);
    if (usable({entry}, reading)) {
      const bool by_period = fault.every && fault.at == Time::at(*fault.every);
      check_inside_run(fault.at, entry + (by_period ? "/every" : "/at"), scenario, reading);
      std::visit(FaultTarget(entry, scenario, reading), fault.kind);
    }
  }
}

}  // namespace

void check_events(const Scenario& scenario, Reading& reading) {
  check_shifts(scenario, reading);
  check_faults(scenario, reading);
}

}  // namespace headroom
