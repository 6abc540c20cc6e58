// A cluster to be driven by hand: rows by number, effects kept.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/cluster/cluster.hpp"

namespace headroom {

inline NamespaceConfig tenant(std::string name, std::uint32_t quota) {
  return {.name = std::move(name), .entity = 1, .quota = quota, .routes = {{"default", PoolId::none()}}};
}

// Shards in equal blocks of consecutive ones.
inline ClusterConfig cluster_of(std::uint16_t nodes, std::uint32_t shards, std::vector<NamespaceConfig> tenants) {
  ClusterConfig config{.nodes = nodes, .shards = shards, .namespaces = std::move(tenants)};
  for (std::uint32_t shard = 0; shard < shards; ++shard) {
    config.initial_owner.push_back(NodeId(static_cast<std::uint16_t>(shard * nodes / shards)));
  }
  return config;
}

class SmallCluster {
 public:
  explicit SmallCluster(ClusterConfig config) : cluster(std::move(config)), next_(cluster.namespaces(), 0) {}

  void step(const Action& action) {
    effects.clear();
    cluster.step(action, now, effects);
    all.insert(all.end(), effects.begin(), effects.end());
  }
  // Fresh due rows of the tenant on the shard.
  void append(std::uint32_t name, std::uint32_t shard, std::uint64_t n, std::uint32_t route = 0) {
    std::vector<NewRow> rows;
    for (std::uint64_t i = 0; i < n; ++i) {
      rows.push_back({.key = DispatchKey(NamespaceId(name), next_[name]++),
                      .workflow = WorkflowId(cluster.layout().first_workflow(name)),
                      .route = RouteId(cluster.layout().first_route(name) + route),
                      .shard = ShardId(shard),
                      .visible_after = now});
    }
    step(AppendRows{rows});
  }
  // A whole sweep; the grants by tenant.
  std::vector<std::uint32_t> sweep(std::uint16_t node) {
    effects.clear();
    cluster.sweep_at_once(NodeId(node), now, effects);
    all.insert(all.end(), effects.begin(), effects.end());
    std::vector<std::uint32_t> granted;
    for (std::uint32_t name = 0; name < cluster.namespaces(); ++name) {
      granted.push_back(cluster.sweep(NodeId(node)).plan.granted_to(NamespaceId(name)));
    }
    return granted;
  }
  // Executions that run, in the order of their ids.
  [[nodiscard]] std::vector<ExecutionId> running() const {
    std::vector<ExecutionId> ids;
    for (std::uint32_t i = 0; i < 10'000; ++i) {
      if (cluster.executions().running(ExecutionId(i))) {
        ids.push_back(ExecutionId(i));
      }
    }
    return ids;
  }
  // How often this kind of effect was seen since the start.
  [[nodiscard]] std::size_t count(EffectKind kind) const {
    std::size_t found = 0;
    for (const Effect& effect : all) {
      found += effect.kind == kind ? 1 : 0;
    }
    return found;
  }

  Cluster cluster;
  Time now;
  Effects effects;  // of the last step
  Effects all;      // since the start

 private:
  std::vector<std::uint64_t> next_;
};

}  // namespace headroom
