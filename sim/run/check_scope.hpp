// Which model explores the scope of a scenario: the one place that knows.
//
//   const Result<CheckReport> report = with_model(scenario, true, [&](const auto& model) { return checker::check(model,
//   options); });
#pragma once

#include <optional>
#include <string>

#include "model/base/result.hpp"
#include "model/checker/cluster/cluster_model.hpp"
#include "model/checker/gate/gate_model.hpp"
#include "sim/scenario/scenario.hpp"

namespace headroom {

// Needs a scenario with `check` and `requests_per_tenant`.
[[nodiscard]] checker::GateScope gate_scope(const Scenario& scenario);

// Needs a scenario with `check` and rows. `symmetry`: of the options that the model is checked with.
[[nodiscard]] checker::ClusterScope cluster_scope(const Scenario& scenario, bool symmetry);

// "2 nodes, 2 tenants (a, b), 4 requests each; expiries and refills without bound, 1 drain".
[[nodiscard]] std::string scope_in_words(const Scenario& scenario);

// Why the scenario cannot be checked; nothing: with_model takes it.
[[nodiscard]] std::optional<Diagnostic> why_not_checked(const Scenario& scenario);

// Gives what visit(model) gives. `symmetry`: of the options that the model is checked with.
template <class Visit>
decltype(auto) with_model(const Scenario& scenario, bool symmetry, Visit visit) {
  if (scenario.check->requests_per_tenant) {
    return visit(checker::GateModel(gate_scope(scenario)));
  }
  return visit(checker::ClusterModel(cluster_scope(scenario, symmetry)));
}

}  // namespace headroom
