// Who gets a permit that comes free (spec 1.4): at once, in the same step, the first waiter in queue order whose tenant
// is below its cap.
#include <catch2/catch.hpp>

#include "tests/model/cluster/small_fleet.hpp"

namespace headroom::test {
namespace {

ClusterConfig three_tenants(QueueOrder order, const TenantLimits& limits = {}, std::uint32_t cap = 1) {
  return fleet_of({api_tenant("a", limits), api_tenant("b", limits), api_tenant("c", limits)},
                  {.limits = {.max_inflight = cap}, .may_wait = true, .order = order});
}

// The requests in the order in which they get the one permit, by their place in `requests`.
std::vector<int> served(SmallFleet& fleet, Answer running, const std::vector<Answer>& requests) {
  std::vector<int> order;
  for (std::size_t n = 0; n < requests.size(); ++n) {
    fleet.finish(running);
    for (std::size_t i = 0; i < requests.size(); ++i) {
      if (fleet.runs(requests[i])) {
        order.push_back(static_cast<int>(i));
        running = requests[i];
      }
    }
  }
  return order;
}

TEST_CASE("a permit is handed over in the step that frees it", "[gate]") {
  SmallFleet fleet(three_tenants(QueueOrder::fifo));
  const Answer first = fleet.arrive(0);
  const Answer second = fleet.arrive(1);
  CHECK(fleet.waits(second));
  fleet.finish(first);
  CHECK(fleet.runs(second));
  CHECK(fleet.seen(EffectKind::request_admitted).size() == 1);
  CHECK(!fleet.seen(EffectKind::request_admitted)[0].live);  // it had waited
  fleet.require_held();
}

TEST_CASE("fifo hands over in order of arrival, whoever the tenants are", "[gate]") {
  SmallFleet fleet(three_tenants(QueueOrder::fifo));
  const Answer running = fleet.arrive(0);
  const std::vector<Answer> waiting{fleet.arrive(2), fleet.arrive(0), fleet.arrive(2), fleet.arrive(1)};
  CHECK(served(fleet, running, waiting) == std::vector{0, 1, 2, 3});
  fleet.require_held();
}

TEST_CASE("lifo hands over to the youngest, whoever the tenants are", "[gate]") {
  SmallFleet fleet(three_tenants(QueueOrder::lifo));
  const Answer running = fleet.arrive(0);
  const std::vector<Answer> waiting{fleet.arrive(2), fleet.arrive(0), fleet.arrive(2), fleet.arrive(1)};
  CHECK(served(fleet, running, waiting) == std::vector{3, 2, 1, 0});
  fleet.require_held();
}

TEST_CASE("tenant_round_robin goes through the tenants by name, first in first out within each", "[gate]") {
  SmallFleet fleet(three_tenants(QueueOrder::tenant_round_robin));
  const Answer running = fleet.arrive(0);
  // a a a b c, of which c came first
  const std::vector<Answer> waiting{fleet.arrive(2), fleet.arrive(0), fleet.arrive(0), fleet.arrive(0),
                                    fleet.arrive(1)};
  CHECK(served(fleet, running, waiting) == std::vector{1, 4, 0, 2, 3});
  fleet.require_held();
}

TEST_CASE("a hand-over moves the cursor, an immediate start does not", "[gate]") {
  SmallFleet fleet(three_tenants(QueueOrder::tenant_round_robin));
  const Answer first = fleet.arrive(1);  // starts at once
  CHECK(fleet.gate().cursor().is_none());
  const Answer waits_b = fleet.arrive(1);
  const Answer waits_a = fleet.arrive(0);
  fleet.finish(first);
  CHECK(fleet.runs(waits_a));  // the first name: the cursor stands before all
  CHECK(fleet.gate().cursor() == NamespaceId(0));
  fleet.finish(waits_a);
  CHECK(fleet.runs(waits_b));
  fleet.finish(waits_b);
  const Answer alone = fleet.arrive(2);
  CHECK(alone.ran);
  CHECK(fleet.gate().cursor() == NamespaceId(1));
  fleet.require_held();
}

TEST_CASE("a waiter whose tenant is at its cap is passed over, and keeps its place", "[gate]") {
  for (const QueueOrder order : {QueueOrder::fifo, QueueOrder::tenant_round_robin}) {
    SmallFleet fleet(three_tenants(order, {.max_inflight = 1}, 2));
    const Answer a = fleet.arrive(0);
    const Answer b = fleet.arrive(1);
    const Answer a_waits = fleet.arrive(0);
    const Answer c_waits = fleet.arrive(2);
    fleet.finish(b);
    CHECK(fleet.waits(a_waits));  // its tenant is at its cap
    CHECK(fleet.runs(c_waits));
    fleet.finish(a);
    CHECK(fleet.runs(a_waits));
    fleet.require_held();
  }
}

// B14: nobody cuts in line.
TEST_CASE("no arrival starts before a waiter that could run", "[gate]") {
  SmallFleet fleet(three_tenants(QueueOrder::fifo));
  const Answer first = fleet.arrive(0);
  const Answer waiting = fleet.arrive(0);
  fleet.finish(first);
  const Answer late = fleet.arrive(1);
  CHECK(fleet.runs(waiting));
  CHECK(late.waits);
  fleet.require_held();
}

TEST_CASE("an arrival may start past a waiter whose tenant is at its cap", "[gate]") {
  SmallFleet fleet(three_tenants(QueueOrder::fifo, {.max_inflight = 1}, 2));
  fleet.arrive(0);
  CHECK(fleet.arrive(0).waits);
  CHECK(fleet.arrive(1).ran);
  fleet.require_held();
}

// B21, B24, B25: what left the queue is out of it.
TEST_CASE("waiters that expired or left are never granted, and all permits come back", "[gate]") {
  SmallFleet fleet(three_tenants(QueueOrder::fifo, {}, 8));
  std::vector<Answer> running;
  std::vector<Answer> waiting;
  for (int i = 0; i < 8; ++i) {
    running.push_back(fleet.arrive(0));
  }
  for (int i = 0; i < 8; ++i) {
    waiting.push_back(fleet.arrive(1));
  }
  for (std::size_t i = 0; i < 8; ++i) {
    i % 2 == 0 ? fleet.expire(waiting[i]) : fleet.leave(waiting[i]);
  }
  CHECK(fleet.gate().depth() == 0);
  for (const Answer& each : running) {
    fleet.finish(each);
    CHECK(fleet.seen(EffectKind::request_admitted).empty());
  }
  CHECK(fleet.gate().inflight() == 0);
  CHECK(fleet.arrive_times(8, 2).ran);
  CHECK(fleet.counts(1).gone == 4);
  CHECK(fleet.counts(1).refused_503 == 4);
  fleet.require_held();
}

// B23: in the instant of a release there are two orders, and in neither the permit is lost.
TEST_CASE("a waiter that leaves in the instant of a release does not swallow the permit", "[gate]") {
  SECTION("the release first: it was granted, leaves a running handler, and the permit comes back when that ends") {
    SmallFleet fleet(three_tenants(QueueOrder::fifo));
    const Answer first = fleet.arrive(0);
    const Answer leaving = fleet.arrive(0);
    const Answer next = fleet.arrive(1);
    fleet.finish(first);
    fleet.leave(leaving);
    CHECK(fleet.runs(leaving));
    CHECK(fleet.counts(0).gone == 0);
    fleet.finish(leaving);
    CHECK(fleet.runs(next));
    fleet.require_held();
  }
  SECTION("the client first: the next waiter gets the permit") {
    SmallFleet fleet(three_tenants(QueueOrder::fifo));
    const Answer first = fleet.arrive(0);
    const Answer leaving = fleet.arrive(0);
    const Answer next = fleet.arrive(1);
    fleet.leave(leaving);
    fleet.finish(first);
    CHECK(fleet.runs(next));
    CHECK(fleet.counts(0).gone == 1);
    fleet.require_held();
  }
}

TEST_CASE("a grant that races an expiry has one winner", "[gate]") {
  SECTION("the grant: the expiry is void") {
    SmallFleet fleet(three_tenants(QueueOrder::fifo));
    const Answer first = fleet.arrive(0);
    const Answer second = fleet.arrive(0);
    fleet.finish(first);
    fleet.expire(second);
    CHECK(fleet.runs(second));
    CHECK(fleet.seen(EffectKind::request_refused).empty());
    fleet.require_held();
  }
  SECTION("the expiry: the permit goes on to the next") {
    SmallFleet fleet(three_tenants(QueueOrder::fifo));
    const Answer first = fleet.arrive(0);
    const Answer second = fleet.arrive(0);
    const Answer third = fleet.arrive(0);
    fleet.expire(second);
    CHECK(fleet.refusal() == Refusal::process_wait_expired);
    fleet.finish(first);
    CHECK(fleet.runs(third));
    fleet.require_held();
  }
}

TEST_CASE("timers of a request that is gone do nothing to the one in its place", "[gate]") {
  SmallFleet fleet(three_tenants(QueueOrder::fifo));
  fleet.arrive(0);
  const Answer gone = fleet.arrive(0);
  fleet.leave(gone);
  const Answer next = fleet.arrive(1);
  REQUIRE(next.id == gone.id);
  fleet.expire(gone);
  fleet.leave(gone);
  fleet.age(gone);
  fleet.finish(gone);
  CHECK(fleet.waits(next));
  CHECK(fleet.counts(1).waiting == 1);
  fleet.require_held();
}

// B28, B29: what ends a request again is void.
TEST_CASE("a permit is released once", "[gate]") {
  SmallFleet fleet(three_tenants(QueueOrder::fifo));
  const Answer first = fleet.arrive(0);
  fleet.finish(first);
  fleet.finish(first, false);
  fleet.leave(first);
  CHECK(fleet.gate().inflight() == 0);
  CHECK(fleet.counts(0).finished == 1);
  fleet.require_held();
}

// B27: a handler that fails, or whose client left, gives its permit back as well.
TEST_CASE("a permit comes back however the handler ends", "[gate]") {
  SmallFleet fleet(three_tenants(QueueOrder::fifo));
  fleet.finish(fleet.arrive(0));
  fleet.finish(fleet.arrive(0), false);
  const Answer abandoned = fleet.arrive(0);
  fleet.leave(abandoned);
  fleet.finish(abandoned);
  CHECK(fleet.gate().inflight() == 0);
  CHECK(fleet.counts(0).finished == 3);
  fleet.require_held();
}

TEST_CASE("an expired wait is 429 only if the tenant is at its in-flight cap at that instant", "[gate]") {
  SmallFleet fleet(three_tenants(QueueOrder::fifo, {.max_inflight = 1, .max_queue_depth = 1}, 2));
  const Answer running = fleet.arrive(0);
  const Answer own = fleet.arrive(0);  // fills the tenant's queue, too
  fleet.arrive(1);
  const Answer shared = fleet.arrive(2);
  fleet.expire(own);
  CHECK(fleet.refusal() == Refusal::tenant_wait_expired);
  CHECK(fleet.seen(EffectKind::request_refused)[0].live);
  fleet.expire(shared);  // its tenant has nothing in flight; its own queue is full
  CHECK(fleet.refusal() == Refusal::process_wait_expired);
  fleet.finish(running);
  CHECK(fleet.gate().depth() == 0);
  fleet.require_held();
}

TEST_CASE("an expired wait is 429 for a tenant at its cap whatever the process has free", "[gate]") {
  SmallFleet fleet(three_tenants(QueueOrder::fifo, {.max_inflight = 1}, 5));
  fleet.arrive(0);
  fleet.expire(fleet.arrive(0));
  CHECK(fleet.refusal() == Refusal::tenant_wait_expired);
  fleet.require_held();
}

// -- limits that change while it runs ---------------------------------------------------------------------------------

// B26: as many are let in as there is room for, not one.
TEST_CASE("a raised limit lets in at once as many waiters as it has room for", "[gate]") {
  SmallFleet fleet(three_tenants(QueueOrder::fifo));
  fleet.arrive(0);
  const std::vector<Answer> waiting{fleet.arrive(0), fleet.arrive(1), fleet.arrive(2)};
  fleet.set_limits({.max_inflight = 3});
  CHECK(fleet.runs(waiting[0]));
  CHECK(fleet.runs(waiting[1]));
  CHECK(fleet.waits(waiting[2]));
  fleet.set_limits({});
  CHECK(fleet.runs(waiting[2]));
  fleet.require_held();
}

TEST_CASE("a raised limit of a tenant lets its waiters in at once", "[gate]") {
  SmallFleet fleet(three_tenants(QueueOrder::lifo, {.max_inflight = 1}, 3));
  fleet.arrive(0);
  const std::vector<Answer> waiting{fleet.arrive(0), fleet.arrive(0), fleet.arrive(0)};
  fleet.set_tenant_limits(0, {.max_inflight = 5});
  CHECK(fleet.waits(waiting[0]));
  CHECK(fleet.runs(waiting[1]));
  CHECK(fleet.runs(waiting[2]));
  fleet.require_held();
}

TEST_CASE("a lowered limit evicts nobody and lets nobody in until enough have left", "[gate]") {
  SmallFleet fleet(three_tenants(QueueOrder::fifo, {}, 3));
  const std::vector<Answer> running{fleet.arrive(0), fleet.arrive(0), fleet.arrive(0)};
  const Answer waiting = fleet.arrive(1);
  fleet.set_limits({.max_inflight = 1});
  CHECK(fleet.gate().inflight() == 3);
  fleet.finish(running[0]);
  fleet.finish(running[1]);
  CHECK(fleet.waits(waiting));
  fleet.finish(running[2]);
  CHECK(fleet.runs(waiting));
  fleet.require_held();
}

TEST_CASE("a lowered depth turns no waiter away", "[gate]") {
  SmallFleet fleet(three_tenants(QueueOrder::fifo));
  const Answer running = fleet.arrive(0);
  const std::vector<Answer> waiting{fleet.arrive(0), fleet.arrive(1)};
  fleet.set_limits({.max_inflight = 1, .max_queue_depth = 1});
  CHECK(fleet.gate().depth() == 2);
  CHECK(fleet.arrive(2).refusal == Refusal::process_queue_full);
  fleet.finish(running);
  CHECK(fleet.runs(waiting[0]));
  CHECK(fleet.arrive(2).refusal == Refusal::process_queue_full);
  fleet.leave(waiting[1]);
  CHECK(fleet.arrive(2).waits);
  fleet.require_held();
}

TEST_CASE("limits are per process", "[gate]") {
  ClusterConfig config = three_tenants(QueueOrder::fifo, {.max_inflight = 1}, 2);
  config.admission->processes = 2;
  SmallFleet fleet(config);
  CHECK(fleet.arrive(0, 0).ran);
  CHECK(fleet.arrive(0, 1).ran);
  fleet.set_limits({.max_inflight = 1}, 1);
  CHECK(fleet.arrive(1, 0).ran);
  CHECK(fleet.arrive(1, 1).waits);
  fleet.require_held();
}

}  // namespace
}  // namespace headroom::test
