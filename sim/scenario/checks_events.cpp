// Whether latency shifts and faults happen inside the run, to what is there.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "sim/scenario/checking.hpp"
#include "sim/scenario/grammar.hpp"
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

  template <class Kind>
  void operator()(const Kind& fault) const {
    if constexpr (requires { fault.node; }) {
      if (!fault.node.is_none()) {
        check_node(fault.node, entry_ + "/node", scenario_, reading_);
      }
    }
    if constexpr (requires { fault.process; }) {
      check_process(fault.process);
    }
    if constexpr (requires { fault.tenant; }) {
      if (!fault.tenant.empty()) {
        check_tenant_name(fault.tenant, entry_ + "/tenant", scenario_, reading_);
      }
    }
    check_more(fault);
  }

 private:
  void check_more(const HandoffFault& handoff) const {
    check_node(handoff.to, entry_ + "/to", scenario_, reading_);
    if (reading_.sound("/cluster/shards") && handoff.shard.value() >= scenario_.cluster.shards) {
      reading_.fault_at(entry_ + "/shard", "there is no shard " + std::to_string(handoff.shard.value()),
                        "shards are 0 to " + std::to_string(scenario_.cluster.shards - 1));
    }
  }
  void check_more(const QuotaErrorFault&) const {
    if (reading_.sound("/backpressure") && scenario_.backpressure.quota_cache_ttl == Duration::zero()) {
      reading_.fault_at(entry_ + "/kind", "nodes read no quotas where they see every change at once",
                        "a \"quota_cache_ttl\" above 0s under \"backpressure\"");
    }
  }
  void check_more(const DuplicateAppendFault& append) const {
    const TenantSpec* tenant = tenant_with_rows(append.tenant);
    if (tenant == nullptr) {
      return;
    }
    const std::uint64_t rows = std::uint64_t{append.n} * tenant->count.value_or(1);
    if (rows > kMaxRowsAtOnce) {
      reading_.fault_at(entry_ + "/n", std::to_string(rows) + " rows at once",
                        "at most " + std::to_string(kMaxRowsAtOnce));
    }
  }
  void check_more(const WorkflowFault& fault) const {
    const TenantSpec* tenant = tenant_with_rows(fault.tenant);
    if (tenant != nullptr && fault.workflow && *fault.workflow > tenant->rows->workflows) {
      const std::string most = std::to_string(tenant->rows->workflows);
      reading_.fault_at(entry_ + "/workflow",
                        "tenant " + in_quotes(fault.tenant) + " has no workflow " + std::to_string(*fault.workflow),
                        tenant->rows->workflows == 1 ? "the only workflow is 1" : "workflows are 1 to " + most);
    }
  }
  void check_more(const DrainFault&) const { check_gate(); }
  void check_more(const LimitChangeFault&) const { check_gate(); }
  void check_more(const ClientDisconnectFault& fault) const { check_requests(fault.tenant); }
  void check_more(const HandlerFailureFault& fault) const { check_requests(fault.tenant); }
  template <class Kind>
  void check_more(const Kind&) const {}

  void check_gate() const {
    if (!scenario_.admission && reading_.sound("/admission")) {
      reading_.fault_at(entry_ + "/kind", "there is no gate", "a section \"admission\"");
    }
  }
  void check_process(std::optional<std::uint16_t> process) const {
    if (process && reading_.sound("/cluster/processes") && *process > scenario_.cluster.processes) {
      const std::string most = std::to_string(scenario_.cluster.processes);
      reading_.fault_at(entry_ + "/process", "a node has no process " + std::to_string(*process),
                        scenario_.cluster.processes == 1 ? "the only process is 1" : "processes are 1 to " + most);
    }
  }
  void check_requests(const std::string& name) const {
    check_gate();
    const TenantSpec* tenant = scenario_.admission ? find_tenant(name) : nullptr;
    if (tenant != nullptr && !tenant->requests) {
      reading_.fault_at(entry_ + "/tenant", "tenant " + in_quotes(name) + " sends no requests",
                        "a tenant with \"requests\"");
    }
  }

  [[nodiscard]] const TenantSpec* tenant_with_rows(const std::string& name) const {
    const TenantSpec* tenant = find_tenant(name);
    if (tenant != nullptr && !tenant->rows) {
      reading_.fault_at(entry_ + "/tenant", "tenant " + in_quotes(name) + " has no rows", "a tenant with \"rows\"");
      return nullptr;
    }
    return tenant;
  }
  // Null, too, where the tenants were not read in full.
  [[nodiscard]] const TenantSpec* find_tenant(const std::string& name) const {
    const auto found = std::ranges::find(scenario_.tenants, name, &TenantSpec::name);
    return found == scenario_.tenants.end() || !reading_.sound("/tenants") ? nullptr : &*found;
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
