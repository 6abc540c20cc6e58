// All latency shifts of a scenario together: by what factor one piece of work takes longer.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "model/base/ids.hpp"
#include "model/base/time.hpp"
#include "sim/world/latency_shift.hpp"

namespace headroom {

// A latency shift with its names looked up.
struct BoundShift {
  LatencyShift shift;
  std::vector<NamespaceId> tenants;  // sorted; those whose rows it slows, when its target is a tenant
  std::vector<RouteId> routes;       // sorted; when its target is a route
  NodeId node = NodeId::none();      // when its target is a node
};

class Slowdown {
 public:
  explicit Slowdown(std::vector<BoundShift> shifts) : shifts_(std::move(shifts)) {}

  // Work on a row that starts now; factors of several shifts multiply.
  [[nodiscard]] Duration service(Duration work, NamespaceId tenant, RouteId route, NodeId node, Time now) const;
  // A sweep's or a claim's cost.
  [[nodiscard]] Duration store(Duration cost, Time now) const;

 private:
  std::vector<BoundShift> shifts_;
};

}  // namespace headroom
