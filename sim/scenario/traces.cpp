#include "sim/scenario/traces.hpp"

#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "sim/scenario/json_text.hpp"
#include "sim/world/trace.hpp"

namespace headroom {
namespace {

using LoadedTraces = std::map<std::pair<std::string, TraceColumns>, Result<Trace>>;

std::string path_of(const std::string& file, const Reading& reading) {
  return (reading.folder() / file).string();
}

// Faults within a file that the scenario names stand where it names it.
void report(const std::string& file, const Diagnostics& faults, Reading& reading) {
  for (const Diagnostic& fault : faults) {
    const std::string place = fault.pointer.empty() ? "" : ", " + fault.pointer;
    reading.fault("file " + in_quotes(file) + place + ": " + fault.wrong, fault.right);
  }
}

const Result<Trace>& load(const TraceArrivals& trace, const Reading& reading, LoadedTraces& loaded) {
  const std::pair key(trace.file, TraceColumns{trace.time, trace.tenant, trace.service});
  auto found = loaded.find(key);
  if (found == loaded.end()) {
    found = loaded.emplace(key, read_trace(path_of(trace.file, reading), key.second)).first;
  }
  return found->second;
}

void load_for(const TenantSpec& tenant, TraceArrivals& trace, LoadedTraces& loaded, Reading& reading) {
  if (tenant.count && !trace.tenant.empty()) {
    const auto step = reading.enter("tenant");
    reading.fault("the members of a group share one trace", "leave it out, or give each tenant an entry of its own");
    return;
  }
  const Result<Trace>& recorded = load(trace, reading, loaded);
  const auto step = reading.enter("file");
  if (!recorded) {
    report(trace.file, recorded.faults(), reading);
    return;
  }
  trace.has_service = recorded.value().has_service();
  trace.entries = recorded.value().entries_of(tenant.id);
  if (trace.entries->empty()) {
    const std::string whose =
        trace.tenant.empty() ? "" : " with " + in_quotes(tenant.id) + " in " + in_quotes(trace.tenant);
    reading.fault("file " + in_quotes(trace.file) + " has no row" + whose, "at least one");
  }
}

void load_arrivals(std::string_view key, const TenantSpec& tenant, ArrivalSpec& arrivals, LoadedTraces& loaded,
                   Reading& reading) {
  auto* trace = std::get_if<TraceArrivals>(&arrivals);
  const auto outer = reading.enter(key);
  const auto inner = reading.enter("arrivals");
  if (trace != nullptr && reading.sound(reading.pointer())) {
    load_for(tenant, *trace, loaded, reading);
  }
}

}  // namespace

void load_traces(Scenario& scenario, Reading& reading) {
  LoadedTraces loaded;
  const auto tenants = reading.enter("tenants");
  for (std::size_t i = 0; i < scenario.tenants.size(); ++i) {
    TenantSpec& tenant = scenario.tenants[i];
    const auto entry = reading.enter(i);
    if (tenant.rows && tenant.rows->arrivals) {
      load_arrivals("rows", tenant, *tenant.rows->arrivals, loaded, reading);
    }
    if (tenant.requests) {
      load_arrivals("requests", tenant, tenant.requests->arrivals, loaded, reading);
    }
  }
}

std::vector<Duration> load_durations(const std::string& file, const std::string& column, Reading& reading) {
  Result<std::vector<Duration>> durations = read_durations(path_of(file, reading), column);
  if (!durations) {
    report(file, durations.faults(), reading);
    return {};
  }
  return std::move(durations.value());
}

}  // namespace headroom
