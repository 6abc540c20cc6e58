// What a model promises, as functions over its states and steps. Reasons are words with the numbers in them.
//
//   checker::Properties<Counter> Counter::properties() const {
//     return {.safety = {{.name = "small",
//                         .on_state = [](const State& state) -> checker::Reason {
//                           if (state.value < 4) return std::nullopt;
//                           return fmt::format("the counter is {}, its bound 3", state.value);
//                         }}},
//             .sometimes = {{.name = "full", .on_state = [](const State& state) { return state.value == 3; }}}};
//   }
//
// An empty function is one that never holds, is never reached, or has no value. All are called by several threads at
// once. A property may have a function of states, one of steps, or both.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/checker/model.hpp"

namespace headroom::checker {

// Why a property is broken; nothing: it is not.
using Reason = std::optional<std::string>;

template <class M>
struct Safety {
  std::string name;
  std::function<Reason(const typename M::State&)> on_state;
  std::function<Reason(const Step<M>&)> on_step;
};

// A goal that some state or step must reach: a proof about a scope in which nothing happens is worth nothing.
template <class M>
struct Sometimes {
  std::string name;
  std::function<bool(const typename M::State&)> on_state;
  std::function<bool(const Step<M>&)> on_step;
};

// A number whose maximum over all states and steps is asked for, with a shortest way to it.
template <class M>
struct Extreme {
  std::string name;
  std::function<std::optional<std::int64_t>(const typename M::State&)> on_state;
  std::function<std::optional<std::int64_t>(const Step<M>&)> on_step;
};

// Weak fairness of a set of actions: a behaviour in which one of them is enabled from some point on, without a gap,
// takes one of them again and again.
template <class M>
struct Fairness {
  std::string name;
  std::function<bool(const typename M::State&)> enabled;
  std::function<bool(const Step<M>&)> taken;
};

// Nobody waits for ever: no behaviour that is fair to every Fairness has, from some point on, `waiting` in every state
// and `served` in no step, for any one of `who`. Behaviours may end up doing nothing for ever in a state that enables
// no fair action.
template <class M>
struct Liveness {
  std::string name;
  std::vector<std::string> who;  // "tenant c on n1"
  std::function<bool(const typename M::State&, std::size_t who)> waiting;
  std::function<bool(const Step<M>&, std::size_t who)> served;
  // The symmetry of the model leaves waiting, served and every fairness as they are, for each of `who` by itself.
  // Where this is false the checker explores without the symmetry.
  bool keeps_symmetry = false;
};

// The bounded form of Liveness, exact: the most steps that count (completed sweeps, say) in one uninterrupted wait.
// A wait goes from state to state while `waiting` holds; a step that is `served` is its last, and counts if it counts.
template <class M>
struct Wait {
  std::string name;
  std::vector<std::string> who;
  std::function<bool(const typename M::State&, std::size_t who)> waiting;
  std::function<bool(const Step<M>&, std::size_t who)> served;
  std::function<bool(const Step<M>&, std::size_t who)> counts;
  bool keeps_symmetry = false;  // as of Liveness
};

template <class M>
struct Properties {
  std::vector<Safety<M>> safety = {};
  std::vector<Sometimes<M>> sometimes = {};
  std::vector<Liveness<M>> liveness = {};
  std::vector<Fairness<M>> fairness = {};  // of all liveness
  std::vector<Wait<M>> waits = {};
  std::vector<Extreme<M>> extremes = {};
  // A state in which nothing is enabled is a deadlock unless this holds. Empty: deadlock is not looked for.
  std::function<bool(const typename M::State&)> may_stop = {};
};

}  // namespace headroom::checker
