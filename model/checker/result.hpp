// What a check found, as plain values: no type of the model is in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/base/verdict.hpp"

namespace headroom::checker {

struct TraceStep {
  std::size_t choice = 0;            // the action's place among those that the model enables in the state before
  std::string action;                // Model::text
  std::string state;                 // facts of the state after, a line each
  std::vector<std::string> changes;  // "row a1: pending -> claimed by n1"
  friend bool operator==(const TraceStep&, const TraceStep&) = default;
};

// A sequence of steps from an initial state, re-executed step by step before it was given out: nothing in it rests on
// the checker's own stores. `replay` (trace.hpp) walks it again.
struct Trace {
  std::size_t initial_choice = 0;  // place in Model::initial_states
  std::string initial;             // facts of the initial state, a line each
  std::vector<TraceStep> steps;
  // Steps from here to the end repeat for ever, and the state after the last is the one before the first of them. With
  // `is_loop` and loop_begin == steps.size() the last state is where nothing more needs to happen, ever.
  bool is_loop = false;
  std::size_t loop_begin = 0;

  [[nodiscard]] std::size_t loop_steps() const { return is_loop ? steps.size() - loop_begin : 0; }
  friend bool operator==(const Trace&, const Trace&) = default;
};

// pass: proved in this scope. fail: a counterexample is given; for `sometimes`: never reached in the whole scope.
// undecided: the scope was not exhausted, and nothing was violated in what was seen.
using headroom::Verdict;

enum class FindingKind : std::uint8_t { safety, deadlock, sometimes, liveness };
[[nodiscard]] std::string_view name_of(FindingKind kind);

struct Finding {
  std::string name;  // of the property; "deadlock"
  FindingKind kind = FindingKind::safety;
  Verdict verdict = Verdict::undecided;
  std::string reason;
  // The shortest counterexample (of a reached goal: the shortest way to it); a stem and a loop for liveness.
  std::optional<Trace> trace;
  // The step of the trace, counted from 1, before which it could still have been avoided and after which it could not;
  // 0: it never could. Not given where the scope was not exhausted or the memory did not suffice, and for a loop that
  // can be left at any time.
  std::optional<std::size_t> point_of_no_return;
  std::uint64_t violations = 0;  // states and steps that break a safety property; deadlocked states; those who starve
  friend bool operator==(const Finding&, const Finding&) = default;
};

struct ExtremeFound {
  std::string name;
  std::optional<std::int64_t> value;  // of what was seen: a lower bound if that was not everything
  std::optional<Trace> trace;
  friend bool operator==(const ExtremeFound&, const ExtremeFound&) = default;
};

// The worst wait of one of `Wait::who`.
struct WaitFound {
  std::string name;
  std::string who;
  Verdict verdict = Verdict::undecided;  // pass: `steps` is exact; fail: there is no bound; undecided: not exhausted
  std::uint64_t steps = 0;
  std::optional<Trace> trace;  // a wait that takes so long; a loop where there is no bound
  friend bool operator==(const WaitFound&, const WaitFound&) = default;
};

enum class Ended : std::uint8_t { exhausted, max_states, max_memory, max_seconds, stopped, first_violation };

// Why a liveness property is broken: "these 3 steps repeat for ever; tenant c is never served".
[[nodiscard]] std::string starves_in_words(std::size_t loop_steps, const std::string& who);

struct CheckResult {
  Ended ended = Ended::exhausted;
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;  // enabled actions of all expanded states
  std::uint64_t initial_states = 0;
  std::uint32_t depth = 0;  // the most steps that a shortest way to a state has
  bool symmetry = false;    // whether states are representatives of their orbits
  std::vector<Finding> findings;
  std::vector<ExtremeFound> extremes;
  std::vector<WaitFound> waits;

  std::size_t bytes = 0;       // visited set, parents, frontier and the room in which successors are sorted
  std::size_t link_bytes = 0;  // the stored steps, where they were needed
  double search_seconds = 0;   // until all states were found
  double seconds = 0;          // in all

  [[nodiscard]] bool exhausted() const { return ended == Ended::exhausted; }
  [[nodiscard]] double states_per_second() const {
    return search_seconds > 0 ? static_cast<double>(states) / search_seconds : 0;
  }
  [[nodiscard]] double bytes_per_state() const {
    return states > 0 ? static_cast<double>(bytes) / static_cast<double>(states) : 0;
  }
  // fail if anything failed, else undecided unless all was proved.
  [[nodiscard]] Verdict verdict() const;
};

}  // namespace headroom::checker
