// Looks up the names that a scenario's latency shifts use.
#pragma once

#include <vector>

#include "model/cluster/layout.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/tenants.hpp"
#include "sim/world/slowdown.hpp"

namespace headroom {

// A tenant's name means all members of a group of that name; a route is named by its queue, a node "n1" to "nN".
[[nodiscard]] std::vector<BoundShift> bind_shifts(const Scenario& scenario, const std::vector<TenantInstance>& tenants,
                                                  const Layout& layout);

}  // namespace headroom
