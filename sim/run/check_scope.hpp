// Which model explores the scope of a scenario: the one place that knows.
//
//   const Result<CheckReport> report = with_model(scenario, [&](const auto& model) { return checker::check(model,
//   options); });
#pragma once

#include <optional>
#include <string>

#include "model/base/result.hpp"
#include "model/checker/gate_model.hpp"
#include "sim/scenario/scenario.hpp"

namespace headroom {

// Needs a scenario with `check` and `requests_per_tenant`.
[[nodiscard]] checker::GateScope gate_scope(const Scenario& scenario);

// "2 nodes, 2 tenants (a, b), 4 requests each; expiries and refills without bound, 1 drain".
[[nodiscard]] std::string scope_in_words(const Scenario& scenario);

// Why the scenario cannot be checked; nothing: with_model takes it.
[[nodiscard]] std::optional<Diagnostic> why_not_checked(const Scenario& scenario);

// Gives what visit(model) gives.
template <class Visit>
decltype(auto) with_model(const Scenario& scenario, Visit visit) {
  return visit(checker::GateModel(gate_scope(scenario)));
}

}  // namespace headroom
