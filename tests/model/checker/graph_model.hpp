// A model that is a graph drawn by hand or by a generator: vertices and edges that say what holds of them.
//
//   GraphModel model;
//   model.vertices = {{.waiting = true}, {.waiting = true}};
//   model.edges = {{.from = 0, .to = 1, .takes = {0}}, {.from = 1, .to = 0}};
//   model.constraints = 1;
//
// Vertex 0 is the initial state. A fairness constraint is enabled where an edge takes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <fmt/format.h>
#include <set>
#include <string>
#include <vector>

#include "model/checker/check.hpp"
#include "tests/model/checker/plain_state.hpp"

namespace headroom::test {

struct GraphState {
  std::uint8_t vertex = 0;
};

class GraphModel : public PlainState<GraphState> {
 public:
  struct VertexLabels {
    bool waiting = false;
    bool bad = false;
  };
  struct EdgeLabels {
    std::size_t from = 0;
    std::size_t to = 0;
    std::set<std::size_t> takes = {};
    bool served = false;
    bool counts = false;
    bool bad = false;
  };
  using Action = std::size_t;  // place in `edges`

  std::vector<VertexLabels> vertices;
  std::vector<EdgeLabels> edges;
  std::size_t constraints = 0;

  [[nodiscard]] std::vector<State> initial_states() const { return {State{}}; }
  void enabled(const State& state, std::vector<Action>& actions) const {
    for (std::size_t edge = 0; edge < edges.size(); ++edge) {
      if (edges[edge].from == state.vertex) actions.push_back(edge);
    }
  }
  void step(State& state, const Action& action, Effects& /*effects*/) const {
    state.vertex = static_cast<std::uint8_t>(edges[action].to);
  }
  [[nodiscard]] checker::Facts facts(const State& state) const { return {{"at", std::to_string(state.vertex)}}; }
  [[nodiscard]] std::string text(const checker::Step<GraphModel>& step) const {
    return fmt::format("edge {}", step.action);
  }

  [[nodiscard]] bool enables(std::size_t vertex, std::size_t constraint) const {
    for (const EdgeLabels& edge : edges) {
      if (edge.from == vertex && edge.takes.contains(constraint)) return true;
    }
    return false;
  }

  [[nodiscard]] checker::Properties<GraphModel> properties() const {
    const auto waiting = [this](const State& state, std::size_t) { return vertices[state.vertex].waiting; };
    const auto served = [this](const auto& step, std::size_t) { return edges[step.action].served; };
    checker::Properties<GraphModel> properties = {
        .safety = {{.name = "good",
                    .on_state = [this](const State& state) -> checker::Reason {
                      if (!vertices[state.vertex].bad) return std::nullopt;
                      return fmt::format("vertex {} is bad", state.vertex);
                    },
                    .on_step = [this](const auto& step) -> checker::Reason {
                      if (!edges[step.action].bad) return std::nullopt;
                      return fmt::format("edge {} is bad", step.action);
                    }}},
        .liveness = {{.name = "served", .who = {"somebody"}, .waiting = waiting, .served = served}},
        .waits = {{.name = "wait",
                   .who = {"somebody"},
                   .waiting = waiting,
                   .served = served,
                   .counts = [this](const auto& step, std::size_t) { return edges[step.action].counts; }}}};
    for (std::size_t constraint = 0; constraint < constraints; ++constraint) {
      properties.fairness.push_back(
          {.name = fmt::format("constraint {}", constraint),
           .enabled = [this, constraint](const State& state) { return enables(state.vertex, constraint); },
           .taken = [this, constraint](const auto& step) { return edges[step.action].takes.contains(constraint); }});
    }
    return properties;
  }
};

}  // namespace headroom::test
