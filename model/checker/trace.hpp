// Counterexamples made and walked by running the model forward.
//
//   replay(model, trace, [&](const Step<M>& step) { simulator.apply(step.action); });
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "model/base/assert.hpp"
#include "model/checker/expander.hpp"
#include "model/checker/facts.hpp"
#include "model/checker/model.hpp"
#include "model/checker/packed_set.hpp"
#include "model/checker/result.hpp"

namespace headroom::checker {

// Walks a trace from its initial state and calls visit(step) for each step. False: the model does not have these steps
// (it is not the model that the trace was made with), and the walk ended before the first such step.
template <Model M, class Visit>
[[nodiscard]] bool replay(const M& model, const Trace& trace, Visit visit) {
  const std::vector<typename M::State> initial = model.initial_states();
  if (trace.initial_choice >= initial.size()) return false;
  typename M::State state = initial[trace.initial_choice];
  if (text_of(model.facts(state)) != trace.initial) return false;
  for (const TraceStep& traced : trace.steps) {
    std::vector<typename M::Action> actions;
    model.enabled(state, actions);
    if (traced.choice >= actions.size()) return false;
    typename M::State next = state;
    typename M::Effects effects{};
    model.step(next, actions[traced.choice], effects);
    if (text_of(model.facts(next)) != traced.state) return false;
    visit(Step<M>{state, actions[traced.choice], effects, next});
    state = std::move(next);
  }
  return true;
}

// Turns a way through stored states into a trace. The visited set knows representatives of orbits only; this walks real
// states, whose representatives they are.
template <Model M>
class Retracer {
 public:
  Retracer(const M& model, const PackedSet& visited, bool symmetry)
      : model_(model), visited_(visited), expander_(model, symmetry) {}

  // From an initial state to a stored one, by the way on which it was found.
  void walk_to(StateId id) {
    const std::vector<StateId> way = visited_.way_to(id);
    start_at(way.front());
    for (const StateId next : std::span(way).subspan(1)) {
      follow(next, [](const Step<M>& /*step*/) { return true; });
    }
  }

  // Takes the first enabled action that leads to `target` (none: to anywhere) and that accept(step) wants.
  template <class Accept>
  void follow(std::optional<StateId> target, Accept accept) {
    for (std::size_t choice = 0; choice < expander_.enabled().size(); ++choice) {
      std::optional<typename M::State> next;
      expander_.take(expander_.enabled()[choice], [&](const Step<M>& step, std::span<const std::byte> bytes) {
        if (target && !std::ranges::equal(bytes, visited_.bytes(*target))) return;
        if (!accept(step)) return;
        record(choice, step);
        next = step.after;
      });
      if (next) {
        expander_.open(*next);
        return;
      }
    }
    HEADROOM_ASSERT(false,
                    "no enabled action leads on from\n{}the symmetry does not map steps to steps, or equal states "
                    "differ in what they enable",
                    text_of(model_.facts(state())));
  }

  [[nodiscard]] const typename M::State& state() const { return expander_.state(); }
  [[nodiscard]] std::size_t steps() const { return trace_.steps.size(); }
  void close_loop(std::size_t loop_begin) {
    trace_.is_loop = true;
    trace_.loop_begin = loop_begin;
  }
  // Needs no call after it.
  [[nodiscard]] Trace take() { return std::move(trace_); }

 private:
  void start_at(StateId root) {
    const std::vector<typename M::State> initial = model_.initial_states();
    const auto is_root = [&](const typename M::State& candidate) {
      return std::ranges::equal(expander_.pack(candidate), visited_.bytes(root));
    };
    const auto found = std::ranges::find_if(initial, is_root);
    HEADROOM_ASSERT(found != initial.end(), "the way to a state does not begin at an initial state");
    trace_ = {};
    trace_.initial_choice = static_cast<std::size_t>(found - initial.begin());
    trace_.initial = text_of(model_.facts(*found));
    expander_.open(*found);
  }

  void record(std::size_t choice, const Step<M>& step) {
    const Facts after = model_.facts(step.after);
    trace_.steps.push_back({.choice = choice,
                            .action = model_.text(step),
                            .state = text_of(after),
                            .changes = changes_between(model_.facts(step.before), after)});
  }

  const M& model_;
  const PackedSet& visited_;
  Expander<M> expander_;
  Trace trace_;
};

}  // namespace headroom::checker
