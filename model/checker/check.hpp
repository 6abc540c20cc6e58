// The model checker: every state that a model can reach, each once, breadth first.
//
//   const checker::CheckResult result = checker::check(model, {.threads = 2, .max_states = 10'000'000});
//   for (const checker::Finding& finding : result.findings) report(finding.name, finding.verdict, finding.reason);
//
// A `pass` is a proof for this scope: the visited set is exact and holds whole states. Counterexamples are shortest
// (of liveness: the stem, and a short loop). Whatever was cut short is undecided.
#pragma once

#include "model/checker/model.hpp"
#include "model/checker/options.hpp"
#include "model/checker/properties.hpp"
#include "model/checker/result.hpp"

namespace headroom::checker {

template <Model M>
[[nodiscard]] CheckResult check(const M& model, const Options& options);

}  // namespace headroom::checker
