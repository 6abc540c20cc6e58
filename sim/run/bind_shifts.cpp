#include "sim/run/bind_shifts.hpp"

#include <string>

namespace headroom {

std::vector<BoundShift> bind_shifts(const Scenario& scenario, const std::vector<TenantInstance>& tenants,
                                    const Layout& layout) {
  std::vector<BoundShift> bound;
  for (const LatencyShift& shift : scenario.latency_shifts) {
    BoundShift entry{.shift = shift};
    for (std::uint32_t i = 0; i < tenants.size(); ++i) {
      if (shift.target == ShiftTarget::tenant &&
          (tenants[i].name == shift.name || scenario.tenants[tenants[i].spec_index].name == shift.name)) {
        entry.tenants.push_back(NamespaceId(i));
      }
      const NamespaceConfig& config = layout.config(NamespaceId(i));
      for (std::uint32_t route = 0; shift.target == ShiftTarget::route && route < config.routes.size(); ++route) {
        if (config.routes[route].queue == shift.name) {
          entry.routes.push_back(RouteId(layout.first_route(i) + route));
        }
      }
    }
    for (std::uint16_t node = 0; shift.target == ShiftTarget::node && node < scenario.cluster.nodes; ++node) {
      if (shift.name == "n" + std::to_string(node + 1)) {
        entry.node = NodeId(node);
      }
    }
    bound.push_back(std::move(entry));
  }
  return bound;
}

}  // namespace headroom
