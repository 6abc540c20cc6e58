#include "sim/world/slowdown.hpp"

#include <catch2/catch.hpp>

namespace headroom {
namespace {

constexpr Duration kWork = Duration::milliseconds(10);
constexpr Time kNow = Time::at(Duration::seconds(5));

// By whole factors that tell which shifts applied: every product of them is another number.
BoundShift shift(ShiftTarget target, std::int64_t factor) {
  return {.shift = {target, "", Decimal::whole(factor), Time::zero(), StepShift{Duration::seconds(10)}}};
}

Slowdown everything() {
  BoundShift tenant = shift(ShiftTarget::tenant, 2);
  tenant.tenants = {NamespaceId(1), NamespaceId(4)};
  BoundShift route = shift(ShiftTarget::route, 3);
  route.routes = {RouteId(7)};
  BoundShift node = shift(ShiftTarget::node, 5);
  node.node = NodeId(2);
  return Slowdown({tenant, route, node, shift(ShiftTarget::store, 7), shift(ShiftTarget::database_pool, 11),
                   shift(ShiftTarget::downstream, 13)});
}

TEST_CASE("a row is slowed by its tenant, its route and its node") {
  const Slowdown slowdown = everything();
  REQUIRE(slowdown.service(kWork, NamespaceId(4), RouteId(7), NodeId(2), kNow) == kWork * 30);
  REQUIRE(slowdown.service(kWork, NamespaceId(1), RouteId(6), NodeId(1), kNow) == kWork * 2);
  REQUIRE(slowdown.service(kWork, NamespaceId(3), RouteId(7), NodeId(1), kNow) == kWork * 3);
  REQUIRE(slowdown.service(kWork, NamespaceId(3), RouteId(6), NodeId(2), kNow) == kWork * 5);
  REQUIRE(slowdown.service(kWork, NamespaceId(3), RouteId(6), NodeId(1), kNow) == kWork);
}

TEST_CASE("a row that holds a connection is slowed by the database pool as well") {
  const Slowdown slowdown = everything();
  REQUIRE(slowdown.service(kWork, NamespaceId(3), RouteId(6), NodeId(1), kNow, true) == kWork * 11);
  REQUIRE(slowdown.service(kWork, NamespaceId(4), RouteId(7), NodeId(2), kNow, true) == kWork * 330);
}

TEST_CASE("a handler is slowed by its tenant, its node and what it holds, and by no route") {
  const Slowdown slowdown = everything();
  REQUIRE(slowdown.request(kWork, NamespaceId(3), NodeId(1), kNow, false, false) == kWork);
  REQUIRE(slowdown.request(kWork, NamespaceId(1), NodeId(2), kNow, false, false) == kWork * 10);
  REQUIRE(slowdown.request(kWork, NamespaceId(3), NodeId(1), kNow, true, false) == kWork * 11);
  REQUIRE(slowdown.request(kWork, NamespaceId(3), NodeId(1), kNow, false, true) == kWork * 13);
  REQUIRE(slowdown.request(kWork, NamespaceId(1), NodeId(2), kNow, true, true) == kWork * 1430);
}

TEST_CASE("the store's costs are slowed by the store alone") {
  REQUIRE(everything().store(kWork, kNow) == kWork * 7);
}

TEST_CASE("a shift slows nothing outside of its time") {
  const Slowdown slowdown = everything();
  const Time over = Time::at(Duration::seconds(10));
  REQUIRE(slowdown.request(kWork, NamespaceId(1), NodeId(2), over, true, true) == kWork);
  REQUIRE(slowdown.store(kWork, over) == kWork);
}

}  // namespace
}  // namespace headroom
