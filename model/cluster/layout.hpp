// What of a cluster never changes, worked out once and shared by all its copies: routes, workflows, weights, placement.
#pragma once

#include <cstdint>
#include <vector>

#include "model/base/ids.hpp"
#include "model/cluster/config.hpp"
#include "model/outbox/dispatch_key.hpp"
#include "model/outbox/outbox.hpp"

namespace headroom {

struct RouteInfo {
  NamespaceId name;
  PoolId pool = PoolId::none();
  // The route of the same queue without a pool, whose rows a claim on this one takes as well; none for itself.
  RouteId unpinned = RouteId::none();
};

class Layout {
 public:
  explicit Layout(ClusterConfig config);

  [[nodiscard]] const ClusterConfig& config() const { return config_; }
  [[nodiscard]] std::uint32_t namespaces() const { return static_cast<std::uint32_t>(config_.namespaces.size()); }
  [[nodiscard]] const NamespaceConfig& config(NamespaceId name) const { return config_.namespaces[name.value()]; }
  // Weights divided by their greatest common divisor.
  [[nodiscard]] std::uint32_t weight(NamespaceId name) const { return weights_[name.value()]; }
  [[nodiscard]] const std::vector<std::uint32_t>& weights() const { return weights_; }

  [[nodiscard]] const RouteInfo& route(RouteId route) const { return routes_[route.value()]; }
  // Routes of a namespace: [first_route(name), first_route(name + 1)).
  [[nodiscard]] std::uint32_t first_route(std::uint32_t name) const { return first_route_[name]; }
  [[nodiscard]] std::uint32_t first_workflow(std::uint32_t name) const { return first_workflow_[name]; }

  // shard = stable_hash(shard_by) % shard_count (spec 1.1). The hash hangs on the tenant's entity, not on its number,
  // so that adding a tenant moves nobody's rows.
  [[nodiscard]] ShardId shard_of(DispatchKey key, WorkflowId workflow) const;

  [[nodiscard]] OutboxConfig outbox_config() const;

 private:
  ClusterConfig config_;
  std::vector<RouteInfo> routes_;
  std::vector<std::uint32_t> first_route_;
  std::vector<std::uint32_t> first_workflow_;
  std::vector<std::uint32_t> weights_;
};

}  // namespace headroom
