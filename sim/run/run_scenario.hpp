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
#include "sim/scenario/scenario.hpp"

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
};

struct RunReport {
  RunResult result;  // the same for the same scenario, seed and version
  RunTiming timing;
};

[[nodiscard]] RunReport run_scenario(const RunRequest& request);

// The first event in which two runs of the same scenario and seed differ; they do not if `number` is 0.
struct Divergence {
  std::uint64_t number = 0;
  Time at;
};
[[nodiscard]] Divergence find_divergence(const Scenario& scenario, std::uint64_t seed);

}  // namespace headroom
