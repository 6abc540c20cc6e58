// The planners, one file each. Others ask planner_for().
#pragma once

#include "model/backpressure/planner.hpp"

namespace headroom {

[[nodiscard]] const Planner& unscoped_planner();
[[nodiscard]] const Planner& fixed_order_planner();
[[nodiscard]] const Planner& rotating_planner();
[[nodiscard]] const Planner& deficit_round_robin_planner();

}  // namespace headroom
