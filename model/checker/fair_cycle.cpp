#include "model/checker/fair_cycle.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <ranges>
#include <utility>

#include "model/base/assert.hpp"
#include "model/checker/components.hpp"

namespace headroom::checker {
namespace {

constexpr std::size_t kMostStarts = 64;         // vertices from which loops are looked for
constexpr std::size_t kMostConstraints = 64;    // that the exact search keeps apart
constexpr std::size_t kMostVisits = 1'000'000;  // of the exact searches in all

// A component in which somebody can wait for ever.
class FairComponents {
 public:
  FairComponents(const Subgraph& part, const CycleQuery& query)
      : part_(part), query_(query), components_(strong_components(part)), fair_(components_.count, false) {
    const std::size_t constraints = query.fairness.size();
    std::vector<bool> met(components_.count * constraints, false);
    for (Vertex vertex = 0; vertex < part.graph.size(); ++vertex) {
      if (components_.of[vertex] == kNoVertex) continue;
      const std::size_t row = components_.of[vertex] * constraints;
      for (std::size_t i = 0; i < constraints; ++i) {
        if (disabled(vertex, i)) met[row + i] = true;
      }
      for_each_inner_edge(vertex, [&](Edge edge, Vertex /*target*/) {
        fair_[components_.of[vertex]] = true;
        for (std::size_t i = 0; i < constraints; ++i) {
          if (taken(edge, i)) met[row + i] = true;
        }
      });
    }
    for (std::size_t component = 0; component < fair_.size(); ++component) {
      for (std::size_t i = 0; i < constraints; ++i) {
        fair_[component] = fair_[component] && met[component * constraints + i];
      }
    }
  }

  [[nodiscard]] bool holds(Vertex vertex) const {
    return components_.of[vertex] != kNoVertex && fair_[components_.of[vertex]];
  }
  [[nodiscard]] bool disabled(Vertex vertex, std::size_t constraint) const {
    return !part_.graph.vertex_labels.test(vertex, query_.fairness[constraint].enabled);
  }
  [[nodiscard]] bool taken(Edge edge, std::size_t constraint) const {
    return part_.graph.edge_labels.test(edge, query_.fairness[constraint].taken);
  }
  // Edges that stay in the component.
  template <class Visit>
  void for_each_inner_edge(Vertex vertex, Visit visit) const {
    part_.for_each_edge(vertex, [&](Edge edge, Vertex target) {
      if (components_.of[target] == components_.of[vertex]) visit(edge, target);
    });
  }
  // What a loop from here has to do: the constraints that are not met by starting here.
  [[nodiscard]] std::vector<std::size_t> unmet_at(Vertex start) const {
    std::vector<std::size_t> unmet;
    for (std::size_t i = 0; i < query_.fairness.size(); ++i) {
      if (!disabled(start, i)) unmet.push_back(i);
    }
    return unmet;
  }
  [[nodiscard]] bool meets(Edge edge, Vertex target, std::size_t constraint) const {
    return taken(edge, constraint) || disabled(target, constraint);
  }

 private:
  const Subgraph& part_;
  const CycleQuery& query_;
  Components components_;
  std::vector<bool> fair_;
};

// The shortest fair loop from `start`, by breadth-first search over (vertex, constraints met so far).
class ExactSearch {
 public:
  ExactSearch(const FairComponents& components, Vertex start, std::size_t& visits_left)
      : components_(components), start_(start), unmet_(components.unmet_at(start)), visits_left_(visits_left) {}

  // Nothing: there is none of at most `most_steps` steps, or too much to look at.
  [[nodiscard]] std::optional<std::vector<Edge>> loop(std::size_t most_steps) {
    if (unmet_.size() > kMostConstraints) return std::nullopt;
    const std::uint64_t all = unmet_.size() == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << unmet_.size()) - 1;
    nodes_.push_back({start_, 0, 0, 0, 0});
    for (std::size_t at = 0; at < nodes_.size() && nodes_[at].steps < most_steps && visits_left_ > 0; ++at) {
      if (const std::optional<std::size_t> end = expand(at, all)) return path_to(*end);
    }
    return std::nullopt;
  }

 private:
  struct Node {
    Vertex vertex;
    std::uint64_t met;
    std::size_t from;
    Edge edge;
    std::size_t steps;
  };

  // The node that closes the loop, if there is one among the successors.
  std::optional<std::size_t> expand(std::size_t at, std::uint64_t all) {
    std::optional<std::size_t> end;
    const Node from = nodes_[at];
    components_.for_each_inner_edge(from.vertex, [&](Edge edge, Vertex target) {
      std::uint64_t met = from.met;
      for (std::size_t i = 0; i < unmet_.size(); ++i) {
        if (components_.meets(edge, target, unmet_[i])) met |= std::uint64_t{1} << i;
      }
      if (end || visits_left_ == 0 || !seen_.emplace(std::pair(target, met), nodes_.size()).second) return;
      --visits_left_;
      if (target == start_ && met == all) end = nodes_.size();
      nodes_.push_back({target, met, at, edge, from.steps + 1});
    });
    return end;
  }

  [[nodiscard]] std::vector<Edge> path_to(std::size_t at) const {
    std::vector<Edge> edges;
    for (; nodes_[at].steps > 0; at = nodes_[at].from) edges.push_back(nodes_[at].edge);
    std::ranges::reverse(edges);
    return edges;
  }

  const FairComponents& components_;
  Vertex start_;
  std::vector<std::size_t> unmet_;
  std::size_t& visits_left_;
  std::vector<Node> nodes_;
  std::map<std::pair<Vertex, std::uint64_t>, std::size_t> seen_;
};

// A fair loop from `start`, step by step to the nearest that meets a constraint, and back. Not always the shortest.
class GreedySearch {
 public:
  GreedySearch(const FairComponents& components, Vertex start)
      : components_(components), start_(start), at_(start), unmet_(components.unmet_at(start)) {}

  [[nodiscard]] std::vector<Edge> loop() {
    while (!unmet_.empty()) {
      walk([&](Edge edge, Vertex target) {
        return std::ranges::any_of(unmet_, [&](std::size_t i) { return components_.meets(edge, target, i); });
      });
    }
    if (at_ != start_ || loop_.empty()) {
      walk([&](Edge /*edge*/, Vertex target) { return target == start_; });
    }
    return loop_;
  }

 private:
  // Appends a shortest way to an edge that `accept` wants.
  template <class Accept>
  void walk(Accept accept) {
    std::map<Vertex, std::pair<Vertex, Edge>> reached_by = {{at_, {kNoVertex, 0}}};
    std::deque<Vertex> waiting = {at_};
    std::optional<std::pair<Vertex, Edge>> last;
    Vertex end = kNoVertex;
    while (!last) {
      HEADROOM_ASSERT(!waiting.empty(), "a fair component has no loop through vertex {}", start_);
      const Vertex vertex = waiting.front();
      waiting.pop_front();
      components_.for_each_inner_edge(vertex, [&](Edge edge, Vertex target) {
        if (last) return;
        if (accept(edge, target)) {
          last = {vertex, edge};
          end = target;
        } else if (reached_by.try_emplace(target, vertex, edge).second) {
          waiting.push_back(target);
        }
      });
    }
    std::vector<std::pair<Edge, Vertex>> way = {{last->second, end}};
    for (Vertex vertex = last->first; vertex != at_; vertex = reached_by.at(vertex).first) {
      way.emplace_back(reached_by.at(vertex).second, vertex);
    }
    for (const auto& step : std::ranges::reverse_view(way)) {
      loop_.push_back(step.first);
      std::erase_if(unmet_, [&](std::size_t i) { return components_.meets(step.first, step.second, i); });
    }
    at_ = end;
  }

  const FairComponents& components_;
  Vertex start_;
  Vertex at_;
  std::vector<std::size_t> unmet_;
  std::vector<Edge> loop_;
};

// The shallowest vertices for which `accept` holds, in order.
template <class Accept>
std::vector<Vertex> shallowest(const StateGraph& graph, std::size_t most, Accept accept) {
  std::vector<Vertex> vertices;
  for (Vertex vertex = 0; vertex < graph.size(); ++vertex) {
    if (accept(vertex)) vertices.push_back(vertex);
  }
  const std::size_t size = std::min(most, vertices.size());
  std::ranges::partial_sort(vertices, vertices.begin() + static_cast<std::ptrdiff_t>(size), {},
                            [&](Vertex vertex) { return std::pair(graph.depths[vertex], vertex); });
  vertices.resize(size);
  return vertices;
}

}  // namespace

std::optional<Lasso> find_fair_cycle(const StateGraph& graph, const CycleQuery& query) {
  const Subgraph part{graph, [&](Vertex vertex) { return graph.vertex_labels.test(vertex, query.waiting); },
                      [&](Edge edge) { return !graph.edge_labels.test(edge, query.served); }};
  const FairComponents components(part, query);
  std::optional<Lasso> best;
  std::size_t best_steps = 0;
  const auto consider = [&](Lasso lasso) {
    const std::size_t steps = graph.depths[lasso.start] + lasso.loop.size();
    if (!best || steps < best_steps) {
      best = std::move(lasso);
      best_steps = steps;
    }
  };
  for (const Vertex start : shallowest(
           graph, 1, [&](Vertex vertex) { return part.has_vertex(vertex) && components.unmet_at(vertex).empty(); })) {
    consider({start, {}});
  }
  std::size_t visits_left = kMostVisits;
  for (const Vertex start : shallowest(graph, kMostStarts, [&](Vertex vertex) { return components.holds(vertex); })) {
    const std::size_t depth = graph.depths[start];
    if (best && depth + 1 >= best_steps) break;
    const std::size_t most_steps = best ? best_steps - depth - 1 : graph.edge_count() * (query.fairness.size() + 1);
    if (auto loop = ExactSearch(components, start, visits_left).loop(most_steps)) {
      consider({start, std::move(*loop)});
    } else if (!best) {
      consider({start, GreedySearch(components, start).loop()});
    }
  }
  return best;
}

}  // namespace headroom::checker
