// To which node each shard's share of a tenant's quota is charged.
//
// A shard is charged to its owner (an ownerless one to its last owner), except under CeilingGrowth::settled while what
// the former owner still runs does not fit into the ceiling of its other charged shards: until then the shard stays
// charged to the former owner. Only those exceptions are stored, per namespace in the order of the handovers.
//
// Invariant under `settled`, if claims are admitted only below ceiling() and counted by what a node started: rows
// started by a node with a live fence <= quota_share(quota, charged(node)), hence
// executing rows with a live fence <= quota + charged nodes - 1 (spec 1.3).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/backpressure/quota.hpp"
#include "model/base/ids.hpp"

namespace headroom {

class ChargeLedger {
 public:
  // A shard whose share is still charged to a former owner.
  struct Unsettled {
    ShardId shard;
    NodeId charged_to;
    friend bool operator==(const Unsettled&, const Unsettled&) = default;
  };

  // `owners` by shard; every node of it must be below `nodes`.
  ChargeLedger(CeilingGrowth growth, std::uint32_t namespaces, std::uint16_t nodes, std::span<const NodeId> owners);

  // The owner of a shard, or its last one.
  [[nodiscard]] NodeId owner(ShardId shard) const { return owners_[shard.value()]; }
  [[nodiscard]] std::uint32_t owned(NodeId node) const { return owned_[node.value()]; }
  [[nodiscard]] std::uint32_t shard_count() const { return static_cast<std::uint32_t>(owners_.size()); }

  // A shard changes hands; follow with `hand_over` for every namespace that runs rows started by `from` or has
  // unsettled shards.
  void set_owner(ShardId shard, NodeId to);
  // `started` by node: rows of the namespace that the node started and whose fence lives.
  void hand_over(NamespaceId name, ShardId shard, NodeId from, NodeId to, std::uint32_t quota,
                 std::span<const std::uint32_t> started);
  // Charges what fits by now to its present owner; true if anything moved.
  bool settle(NamespaceId name, std::uint32_t quota, std::span<const std::uint32_t> started);

  [[nodiscard]] bool unsettled(NamespaceId name) const { return !unsettled_[name.value()].empty(); }
  // In the order of the handovers.
  [[nodiscard]] std::span<const Unsettled> unsettled_shards(NamespaceId name) const { return unsettled_[name.value()]; }
  [[nodiscard]] bool all_settled() const { return unsettled_shards_ == 0; }
  // Shards that the node owns and is charged for, and all that it is charged for.
  [[nodiscard]] std::uint32_t owned_and_charged(NamespaceId name, NodeId node) const;
  [[nodiscard]] std::uint32_t charged(NamespaceId name, NodeId node) const;
  // Nodes to which at least one shard is charged.
  [[nodiscard]] std::uint32_t charged_nodes(NamespaceId name) const;
  // The node's ceiling for new claims.
  [[nodiscard]] std::uint32_t ceiling(NamespaceId name, NodeId node, std::uint32_t quota) const {
    return quota_share(quota, owned_and_charged(name, node), shard_count());
  }

  // As constructed with these owners; then shards that are not settled, in the order of their handovers.
  void restore(std::span<const NodeId> owners);
  void put_unsettled(NamespaceId name, Unsettled entry);

  friend bool operator==(const ChargeLedger&, const ChargeLedger&) = default;

 private:
  CeilingGrowth growth_;
  std::vector<NodeId> owners_;
  std::vector<std::uint32_t> owned_;
  std::uint32_t owning_nodes_ = 0;
  std::vector<std::vector<Unsettled>> unsettled_;
  std::uint64_t unsettled_shards_ = 0;
};

}  // namespace headroom
