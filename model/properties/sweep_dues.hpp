// What a sweep owes its tenants, worked out when it is planned (slice, work_conserving; spec 1.0, 2.4).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/backpressure/planner.hpp"
#include "model/base/arithmetic.hpp"
#include "model/cluster/cluster.hpp"

namespace headroom {

// min(headroom, claimable, floor(batch / active)) of an active tenant.
struct SliceDue {
  NamespaceId name;
  std::uint32_t headroom = 0;
  std::uint32_t claimable = 0;
  std::uint32_t rows = 0;
  [[nodiscard]] bool met_by(const Plan& plan) const { return plan.granted_to(name) >= rows; }
};
// By tenant, as the node stands when it plans. With more active tenants than batch nobody is due a row.
void slices_due(const Cluster& cluster, NodeId node, std::vector<SliceDue>& due);
// Of a due that the node's present sweep does not meet; `active` tenants were due something.
[[nodiscard]] std::string text_of(const SliceDue& due, std::size_t active, const Cluster& cluster, NodeId node);

// min(headroom, claimable) of an active tenant.
struct SweepDemand {
  NamespaceId name;
  std::uint64_t rows = 0;
};
// Active tenants in order until their demand fills the batch: more cannot be left over.
void sweep_demands(const Cluster& cluster, NodeId node, std::vector<SweepDemand>& demands);
// Calls f(demand, granted rows) for each of them that the node's present sweep leaves wanting while it leaves batch
// unused.
template <class F>
void for_each_left_wanting(const Cluster& cluster, NodeId node, const std::vector<SweepDemand>& demands, F f) {
  const Plan& plan = cluster.sweep(node).plan;
  std::uint64_t granted = 0;
  for (const Grant& grant : plan.grants) {
    granted += grant.rows;
  }
  for (const SweepDemand& demand : demands) {
    if (granted < cluster.config().batch_size && plan.granted_to(demand.name) < demand.rows) {
      f(demand, granted);
    }
  }
}
[[nodiscard]] std::string text_of(const SweepDemand& demand, std::uint64_t granted, const Cluster& cluster,
                                  NodeId node);

// K: a run of unserved sweeps is too long from here on, with so many tenants active in at least one of its sweeps.
[[nodiscard]] constexpr std::uint64_t longest_run(std::uint64_t active, std::uint64_t batch) {
  return div_ceil<std::uint64_t>(active, batch);
}

}  // namespace headroom
