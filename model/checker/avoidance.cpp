#include "model/checker/avoidance.hpp"

#include <cstdint>

#include "model/base/assert.hpp"

namespace headroom::checker {
namespace {

// The vertices before each vertex, once for each edge of those that `counts` wants.
class Predecessors {
 public:
  Predecessors(const StateGraph& graph, const std::function<bool(Edge)>& counts)
      : begin_(graph.size() + std::size_t{1}, 0) {
    for (Edge edge = 0; edge < graph.edge_count(); ++edge) {
      if (counts(edge)) ++begin_[graph.targets[edge] + std::size_t{1}];
    }
    for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
    sources_.resize(begin_.back());
    std::vector<Edge> next(begin_.begin(), begin_.end() - 1);
    for (Vertex vertex = 0; vertex < graph.size(); ++vertex) {
      for (Edge edge = graph.begin_of(vertex); edge < graph.end_of(vertex); ++edge) {
        if (counts(edge)) sources_[next[graph.targets[edge]]++] = vertex;
      }
    }
  }

  template <class Visit>
  void for_each(Vertex vertex, Visit visit) const {
    for (Edge at = begin_[vertex]; at < begin_[vertex + std::size_t{1}]; ++at) visit(sources_[at]);
  }

 private:
  std::vector<Edge> begin_;
  std::vector<Vertex> sources_;
};

}  // namespace

std::vector<bool> unavoidable(const StateGraph& graph, const std::function<bool(Vertex)>& bad_vertex,
                              const std::function<bool(Edge)>& bad_edge) {
  HEADROOM_ASSERT(graph.complete, "what can be avoided is not known of a graph that was cut short");
  // Of the edges that are not bad.
  const Predecessors predecessors(graph, [&](Edge edge) { return !bad_edge(edge); });
  std::vector<bool> lost(graph.size(), false);
  std::vector<std::uint32_t> ways_out(graph.size(), 0);  // edges that are not bad, without those to a lost vertex
  std::vector<Vertex> left;
  for (Vertex vertex = 0; vertex < graph.size(); ++vertex) {
    for (Edge edge = graph.begin_of(vertex); edge < graph.end_of(vertex); ++edge) {
      ways_out[vertex] += bad_edge(edge) ? 0 : 1;
    }
    const bool has_edges = graph.begin_of(vertex) < graph.end_of(vertex);
    if (bad_vertex(vertex) || (has_edges && ways_out[vertex] == 0)) {
      lost[vertex] = true;
      left.push_back(vertex);
    }
  }
  while (!left.empty()) {
    const Vertex vertex = left.back();
    left.pop_back();
    predecessors.for_each(vertex, [&](Vertex before) {
      if (--ways_out[before] == 0 && !lost[before]) {
        lost[before] = true;
        left.push_back(before);
      }
    });
  }
  return lost;
}

std::vector<bool> unreachable(const StateGraph& graph, const std::function<bool(Vertex)>& good_vertex,
                              const std::function<bool(Edge)>& good_edge) {
  HEADROOM_ASSERT(graph.complete, "what can be reached is not known of a graph that was cut short");
  const Predecessors predecessors(graph, [](Edge /*edge*/) { return true; });
  std::vector<bool> cut_off(graph.size(), true);
  std::vector<Vertex> left;
  for (Vertex vertex = 0; vertex < graph.size(); ++vertex) {
    bool good = good_vertex(vertex);
    for (Edge edge = graph.begin_of(vertex); !good && edge < graph.end_of(vertex); ++edge) good = good_edge(edge);
    if (good) {
      cut_off[vertex] = false;
      left.push_back(vertex);
    }
  }
  while (!left.empty()) {
    const Vertex vertex = left.back();
    left.pop_back();
    predecessors.for_each(vertex, [&](Vertex before) {
      if (!cut_off[before]) return;
      cut_off[before] = false;
      left.push_back(before);
    });
  }
  return cut_off;
}

}  // namespace headroom::checker
