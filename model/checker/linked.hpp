// The stored graph of a search with every label that its properties ask for.
//
//   if (const auto linked = link_all(explorer, options, limits, crew)) {
//     linked->graph.vertex_labels.test(vertex, linked->labels.liveness[property][who].waiting)
//   }
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "model/checker/explorer.hpp"
#include "model/checker/fair_cycle.hpp"
#include "model/checker/linker.hpp"

namespace headroom::checker {

// Bits of labels, by what they are of.
struct Labels {
  struct Who {
    std::size_t waiting = 0;
    std::size_t served = 0;
    std::size_t counts = 0;  // of waits
  };
  struct Bad {
    std::size_t state = 0;
    std::size_t step = 0;
  };
  std::vector<std::vector<Who>> liveness;  // by property, then who
  std::vector<CycleQuery::Constraint> fairness;
  std::vector<std::vector<Who>> waits;
  std::vector<Bad> safety;  // set for what was violated
  std::size_t deadlock = 0;
};

template <Model M>
struct Linked {
  Linker<M> linker;
  Labels labels;
  StateGraph graph;
};

template <Model M, class Property>
[[nodiscard]] Labels::Who label_who(Linker<M>& linker, const Property& property, std::size_t who) {
  return {.waiting = linker.label_states([&property, who](const auto& state) { return property.waiting(state, who); }),
          .served = linker.label_steps([&property, who](const auto& step) { return property.served(step, who); })};
}

template <Model M>
void label_cycles(Linker<M>& linker, const Properties<M>& properties, Labels& labels) {
  for (const Liveness<M>& liveness : properties.liveness) {
    std::vector<Labels::Who>& people = labels.liveness.emplace_back();
    for (std::size_t who = 0; who < liveness.who.size(); ++who) people.push_back(label_who(linker, liveness, who));
  }
  for (const Wait<M>& wait : properties.waits) {
    std::vector<Labels::Who>& people = labels.waits.emplace_back();
    for (std::size_t who = 0; who < wait.who.size(); ++who) {
      people.push_back(label_who(linker, wait, who));
      people.back().counts = linker.label_steps([&wait, who](const auto& step) { return wait.counts(step, who); });
    }
  }
  if (properties.liveness.empty()) return;
  for (const Fairness<M>& fairness : properties.fairness) {
    labels.fairness.push_back({linker.label_states(fairness.enabled), linker.label_steps(fairness.taken)});
  }
}

template <Model M>
void label_violations(Linker<M>& linker, const Explorer<M>& explorer, Labels& labels) {
  const Properties<M>& properties = explorer.properties();
  labels.safety.resize(properties.safety.size());
  for (std::size_t i = 0; i < properties.safety.size(); ++i) {
    if (!explorer.tally().safety[i].first) continue;
    const Safety<M>& safety = properties.safety[i];
    labels.safety[i] = {
        linker.label_states([&safety](const auto& state) { return safety.on_state && safety.on_state(state); }),
        linker.label_steps([&safety](const auto& step) { return safety.on_step && safety.on_step(step); })};
  }
  if (explorer.tally().deadlocks.first) {
    labels.deadlock = linker.label_states([&explorer](const typename M::State& state) {
      std::vector<typename M::Action> actions;
      explorer.model().enabled(state, actions);
      return actions.empty() && !explorer.properties().may_stop(state);
    });
  }
}

// Nothing where no answer needs the steps, or where a limit ended this or the search. Who stops a check waits for its
// end; only after max_states, which is no hurry, loops are looked for in what was found.
template <Model M>
[[nodiscard]] std::optional<Linked<M>> link_all(const Explorer<M>& explorer, const Options& options,
                                                const Limits& limits, Crew& crew) {
  const Properties<M>& properties = explorer.properties();
  const bool exhausted = explorer.ended() == Ended::exhausted;
  const bool for_cycles = !properties.liveness.empty() || !properties.waits.empty();
  const bool for_avoidance = exhausted && explorer.tally().violated();
  if (!(exhausted || explorer.ended() == Ended::max_states) || !(for_cycles || for_avoidance)) return std::nullopt;
  Linked<M> linked{Linker<M>(explorer, options, limits, crew), {}, {}};
  label_cycles(linked.linker, properties, linked.labels);
  label_violations(linked.linker, explorer, linked.labels);
  std::optional<StateGraph> graph = linked.linker.link();
  if (!graph) return std::nullopt;
  linked.graph = std::move(*graph);
  return linked;
}

// On the way on which `last` was found, the step, counted from 1, after which every state is lost; 0 if all are.
// `beyond`: the way goes on by one step out of `last`, after which all is lost.
template <Model M>
[[nodiscard]] std::size_t step_into(const std::vector<bool>& lost, const Explorer<M>& explorer, const Linker<M>& linker,
                                    StateId last, bool beyond) {
  const std::vector<StateId> way = explorer.visited().way_to(last);
  for (std::size_t steps = way.size() - (beyond ? 0 : 1); steps > 0; --steps) {
    if (!lost[linker.vertex_of(way[steps - 1])]) return steps;
  }
  return 0;
}

}  // namespace headroom::checker
