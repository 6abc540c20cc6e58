// What the checker can explore: a transition system given as a value type and a handful of functions.
//
//   struct Counter {                                  // two steps, 0 to 3 and round
//     struct State { std::uint8_t value = 0; };
//     struct Action { bool up = true; };
//     using Effects = checker::NoEffects;
//     std::vector<State> initial_states() const { return {State{}}; }
//     void enabled(const State& state, std::vector<Action>& actions) const { actions.push_back({state.value < 3}); }
//     void step(State& state, const Action& action, Effects&) const { state.value = action.up ? state.value + 1 : 0; }
//     checker::PackedSize packed_size() const { return {.most = 1, .fixed = true}; }
//     std::size_t pack(const State& state, std::span<std::byte> bytes) const {
//       bytes[0] = std::byte{state.value};
//       return 1;
//     }
//     void unpack(std::span<const std::byte> bytes, State& state) const { state.value = std::to_integer<...>(bytes[0]);
//     } checker::Facts facts(const State& state) const { return {{"value", std::to_string(state.value)}}; } std::string
//     text(const checker::Step<Counter>& step) const { return step.action.up ? "up" : "round"; }
//     checker::Properties<Counter> properties() const;
//   };
//   const checker::CheckResult result = checker::check(Counter{}, {});
//
// All functions are const and called by several threads at once. Equal states have equal bytes, and bytes make the
// state again. Which actions are enabled, in which order, and what a step does depends on the state alone.
#pragma once

#include <concepts>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace headroom::checker {

// Of a model whose properties need to know no more of a step than the states around it.
struct NoEffects {};

// One step as properties see it. `effects` is what Model::step left there.
template <class M>
struct Step {
  const typename M::State& before;
  const typename M::Action& action;
  const typename M::Effects& effects;
  const typename M::State& after;
};

// One thing that a state says, for people: {"row a1", "claimed by n1"}. What changed in a step are the facts, by name,
// whose values differ.
struct Fact {
  std::string name;
  std::string value;
  friend bool operator==(const Fact&, const Fact&) = default;
};
using Facts = std::vector<Fact>;

// Packed states have at most `most` bytes. `fixed`: they all have exactly so many, which saves four bytes a state.
struct PackedSize {
  std::size_t most = 0;
  bool fixed = false;
};

template <class M>
struct Properties;  // properties.hpp

template <class M>
concept Model =
    std::copyable<typename M::State> && std::copyable<typename M::Action> &&
    std::default_initializable<typename M::Effects> &&
    requires(const M& model, const typename M::State& state, typename M::State& changed,
             const typename M::Action& action, typename M::Effects& effects, std::vector<typename M::Action>& actions,
             std::span<std::byte> room, std::span<const std::byte> bytes, const Step<M>& step) {
      // At least one. Equal ones count once.
      { model.initial_states() } -> std::same_as<std::vector<typename M::State>>;
      // Appends the enabled actions.
      { model.enabled(state, actions) } -> std::same_as<void>;
      // Needs an enabled action. `effects` may hold those of an earlier step: the model clears it.
      { model.step(changed, action, effects) } -> std::same_as<void>;

      { model.packed_size() } -> std::same_as<PackedSize>;
      // Returns the bytes written; `room` has packed_size().most.
      { model.pack(state, room) } -> std::same_as<std::size_t>;
      // `changed` holds some state of this model; it becomes the packed one.
      { model.unpack(bytes, changed) } -> std::same_as<void>;

      { model.facts(state) } -> std::same_as<Facts>;
      { model.text(step) } -> std::same_as<std::string>;
      { model.properties() } -> std::same_as<Properties<M>>;
    };

// A model with a symmetry: `canonicalise` replaces a state by the one representative of its orbit. The group must map
// steps to steps, and no property, goal, extreme or may_stop may tell the states of an orbit apart.
// Source: Ip and Dill, "Better verification through symmetry", Formal Methods in System Design 9, 1996.
// `pack_canonical`, where a model has it, packs that representative without making it a state first.
template <class M>
concept PacksOrbits = Model<M> && requires(const M& model, const typename M::State& state, std::span<std::byte> room) {
  { model.pack_canonical(state, room) } -> std::same_as<std::size_t>;
};
template <class M>
concept Symmetric = PacksOrbits<M> || (Model<M> && requires(const M& model, typename M::State& changed) {
                      { model.canonicalise(changed) } -> std::same_as<void>;
                    });

}  // namespace headroom::checker
