// A counterexample run as a scenario is: its steps drive the Cluster that the simulator runs, with everything that
// follows a run, and come out as the usual report.
//
//   const RunReport report = run_counterexample({.replay = replay, .command = "headroom replay FILE"});
//   report.result.verdict   // fail: the property that the counterexample breaks is violated
//
// The checker knows no time. Here the rows are appended at 0 and step i happens at i intervals, an interval being the
// scenario's `poll_interval` (less, where the run would be too long); each step is an event. A loop is gone round
// kLoopRounds times; where nothing more needs to happen, as many intervals pass. There is no warm-up and no drain, and
// a window is one interval (several, in a run of more than kMostWindows).
//
// Of what the scenario expects, only the property of the claim is left, and not as `broken`: what is expected of a
// whole scope says nothing of one schedule. What that property cannot see in a run (a deadlock; starvation without a
// sweep) the check has seen, in steps that were confirmed; then its word stands.
#pragma once

#include <cstdint>
#include <string>

#include "sim/run/counterexample.hpp"
#include "sim/run/run_scenario.hpp"

namespace headroom {

// More than the longest run of unserved sweeps that may pass with the most tenants that a check takes, so that
// starvation in a loop with a sweep is too long by any bound of the scenario's planners.
inline constexpr std::uint32_t kLoopRounds = 40;
inline constexpr std::uint64_t kMostWindows = 1000;

struct ReplayRequest {
  const Replay& replay;  // without a fault
  RunLimits limits = {};
  SweepLog* sweeps = nullptr;
  std::string command = {};
};

[[nodiscard]] RunReport run_counterexample(const ReplayRequest& request);

}  // namespace headroom
