#include "sim/run/run_scenario.hpp"

#include <fmt/format.h>
#include <optional>
#include <sys/resource.h>
#include <vector>

#include "model/base/assert.hpp"
#include "sim/run/marks.hpp"
#include "sim/run/stopwatch.hpp"
#include "sim/run/twin.hpp"
#include "sim/run/verdict.hpp"
#include "sim/run/watch.hpp"
#include "sim/store/store_mirror.hpp"

namespace headroom {
namespace {

std::uint64_t peak_memory_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

// "quiet/17", or "quiet/5.2": row 2 of its request 5, as `why` takes it.
std::string row_name(const Simulation& simulation, DispatchKey key) {
  const std::string& tenant = simulation.tenants()[key.name().value()].name;
  if (key.ordinal() < DispatchKey::kFirstOfRequests) {
    return fmt::format("{}/{}", tenant, key.ordinal());
  }
  const std::uint64_t of_requests = key.ordinal() - DispatchKey::kFirstOfRequests;
  const std::uint32_t fan_out = simulation.cluster().layout().config(key.name()).fan_out;
  return fmt::format("{}/{}.{}", tenant, of_requests / fan_out, of_requests % fan_out);
}

// Runs the twin and compares. One that is cut short tells nothing, and the run counts as ended early.
void run_twin(const RunRequest& request, RunResult& result) {
  const Scenario scenario = silenced(request.scenario, request.twin_without);
  Simulation simulation(scenario, request.seed);
  Watch watch(scenario, simulation, false, nullptr);
  simulation.observe(watch);
  const ScopedFaultContext context([&] {
    return fmt::format("twin of scenario {}, seed {}, event {} at {} ns\nreproduce with: {}", request.scenario.name,
                       request.seed, simulation.totals().events, simulation.now().nanoseconds(), request.command);
  });
  simulation.run(request.limits);
  result.stopped_early = simulation.totals().stopped_early;
  if (result.stopped_early.empty()) {
    compare_with_twin(request.twin_without, watch.recorder().take_result(), result);
  }
}

}  // namespace

void complete_timing(RunTiming& timing, const RunTotals& totals) {
  timing.events_per_second =
      timing.simulate_seconds > 0 ? static_cast<double>(totals.events) / timing.simulate_seconds : 0;
  timing.peak_memory_bytes = peak_memory_bytes();
}

RunResult result_of(const Scenario& scenario, std::uint64_t seed, const RunTotals& totals, Watch& watch) {
  RunResult result = watch.recorder().take_result();
  result.headroom_version = HEADROOM_VERSION;
  result.scenario_name = scenario.name;
  result.scenario_description = scenario.description;
  result.scenario_digest = scenario.digest;
  result.seed = seed;
  result.stopped_early = totals.stopped_early;
  result.simulated = totals.ended.since_start();
  result.events = totals.events;
  result.event_digest = totals.event_digest;
  result.peak_pending_events = totals.peak_pending_events;
  result.drain.drained = totals.drained;
  result.marks = marks_of(scenario);
  return result;
}

RunReport run_scenario(const RunRequest& request) {
  RunReport report;
  Stopwatch stopwatch;
  Simulation simulation(request.scenario, request.seed);
  std::optional<Recording> recording;
  if (request.record) {
    recording.emplace(request.scenario, simulation.tenants(), simulation.cluster(), request.stretch);
  }
  Watch watch(request.scenario, simulation, request.properties, request.sweeps, recording ? &*recording : nullptr);
  simulation.observe(watch);
  std::optional<StoreMirror> mirror;
  if (request.store != nullptr) {
    try {
      mirror.emplace(*request.store, simulation, [&](DispatchKey key) { return row_name(simulation, key); });
    } catch (const StoreError& error) {
      report.store_failure = error.what();
      return report;
    }
    simulation.mirror(*mirror);
    simulation.observe(*mirror);
  }
  report.timing.phases.emplace_back("set_up", stopwatch.lap());
  const ScopedFaultContext context([&] {
    return fmt::format("scenario {}, seed {}, event {} at {} ns\nreproduce with: {}", request.scenario.name,
                       request.seed, simulation.totals().events, simulation.now().nanoseconds(), request.command);
  });
  simulation.run(request.limits);
  report.timing.simulate_seconds = stopwatch.lap();
  report.timing.phases.emplace_back("simulate", report.timing.simulate_seconds);

  if (mirror) {
    report.store_difference = mirror->difference() ? mirror->difference()->text() : "";
    report.store_failure = mirror->failure();
    report.store_transactions = mirror->transactions();
  }

  const RunTotals& totals = simulation.totals();
  report.result = result_of(request.scenario, request.seed, totals, watch);
  report.result.command = request.command;
  if (recording) {
    recording->take(report.result);
  }
  if (!request.twin_without.empty() && report.result.stopped_early.empty()) {
    stopwatch.lap();
    run_twin(request, report.result);
    report.timing.phases.emplace_back("twin", stopwatch.lap());
  }
  judge(request.scenario, watch, report.result);
  report.timing.phases.emplace_back("judge", stopwatch.lap());
  complete_timing(report.timing, totals);
  return report;
}

Divergence find_divergence(const Scenario& scenario, std::uint64_t seed) {
  // Two runs in step would need twice the state at once; digests before every event need 16 bytes an event.
  struct Seen {
    std::uint64_t digest;
    Time at;
  };
  std::vector<Seen> first;
  {
    Simulation simulation(scenario, seed);
    simulation.on_event([&](std::uint64_t, std::uint64_t digest, Time at) { first.push_back({digest, at}); });
    simulation.run({});
    first.push_back({simulation.totals().event_digest, simulation.totals().ended});
  }
  Divergence divergence;
  std::size_t index = 0;
  const auto compare = [&](std::uint64_t number, std::uint64_t digest, Time at) {
    const bool same = index < first.size() && first[index].digest == digest && first[index].at == at;
    ++index;
    if (!same && divergence.number == 0) {
      divergence = {number > 1 ? number - 1 : 1, at};  // the event before the one at which it shows
    }
  };
  Simulation simulation(scenario, seed);
  simulation.on_event(compare);
  simulation.run({});
  compare(simulation.totals().events + 1, simulation.totals().event_digest, simulation.totals().ended);
  return divergence;
}

}  // namespace headroom
