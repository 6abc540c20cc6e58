// A node as its planner sees it.
#pragma once

#include <span>
#include <vector>

#include "model/backpressure/planner.hpp"
#include "model/cluster/cluster.hpp"

namespace headroom {

// Valid while the cluster does not change.
class NodeView final : public SweepView {
 public:
  NodeView(const Cluster& cluster, NodeId node) : cluster_(cluster), node_(node) {}

  [[nodiscard]] std::uint32_t active_count() const override { return cluster_.active(node_).count(); }
  [[nodiscard]] NamespaceId next_active(NamespaceId from) const override;
  [[nodiscard]] std::uint32_t present_count() const override { return cluster_.present(node_).count(); }
  [[nodiscard]] NamespaceView namespace_view(NamespaceId name) const override;
  [[nodiscard]] std::span<const RouteView> routes(NamespaceId name) const override;

 private:
  const Cluster& cluster_;
  NodeId node_;
  mutable std::vector<RouteView> routes_;
};

// The same for a node that still takes shards for its own that it has lost (ScopeOnLoss::keep): their due rows count.
class KeptScopeView final : public SweepView {
 public:
  KeptScopeView(const Cluster& cluster, NodeId node);

  [[nodiscard]] std::uint32_t active_count() const override { return static_cast<std::uint32_t>(active_.size()); }
  [[nodiscard]] NamespaceId next_active(NamespaceId from) const override;
  [[nodiscard]] std::uint32_t present_count() const override { return present_; }
  [[nodiscard]] NamespaceView namespace_view(NamespaceId name) const override;
  [[nodiscard]] std::span<const RouteView> routes(NamespaceId name) const override;

 private:
  [[nodiscard]] std::uint32_t kept_of(NamespaceId name) const;

  const Cluster& cluster_;
  NodeId node_;
  NodeView own_;
  std::vector<NamespaceId> active_;  // ascending
  std::uint32_t present_ = 0;
  mutable std::vector<RouteView> routes_;
};

}  // namespace headroom
