// Starvation as a loop in the stored graph.
//
//   if (const std::optional<Lasso> lasso = find_fair_cycle(graph, query)) ...  // someone can wait for ever
//
// Under weak fairness a set of states that reach each other can be gone round for ever if each constraint is disabled
// in one of them or taken by a step between them; a loop through all of those is fair. So a strongly connected
// component decides, and no part of it has to be looked at (generalised Buechi emptiness; Baier and Katoen, "Principles
// of Model Checking", section 4.4). Searches that only follow a path until it comes to a known state miss such loops.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "model/checker/state_graph.hpp"

namespace headroom::checker {

struct CycleQuery {
  // Bits of labels.
  struct Constraint {
    std::size_t enabled;  // of vertices
    std::size_t taken;    // of edges
  };
  std::size_t waiting;  // of vertices
  std::size_t served;   // of edges
  std::vector<Constraint> fairness;
};

// A way to `start` is its stem. An empty loop: it is fair to stay at `start` for ever.
struct Lasso {
  Vertex start = kNoVertex;
  std::vector<Edge> loop;
};

// Of the fair loops that stay where `waiting` holds and take no `served` edge, one of the least steps in all: exact
// among loops that begin at one of the shallowest vertices from which there are any, as long as few constraints are
// involved.
[[nodiscard]] std::optional<Lasso> find_fair_cycle(const StateGraph& graph, const CycleQuery& query);

}  // namespace headroom::checker
