#include "reports/metrics/max_min.hpp"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/push_relabel_max_flow.hpp>
#include <numeric>
#include <utility>

#include "model/base/assert.hpp"
#include "reports/metrics/histogram.hpp"

namespace headroom {
namespace {

// A part of the network: some tenants and some nodes, with what is left of the nodes' capacities. `reserved`: what a
// tenant has to itself, on nodes that are not in the part.
struct Part {
  std::vector<std::size_t> tenants;
  std::vector<std::size_t> nodes;
  std::vector<std::int64_t> capacity;  // by node of the part
  std::vector<std::int64_t> reserved;  // by tenant of the part
};

using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
struct Pipe {
  std::int64_t capacity = 0;
  std::int64_t residual = 0;
  Traits::edge_descriptor reverse;
};
using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property, Pipe>;

// Source, sink, the tenants of a part, its nodes.
class FlowGraph {
 public:
  FlowGraph(const ServiceNetwork& network, const Part& part, std::int64_t scale)
      : tenants_(part.tenants.size()), graph_(2 + part.tenants.size() + part.nodes.size()) {
    for (std::size_t i = 0; i < part.tenants.size(); ++i) {
      sources_.push_back(connect(kSource, tenant(i), 0));
      connect(tenant(i), kSink, part.reserved[i] * scale);
      for (std::size_t j = 0; j < part.nodes.size(); ++j) {
        connect(tenant(i), node(j), network.limit(part.tenants[i], part.nodes[j]) * scale);
      }
    }
    for (std::size_t j = 0; j < part.nodes.size(); ++j) {
      connect(node(j), kSink, part.capacity[j] * scale);
    }
  }

  // The greatest flow when tenants are offered at most this.
  std::int64_t flow(const std::vector<std::int64_t>& offered) {
    for (std::size_t i = 0; i < tenants_; ++i) {
      graph_[sources_[i]].capacity = offered[i];
    }
    const std::int64_t most = boost::push_relabel_max_flow(
        graph_, kSource, kSink, boost::get(&Pipe::capacity, graph_), boost::get(&Pipe::residual, graph_),
        boost::get(&Pipe::reverse, graph_), boost::get(boost::vertex_index, graph_));
    find_sources_side();
    return most;
  }
  // After a flow: which side of the minimum cut they are on.
  [[nodiscard]] bool tenant_at_source(std::size_t i) const { return at_source(tenant(i)); }
  [[nodiscard]] bool node_at_source(std::size_t j) const { return at_source(node(j)); }

 private:
  static constexpr Graph::vertex_descriptor kSource = 0;
  static constexpr Graph::vertex_descriptor kSink = 1;

  [[nodiscard]] static Graph::vertex_descriptor tenant(std::size_t i) { return 2 + i; }
  [[nodiscard]] Graph::vertex_descriptor node(std::size_t j) const { return 2 + tenants_ + j; }
  [[nodiscard]] bool at_source(Graph::vertex_descriptor vertex) const { return reached_[vertex]; }
  // What the source reaches over pipes that are not full.
  void find_sources_side() {
    reached_.assign(boost::num_vertices(graph_), false);
    reached_[kSource] = true;
    std::vector<Graph::vertex_descriptor> open = {kSource};
    while (!open.empty()) {
      const Graph::vertex_descriptor from = open.back();
      open.pop_back();
      for (auto [edge, end] = boost::out_edges(from, graph_); edge != end; ++edge) {
        const Graph::vertex_descriptor to = boost::target(*edge, graph_);
        if (graph_[*edge].residual > 0 && !reached_[to]) {
          reached_[to] = true;
          open.push_back(to);
        }
      }
    }
  }
  Graph::edge_descriptor connect(Graph::vertex_descriptor from, Graph::vertex_descriptor to, std::int64_t capacity) {
    const Graph::edge_descriptor there = boost::add_edge(from, to, {capacity, 0, {}}, graph_).first;
    const Graph::edge_descriptor back = boost::add_edge(to, from, {0, 0, {}}, graph_).first;
    graph_[there].reverse = back;
    graph_[back].reverse = there;
    return there;
  }

  std::size_t tenants_;
  Graph graph_;
  std::vector<Graph::edge_descriptor> sources_;
  std::vector<bool> reached_;
};

class Decomposition {
 public:
  explicit Decomposition(const ServiceNetwork& network)
      : network_(network), weights_(network.tenants.size()), shares_(network.tenants.size()) {
    std::uint64_t divisor = 0;
    for (const ServiceNetwork::Tenant& tenant : network.tenants) {
      HEADROOM_ASSERT(tenant.weight > 0, "a weight of 0");
      divisor = std::gcd(divisor, tenant.weight);
    }
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      weights_[i] = network.tenants[i].weight / divisor;
    }
  }

  std::vector<Share> solve() {
    Part whole{.capacity = network_.capacity, .reserved = std::vector<std::int64_t>(weights_.size(), 0)};
    whole.tenants.resize(weights_.size());
    std::iota(whole.tenants.begin(), whole.tenants.end(), std::size_t{0});
    whole.nodes.resize(network_.capacity.size());
    std::iota(whole.nodes.begin(), whole.nodes.end(), std::size_t{0});
    open_.push_back(std::move(whole));
    while (!open_.empty()) {
      const Part part = std::move(open_.back());
      open_.pop_back();
      solve(part);
    }
    return std::move(shares_);
  }

 private:
  // What each tenant would get if only the total were limited, times `scale`.
  struct Wish {
    std::vector<std::int64_t> amounts;
    std::int64_t scale = 1;
  };

  void solve(const Part& part) {
    if (part.tenants.empty()) {
      return;
    }
    const std::vector<std::int64_t> demands = demands_of(part);
    const std::int64_t demand = std::accumulate(demands.begin(), demands.end(), std::int64_t{0});
    const std::int64_t most = FlowGraph(network_, part, 1).flow(demands);
    if (most == demand) {
      for (std::size_t i = 0; i < part.tenants.size(); ++i) {
        shares_[part.tenants[i]] = {demands[i], 1};
      }
      return;
    }
    const Wish wish = wish_for(part, demands, most);
    FlowGraph graph(network_, part, wish.scale);
    const std::int64_t wished = std::accumulate(wish.amounts.begin(), wish.amounts.end(), std::int64_t{0});
    if (graph.flow(wish.amounts) == wished) {
      for (std::size_t i = 0; i < part.tenants.size(); ++i) {
        shares_[part.tenants[i]] = {wish.amounts[i], wish.scale};
      }
      return;
    }
    divide(part, graph);
  }

  [[nodiscard]] std::vector<std::int64_t> demands_of(const Part& part) const {
    std::vector<std::int64_t> demands = part.reserved;
    for (std::size_t i = 0; i < demands.size(); ++i) {
      for (const std::size_t node : part.nodes) {
        demands[i] += network_.limit(part.tenants[i], node);
      }
    }
    return demands;
  }

  // min(demand, weight * level), with the level at which they sum to `total`, which is less than all demands.
  [[nodiscard]] Wish wish_for(const Part& part, const std::vector<std::int64_t>& demands, std::int64_t total) const {
    std::vector<std::size_t> by_level(demands.size());
    std::iota(by_level.begin(), by_level.end(), std::size_t{0});
    const auto weight = [&](std::size_t i) { return static_cast<Int128>(weights_[part.tenants[i]]); };
    std::sort(by_level.begin(), by_level.end(), [&](std::size_t a, std::size_t b) {
      const Int128 left = demands[a] * weight(b);
      const Int128 right = demands[b] * weight(a);
      return left != right ? left < right : a < b;
    });
    Int128 weight_left = 0;
    for (std::size_t i = 0; i < demands.size(); ++i) {
      weight_left += weight(i);
    }
    Int128 left = total;
    std::size_t limited = 0;  // so many are given their demand
    for (; demands[by_level[limited]] * weight_left <= left * weight(by_level[limited]); ++limited) {
      left -= demands[by_level[limited]];
      weight_left -= weight(by_level[limited]);
    }
    Wish wish{.amounts = std::vector<std::int64_t>(demands.size(), 0)};
    const Int128 largest = (Int128{1} << 62U) / (std::accumulate(demands.begin(), demands.end(), Int128{1}));
    wish.scale = static_cast<std::int64_t>(std::min(weight_left, largest));
    for (std::size_t place = 0; place < by_level.size(); ++place) {
      const std::size_t i = by_level[place];
      wish.amounts[i] = place < limited
                            ? demands[i] * wish.scale
                            : static_cast<std::int64_t>(left * weight(i) / weight_left * wish.scale +
                                                        left * weight(i) % weight_left * wish.scale / weight_left);
    }
    return wish;
  }

  // The tenants on the source's side of the cut use up the nodes there, and all that they can have on the others.
  void divide(const Part& part, const FlowGraph& graph) {
    Part tight;
    Part rest;
    for (std::size_t j = 0; j < part.nodes.size(); ++j) {
      Part& side = graph.node_at_source(j) ? tight : rest;
      side.nodes.push_back(part.nodes[j]);
      side.capacity.push_back(part.capacity[j]);
    }
    for (std::size_t i = 0; i < part.tenants.size(); ++i) {
      const std::size_t tenant = part.tenants[i];
      Part& side = graph.tenant_at_source(i) ? tight : rest;
      side.tenants.push_back(tenant);
      side.reserved.push_back(part.reserved[i]);
      for (std::size_t j = 0; &side == &tight && j < rest.nodes.size(); ++j) {
        const std::int64_t used = network_.limit(tenant, rest.nodes[j]);
        tight.reserved.back() += used;
        rest.capacity[j] -= used;
      }
    }
    HEADROOM_ASSERT(!tight.tenants.empty() && !rest.tenants.empty(), "a cut that does not divide {} tenants",
                    part.tenants.size());
    open_.push_back(std::move(tight));
    open_.push_back(std::move(rest));
  }

  const ServiceNetwork& network_;
  std::vector<std::uint64_t> weights_;
  std::vector<Share> shares_;
  std::vector<Part> open_;
};

}  // namespace

std::vector<Share> max_min_allocation(const ServiceNetwork& network) {
  return Decomposition(network).solve();
}

}  // namespace headroom
