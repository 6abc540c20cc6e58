// The stored graph: vertices are the states of a search, edges its steps, both with labels that say what holds of them.
// What liveness and points of no return are answered from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace headroom::checker {

using Vertex = std::uint32_t;
using Edge = std::uint64_t;
inline constexpr Vertex kNoVertex = std::numeric_limits<Vertex>::max();

// Rows of so many bits each, a whole number of bytes a row.
class BitRows {
 public:
  BitRows() : BitRows(0) {}
  explicit BitRows(std::size_t bits) : stride_((bits + 7) / 8) {}

  // Appends a row of zeros.
  void add_row() { bytes_.resize(bytes_.size() + stride_, 0); }
  void set_in_last_row(std::size_t bit) {
    std::uint8_t& byte = bytes_[bytes_.size() - stride_ + bit / 8];
    byte = static_cast<std::uint8_t>(byte | 1U << bit % 8);
  }
  [[nodiscard]] bool test(std::uint64_t row, std::size_t bit) const {
    return (bytes_[row * stride_ + bit / 8] >> bit % 8 & 1U) != 0;
  }
  void append_row(const BitRows& rows, std::uint64_t row) {
    const auto begin = rows.bytes_.begin() + static_cast<std::ptrdiff_t>(row * stride_);
    bytes_.insert(bytes_.end(), begin, begin + static_cast<std::ptrdiff_t>(stride_));
  }
  // Rows of as many bits.
  void append(const BitRows& rows) { bytes_.insert(bytes_.end(), rows.bytes_.begin(), rows.bytes_.end()); }
  void clear() { bytes_.clear(); }
  [[nodiscard]] std::size_t memory() const { return bytes_.capacity(); }

 private:
  std::size_t stride_;
  std::vector<std::uint8_t> bytes_;
};

struct StateGraph {
  std::vector<Edge> first_edge = {0};  // of each vertex, and one past the last
  std::vector<Vertex> targets;         // by edge
  BitRows vertex_labels;
  BitRows edge_labels;
  std::vector<std::uint32_t> depths;  // steps of a shortest way to the vertex
  bool complete = true;               // all states and all of their steps are there

  [[nodiscard]] Vertex size() const { return static_cast<Vertex>(first_edge.size() - 1); }
  [[nodiscard]] Edge edge_count() const { return targets.size(); }
  [[nodiscard]] Edge begin_of(Vertex vertex) const { return first_edge[vertex]; }
  [[nodiscard]] Edge end_of(Vertex vertex) const { return first_edge[vertex + 1]; }
  [[nodiscard]] std::size_t memory() const {
    return first_edge.capacity() * sizeof(Edge) + (targets.capacity() + depths.capacity()) * sizeof(Vertex) +
           vertex_labels.memory() + edge_labels.memory();
  }
};

}  // namespace headroom::checker
