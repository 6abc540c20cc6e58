// What a check found, as text for people and as JSON for programs.
#pragma once

#include <string>

#include "model/checker/result.hpp"
#include "reports/metrics/run_result.hpp"
#include "sim/run/check_scenario.hpp"
#include "sim/run/counterexample.hpp"

namespace headroom {

// The document of `check --json`.
[[nodiscard]] std::string render_check_json(const CheckReport& report);

// The scope, a verdict for each property, and the steps of each counterexample.
[[nodiscard]] std::string render_check_summary(const CheckReport& report);

// Numbered steps with what is different after each, the loop and the point of no return marked. `until`: so many of
// them.
[[nodiscard]] std::string render_trace(const checker::Trace& trace, std::optional<std::size_t> point_of_no_return,
                                       std::size_t until);

// What was replayed, as the key "counterexample" of the result of its run.
[[nodiscard]] std::string render_replay_json(const Replay& replay, const RunResult& result);
[[nodiscard]] std::string render_replay(const Replay& replay, std::size_t until);

}  // namespace headroom
