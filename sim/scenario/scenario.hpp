// A scenario as plain values, checked and with every default filled in. Names are those of the file format.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "model/admission/config.hpp"
#include "model/backpressure/planner.hpp"
#include "model/backpressure/quota.hpp"
#include "model/cluster/config.hpp"
#include "sim/engine/decimal.hpp"
#include "sim/engine/distribution.hpp"
#include "sim/world/arrivals.hpp"
#include "sim/world/client.hpp"
#include "sim/world/fault.hpp"
#include "sim/world/latency_shift.hpp"
#include "sim/world/load_balancer.hpp"
#include "sim/world/row_source.hpp"

namespace headroom {

enum class TieBreak : std::uint8_t { sequence, random };

// How the shards are dealt out at the start. In all three the nodes' blocks follow each other in node order.
struct EvenOwnership {};  // nearly equal blocks, the larger ones first: 64 shards over 3 nodes are 22, 21, 21
struct WeightedOwnership {
  std::vector<std::uint32_t> weights;  // by node; largest remainders, ties to the first
};
struct ExplicitOwnership {
  std::vector<std::vector<std::uint32_t>> shards;  // by node; every shard once
};
using Ownership = std::variant<EvenOwnership, WeightedOwnership, ExplicitOwnership>;

struct ClusterSection {
  std::uint16_t nodes = 3;
  std::uint32_t shards = 64;
  Ownership ownership;
  std::vector<NodeId> absent;                 // nodes that join later; follows from `faults`
  std::vector<NodeId> initial_owner;          // by shard; follows from `ownership`
  std::uint16_t processes = 1;                // API processes of each node
  std::optional<std::uint32_t> workers = 16;  // absent: unlimited
  std::map<std::string, std::vector<NodeId>> worker_pools;
  DispatchKind dispatch = DispatchKind::parallel;
  Duration poll_interval = Duration::milliseconds(20);
  bool wake = true;
  Duration min_sweep_gap = Duration::milliseconds(1);
  Duration sweep_cost = Duration::zero();
  Duration claim_cost = Duration::zero();
  Duration detection_delay = Duration::seconds(1);
  Duration adoption_delay = Duration::milliseconds(500);
  Duration reconcile_interval = Duration::seconds(5);
  Duration stale_after = Duration::seconds(30);
};

struct OutboxSection {
  Duration backoff_base = Duration::milliseconds(50);
  std::uint32_t backoff_multiplier = 2;
  Duration backoff_max = Duration::seconds(1);
  std::uint16_t max_attempts = 5;
  ShardBy shard_by = ShardBy::dispatch_key;
  SettleGuard settle_guard = SettleGuard::fence;
  RearmPassKind rearm_pass = RearmPassKind::one_step;
  Duration rearm_act_delay = Duration::milliseconds(100);  // from the list to the act
  bool rearm_counts_attempt = false;
  bool lease_renewal = false;
};

struct BackpressureSection {
  PlannerKind planner = PlannerKind::rotating;
  std::uint32_t batch_size = 16;
  ClaimedCounts claimed_counts = ClaimedCounts::owned_or_started;
  CeilingGrowth ceiling_growth = CeilingGrowth::settled;
  FractionRefresh fraction_refresh = FractionRefresh::live;
  Duration quota_cache_ttl = Duration::zero();  // zero: every change is seen at once
  OnQuotaError on_quota_error = OnQuotaError::last_known;
  ScopeOnLoss scope_on_loss = ScopeOnLoss::narrow;
  ZeroOwned zero_owned = ZeroOwned::zero;
};

// `retry_after_form`: how a Retry-After is written; a date is whole seconds, rounded up.
enum class RetryAfterForm : std::uint8_t { seconds, http_date };

struct DatabasePoolSection {
  std::uint32_t size = 1;
  std::uint32_t reserve = 0;
  std::optional<Duration> checkout_timeout;  // absent: none
};

struct DownstreamSection {
  std::uint32_t size = 1;
  std::optional<Duration> checkout_timeout;  // absent: none
  Decimal part = Decimal::whole(1);          // of a handler's time: the last of it
};

struct HealthCheckSection {
  Duration interval = Duration::seconds(5);
  Duration service = Duration::milliseconds(2);  // how long it holds its connection
  Duration timeout = Duration::seconds(1);       // how long it waits for one
};

// Absent limits: none. What a scenario may leave open stands as written: absent where it says nothing, empty where it
// says "unbounded".
struct AdmissionSection {
  std::optional<std::optional<std::uint32_t>> max_inflight;  // see max_inflight_of
  std::optional<std::uint32_t> max_queue_depth = 0;
  std::optional<Duration> queue_wait = Duration::zero();  // zero: nobody waits
  QueueOrder queue_order = QueueOrder::tenant_round_robin;
  std::uint32_t retry_after = 1;
  std::uint32_t retry_after_jitter = 0;
  RetryAfterForm retry_after_form = RetryAfterForm::seconds;
  std::optional<ReadinessMarks> readiness;
  std::optional<DatabasePoolSection> database_pool;
  std::optional<DownstreamSection> downstream;
  TenantLimits tenant;  // of each tenant in each process
  LoadBalancerSpec load_balancer;
  std::optional<HealthCheckSection> health_check;
};

// Limits of one tenant that differ from those of all, as written.
struct TenantLimitsAsWritten {
  std::optional<std::optional<std::uint32_t>> max_inflight;
  std::optional<std::optional<std::uint32_t>> max_queue_depth;
  std::optional<std::optional<RateLimit>> rate_limit;
};

[[nodiscard]] TenantLimits overridden(TenantLimits limits, const TenantLimitsAsWritten& own);

struct RouteSpec {
  std::string queue;
  std::string worker_pool;  // empty: not pinned
  friend auto operator<=>(const RouteSpec&, const RouteSpec&) = default;
};

// One tenant, or one entry with `count` members that share everything but their streams.
struct TenantSpec {
  std::string name;
  std::string id;                      // default: the name; streams and keys hang on it
  std::optional<std::uint32_t> count;  // a group, reported as one
  std::uint32_t quota = 1024;
  std::uint32_t weight = 1;
  std::vector<RouteSpec> routes = {RouteSpec{"default", ""}};
  bool noisy = false;
  std::optional<RowsSpec> rows;
  std::optional<RequestsSpec> requests;
  TenantLimitsAsWritten limits;  // `admission`
  TenantLimits admission;        // where the scenario has an HTTP side: its defaults, overridden by `limits` key by key
};

struct PropertyExpectation {
  std::string property;
  bool broken = false;
  std::map<std::string, std::int64_t> whole_bounds;  // e.g. at_most_sweeps, slack
  std::map<std::string, Decimal> bounds;             // e.g. at_least (an index)
};
struct MetricExpectation {
  std::string metric;  // JSON pointer into result.json
  std::optional<double> at_least;
  std::optional<double> at_most;
};
struct SometimesExpectation {
  std::string goal;
};
using Expectation = std::variant<PropertyExpectation, MetricExpectation, SometimesExpectation>;

// What a sweep is taken apart into, so that other things can happen in between.
enum class SplitStep : std::uint8_t { sweep };

// The scope of `headroom check`: what there is, and how often what else may happen.
struct CheckSection {
  using Count = std::optional<std::uint32_t>;  // nothing: without bound
  using Limit = std::optional<std::uint32_t>;  // nothing: none
  // Happens at most once to each process. Absent limits stay as they are.
  struct LimitChange {
    std::string tenant;  // empty: the processes' own
    std::optional<Limit> max_inflight;
    std::optional<Limit> max_queue_depth;
  };

  std::optional<std::uint32_t> rows_per_tenant;
  std::optional<std::uint32_t> rows_per_shard;  // of each tenant on every shard
  std::optional<Count> requests_per_tenant;
  std::optional<bool> renew;  // default: where a liveness property is named
  Count crashes = 0;
  Count restarts = 0;
  Count handoffs = 0;
  Count rearms = 0;
  Count reappends = 0;
  Count failures = 0;
  Count cancels = 0;
  Count drains = 0;
  Count pauses = 0;
  Count quota_changes = 0;
  Count quota_errors = 0;
  Count node_pauses = 0;
  Count expels = 0;
  Count partitions = 0;
  Count worker_deaths = 0;
  Count store_errors = 0;  // needs a split sweep
  Count lost_wakes = 0;
  bool polls = true;
  Count expiries;
  Count refills;
  std::vector<LimitChange> limit_changes;
  std::vector<SplitStep> split;
  std::vector<std::string> properties;  // what decides the verdict; empty: all
};

// The semaphore of each process: as written, else what the pool without its reserve has for each process of the fleet;
// absent: none.
[[nodiscard]] std::optional<std::uint32_t> max_inflight_of(const AdmissionSection& admission,
                                                           const ClusterSection& cluster);

struct Scenario {
  std::string file;  // as given; only for messages
  std::string name;
  std::string description;
  std::uint64_t seed = 1;
  Duration duration;
  Duration warmup = Duration::zero();
  Duration drain = Duration::seconds(600);
  Duration window = Duration::seconds(1);
  TieBreak tie_break = TieBreak::sequence;
  bool swarm = false;  // which of the faults exist, and how strong they are, is drawn by the seed
  ClusterSection cluster;
  OutboxSection outbox;
  BackpressureSection backpressure;
  std::optional<AdmissionSection> admission;  // absent: no HTTP side
  std::vector<TenantSpec> tenants;
  std::vector<LatencyShift> latency_shifts;
  std::vector<Fault> faults;
  std::vector<Expectation> expect;
  std::optional<CheckSection> check;
  // Hash of the scenario as read: the canonical text of the document, `--set` applied, without `seed`, tenants in name
  // order.
  std::uint64_t digest = 0;
};

}  // namespace headroom
