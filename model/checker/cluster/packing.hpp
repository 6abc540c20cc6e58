// Snapshots of clusters as few bytes: each number in as many bits as the scope needs, what a scope cannot change in
// none.
//
//   const ClusterPacking packing(scope, roster);
//   const std::size_t size = packing.pack(snapshot, past, bytes);
//   packing.unpack(std::span(bytes).first(size), snapshot, past);
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "model/checker/cluster/state.hpp"
#include "model/cluster/snapshot.hpp"

namespace headroom::checker {

class ClusterPacking {
 public:
  // No state of a scope that can be exhausted comes near.
  static constexpr std::size_t kMostBytes = 2048;

  ClusterPacking(const ClusterScope& scope, const Layout& layout, const RowRoster& roster);

  // Leaves what it packs as it is. Returns the bytes written.
  std::size_t pack(ClusterSnapshot& snapshot, Remembered& past, std::span<std::byte> bytes) const;
  void unpack(std::span<const std::byte> bytes, ClusterSnapshot& snapshot, Remembered& past) const;

 private:
  // Both directions in one: `bits` writes or reads.
  template <class Bits>
  void all(Bits& bits, ClusterSnapshot& snapshot, Remembered& past) const;
  template <class Bits>
  void row(Bits& bits, RowSnapshot& row, bool& executes_plainly) const;
  template <class Bits>
  void rows_and_executions(Bits& bits, ClusterSnapshot& snapshot) const;
  template <class Bits>
  void item(Bits& bits, ItemSnapshot& item) const;
  template <class Bits>
  void items(Bits& bits, std::vector<ItemSnapshot>& items) const;
  template <class Bits>
  void node(Bits& bits, NodeSnapshot& node) const;
  template <class Bits>
  void memory(Bits& bits, PlannerMemory& memory) const;
  template <class Bits>
  void sweep(Bits& bits, SweepSnapshot& sweep) const;
  template <class Bits>
  void ownership(Bits& bits, ClusterSnapshot& snapshot) const;
  template <class Bits>
  void quotas(Bits& bits, ClusterSnapshot& snapshot) const;
  template <class Bits>
  void remembered(Bits& bits, Remembered& past) const;
  [[nodiscard]] bool is_plain(const ExecutionSnapshot& execution, const RowSnapshot& row) const;

  ClusterConfig config_;
  FaultCounts counts_;
  std::uint32_t rows_;
  std::uint32_t workflows_;
  unsigned row_bits_;
  unsigned node_bits_;
  unsigned shard_bits_;
  unsigned name_bits_;
  unsigned route_bits_;
  unsigned attempt_bits_;
  unsigned quota_bits_;
  bool splits_sweeps_;
  bool many_routes_;
  bool keeps_runs_;
};

}  // namespace headroom::checker
