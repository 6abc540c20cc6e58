// The model checker: every state that a model can reach, each once, breadth first.
//
//   const checker::CheckResult result = checker::check(model, {.threads = 2, .max_states = 10'000'000});
//   for (const checker::Finding& finding : result.findings) report(finding.name, finding.verdict, finding.reason);
//
// A `pass` is a proof for this scope: the visited set is exact and holds whole states. Counterexamples are shortest
// (of liveness: the stem, and a short loop). Whatever was cut short is undecided.
#pragma once

#include <cstdint>
#include <optional>

#include "model/checker/crew.hpp"
#include "model/checker/cycle_judge.hpp"
#include "model/checker/explorer.hpp"
#include "model/checker/limits.hpp"
#include "model/checker/linked.hpp"
#include "model/checker/model.hpp"
#include "model/checker/options.hpp"
#include "model/checker/properties.hpp"
#include "model/checker/result.hpp"
#include "model/checker/state_judge.hpp"

namespace headroom::checker {

// Whether states are stored as representatives of their orbits.
template <Model M>
[[nodiscard]] bool uses_symmetry(const Options& options, const Properties<M>& properties) {
  bool keeps = true;
  for (const Liveness<M>& liveness : properties.liveness) keeps = keeps && liveness.keeps_symmetry;
  for (const Wait<M>& wait : properties.waits) keeps = keeps && wait.keeps_symmetry;
  return Symmetric<M> && options.symmetry && keeps;
}

template <Model M>
[[nodiscard]] CheckResult check(const M& model, const Options& options) {
  const Limits limits(options);
  const Properties<M> properties = model.properties();
  Crew crew(options.threads);
  Explorer<M> explorer(model, properties, options, limits, crew, uses_symmetry<M>(options, properties));
  explorer.run();
  CheckResult result{.ended = explorer.ended(),
                     .states = explorer.visited().size(),
                     .transitions = explorer.tally().transitions,
                     .initial_states = explorer.initial_states(),
                     .depth = static_cast<std::uint32_t>(explorer.levels().size()) - 1,
                     .symmetry = explorer.symmetry(),
                     .bytes = explorer.bytes(),
                     .search_seconds = limits.seconds()};
  const std::optional<Linked<M>> linked = link_all(explorer, options, limits, crew);
  if (linked) result.link_bytes = linked->graph.memory();
  StateJudge<M>(explorer, linked ? &*linked : nullptr).judge(result);
  CycleJudge<M>(explorer, linked ? &*linked : nullptr).judge(result);
  result.seconds = limits.seconds();
  return result;
}

}  // namespace headroom::checker
