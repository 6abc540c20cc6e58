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

std::optional<ResourceConfig> resource_config(const std::optional<DatabasePoolSection>& pool) {
  return pool ? std::optional(ResourceConfig{.size = pool->size, .reserve = pool->reserve}) : std::nullopt;
}

std::optional<ResourceConfig> resource_config(const std::optional<DownstreamSection>& downstream) {
  return downstream ? std::optional(ResourceConfig{.size = downstream->size}) : std::nullopt;
}

AdmissionConfig admission_config(const AdmissionSection& admission, const ClusterSection& cluster) {
  AdmissionConfig config;
  config.processes = cluster.processes;
  config.gate.limits = {max_inflight_of(admission, cluster), admission.max_queue_depth};
  config.gate.may_wait = !admission.queue_wait || *admission.queue_wait > Duration::zero();
  config.gate.order = admission.queue_order;
  config.gate.retry_after = {admission.retry_after, admission.retry_after_jitter};
  config.gate.readiness = admission.readiness;
  config.database_pool = resource_config(admission.database_pool);
  config.downstream = resource_config(admission.downstream);
  return config;
}

NamespaceConfig namespace_config(TenantInstance tenant, const TenantSpec& spec, const ClusterSection& cluster) {
  NamespaceConfig config;
  config.name = std::move(tenant.name);
  config.entity = tenant.entity;
  config.quota = spec.quota;
  config.weight = spec.weight;
  config.routes = route_configs(spec, cluster);
  config.limits = spec.admission;
  if (spec.rows) {
    config.workflows = spec.rows->workflows;
    config.rows_use_database_pool = spec.rows->database_pool;
  }
  if (spec.requests) {
    config.fan_out = spec.requests->fan_out;
  }
  return config;
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
  config.fraction_refresh = scenario.backpressure.fraction_refresh;
  config.quota_cached = scenario.backpressure.quota_cache_ttl > Duration::zero();
  config.on_quota_error = scenario.backpressure.on_quota_error;
  config.scope_on_loss = scenario.backpressure.scope_on_loss;
  config.zero_owned = scenario.backpressure.zero_owned;
  config.settle_guard = scenario.outbox.settle_guard;
  config.rearm_pass = scenario.outbox.rearm_pass;
  config.rearm_counts_attempt = scenario.outbox.rearm_counts_attempt;
  config.lease_renewal = scenario.outbox.lease_renewal;
  config.absent = scenario.cluster.absent;
  if (scenario.admission) {
    config.admission = admission_config(*scenario.admission, cluster);
  }
  for (TenantInstance& tenant : expand_tenants(scenario.tenants)) {
    const TenantSpec& spec = scenario.tenants[tenant.spec_index];
    config.namespaces.push_back(namespace_config(std::move(tenant), spec, cluster));
  }
  return config;
}

}  // namespace headroom
