// From where a violation can still be avoided: backward reachability on the stored graph.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "model/checker/state_graph.hpp"

namespace headroom::checker {

// By vertex, whether every behaviour from it comes to a vertex for which `bad_vertex` holds or takes an edge for which
// `bad_edge` does. A behaviour ends only where there is no edge. Needs a complete graph.
[[nodiscard]] std::vector<bool> unavoidable(const StateGraph& graph, const std::function<bool(Vertex)>& bad_vertex,
                                            const std::function<bool(Edge)>& bad_edge);

// By vertex, whether no behaviour from it comes to a vertex for which `good_vertex` holds or takes an edge for which
// `good_edge` does. Needs a complete graph.
[[nodiscard]] std::vector<bool> unreachable(const StateGraph& graph, const std::function<bool(Vertex)>& good_vertex,
                                            const std::function<bool(Edge)>& good_edge);

}  // namespace headroom::checker
