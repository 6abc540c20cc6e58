#include "model/backpressure/planner.hpp"

#include <algorithm>
#include <array>

#include "model/backpressure/planners.hpp"
#include "model/base/assert.hpp"

namespace headroom {

const Planner& planner_for(PlannerKind kind) {
  switch (kind) {
    case PlannerKind::unscoped:
      return unscoped_planner();
    case PlannerKind::fixed_order:
      return fixed_order_planner();
    case PlannerKind::rotating:
      return rotating_planner();
    case PlannerKind::deficit_round_robin:
      return deficit_round_robin_planner();
  }
  HEADROOM_ASSERT(false, "there is no planner {}", static_cast<int>(kind));
}

std::span<const PlannerKind> all_planners() {
  static constexpr std::array kinds{PlannerKind::unscoped, PlannerKind::fixed_order, PlannerKind::rotating,
                                    PlannerKind::deficit_round_robin};
  return kinds;
}

std::uint32_t Plan::granted_to(NamespaceId name) const {
  const auto grant = std::ranges::lower_bound(grants, name, {}, &Grant::name);
  return grant == grants.end() || grant->name != name ? 0 : grant->rows;
}

}  // namespace headroom
