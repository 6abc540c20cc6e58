// The states of a model counted in the most obvious way, with std::set: what the checker's numbers are held against.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "model/checker/model.hpp"

namespace headroom::test {

struct NaiveCounts {
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
  std::uint32_t depth = 0;
  std::uint64_t stuck = 0;  // states in which nothing is enabled
};

template <checker::Model M>
[[nodiscard]] NaiveCounts naive_search(const M& model) {
  std::set<std::string> seen;
  const auto is_new = [&](const typename M::State& state) {
    std::string bytes(model.packed_size().most, '\0');
    bytes.resize(model.pack(state, std::as_writable_bytes(std::span(bytes))));
    return seen.insert(bytes).second;
  };
  NaiveCounts counts;
  std::vector<typename M::State> level;
  for (const typename M::State& state : model.initial_states()) {
    if (is_new(state)) level.push_back(state);
  }
  while (true) {
    std::vector<typename M::State> next_level;
    for (const typename M::State& state : level) {
      std::vector<typename M::Action> actions;
      model.enabled(state, actions);
      counts.transitions += actions.size();
      counts.stuck += actions.empty() ? 1 : 0;
      for (const typename M::Action& action : actions) {
        typename M::State next = state;
        typename M::Effects effects{};
        model.step(next, action, effects);
        if (is_new(next)) next_level.push_back(next);
      }
    }
    if (next_level.empty()) break;
    level = next_level;
    ++counts.depth;
  }
  counts.states = seen.size();
  return counts;
}

}  // namespace headroom::test
