#include "reports/render/gate_wording.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "reports/render/wording.hpp"

namespace headroom {
namespace {

std::string processes_line(const FleetFigures& fleet) {
  std::string line = fmt::format("{} process{}", fleet.processes, fleet.processes == 1 ? "" : "es");
  if (fleet.max_inflight) {
    line += fmt::format(", max_inflight {} each{}", worded_count(*fleet.max_inflight),
                        fleet.derived_from_pool ? " (from the database pool)" : "");
  } else {
    line += ", no max_inflight";
  }
  line += fmt::format("; peaks in one: {} in flight, {} waiting", worded_count(fleet.peak_inflight),
                      worded_count(fleet.peak_queue_depth));
  if (fleet.readiness_changes == 0 && fleet.unready_time == 0) {
    return line + "; always ready";
  }
  return line + fmt::format("; readiness changed {} times, {} not ready in all", worded_count(fleet.readiness_changes),
                            worded_duration(Duration::nanoseconds(static_cast<std::int64_t>(fleet.unready_time))));
}

std::string resource_line(std::string_view name, const ResourceFigures& resource) {
  std::string line = fmt::format("{}: size {}", name, worded_count(resource.size));
  if (resource.reserve > 0) {
    line += fmt::format(", {} in reserve", worded_count(resource.reserve));
  }
  line += fmt::format("; peak {} in use, {} waiting; wait p99 {}; timeouts {}", worded_count(resource.peak_in_use),
                      worded_count(resource.peak_waiting),
                      resource.wait.count > 0 ? worded_milliseconds(resource.wait.p99) + " ms" : "-",
                      worded_count(resource.timeouts));
  if (resource.health_check_timeouts > 0) {
    line += fmt::format("; health checks timed out {}", worded_count(resource.health_check_timeouts));
  }
  return line;
}

}  // namespace

std::vector<std::string> fleet_lines(const RunResult& result) {
  std::vector<std::string> lines;
  if (const std::optional<FleetFigures>& fleet = result.cluster.fleet) {
    lines.push_back(processes_line(*fleet));
    if (fleet->database_pool) {
      lines.push_back(resource_line("database pool", *fleet->database_pool));
    }
    if (fleet->downstream) {
      lines.push_back(resource_line("downstream", *fleet->downstream));
    }
  }
  return lines;
}

std::string worded_drain(const RunResult& result) {
  const DrainResult& drain = result.drain;
  if (drain.drained) {
    return fmt::format("drained in {}", worded_duration(drain.time));
  }
  std::string text = fmt::format("not drained after {}: {} pending, {} claimed", worded_duration(drain.time),
                                 worded_count(drain.left_pending), worded_count(drain.left_claimed));
  if (result.cluster.fleet) {
    text += fmt::format(", {} requests waiting, {} running", worded_count(drain.left_waiting),
                        worded_count(drain.left_running));
  }
  return text;
}

bool goodput_is_of_requests(const RunResult& result) {
  return std::any_of(result.tenants.begin(), result.tenants.end(),
                     [](const TenantResult& tenant) { return tenant.figures.gate.has_value(); }) ||
         std::any_of(result.groups.begin(), result.groups.end(),
                     [](const GroupResult& group) { return group.pooled.gate.has_value(); });
}

std::string worded_goodput(const RunResult& result) {
  const std::optional<double>& rate = result.cluster.goodput_per_second;
  return (rate ? fmt::format("{:.1f}", *rate) : "-") +
         (goodput_is_of_requests(result) ? " requests/s answered in time" : " rows/s completed");
}

std::string worded_recovery(const RunResult& result) {
  return result.cluster.recovery
             ? fmt::format("goodput was back {} after the last disturbance", worded_duration(*result.cluster.recovery))
             : "";
}

std::string_view most_frequent_refusal(const GateFigures& gate) {
  std::string_view reason;
  std::uint64_t most = 0;
  for (const auto& [name, count] : gate.rejected_by) {
    if (count > most) {
      most = count;
      reason = name;
    }
  }
  return reason;
}

}  // namespace headroom
