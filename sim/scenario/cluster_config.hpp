// What the model needs to know of a scenario.
#pragma once

#include "model/cluster/config.hpp"
#include "sim/scenario/scenario.hpp"

namespace headroom {

// Pools are numbered in the byte order of their names; namespaces as in expand_tenants.
[[nodiscard]] ClusterConfig cluster_config(const Scenario& scenario);

}  // namespace headroom
