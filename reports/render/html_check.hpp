// report.html of a check, or of a counterexample that was replayed: verdicts first, then each counterexample step by
// step, with the state after each, what changed in it, and the loop marked.
//
//   CheckedScope scope{.scenario_name = "fixed_order_starves", ...};
//   write(folder / "report.html", render_check_html(scope));
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/base/verdict.hpp"

namespace headroom {

// What was found of one property.
struct CheckedProperty {
  std::string name;
  std::string kind;
  Verdict verdict = Verdict::undecided;  // of the expectation: a property that is to be broken passes when it is
  bool decides = true;                   // it is among what decides the verdict of the check
  bool broken = false;                   // expected to be violated
  std::string reason;
  std::optional<std::size_t> trace;  // its place in CheckedScope::traces
};

// States are facts, a line each.
struct ShownStep {
  std::string action;
  std::vector<std::string> changes;
  std::string state;
};

struct ShownTrace {
  std::string title;
  std::string shows;  // the reason, or what is reached
  std::string file;   // which `headroom replay` walks; empty: none was written
  std::string initial;
  std::vector<ShownStep> steps;
  bool is_loop = false;
  std::size_t loop_begin = 0;  // the steps after so many repeat for ever
  std::optional<std::size_t> point_of_no_return;
};

struct CheckedScope {
  std::string headroom_version;
  std::string scenario_name;
  std::uint64_t scenario_digest = 0;
  std::string scope;  // in words
  std::string ended;  // "exhausted", or what cut it short; empty: nothing was explored (a replay)
  Verdict verdict = Verdict::undecided;
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
  std::uint32_t depth = 0;
  std::string command;
  std::vector<CheckedProperty> properties;
  std::vector<std::pair<std::string, std::string>> extremes;  // what, and its value
  std::vector<ShownTrace> traces;                             // violations first
};

[[nodiscard]] std::string render_check_html(const CheckedScope& checked);

}  // namespace headroom
