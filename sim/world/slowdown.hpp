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
  std::vector<NamespaceId> tenants;  // sorted; those whose work it slows, when its target is a tenant
  std::vector<RouteId> routes;       // sorted; when its target is a route
  NodeId node = NodeId::none();      // when its target is a node
};

class Slowdown {
 public:
  explicit Slowdown(std::vector<BoundShift> shifts) : shifts_(std::move(shifts)) {}

  void add(BoundShift shift) { shifts_.push_back(std::move(shift)); }

  // Work on a row that starts now; factors of several shifts multiply.
  [[nodiscard]] Duration service(Duration work, NamespaceId tenant, RouteId route, NodeId node, Time now,
                                 bool holds_connection = false) const;
  // Work of a handler that starts now, or the part of it that holds a place downstream.
  [[nodiscard]] Duration request(Duration work, NamespaceId tenant, NodeId node, Time now, bool holds_connection,
                                 bool downstream) const;
  // A sweep's or a claim's cost.
  [[nodiscard]] Duration store(Duration cost, Time now) const;

 private:
  // Whose work it is, where it runs and what it holds, as far as that matters to it.
  struct Work {
    NamespaceId tenant = NamespaceId::none();
    RouteId route = RouteId::none();
    NodeId node = NodeId::none();
    bool store = false;
    bool holds_connection = false;
    bool downstream = false;
  };
  [[nodiscard]] static bool slows(const BoundShift& bound, const Work& work);
  [[nodiscard]] Duration slowed(Duration duration, const Work& work, Time now) const;

  std::vector<BoundShift> shifts_;
};

}  // namespace headroom
