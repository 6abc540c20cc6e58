#include "sim/scenario/cluster_config.hpp"

#include <algorithm>
#include <iterator>

#include "sim/scenario/tenants.hpp"

namespace headroom {
namespace {

PoolId pool_id(const std::map<std::string, std::vector<NodeId>>& pools, const std::string& name) {
  if (name.empty()) {
    return PoolId::none();
  }
  const auto found = pools.find(name);
  HEADROOM_ASSERT(found != pools.end(), "worker pool {} was not checked", name);
  return PoolId(static_cast<std::uint16_t>(std::distance(pools.begin(), found)));
}

std::vector<RouteConfig> route_configs(const TenantSpec& tenant, const ClusterSection& cluster) {
  std::vector<RouteSpec> routes = tenant.routes;
  std::ranges::sort(routes);
  std::vector<RouteConfig> configs;
  configs.reserve(routes.size());
  for (const RouteSpec& route : routes) {
    configs.push_back({route.queue, pool_id(cluster.worker_pools, route.worker_pool)});
  }
  return configs;
}

}  // namespace

ClusterConfig cluster_config(const Scenario& scenario) {
  const ClusterSection& cluster = scenario.cluster;
  ClusterConfig config;
  config.nodes = cluster.nodes;
  config.shards = cluster.shards;
  config.initial_owner = cluster.initial_owner;
  config.workers = cluster.workers;
  for (const auto& [name, nodes] : cluster.worker_pools) {
    config.pool_nodes.push_back(nodes);
    std::ranges::sort(config.pool_nodes.back());
  }
  config.dispatch = cluster.dispatch;
  config.wake = cluster.wake;
  config.shard_by = scenario.outbox.shard_by;
  config.backoff = {scenario.outbox.backoff_base, scenario.outbox.backoff_multiplier, scenario.outbox.backoff_max,
                    scenario.outbox.max_attempts};
  config.planner = scenario.backpressure.planner;
  config.batch_size = scenario.backpressure.batch_size;
  config.claimed_counts = scenario.backpressure.claimed_counts;
  config.ceiling_growth = scenario.backpressure.ceiling_growth;
  for (TenantInstance& tenant : expand_tenants(scenario.tenants)) {
    const TenantSpec& spec = scenario.tenants[tenant.spec_index];
    NamespaceConfig entry;
    entry.name = std::move(tenant.name);
    entry.entity = tenant.entity;
    entry.quota = spec.quota;
    entry.weight = spec.weight;
    entry.routes = route_configs(spec, cluster);
    entry.workflows = spec.rows ? spec.rows->workflows : 1;
    config.namespaces.push_back(std::move(entry));
  }
  return config;
}

}  // namespace headroom
