// From what was seen in a run to its verdict: what `expect` names decides, everything else is information.
#pragma once

#include "reports/metrics/run_result.hpp"
#include "sim/run/watch.hpp"
#include "sim/scenario/scenario.hpp"

namespace headroom {

// Fills the expectations, the information and the verdict of `result`, whose figures are complete.
void judge(const Scenario& scenario, const Watch& watch, RunResult& result);

}  // namespace headroom
