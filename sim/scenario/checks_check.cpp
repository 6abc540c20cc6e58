// Whether the scope of a check is one that can be explored.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "sim/scenario/checking.hpp"
#include "sim/scenario/grammar.hpp"
#include "sim/scenario/tenants.hpp"

namespace headroom {
namespace {

constexpr std::array<std::string_view, 4> kGateProperties{"gate_safety", "gate_progress", "readiness", "ledger"};
constexpr std::array<std::string_view, 4> kGateOnly{"gate_safety", "gate_progress", "readiness", "end_to_end"};

struct NamedCount {
  std::string_view key;
  CheckSection::Count CheckSection::* count;
};
constexpr std::array kRowCounts = {NamedCount{"handoffs", &CheckSection::handoffs},
                                   NamedCount{"rearms", &CheckSection::rearms},
                                   NamedCount{"reappends", &CheckSection::reappends},
                                   NamedCount{"pauses", &CheckSection::pauses},
                                   NamedCount{"quota_changes", &CheckSection::quota_changes},
                                   NamedCount{"quota_errors", &CheckSection::quota_errors},
                                   NamedCount{"node_pauses", &CheckSection::node_pauses},
                                   NamedCount{"expels", &CheckSection::expels},
                                   NamedCount{"partitions", &CheckSection::partitions},
                                   NamedCount{"worker_deaths", &CheckSection::worker_deaths},
                                   NamedCount{"store_errors", &CheckSection::store_errors},
                                   NamedCount{"lost_wakes", &CheckSection::lost_wakes}};

void check_what_there_is(const CheckSection& check, Reading& reading) {
  const bool rows = check.rows_per_tenant || check.rows_per_shard;
  if (check.rows_per_tenant && check.rows_per_shard) {
    reading.fault_at("/check/rows_per_shard", "stands beside \"rows_per_tenant\"", "one of the two");
  }
  if (rows && check.requests_per_tenant) {
    reading.fault_at("/check/requests_per_tenant", "requests and rows together are not supported",
                     "requests for the gate, or rows for the dispatchers");
  }
  if (!rows && !check.requests_per_tenant) {
    reading.fault_at("/check", "there is nothing to happen",
                     "\"rows_per_tenant\", \"rows_per_shard\" or \"requests_per_tenant\"");
  }
}

// Something that can happen in the other kind of scope only.
void refuse(bool asked, std::string_view key, std::string_view why, Reading& reading) {
  if (asked) {
    reading.fault_at("/check/" + std::string(key), std::string(why), "leave it out, or 0");
  }
}

bool may_happen(const CheckSection::Count& count) {
  return !count || *count > 0;
}

void check_gate_scope(const Scenario& scenario, Reading& reading) {
  const CheckSection& check = *scenario.check;
  constexpr std::string_view of_rows = "belongs to rows, of which there are none";
  for (const auto& [key, count] : kRowCounts) {
    refuse(may_happen(check.*count), key, of_rows, reading);
  }
  refuse(check.renew.value_or(false), "renew", of_rows, reading);
  if (!check.polls) {
    reading.fault_at("/check/polls", std::string(of_rows), "leave it out, or true");
  }
  refuse(!check.split.empty(), "split", of_rows, reading);
  if (!scenario.admission) {
    reading.fault_at("/check/requests_per_tenant", "there is no gate that could admit them",
                     "a section \"admission\" of the scenario; {} is a gate without limits");
    return;
  }
  const bool may_wait = !scenario.admission->queue_wait || *scenario.admission->queue_wait > Duration::zero();
  const auto unbounded = [&](std::optional<CheckSection::Limit> CheckSection::LimitChange::* limit) {
    return std::ranges::any_of(check.limit_changes, [&](const CheckSection::LimitChange& change) {
      return change.tenant.empty() && change.*limit && !*(change.*limit);
    });
  };
  const bool bounded =
      max_inflight_of(*scenario.admission, scenario.cluster) && !unbounded(&CheckSection::LimitChange::max_inflight) &&
      (!may_wait || (scenario.admission->max_queue_depth && !unbounded(&CheckSection::LimitChange::max_queue_depth)));
  if (!*check.requests_per_tenant && !bounded) {
    reading.fault_at("/check/requests_per_tenant", "\"unbounded\" needs a process that bounds what is inside",
                     "a \"max_inflight\" and a \"max_queue_depth\", or a number of requests");
  }
}

void check_row_scope(const Scenario& scenario, Reading& reading) {
  const CheckSection& check = *scenario.check;
  constexpr std::string_view of_requests = "belongs to requests, of which there are none";
  refuse(may_happen(check.drains), "drains", of_requests, reading);
  refuse(!check.limit_changes.empty(), "limit_changes", of_requests, reading);
  if (may_happen(check.store_errors) && check.split.empty()) {
    reading.fault_at("/check/store_errors", "ends a sweep that is in progress, and a sweep is one step here",
                     "\"split\": [\"sweep\"]");
  }
  if (!usable({"/cluster/wake"}, reading) || scenario.cluster.wake) {
    return;
  }
  if (!check.polls) {
    reading.fault_at("/check/polls", "without polls and without wakes no node ever sweeps", "\"wake\" of the cluster");
  }
  refuse(may_happen(check.lost_wakes), "lost_wakes", "cannot be lost where there are no wakes", reading);
}

void check_sizes(const Scenario& scenario, Reading& reading) {
  if (usable({"/tenants"}, reading) && count_tenants(scenario.tenants) > kMaxCheckTenants) {
    reading.fault_at("/tenants", std::to_string(count_tenants(scenario.tenants)) + " tenants are too many to check",
                     "at most " + std::to_string(kMaxCheckTenants));
  }
}

void check_limit_changes(const Scenario& scenario, Reading& reading) {
  for (std::size_t i = 0; i < scenario.check->limit_changes.size(); ++i) {
    const std::string& name = scenario.check->limit_changes[i].tenant;
    if (name.empty()) {
      continue;
    }
    const std::string pointer = pointer_in("check/limit_changes", i, "tenant");
    check_tenant_name(name, pointer, scenario, reading);
    const auto named = std::ranges::find(scenario.tenants, name, &TenantSpec::name);
    if (named != scenario.tenants.end() && named->count) {
      reading.fault_at(pointer, in_quotes(name) + " is a group", "a tenant without \"count\"");
    }
  }
}

// What this kind of scope can tell.
void check_properties(const CheckSection& check, Reading& reading) {
  const auto is_among = [](const auto& names, const std::string& name) {
    return std::ranges::find(names, name) != names.end();
  };
  for (std::size_t i = 0; i < check.properties.size(); ++i) {
    const std::string& name = check.properties[i];
    const std::string pointer = "/check/properties/" + std::to_string(i);
    if (!usable({pointer}, reading)) {
      continue;
    }
    if (check.requests_per_tenant && !is_among(kGateProperties, name)) {
      reading.fault_at(pointer, "a check of requests does not tell " + in_quotes(name),
                       "gate_safety, gate_progress, readiness or ledger");
    } else if (!check.requests_per_tenant && is_among(kGateOnly, name)) {
      reading.fault_at(pointer, "a check of rows does not tell " + in_quotes(name), "\"requests_per_tenant\"");
    }
    if (std::ranges::find(check.properties.begin(), check.properties.begin() + static_cast<std::ptrdiff_t>(i), name) !=
        check.properties.begin() + static_cast<std::ptrdiff_t>(i)) {
      reading.fault_at(pointer, in_quotes(name) + " is listed twice", "each property once");
    }
  }
}

}  // namespace

void check_check(const Scenario& scenario, Reading& reading) {
  if (!scenario.check || !usable({"/check"}, reading)) {
    return;
  }
  const CheckSection& check = *scenario.check;
  check_what_there_is(check, reading);
  check_properties(check, reading);
  check_sizes(scenario, reading);
  check_limit_changes(scenario, reading);
  if (check.requests_per_tenant && usable({"/admission", "/cluster"}, reading)) {
    check_gate_scope(scenario, reading);
  } else if (!check.requests_per_tenant) {
    check_row_scope(scenario, reading);
  }
}

}  // namespace headroom
