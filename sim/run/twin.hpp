// The twin of a run: the same scenario and seed with some tenants left out, to tell what those did to the others (noise
// amplification, spec 2.5). Every random stream hangs on its tenant's id, so the others' arrivals and work are the
// same.
//
//   const Scenario twin = silenced(scenario, noisy_tenants(scenario));
//   ... run it ...
//   compare_with_twin(left_out, twin_result, result);
#pragma once

#include <span>
#include <string>
#include <vector>

#include "reports/metrics/run_result.hpp"
#include "sim/scenario/scenario.hpp"

namespace headroom {

// Tenants and groups marked `noisy`, in the order of the scenario; none if all are, since nobody is left to compare.
[[nodiscard]] std::vector<std::string> noisy_tenants(const Scenario& scenario);

// The scenario in which these tenants and groups append nothing and send nothing. They keep their places, so that
// faults and latency shifts stay what they are; a tenant without rows changes nobody's grants.
[[nodiscard]] Scenario silenced(const Scenario& scenario, std::span<const std::string> names);

// Fills the noise amplification of every tenant and group in `result` that is not left out and has a wait in both runs:
// of its rows or, if it has none in either run, at the gate. Success is the part of its logical requests that were
// answered, of those answered or given up; of a tenant without requests, the part of its demand that was served.
void compare_with_twin(std::span<const std::string> left_out, const RunResult& twin, RunResult& result);

}  // namespace headroom
