// What the checker may do to a cluster: its configuration, its rows, and how often which fault may happen.
//
//   ClusterScope scope{.config = config, .rows_per_tenant = 2, .crashes = 1, .properties = {"exactly_once"}};
//   const checker::CheckResult result = checker::check(ClusterModel(scope), {.threads = 2});
//
// `find_fault` says what a scope gets wrong; ClusterModel needs one without.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "model/cluster/config.hpp"
#include "model/cluster/row_roster.hpp"

namespace headroom::checker {

inline constexpr std::uint32_t kUnbounded = std::numeric_limits<std::uint32_t>::max();

// How often each may happen in a behaviour; kUnbounded: without bound.
struct FaultCounts {
  std::uint32_t crashes = 0;
  std::uint32_t restarts = 0;
  std::uint32_t handoffs = 0;
  std::uint32_t rearms = 0;     // claims that go stale; the passes that re-arm them are not counted
  std::uint32_t reappends = 0;  // of a key that was appended before
  std::uint32_t failures = 0;   // executions that fail
  std::uint32_t cancels = 0;    // workflows that end
  std::uint32_t pauses = 0;     // of a workflow; it resumes at any time
  std::uint32_t quota_changes = 0;
  std::uint32_t quota_errors = 0;  // a node that caches quotas fails to read them
  std::uint32_t node_pauses = 0;   // a node stands still; it goes on at any time
  std::uint32_t expels = 0;        // it is taken for dead meanwhile; it rejoins at any time after it has gone on
  std::uint32_t cuts = 0;          // a node loses the store, or the replies of it; it reconnects at any time
  std::uint32_t kills = 0;         // a worker dies with its work
  std::uint32_t sweep_errors = 0;  // a store error ends a sweep; needs `split_sweep`
};

struct ClusterScope {
  ClusterConfig config;
  // One of the two. Rows of a tenant go round its routes; by tenant they also go round the shards.
  std::uint32_t rows_per_tenant = 0;
  std::uint32_t rows_per_shard = 0;  // of each tenant
  // Rows placed otherwise; then neither of the two.
  std::vector<RowPlace> placed;
  // A row that is Done or Failed becomes, in the same step, a fresh Pending row in its place.
  bool renew = false;
  FaultCounts counts;
  std::vector<std::uint32_t> quota_values;  // what quotas change to; empty: 0 and the present one of each tenant
  // "sweep": a plan, each of its claims and the hand-over are steps of their own.
  std::vector<std::string> split;
  // Of all_cluster_properties().
  std::vector<std::string> properties;
  std::int64_t quota_slack = 0;  // of quota_sum
  // No step is possible while unpaused work of a tenant with quota is left and a node is up or can restart.
  bool deadlock = true;
  // Steps that must be reached: names of all_cluster_goals().
  std::vector<std::string> sometimes;
  // Interchangeable rows, and steps that differ only in them, count once. Options::symmetry must be the same.
  bool symmetry = true;
};

[[nodiscard]] const std::vector<std::string>& all_cluster_properties();
[[nodiscard]] const std::vector<std::string>& all_cluster_goals();

// In words; nothing: the scope can be checked.
[[nodiscard]] std::optional<std::string> find_fault(const ClusterScope& scope);

// Where the rows of a scope are.
[[nodiscard]] std::vector<RowPlace> places_of(const ClusterScope& scope);

}  // namespace headroom::checker
