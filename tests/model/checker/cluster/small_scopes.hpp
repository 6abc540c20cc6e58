// Scopes to check, by a few numbers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/checker/cluster/cluster_model.hpp"
#include "tests/model/cluster/small_cluster.hpp"

namespace headroom::test {

// Tenants a, b, ... with this quota each.
[[nodiscard]] inline std::vector<NamespaceConfig> tenants_of(std::uint32_t count, std::uint32_t quota) {
  std::vector<NamespaceConfig> tenants;
  for (std::uint32_t i = 0; i < count; ++i) {
    tenants.push_back(tenant(std::string(1, static_cast<char>('a' + i)), quota));
    tenants.back().entity = i + 1;
  }
  return tenants;
}

// One node with one shard, all of whose tenants always have `rows` rows, pending or executing.
[[nodiscard]] inline checker::ClusterScope backlog_on_one_node(std::uint32_t tenants, std::uint32_t rows,
                                                               std::uint32_t batch, PlannerKind planner) {
  checker::ClusterScope scope{.config = cluster_of(1, 1, tenants_of(tenants, rows)),
                              .rows_per_tenant = rows,
                              .renew = true,
                              .properties = {"no_starvation"}};
  scope.config.batch_size = batch;
  scope.config.planner = planner;
  return scope;
}

// Two nodes with two shards each, quota 4, batch 1, one tenant with 10 renewing rows on every shard, handoffs without
// bound (spec 1.3, "Quota while shards move").
[[nodiscard]] inline checker::ClusterScope rebalancing(ClaimedCounts counts, CeilingGrowth growth,
                                                       std::uint32_t rows_per_shard = 10) {
  checker::ClusterScope scope{.config = cluster_of(2, 4, tenants_of(1, 4)),
                              .rows_per_shard = rows_per_shard,
                              .renew = true,
                              .counts = {.handoffs = checker::Allowance::unbounded()}};
  scope.config.batch_size = 1;
  scope.config.claimed_counts = counts;
  scope.config.ceiling_growth = growth;
  return scope;
}

// Two nodes with two shards each, all of whose tenants always have `rows` rows; a crash and a handoff.
[[nodiscard]] inline checker::ClusterScope rotating_through_faults(std::uint32_t tenants, std::uint32_t rows,
                                                                   std::uint32_t batch) {
  checker::ClusterScope scope{.config = cluster_of(2, 4, tenants_of(tenants, 4)),
                              .rows_per_tenant = rows,
                              .renew = true,
                              .counts = {.crashes = 1, .handoffs = 1},
                              .properties = {"no_starvation"}};
  scope.config.batch_size = batch;
  return scope;
}

// Nothing: somebody can wait for ever.
[[nodiscard]] inline std::optional<std::uint64_t> worst_wait_of_all(const checker::ClusterModel& model,
                                                                    const checker::CheckResult& result) {
  std::optional<std::uint64_t> worst = 0;
  for (const auto& [name, sweeps] : checker::worst_wait_sweeps(model, result)) {
    worst = worst && sweeps ? std::optional(std::max(*worst, *sweeps)) : std::nullopt;
  }
  return worst;
}

[[nodiscard]] inline const checker::Finding& finding_of(const checker::CheckResult& result, const std::string& name) {
  const auto found = std::ranges::find(result.findings, name, &checker::Finding::name);
  HEADROOM_ASSERT(found != result.findings.end(), "no finding {}", name);
  return *found;
}

}  // namespace headroom::test
