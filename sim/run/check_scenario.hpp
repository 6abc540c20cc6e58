// The scope of a scenario explored, and what was found held against what was asked.
//
//   const Result<CheckReport> report = run_check({.scenario = scenario, .options = {.threads = 2}});
//   report.value().verdict
//
// Extremes are named "figure/key": "executing_max/a" is the figure executing_max of tenant a.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/base/result.hpp"
#include "model/checker/options.hpp"
#include "model/checker/result.hpp"
#include "sim/scenario/scenario.hpp"

namespace headroom {

struct CheckRequest {
  const Scenario& scenario;
  checker::Options options = {};
  bool expect = false;  // judge against `broken`
};

// One finding against what the scenario asks of it.
struct CheckJudgement {
  bool decides = false;  // it is among what decides the verdict
  bool broken = false;   // it passes when it is violated
  checker::Verdict verdict = checker::Verdict::undecided;
  std::string file = {};  // of its counterexample, where one is written
};

struct CheckReport {
  std::string scenario_name;
  std::uint64_t scenario_digest = 0;
  std::string scope;  // in words
  checker::CheckResult result;
  std::vector<CheckJudgement> judgements;  // by finding
  std::vector<std::string> wait_figures;   // by wait: several may count for one figure, of which the worst is reported
  checker::Verdict verdict = checker::Verdict::undecided;
};

// The faults are those of a scenario that cannot be checked.
[[nodiscard]] Result<CheckReport> run_check(const CheckRequest& request);

// The states and steps of the scope in the language of Graphviz; nothing: there are more than options.max_states.
[[nodiscard]] std::optional<std::string> draw_check(const Scenario& scenario, const checker::Options& options);

}  // namespace headroom
