#include "sim/scenario/checks.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "sim/scenario/grammar.hpp"
#include "sim/scenario/load.hpp"
#include "sim/scenario/nearest.hpp"
#include "sim/scenario/tenants.hpp"

namespace headroom {
namespace {

std::string at(std::string_view list, std::size_t index, std::string_view key) {
  return "/" + std::string(list) + "/" + std::to_string(index) + "/" + std::string(key);
}

std::string nodes_in_words(const Scenario& scenario) {
  return scenario.cluster.nodes == 1 ? "the only node is n1"
                                     : "nodes are n1 to n" + std::to_string(scenario.cluster.nodes);
}

// Whether a comparison with this part is worth making.
bool usable(std::initializer_list<std::string_view> pointers, const Reading& reading) {
  return std::ranges::all_of(pointers, [&](std::string_view pointer) { return reading.sound(pointer); });
}

void check_node(NodeId node, const std::string& pointer, const Scenario& scenario, Reading& reading) {
  if (usable({pointer, "/cluster/nodes"}, reading) && node.value() >= scenario.cluster.nodes) {
    reading.fault_at(pointer, "there is no node " + name_of_node(node), nodes_in_words(scenario));
  }
}

void check_times(const Scenario& scenario, Reading& reading) {
  if (usable({"/duration", "/warmup"}, reading) && scenario.warmup >= scenario.duration) {
    reading.fault_at("/warmup", format_duration(scenario.warmup) + " leaves nothing to measure",
                     "shorter than the duration of " + format_duration(scenario.duration));
  }
  if (usable({"/duration", "/window"}, reading) && scenario.duration / kMaxWindows > scenario.window) {
    reading.fault_at("/window", format_duration(scenario.window) + " makes too many windows",
                     "at most " + std::to_string(kMaxWindows) + " in the duration");
  }
}

void check_pools(const Scenario& scenario, Reading& reading) {
  for (const auto& [name, nodes] : scenario.cluster.worker_pools) {
    std::string pool = "/cluster/worker_pools";
    append_pointer_step(pool, name);
    std::set<NodeId> seen;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const std::string pointer = pool + "/" + std::to_string(i);
      check_node(nodes[i], pointer, scenario, reading);
      if (usable({pointer}, reading) && !seen.insert(nodes[i]).second) {
        reading.fault_at(pointer, "node " + name_of_node(nodes[i]) + " is listed twice", "each node once");
      }
    }
  }
}

void check_routes(const Scenario& scenario, Reading& reading) {
  std::vector<std::string_view> pools;
  pools.reserve(scenario.cluster.worker_pools.size());
  for (const auto& [name, nodes] : scenario.cluster.worker_pools) {
    pools.push_back(name);
  }
  for (std::size_t i = 0; i < scenario.tenants.size(); ++i) {
    const std::vector<RouteSpec>& routes = scenario.tenants[i].routes;
    std::set<RouteSpec> seen;
    for (std::size_t j = 0; j < routes.size(); ++j) {
      const std::string pointer = at("tenants", i, "routes/" + std::to_string(j));
      if (!usable({pointer}, reading)) {
        continue;
      }
      if (!seen.insert(routes[j]).second) {
        reading.fault_at(pointer, "route " + in_quotes(routes[j].queue) + " is listed twice", "each route once");
      }
      const bool known = routes[j].worker_pool.empty() || scenario.cluster.worker_pools.contains(routes[j].worker_pool);
      if (!known && usable({"/cluster/worker_pools"}, reading)) {
        reading.fault_at(pointer + "/worker_pool", "there is no worker pool " + in_quotes(routes[j].worker_pool),
                         suggest(routes[j].worker_pool, pools));
      }
    }
  }
}

// Reports every second use of a name or an id, members of groups included.
void check_unique(const Scenario& scenario, std::string_view key, std::string TenantSpec::* member, Reading& reading) {
  struct Use {
    std::string name;
    std::size_t tenant;
  };
  std::vector<Use> uses;
  for (std::size_t i = 0; i < scenario.tenants.size(); ++i) {
    const TenantSpec& tenant = scenario.tenants[i];
    if ((tenant.*member).empty()) {
      continue;
    }
    if (!tenant.count) {
      uses.push_back({tenant.*member, i});
    }
    for (std::uint32_t n = 1; n <= tenant.count.value_or(0); ++n) {
      uses.push_back({member_name(tenant.*member, n, *tenant.count), i});
    }
  }
  std::ranges::sort(uses, {}, [](const Use& use) { return std::tie(use.name, use.tenant); });
  std::set<std::size_t> reported;
  for (std::size_t i = 1; i < uses.size(); ++i) {
    if (uses[i].name == uses[i - 1].name && reported.insert(uses[i].tenant).second) {
      reading.fault_at(at("tenants", uses[i].tenant, key),
                       std::string(key) + " " + in_quotes(uses[i].name) + " is taken by tenant " +
                           std::to_string(uses[i - 1].tenant),
                       "names and ids are unique, those of a group's members included");
    }
  }
}

void check_limit(std::string_view what, std::uint64_t total, std::uint64_t most, Reading& reading) {
  if (total > most) {
    reading.fault_at("/tenants", std::to_string(total) + " " + std::string(what), "at most " + std::to_string(most));
  }
}

void check_totals(const Scenario& scenario, Reading& reading) {
  std::uint64_t routes = 0;
  std::uint64_t workflows = 0;
  std::uint64_t rows = 0;
  for (const TenantSpec& tenant : scenario.tenants) {
    const std::uint64_t count = tenant.count.value_or(1);
    routes += count * tenant.routes.size();
    workflows += count * (tenant.rows ? tenant.rows->workflows : 1);
    rows += tenant.rows ? std::min(kMaxRowsAtOnce + 1, rows_at_once(tenant.rows->arrivals)) * count : 0;
  }
  const std::uint64_t tenants = count_tenants(scenario.tenants);
  check_limit("tenants, members counted", tenants, kMaxTenants, reading);
  check_limit("routes in all", routes, kMaxRoutes, reading);
  check_limit("workflows in all", workflows, kMaxWorkflows, reading);
  check_limit("rows at once (backlogs, schedules and closed-loop clients)", rows, kMaxRowsAtOnce, reading);
  if (usable({"/cluster/nodes"}, reading)) {
    check_limit("pairs of a node and a tenant", tenants * scenario.cluster.nodes, kMaxNodeTenants, reading);
  }
}

void check_tenants(const Scenario& scenario, Reading& reading) {
  check_routes(scenario, reading);
  check_totals(scenario, reading);
  if (reading.sound("/tenants")) {
    check_unique(scenario, "name", &TenantSpec::name, reading);
    const auto named_by_id = [](const TenantSpec& tenant) { return tenant.id == tenant.name; };
    if (!std::ranges::all_of(scenario.tenants, named_by_id)) {
      check_unique(scenario, "id", &TenantSpec::id, reading);
    }
  }
}

// With wakes and without a gap, a sweep whose claims cause the next one happens again and again at the same instant:
// a backlog that no ceiling limits, or work that takes no time and is replaced at once.
void check_time_passes(const Scenario& scenario, Reading& reading) {
  const bool sweeps_at_once = scenario.cluster.wake && scenario.cluster.min_sweep_gap == Duration::zero() &&
                              scenario.cluster.sweep_cost == Duration::zero() &&
                              scenario.cluster.claim_cost == Duration::zero();
  if (!sweeps_at_once || !usable({"/cluster", "/backpressure/planner"}, reading)) {
    return;
  }
  for (std::size_t i = 0; i < scenario.tenants.size(); ++i) {
    const TenantSpec& tenant = scenario.tenants[i];
    if (!tenant.rows || !usable({at("tenants", i, "rows")}, reading)) {
      continue;
    }
    const bool instant_work =
        scenario.cluster.dispatch == DispatchKind::push_then_done || longest(tenant.rows->service) == Duration::zero();
    const bool unlimited = scenario.backpressure.planner == PlannerKind::unscoped;
    const auto* clients = std::get_if<ClosedLoopArrivals>(&tenant.rows->arrivals);
    const bool backlog = std::holds_alternative<BacklogArrivals>(tenant.rows->arrivals);
    if ((backlog && (unlimited || instant_work)) ||
        (clients != nullptr && instant_work && longest(clients->think) == Duration::zero())) {
      reading.fault_at("/cluster/min_sweep_gap",
                       "0s with \"wake\" lets sweeps for tenant " + in_quotes(tenant.name) + " repeat in no time",
                       "a gap above 0, such as \"1ms\"");
      return;
    }
  }
}

// What a shift names must be there.
void check_shift_target(const LatencyShift& shift, const std::string& pointer, const Scenario& scenario,
                        Reading& reading) {
  std::set<std::string_view> known;
  switch (shift.target) {
    case ShiftTarget::store:
      return;
    case ShiftTarget::node:
      if (usable({pointer, "/cluster/nodes"}, reading) &&
          std::stoi(shift.name.substr(1)) > static_cast<int>(scenario.cluster.nodes)) {
        reading.fault_at(pointer, "there is no node " + shift.name, nodes_in_words(scenario));
      }
      return;
    case ShiftTarget::tenant:
      for (const TenantSpec& tenant : scenario.tenants) {
        known.insert(tenant.name);
      }
      break;
    case ShiftTarget::route:
      for (const TenantSpec& tenant : scenario.tenants) {
        for (const RouteSpec& route : tenant.routes) {
          known.insert(route.queue);
        }
      }
      break;
  }
  if (!known.contains(shift.name)) {
    const std::vector<std::string_view> names(known.begin(), known.end());
    reading.fault_at(pointer, "there is no " + std::string(name_of(shift.target)) + " " + in_quotes(shift.name),
                     suggest(shift.name, names));
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
    if (!usable({entry}, reading)) {
      continue;
    }
    check_inside_run(shift.at, entry + "/at", scenario, reading);
    if (reading.sound("/tenants") || shift.target == ShiftTarget::node) {
      check_shift_target(shift, entry + "/on/" + std::string(name_of(shift.target)), scenario, reading);
    }
  }
}

void check_faults(const Scenario& scenario, Reading& reading) {
  for (std::size_t i = 0; i < scenario.faults.size(); ++i) {
    const Fault& fault = scenario.faults[i];
    if (!usable({"/faults/" + std::to_string(i)}, reading)) {
      continue;
    }
    const bool by_period = fault.every && fault.at == Time::at(*fault.every);
    check_inside_run(fault.at, at("faults", i, by_period ? "every" : "at"), scenario, reading);
    if (const auto* crash = std::get_if<CrashFault>(&fault.kind)) {
      check_node(crash->node, at("faults", i, "node"), scenario, reading);
    } else if (const auto* restart = std::get_if<RestartFault>(&fault.kind)) {
      check_node(restart->node, at("faults", i, "node"), scenario, reading);
    } else if (const auto* handoff = std::get_if<HandoffFault>(&fault.kind)) {
      check_node(handoff->to, at("faults", i, "to"), scenario, reading);
      if (reading.sound("/cluster/shards") && handoff->shard.value() >= scenario.cluster.shards) {
        reading.fault_at(at("faults", i, "shard"), "there is no shard " + std::to_string(handoff->shard.value()),
                         "shards are 0 to " + std::to_string(scenario.cluster.shards - 1));
      }
    }
  }
}

}  // namespace

void check_scenario(const Scenario& scenario, Reading& reading) {
  check_times(scenario, reading);
  check_pools(scenario, reading);
  check_tenants(scenario, reading);
  check_time_passes(scenario, reading);
  check_shifts(scenario, reading);
  check_faults(scenario, reading);
}

}  // namespace headroom
