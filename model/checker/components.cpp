#include "model/checker/components.hpp"

#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/strong_components.hpp>
#include <boost/property_map/property_map.hpp>
#include <utility>

namespace headroom::checker {
namespace {

using SparseGraph = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                                       boost::no_property, std::uint32_t, std::uint64_t>;

// Numbers the vertices of the part from 0; kNoVertex for the others.
std::vector<Vertex> number_vertices(const Subgraph& part, Vertex& count) {
  std::vector<Vertex> numbers(part.graph.size(), kNoVertex);
  for (Vertex vertex = 0; vertex < part.graph.size(); ++vertex) {
    if (part.has_vertex(vertex)) numbers[vertex] = count++;
  }
  return numbers;
}

}  // namespace

Components strong_components(const Subgraph& part) {
  Vertex size = 0;
  Components components{.of = number_vertices(part, size)};
  std::vector<std::pair<Vertex, Vertex>> edges;
  for (Vertex vertex = 0; vertex < part.graph.size(); ++vertex) {
    if (components.of[vertex] == kNoVertex) continue;
    part.for_each_edge(vertex, [&](Edge /*edge*/, Vertex target) {
      edges.emplace_back(components.of[vertex], components.of[target]);
    });
  }
  const SparseGraph graph(boost::edges_are_sorted, edges.begin(), edges.end(), size, edges.size());
  std::vector<std::uint32_t> found(size);
  // Tarjan's algorithm closes a component only after all that can be reached from it, which gives their order.
  components.count = boost::strong_components(
      graph, boost::make_iterator_property_map(found.begin(), boost::get(boost::vertex_index, graph)));
  for (std::uint32_t& number : components.of) {
    if (number != kNoVertex) number = found[number];
  }
  return components;
}

}  // namespace headroom::checker
