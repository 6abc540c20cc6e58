// What does not change while a cluster runs, apart from quotas.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/admission/config.hpp"
#include "model/backpressure/planner.hpp"
#include "model/backpressure/quota.hpp"
#include "model/base/ids.hpp"
#include "model/outbox/backoff.hpp"

namespace headroom {

enum class DispatchKind : std::uint8_t {
  parallel,        // a row executes as soon as a worker is free; Claimed until it has finished
  sequential,      // the dispatcher waits for each row's result before the next row and the next sweep
  push_then_done,  // pushed one after another, Done when pushed
};

enum class ShardBy : std::uint8_t { dispatch_key, workflow };

struct RouteConfig {
  std::string queue;
  PoolId pool = PoolId::none();
};

struct NamespaceConfig {
  std::string name;
  std::uint64_t entity = 0;  // stable hash of the tenant's id: what its keys and streams hang on
  std::uint32_t quota = 0;
  std::uint32_t weight = 1;
  std::vector<RouteConfig> routes;  // sorted by (queue, pool name), no pool first
  std::uint32_t workflows = 1;
  bool rows_use_database_pool = false;  // an executing row holds a connection
  TenantLimits limits;                  // in each process
  std::uint32_t fan_out = 0;            // rows that a request appends when it succeeds
};

struct ClusterConfig {
  std::uint16_t nodes = 1;
  std::uint32_t shards = 1;
  std::vector<NodeId> initial_owner;            // by shard; none: ownerless
  std::optional<std::uint32_t> workers;         // per node; absent: unlimited
  std::vector<std::vector<NodeId>> pool_nodes;  // by PoolId: the nodes whose workers are in the pool
  DispatchKind dispatch = DispatchKind::parallel;
  bool wake = true;
  ShardBy shard_by = ShardBy::dispatch_key;
  Backoff backoff;
  PlannerKind planner = PlannerKind::rotating;
  std::uint32_t batch_size = 16;
  ClaimedCounts claimed_counts = ClaimedCounts::owned_or_started;
  CeilingGrowth ceiling_growth = CeilingGrowth::settled;
  std::optional<AdmissionConfig> admission;  // absent: no HTTP side
  std::vector<NamespaceConfig> namespaces;   // in the byte order of their names; NamespaceId is the index
};

}  // namespace headroom
