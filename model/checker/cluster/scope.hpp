// What the checker may do to a cluster: its configuration, its rows, and how often which fault may happen.
//
//   ClusterScope scope{.config = config, .rows_per_tenant = 2, .crashes = 1, .properties = {"exactly_once"}};
//   const checker::CheckResult result = checker::check(ClusterModel(scope), {.threads = 2});
//
// `find_fault` says what a scope gets wrong; ClusterModel needs one without.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/checker/allowance.hpp"
#include "model/cluster/config.hpp"
#include "model/cluster/row_roster.hpp"

namespace headroom::checker {

// How often each may happen in a behaviour.
struct FaultCounts {
  Allowance crashes;
  Allowance restarts;
  Allowance handoffs;
  Allowance rearms;     // claims that go stale; the passes that re-arm them are not counted
  Allowance reappends;  // of a key that was appended before
  Allowance failures;   // executions that fail
  Allowance cancels;    // workflows that end
  Allowance pauses;     // of a workflow; it resumes at any time
  Allowance quota_changes;
  Allowance quota_errors;  // a node that caches quotas fails to read them
  Allowance node_pauses;   // a node stands still; it goes on at any time
  Allowance expels;        // it is taken for dead meanwhile; it rejoins at any time after it has gone on
  Allowance cuts;          // a node loses the store, or the replies of it; it reconnects at any time
  Allowance kills;         // a worker dies with its work
  Allowance lost_wakes;
  Allowance sweep_errors;  // a store error ends a sweep; needs `split_sweep`
  friend bool operator==(const FaultCounts&, const FaultCounts&) = default;
};
inline constexpr std::array kFaultCounts = {
    &FaultCounts::crashes,       &FaultCounts::restarts,     &FaultCounts::handoffs,    &FaultCounts::rearms,
    &FaultCounts::reappends,     &FaultCounts::failures,     &FaultCounts::cancels,     &FaultCounts::pauses,
    &FaultCounts::quota_changes, &FaultCounts::quota_errors, &FaultCounts::node_pauses, &FaultCounts::expels,
    &FaultCounts::cuts,          &FaultCounts::kills,        &FaultCounts::lost_wakes,  &FaultCounts::sweep_errors};
static_assert(sizeof(FaultCounts) == kFaultCounts.size() * sizeof(Allowance));

struct ClusterScope {
  ClusterConfig config;
  // One of the two. Rows of a tenant go round its routes; by tenant they also go round the shards.
  std::uint32_t rows_per_tenant = 0;
  std::uint32_t rows_per_shard = 0;  // of each tenant
  // Rows placed otherwise; then neither of the two.
  std::vector<RowPlace> placed;
  // A row that is Done or Failed becomes, in the same step, a fresh Pending row in its place.
  bool renew = false;
  // A node sweeps at any time; else only when it is woken, by what Cluster takes for a wake.
  bool polls = true;
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
