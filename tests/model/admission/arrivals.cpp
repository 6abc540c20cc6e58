// What a gate answers to an arrival (spec 1.4): the straight line draining, token, run, wait, refuse; and the status of
// each refusal, tenant first.
#include <catch2/catch.hpp>

#include "tests/model/cluster/small_fleet.hpp"

namespace headroom::test {
namespace {

constexpr RateLimit kOneASecond{.nanohertz = 1'000'000'000, .burst = 1};

// What the next arrival of tenant 0 is told.
Refusal refused(SmallFleet& fleet, std::uint32_t tenant = 0) {
  const Answer answer = fleet.arrive(tenant);
  REQUIRE(answer.refusal.has_value());
  CHECK(answer.retry_after >= 1);
  CHECK(!fleet.inside(answer));
  return *answer.refusal;
}

TEST_CASE("statuses are 429 for the tenant's own bounds and 503 for shared ones", "[gate]") {
  using enum Refusal;
  for (const Refusal own : {no_token, tenant_inflight, tenant_queue_full, tenant_wait_expired}) {
    CHECK(status_of(own) == 429);
  }
  for (const Refusal shared : {process_inflight, process_queue_full, process_wait_expired, draining}) {
    CHECK(status_of(shared) == 503);
  }
}

TEST_CASE("a request runs where nothing is in its way", "[gate]") {
  SmallFleet fleet(fleet_of({api_tenant("a", {.max_inflight = 1})}, {.limits = {.max_inflight = 1}}));
  const Answer first = fleet.arrive(0);
  CHECK(first.ran);
  CHECK(fleet.gate().inflight() == 1);
  CHECK(fleet.gate().tenant(NamespaceId(0)).inflight == 1);
  fleet.finish(first);
  CHECK(fleet.gate().inflight() == 0);
  CHECK(fleet.cluster().api()->quiet());
  fleet.require_held();
}

TEST_CASE("draining comes before the rate limit, and the rate limit before the caps", "[gate]") {
  SmallFleet fleet(fleet_of({api_tenant("a", {.max_inflight = 1, .rate_limit = kOneASecond})},
                            {.limits = {.max_inflight = 1}, .may_wait = false}));
  CHECK(fleet.arrive(0).ran);
  // No token is left, tenant and process are at their caps.
  CHECK(refused(fleet) == Refusal::no_token);
  fleet.step(DrainProcess{ProcessId(0)});
  CHECK(refused(fleet) == Refusal::draining);
  fleet.step(ResumeProcess{ProcessId(0)});
  fleet.pass(Duration::seconds(1));
  CHECK(refused(fleet) == Refusal::tenant_inflight);
  fleet.require_held();
}

TEST_CASE("with both caps reached the tenant's own is told", "[gate]") {
  SmallFleet fleet(fleet_of({api_tenant("a", {.max_inflight = 2}), api_tenant("b")},
                            {.limits = {.max_inflight = 2}, .may_wait = false}));
  fleet.arrive_times(2, 0);
  CHECK(refused(fleet, 0) == Refusal::tenant_inflight);
  CHECK(refused(fleet, 1) == Refusal::process_inflight);
  fleet.require_held();
}

TEST_CASE("a tenant at its cap is refused with 429 while the process has room", "[gate]") {
  SmallFleet fleet(fleet_of({api_tenant("a", {.max_inflight = 1}), api_tenant("b")},
                            {.limits = {.max_inflight = 8}, .may_wait = false}));
  fleet.arrive(0);
  CHECK(refused(fleet, 0) == Refusal::tenant_inflight);
  CHECK(fleet.arrive(1).ran);
  fleet.require_held();
}

TEST_CASE("who cannot run waits while both queues have a place", "[gate]") {
  SmallFleet fleet(fleet_of({api_tenant("a", {.max_queue_depth = 1}), api_tenant("b")},
                            {.limits = {.max_inflight = 1, .max_queue_depth = 2}, .may_wait = true}));
  fleet.arrive(0);
  CHECK(fleet.arrive(0).waits);
  CHECK(refused(fleet, 0) == Refusal::tenant_queue_full);  // its share; the process has a place left
  CHECK(fleet.arrive(1).waits);
  CHECK(refused(fleet, 1) == Refusal::process_queue_full);
  CHECK(refused(fleet, 0) == Refusal::tenant_queue_full);  // both are full: tenant first
  CHECK(fleet.gate().depth() == 2);
  fleet.require_held();
}

TEST_CASE("a full queue of the process is 429 for a tenant at its own cap", "[gate]") {
  SmallFleet fleet(fleet_of({api_tenant("a", {.max_inflight = 1}), api_tenant("b")},
                            {.limits = {.max_inflight = 2, .max_queue_depth = 1}, .may_wait = true}));
  fleet.arrive(0);
  fleet.arrive(1);
  CHECK(fleet.arrive(0).waits);
  CHECK(refused(fleet, 0) == Refusal::tenant_inflight);
  CHECK(refused(fleet, 1) == Refusal::process_queue_full);
  fleet.require_held();
}

TEST_CASE("depth 0 and a wait of 0 both refuse at once", "[gate]") {
  const GateConfig no_depth{.limits = {.max_inflight = 1, .max_queue_depth = 0}, .may_wait = true};
  const GateConfig no_wait{.limits = {.max_inflight = 1, .max_queue_depth = 5}, .may_wait = false};
  for (const GateConfig& config : {no_depth, no_wait}) {
    SmallFleet fleet(fleet_of({api_tenant("a")}, config));
    CHECK(fleet.arrive(0).ran);
    CHECK(refused(fleet) == Refusal::process_inflight);
    fleet.require_held();
  }
}

TEST_CASE("without limits everything runs", "[gate]") {
  SmallFleet fleet(fleet_of({api_tenant("a")}, {}));
  for (int i = 0; i < 1'000; ++i) {
    REQUIRE(fleet.arrive(0).ran);
  }
  fleet.require_held();
}

TEST_CASE("a cap of 0 lets nobody in, whatever the process has free", "[gate]") {  // B49
  SmallFleet fleet(
      fleet_of({api_tenant("a", {.max_inflight = 0})}, {.limits = {.max_inflight = 4}, .may_wait = false}));
  CHECK(refused(fleet) == Refusal::tenant_inflight);
  CHECK(fleet.gate().inflight() == 0);
  fleet.require_held();
}

// An aggressor that fills its own bounds leaves the others theirs (cases DS11).
TEST_CASE("a tenant cannot fill the queue of another", "[gate]") {
  SmallFleet fleet(fleet_of({api_tenant("a", {.max_queue_depth = 2}), api_tenant("b", {.max_queue_depth = 2})},
                            {.limits = {.max_inflight = 1, .max_queue_depth = 4}, .may_wait = true}));
  fleet.arrive_times(100, 0);
  CHECK(fleet.counts(0).refused_429 == 97);
  CHECK(fleet.counts(0).refused_503 == 0);
  CHECK(fleet.arrive(1).waits);
  CHECK(fleet.arrive(1).waits);
  fleet.require_held();
}

// B33: check and count are one step.
TEST_CASE("any number of simultaneous arrivals start no more than the caps", "[gate]") {
  SmallFleet fleet(fleet_of({api_tenant("a", {.max_inflight = 3}), api_tenant("b", {.max_inflight = 3})},
                            {.limits = {.max_inflight = 4}, .may_wait = false}));
  for (int i = 0; i < 50; ++i) {
    fleet.arrive(0);
    fleet.arrive(1);
  }
  CHECK(fleet.counts(0).running + fleet.counts(1).running == 4);
  CHECK(fleet.counts(0).running == 2);
  fleet.require_held();
}

// B30: a tenant permit is not taken and kept while the process refuses, nor the other way round.
TEST_CASE("a refusal by one cap keeps no permit of the other", "[gate]") {
  SmallFleet fleet(fleet_of({api_tenant("a", {.max_inflight = 2}), api_tenant("b", {.max_inflight = 2})},
                            {.limits = {.max_inflight = 3}, .may_wait = false}));
  const Answer first = fleet.arrive(0);
  fleet.arrive(0);
  fleet.arrive(1);
  CHECK(refused(fleet, 1) == Refusal::process_inflight);
  CHECK(fleet.gate().tenant(NamespaceId(1)).inflight == 1);
  CHECK(refused(fleet, 0) == Refusal::tenant_inflight);
  CHECK(fleet.gate().inflight() == 3);
  fleet.finish(first);
  CHECK(fleet.arrive(1).ran);
  fleet.require_held();
}

TEST_CASE("a waiter holds no permit of the level that has room", "[gate]") {
  SmallFleet fleet(fleet_of({api_tenant("a", {.max_inflight = 1}), api_tenant("b")},
                            {.limits = {.max_inflight = 2}, .may_wait = true}));
  fleet.arrive(0);
  const Answer waiting = fleet.arrive(0);
  CHECK(waiting.waits);
  CHECK(fleet.gate().inflight() == 1);
  CHECK(fleet.arrive(1).ran);  // the waiter of a does not hold the second permit
  fleet.leave(waiting);
  CHECK(fleet.gate().inflight() == 2);
  fleet.require_held();
}

}  // namespace
}  // namespace headroom::test
