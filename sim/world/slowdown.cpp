#include "sim/world/slowdown.hpp"

#include <algorithm>

namespace headroom {
namespace {

bool slows(const BoundShift& bound, NamespaceId tenant, RouteId route, NodeId node) {
  switch (bound.shift.target) {
    case ShiftTarget::tenant:
      return std::ranges::binary_search(bound.tenants, tenant);
    case ShiftTarget::route:
      return std::ranges::binary_search(bound.routes, route);
    case ShiftTarget::node:
      return bound.node == node;
    case ShiftTarget::store:
      return false;
  }
  return false;
}

}  // namespace

Duration Slowdown::service(Duration work, NamespaceId tenant, RouteId route, NodeId node, Time now) const {
  for (const BoundShift& bound : shifts_) {
    if (slows(bound, tenant, route, node)) {
      work = scaled(work, shift_factor_at(bound.shift, now));
    }
  }
  return work;
}

Duration Slowdown::store(Duration cost, Time now) const {
  for (const BoundShift& bound : shifts_) {
    if (bound.shift.target == ShiftTarget::store) {
      cost = scaled(cost, shift_factor_at(bound.shift, now));
    }
  }
  return cost;
}

}  // namespace headroom
