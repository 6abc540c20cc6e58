// A scenario run from its first to its last event, measured and judged.
//
//   const RunReport report = run_scenario({.scenario = scenario, .seed = 42});
//   report.result.verdict
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/metrics/run_result.hpp"
#include "reports/render/sweeps_jsonl.hpp"
#include "sim/run/simulation.hpp"
#include "sim/run/watch.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/store/store.hpp"

namespace headroom {

struct RunRequest {
  const Scenario& scenario;
  std::uint64_t seed = 1;
  bool properties = true;  // evaluate properties
  RunLimits limits = {};
  SweepLog* sweeps = nullptr;                 // gets a record of every sweep
  bool record = false;                        // keep sweeps and executions for the reports
  std::optional<RecordStretch> stretch = {};  // of which more are kept than of the others
  std::string command = {};                   // what reproduces the run, for reports
  // Tenants and groups that the twin run leaves out (see twin.hpp); none: there is no twin. Its time is a phase of its
  // own, and its limits are those of the run.
  std::vector<std::string> twin_without = {};
  Store* store = nullptr;  // does over again what the outbox does; empty at first
};

struct RunReport {
  RunResult result;  // the same for the same scenario, seed and version
  RunTiming timing;
  // Why the store could not follow to the end; empty if it did, or there is none.
  std::string store_difference;
  std::string store_failure;  // of the database itself
  std::uint64_t store_transactions = 0;
};

[[nodiscard]] RunReport run_scenario(const RunRequest& request);

// From what followed a run to what is reported of it, for whoever decides its steps; the verdicts and the command are
// still to be filled in. Takes the figures out of `watch`.
[[nodiscard]] RunResult result_of(const Scenario& scenario, std::uint64_t seed, const RunTotals& totals, Watch& watch);
// Fills in what follows from the seconds that were simulated, and the memory.
void complete_timing(RunTiming& timing, const RunTotals& totals);

// The first event in which two runs of the same scenario and seed differ; they do not if `number` is 0.
struct Divergence {
  std::uint64_t number = 0;
  Time at;
};
[[nodiscard]] Divergence find_divergence(const Scenario& scenario, std::uint64_t seed);

}  // namespace headroom
