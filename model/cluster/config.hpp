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
#include "model/outbox/outbox.hpp"

namespace headroom {

enum class DispatchKind : std::uint8_t {
  parallel,        // a row executes as soon as a worker is free; Claimed until it has finished
  sequential,      // the dispatcher waits for each row's result before the next row and the next sweep
  push_then_done,  // pushed one after another, Done when pushed
};

enum class ShardBy : std::uint8_t { dispatch_key, workflow };

// What a node may believe that is no longer so. The first of each is safe.

// Which shards a node's ceilings count.
enum class FractionRefresh : std::uint8_t {
  live,     // those that it owns by now
  at_boot,  // those that it owned when it started
};
// The quota that a node goes by when it cannot read the present one.
enum class OnQuotaError : std::uint8_t {
  last_known,
  platform_default,  // kPlatformDefaultQuota
  closed,            // 0
};
inline constexpr std::uint32_t kPlatformDefaultQuota = 1024;
// What a node does that has lost a shard.
enum class ScopeOnLoss : std::uint8_t {
  narrow,  // it no longer plans for it
  keep,    // it does until its next re-arm pass; the store refuses those claims
};
// How a node counts that owns no shard.
enum class ZeroOwned : std::uint8_t { zero, counts_as_one };
enum class RearmPassKind : std::uint8_t {
  one_step,
  list_and_act,  // first it lists the stale claims, later it re-arms what it has listed, whatever became of it
};

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
  FractionRefresh fraction_refresh = FractionRefresh::live;
  bool quota_cached = false;  // nodes go by the quotas that they last read (ReadQuotas)
  OnQuotaError on_quota_error = OnQuotaError::last_known;
  ScopeOnLoss scope_on_loss = ScopeOnLoss::narrow;
  ZeroOwned zero_owned = ZeroOwned::zero;
  SettleGuard settle_guard = SettleGuard::fence;
  RearmPassKind rearm_pass = RearmPassKind::one_step;
  bool rearm_counts_attempt = false;
  bool lease_renewal = false;  // an executing claim does not go stale while its worker lives and reaches the store
  std::vector<NodeId> absent;  // nodes that are not there at the start; they own nothing
  std::optional<AdmissionConfig> admission;  // absent: no HTTP side
  std::vector<NamespaceConfig> namespaces;   // in the byte order of their names; NamespaceId is the index
};

}  // namespace headroom
