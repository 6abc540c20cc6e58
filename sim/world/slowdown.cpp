#include "sim/world/slowdown.hpp"

#include <algorithm>

namespace headroom {

bool Slowdown::slows(const BoundShift& bound, const Work& work) {
  switch (bound.shift.target) {
    case ShiftTarget::tenant:
      return std::ranges::binary_search(bound.tenants, work.tenant);
    case ShiftTarget::route:
      return std::ranges::binary_search(bound.routes, work.route);
    case ShiftTarget::node:
      return bound.node == work.node;
    case ShiftTarget::store:
      return work.store;
    case ShiftTarget::database_pool:
      return work.holds_connection;
    case ShiftTarget::downstream:
      return work.downstream;
  }
  return false;
}

Duration Slowdown::slowed(Duration duration, const Work& work, Time now) const {
  for (const BoundShift& bound : shifts_) {
    if (slows(bound, work)) {
      duration = scaled(duration, shift_factor_at(bound.shift, now));
    }
  }
  return duration;
}

Duration Slowdown::service(Duration work, NamespaceId tenant, RouteId route, NodeId node, Time now,
                           bool holds_connection) const {
  return slowed(work, {.tenant = tenant, .route = route, .node = node, .holds_connection = holds_connection}, now);
}

Duration Slowdown::request(Duration work, NamespaceId tenant, NodeId node, Time now, bool holds_connection,
                           bool downstream) const {
  return slowed(work, {.tenant = tenant, .node = node, .holds_connection = holds_connection, .downstream = downstream},
                now);
}

Duration Slowdown::store(Duration cost, Time now) const {
  return slowed(cost, {.store = true}, now);
}

}  // namespace headroom
