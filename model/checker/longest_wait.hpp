// The bounded form of starvation: how long somebody can wait, exactly, over all schedules of a stored graph.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/checker/state_graph.hpp"

namespace headroom::checker {

// Bits of labels.
struct WaitQuery {
  std::size_t waiting;  // of vertices
  std::size_t served;   // of edges
  std::size_t counts;   // of edges
};

// A wait with the most steps that count. Not `bounded`: `way` is a loop that counts at least once a round.
struct LongestWait {
  bool bounded = true;
  std::uint64_t counted = 0;
  Vertex start = kNoVertex;  // none: nobody waits, ever
  std::vector<Edge> way;
};

// Longest path over the strongly connected components of the steps in which the wait goes on.
[[nodiscard]] LongestWait find_longest_wait(const StateGraph& graph, const WaitQuery& query);

}  // namespace headroom::checker
