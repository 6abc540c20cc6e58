// Strongly connected components of a part of a stored graph.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "model/checker/state_graph.hpp"

namespace headroom::checker {

// The part of a graph that has some of its vertices, and of the edges between those some.
struct Subgraph {
  const StateGraph& graph;
  std::function<bool(Vertex)> has_vertex;
  std::function<bool(Edge)> has_edge;  // asked only of edges between vertices of the part

  // Calls visit(edge, target) for the edges out of a vertex of the part.
  template <class Visit>
  void for_each_edge(Vertex vertex, Visit visit) const {
    for (Edge edge = graph.begin_of(vertex); edge < graph.end_of(vertex); ++edge) {
      const Vertex target = graph.targets[edge];
      if (has_vertex(target) && has_edge(edge)) visit(edge, target);
    }
  }
};

struct Components {
  std::uint32_t count = 0;
  // By vertex; kNoVertex outside of the part. An edge never leads to a component with a greater number.
  std::vector<std::uint32_t> of;
};

[[nodiscard]] Components strong_components(const Subgraph& part);

}  // namespace headroom::checker
