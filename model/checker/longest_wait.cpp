#include "model/checker/longest_wait.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <ranges>
#include <utility>

#include "model/base/assert.hpp"
#include "model/checker/components.hpp"

namespace headroom::checker {
namespace {

class WaitSearch {
 public:
  WaitSearch(const StateGraph& graph, const WaitQuery& query)
      : graph_(graph),
        query_(query),
        part_{graph, [this](Vertex vertex) { return waits(vertex); },
              [this](Edge edge) { return !graph_.edge_labels.test(edge, query_.served); }},
        components_(strong_components(part_)) {}
  WaitSearch(const WaitSearch&) = delete;
  WaitSearch& operator=(const WaitSearch&) = delete;

  [[nodiscard]] LongestWait find() {
    if (const auto endless = find_endless()) {
      return {.bounded = false, .counted = 0, .start = endless->first, .way = loop_over(*endless)};
    }
    find_most();
    LongestWait longest;
    for (Vertex vertex = 0; vertex < graph_.size(); ++vertex) {
      if (!waits(vertex)) continue;
      const std::uint64_t counted = most_[components_.of[vertex]];
      if (longest.start == kNoVertex || counted > longest.counted ||
          (counted == longest.counted && graph_.depths[vertex] < graph_.depths[longest.start])) {
        longest.start = vertex;
        longest.counted = counted;
      }
    }
    if (longest.start != kNoVertex) longest.way = way_from(longest.start);
    return longest;
  }

 private:
  [[nodiscard]] bool waits(Vertex vertex) const { return graph_.vertex_labels.test(vertex, query_.waiting); }
  [[nodiscard]] bool counts(Edge edge) const { return graph_.edge_labels.test(edge, query_.counts); }
  [[nodiscard]] bool goes_on(Edge edge) const {
    return waits(graph_.targets[edge]) && !graph_.edge_labels.test(edge, query_.served);
  }
  [[nodiscard]] bool is_inner(Vertex from, Edge edge) const {
    return goes_on(edge) && components_.of[graph_.targets[edge]] == components_.of[from];
  }
  // The steps that count from this one to the end of the wait, at most.
  [[nodiscard]] std::uint64_t most_over(Edge edge) const {
    return (counts(edge) ? 1U : 0U) + (goes_on(edge) ? most_[components_.of[graph_.targets[edge]]] : 0);
  }

  // The shallowest step that counts and that can be repeated in one wait.
  [[nodiscard]] std::optional<std::pair<Vertex, Edge>> find_endless() const {
    std::optional<std::pair<Vertex, Edge>> found;
    for (Vertex vertex = 0; vertex < graph_.size(); ++vertex) {
      if (!waits(vertex) || (found && graph_.depths[vertex] >= graph_.depths[found->first])) continue;
      for (Edge edge = graph_.begin_of(vertex); edge < graph_.end_of(vertex); ++edge) {
        if (counts(edge) && is_inner(vertex, edge)) {
          found = {vertex, edge};
          break;
        }
      }
    }
    return found;
  }

  // Components are numbered so that steps lead to smaller numbers; no step inside of one counts.
  void find_most() {
    std::vector<std::vector<Vertex>> members(components_.count);
    for (Vertex vertex = 0; vertex < graph_.size(); ++vertex) {
      if (waits(vertex)) members[components_.of[vertex]].push_back(vertex);
    }
    most_.assign(components_.count, 0);
    for (std::uint32_t component = 0; component < components_.count; ++component) {
      for (const Vertex vertex : members[component]) {
        for (Edge edge = graph_.begin_of(vertex); edge < graph_.end_of(vertex); ++edge) {
          if (!is_inner(vertex, edge)) most_[component] = std::max(most_[component], most_over(edge));
        }
      }
    }
  }

  [[nodiscard]] std::vector<Edge> loop_over(const std::pair<Vertex, Edge>& step) const {
    std::vector<Edge> loop = {step.second};
    const Vertex target = graph_.targets[step.second];
    if (target != step.first) {
      const std::vector<Edge> back =
          way_inside(target, [&](Vertex /*from*/, Edge edge) { return graph_.targets[edge] == step.first; });
      loop.insert(loop.end(), back.begin(), back.end());
    }
    return loop;
  }

  [[nodiscard]] std::vector<Edge> way_from(Vertex vertex) const {
    std::vector<Edge> way;
    while (most_[components_.of[vertex]] > 0) {
      const std::uint64_t most = most_[components_.of[vertex]];
      const std::vector<Edge> more =
          way_inside(vertex, [&](Vertex from, Edge edge) { return !is_inner(from, edge) && most_over(edge) == most; });
      way.insert(way.end(), more.begin(), more.end());
      if (!goes_on(way.back())) break;
      vertex = graph_.targets[way.back()];
    }
    return way;
  }

  // The shortest way inside the component of `from` that ends with a step that `accept` wants.
  template <class Accept>
  [[nodiscard]] std::vector<Edge> way_inside(Vertex from, Accept accept) const {
    std::map<Vertex, std::pair<Vertex, Edge>> reached_by = {{from, {kNoVertex, 0}}};
    std::deque<Vertex> waiting = {from};
    while (true) {
      HEADROOM_ASSERT(!waiting.empty(), "no way on inside the component of vertex {}", from);
      const Vertex vertex = waiting.front();
      waiting.pop_front();
      for (Edge edge = graph_.begin_of(vertex); edge < graph_.end_of(vertex); ++edge) {
        if (accept(vertex, edge)) {
          std::vector<Edge> way = {edge};
          for (Vertex at = vertex; at != from; at = reached_by.at(at).first) way.push_back(reached_by.at(at).second);
          std::ranges::reverse(way);
          return way;
        }
        if (is_inner(vertex, edge) && reached_by.try_emplace(graph_.targets[edge], vertex, edge).second) {
          waiting.push_back(graph_.targets[edge]);
        }
      }
    }
  }

  const StateGraph& graph_;
  const WaitQuery& query_;
  Subgraph part_;
  Components components_;
  std::vector<std::uint64_t> most_;  // by component
};

}  // namespace

LongestWait find_longest_wait(const StateGraph& graph, const WaitQuery& query) {
  return WaitSearch(graph, query).find();
}

}  // namespace headroom::checker
