// What properties of the cluster must remember from step to step.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/checker/cluster/state.hpp"
#include "model/cluster/effect.hpp"

namespace headroom::checker {

// By node: the tenants that are active there, a bit each.
void active_tenants(const Cluster& cluster, std::vector<std::uint32_t>& out);

// A run of unserved sweeps that is too long (spec 1.0).
struct LongRun {
  NodeId node;
  NamespaceId name;
  std::uint32_t sweeps = 0;
  std::uint32_t active = 0;   // D
  std::uint32_t allowed = 0;  // K
};

// Takes the runs over a step; `active` is active_tenants of the state before. Gives the first run that is too long: one
// that ends with this step, or has reached the length at which no other tenant can make it right.
std::optional<LongRun> advance_runs(std::vector<Run>& runs, std::span<const std::uint32_t> active, const Cluster& after,
                                    std::span<const Effect> effects);

// Tenants whose quota has changed and is not settled (quota_sum), after a step.
[[nodiscard]] std::uint32_t changing_after(std::uint32_t before, const Cluster& after, std::span<const Effect> effects);

}  // namespace headroom::checker
