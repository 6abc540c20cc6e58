#include "model/cluster/layout.hpp"

#include <utility>

#include "model/backpressure/weights.hpp"
#include "model/base/assert.hpp"
#include "model/base/hash.hpp"
#include "model/base/mutation.hpp"

namespace headroom {

Layout::Layout(ClusterConfig config) : config_(std::move(config)) {
  HEADROOM_ASSERT(config_.namespaces.size() <= DispatchKey::kMaxNamespaces, "{} namespaces", config_.namespaces.size());
  HEADROOM_ASSERT(config_.initial_owner.size() == config_.shards, "{} owners of {} shards",
                  config_.initial_owner.size(), config_.shards);
  if (mutated(Mutation::result_recorded_twice)) {
    config_.settle_guard = SettleGuard::none;
  }
  std::uint32_t workflows = 0;
  std::vector<std::uint32_t> weights;
  for (std::uint32_t name = 0; name < namespaces(); ++name) {
    const NamespaceConfig& entry = config_.namespaces[name];
    first_route_.push_back(static_cast<std::uint32_t>(routes_.size()));
    RouteId unpinned = RouteId::none();
    const std::string* queue = nullptr;
    for (const RouteConfig& route : entry.routes) {
      if (queue == nullptr || *queue != route.queue) {
        queue = &route.queue;
        unpinned = route.pool.is_none() ? RouteId(static_cast<std::uint32_t>(routes_.size())) : RouteId::none();
      }
      routes_.push_back({NamespaceId(name), route.pool, route.pool.is_none() ? RouteId::none() : unpinned});
    }
    first_workflow_.push_back(workflows);
    workflows += entry.workflows;
    weights.push_back(entry.weight);
  }
  first_route_.push_back(static_cast<std::uint32_t>(routes_.size()));
  first_workflow_.push_back(workflows);
  weights_ = reduced_weights(weights);
}

ShardId Layout::shard_of(DispatchKey key, WorkflowId workflow) const {
  const std::uint64_t entity = config(key.name()).entity;
  const std::uint64_t subject = config_.shard_by == ShardBy::dispatch_key
                                    ? key.ordinal()
                                    : workflow.value() - first_workflow_[key.name().value()];
  return ShardId(static_cast<std::uint32_t>(stable_hash(entity, subject) % config_.shards));
}

OutboxConfig Layout::outbox_config() const {
  return {.nodes = config_.nodes,
          .shards = config_.shards,
          .namespaces = namespaces(),
          .routes = static_cast<std::uint32_t>(routes_.size()),
          .workflows = first_workflow_.back(),
          .settle_guard = config_.settle_guard,
          .rearm_counts_attempt = config_.rearm_counts_attempt,
          .one_lane_per_node = !planner_for(config_.planner).heeds_ceilings(),
          .backoff = config_.backoff};
}

}  // namespace headroom
