// Whether the gate, what it protects and whom it serves belong together.
#include <algorithm>
#include <string>
#include <variant>

#include "sim/scenario/checking.hpp"
#include "sim/scenario/grammar.hpp"
#include "sim/scenario/load.hpp"
#include "sim/scenario/tenants.hpp"

namespace headroom {
namespace {

void check_fleet(const Scenario& scenario, Reading& reading) {
  if (!usable({"/cluster/nodes", "/cluster/processes"}, reading)) {
    return;
  }
  const std::uint32_t processes = std::uint32_t{scenario.cluster.nodes} * scenario.cluster.processes;
  if (processes > kMaxFleet) {
    reading.fault_at("/cluster/processes", "makes " + std::to_string(processes) + " processes in all",
                     "at most " + std::to_string(kMaxFleet));
  }
  const std::uint64_t pairs = count_tenants(scenario.tenants) * processes;
  if (scenario.admission && pairs > kMaxProcessTenants) {
    reading.fault_at("/tenants", std::to_string(pairs) + " pairs of a process and a tenant",
                     "at most " + std::to_string(kMaxProcessTenants));
  }
}

// What needs the HTTP side, or a part of it that is not there.
void check_needs(const TenantSpec& tenant, const std::string& entry, const Scenario& scenario, Reading& reading) {
  constexpr const char* how = "a section \"admission\" of the scenario; {} is a gate without limits";
  const bool limited = tenant.limits.max_inflight || tenant.limits.max_queue_depth || tenant.limits.rate_limit;
  if (!scenario.admission && tenant.requests) {
    reading.fault_at(entry + "/requests", "there is no gate that could admit them", how);
  }
  if (!scenario.admission && limited) {
    reading.fault_at(entry + "/admission", "there is no gate that could heed it", how);
  }
  if (tenant.rows && tenant.rows->database_pool && !(scenario.admission && scenario.admission->database_pool)) {
    reading.fault_at(entry + "/rows/database_pool", "there is no \"database_pool\"",
                     "\"database_pool\" under \"admission\"");
  }
}

template <class... Kinds>
bool happens(const Scenario& scenario) {
  return std::ranges::any_of(scenario.faults,
                             [](const Fault& fault) { return (std::holds_alternative<Kinds>(fault.kind) || ...); });
}

// Whether the load balancer may have no process to send a request to.
bool may_be_unreachable(const Scenario& scenario) {
  return happens<CrashFault, JoinFault, LeaveFault>(scenario) || scenario.admission->health_check ||
         scenario.admission->load_balancer.panic_share == Decimal{0};
}

// Whether a request may be refused at the instant at which it comes.
bool may_be_refused_at_once(const TenantSpec& tenant, const Scenario& scenario) {
  const AdmissionSection& admission = *scenario.admission;
  const bool capped = max_inflight_of(admission, scenario.cluster) || tenant.admission.max_inflight;
  const bool may_wait = !admission.queue_wait || *admission.queue_wait > Duration::zero();
  const bool always_place = may_wait && !admission.max_queue_depth && !tenant.admission.max_queue_depth;
  return tenant.admission.rate_limit || (capped && !always_place) ||
         happens<DrainFault, LeaveFault, LimitChangeFault>(scenario);
}

// A client that does not think, and has its answer in no time, sends requests for ever at one instant.
void check_time_passes(const TenantSpec& tenant, const std::string& requests, const Scenario& scenario,
                       Reading& reading) {
  const auto* clients = std::get_if<ClosedLoopArrivals>(&tenant.requests->arrivals);
  if (clients == nullptr || longest(clients->think) > Duration::zero()) {
    return;
  }
  // Only a budget, or no retries at all, can make a client give up at once.
  const RetrySpec& retry = tenant.requests->client.retry;
  const bool tries_again = retry.kind != RetryKind::none && !retry.budget;
  const bool waits = tries_again && retry.delay > Duration::zero();
  const bool waits_as_told = waits || (tries_again && retry.honour_retry_after);
  const char* answered = nullptr;
  if (longest(tenant.requests->service) == Duration::zero()) {
    answered = "served";
  } else if (may_be_refused_at_once(tenant, scenario) && !waits_as_told) {
    answered = "refused";
  } else if (may_be_unreachable(scenario) && !waits) {
    answered = "turned away";
  }
  if (answered != nullptr) {
    reading.fault_at(
        requests + "/arrivals/think",
        std::string("0s lets a client whose requests are ") + answered + " at once send them for ever in no time",
        "a time above 0");
  }
}

void check_requests(const TenantSpec& tenant, const std::string& requests, const Scenario& scenario, Reading& reading) {
  const auto& patience = tenant.requests->client.patience;
  if (patience && longest(*patience) == Duration::zero()) {
    reading.fault_at(requests + "/client/patience", "0s lets every client leave at once", "a time above 0");
  } else if (scenario.admission && usable({"/faults"}, reading)) {
    check_time_passes(tenant, requests, scenario, reading);
  }
}

}  // namespace

void check_admission(const Scenario& scenario, Reading& reading) {
  if (!usable({"/admission"}, reading)) {
    return;
  }
  check_fleet(scenario, reading);

  if (scenario.admission && scenario.admission->health_check && !scenario.admission->database_pool) {
    reading.fault_at("/admission/health_check", "there is no \"database_pool\" that it could check",
                     "\"database_pool\" beside it");
  }
  for (std::size_t i = 0; i < scenario.tenants.size(); ++i) {
    const TenantSpec& tenant = scenario.tenants[i];
    const std::string entry = "/tenants/" + std::to_string(i);
    if (!usable({entry}, reading)) {
      continue;
    }
    check_needs(tenant, entry, scenario, reading);
    if (tenant.requests) {
      check_requests(tenant, entry + "/requests", scenario, reading);
    }
  }
}

}  // namespace headroom
