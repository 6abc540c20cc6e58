#include "sim/scenario/checks.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "sim/scenario/checking.hpp"
#include "sim/scenario/grammar.hpp"
#include "sim/scenario/load.hpp"
#include "sim/scenario/nearest.hpp"
#include "sim/scenario/tenants.hpp"

namespace headroom {
namespace {

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
      const std::string pointer = pointer_in("tenants", i, "routes/" + std::to_string(j));
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
      reading.fault_at(pointer_in("tenants", uses[i].tenant, key),
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

constexpr std::uint64_t kTooMuch = 1ULL << 62U;

// Rows and requests of one member that may come at one instant, and the rows that those requests may append at one.
std::uint64_t work_at_once(const TenantSpec& tenant) {
  const auto bounded = [](const ArrivalSpec& arrivals) {
    return std::min(kMaxRowsAtOnce + 1, arrivals_at_once(arrivals));
  };
  std::uint64_t work = tenant.rows && tenant.rows->arrivals ? bounded(*tenant.rows->arrivals) : 0;
  if (tenant.requests) {
    work += bounded(tenant.requests->arrivals) * (std::uint64_t{1} + tenant.requests->fan_out);
  }
  return work;
}

void check_totals(const Scenario& scenario, Reading& reading) {
  std::uint64_t routes = 0;
  std::uint64_t workflows = 0;
  std::uint64_t at_once = 0;
  for (const TenantSpec& tenant : scenario.tenants) {
    const std::uint64_t count = tenant.count.value_or(1);
    routes += count * tenant.routes.size();
    workflows += count * (tenant.rows ? tenant.rows->workflows : 1);
    at_once = std::min(at_once + count * work_at_once(tenant), kTooMuch);
  }
  const std::uint64_t tenants = count_tenants(scenario.tenants);
  check_limit("tenants, members counted", tenants, kMaxTenants, reading);
  check_limit("routes in all", routes, kMaxRoutes, reading);
  check_limit("workflows in all", workflows, kMaxWorkflows, reading);
  check_limit("rows and requests at once (backlogs, schedules, closed-loop clients, fan-out)", at_once, kMaxRowsAtOnce,
              reading);
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
    if (!tenant.rows || !tenant.rows->arrivals || !usable({pointer_in("tenants", i, "rows")}, reading)) {
      continue;
    }
    const bool instant_work =
        scenario.cluster.dispatch == DispatchKind::push_then_done || longest(tenant.rows->service) == Duration::zero();
    const bool unlimited = scenario.backpressure.planner == PlannerKind::unscoped;
    const auto* clients = std::get_if<ClosedLoopArrivals>(&*tenant.rows->arrivals);
    const bool backlog = std::holds_alternative<BacklogArrivals>(*tenant.rows->arrivals);
    if ((backlog && (unlimited || instant_work)) ||
        (clients != nullptr && instant_work && longest(clients->think) == Duration::zero())) {
      reading.fault_at("/cluster/min_sweep_gap",
                       "0s with \"wake\" lets sweeps for tenant " + in_quotes(tenant.name) + " repeat in no time",
                       "a gap above 0, such as \"1ms\"");
      return;
    }
  }
}

}  // namespace

void check_scenario(const Scenario& scenario, Reading& reading) {
  check_times(scenario, reading);
  check_pools(scenario, reading);
  check_tenants(scenario, reading);
  check_time_passes(scenario, reading);
  check_events(scenario, reading);
  check_admission(scenario, reading);
  check_metrics(scenario, reading);
  check_check(scenario, reading);
}

}  // namespace headroom
