// Readiness and draining (spec 1.4): hysteresis over depth and over the age of the oldest waiter; a draining process
// admits nothing, refuses its waiters and finishes what it has.
#include <catch2/catch.hpp>

#include "tests/model/cluster/small_fleet.hpp"

namespace headroom::test {
namespace {

SmallFleet with_marks(const ReadinessMarks& marks) {
  return SmallFleet(fleet_of({api_tenant("a"), api_tenant("b")},
                             {.limits = {.max_inflight = 1}, .may_wait = true, .readiness = marks}));
}

TEST_CASE("a process is not ready above the high depth and ready again below the low one", "[gate]") {
  SmallFleet fleet = with_marks({.depth_high = 3, .depth_low = 2});
  fleet.arrive(0);
  std::vector<Answer> waiting;
  for (int i = 0; i < 3; ++i) {
    waiting.push_back(fleet.arrive(0));
  }
  CHECK(fleet.gate().ready());  // at the mark
  waiting.push_back(fleet.arrive(0));
  CHECK(!fleet.gate().ready());
  CHECK(fleet.seen(EffectKind::became_unready).size() == 1);
  fleet.leave(waiting[3]);
  CHECK(!fleet.gate().ready());  // 3
  fleet.leave(waiting[2]);
  CHECK(!fleet.gate().ready());  // 2: at the mark
  fleet.leave(waiting[1]);
  CHECK(fleet.gate().ready());
  CHECK(fleet.seen(EffectKind::became_ready).size() == 1);
  fleet.require_held();
}

TEST_CASE("between the marks a process stays as it was", "[gate]") {
  SmallFleet fleet = with_marks({.depth_high = 2, .depth_low = 1});
  fleet.arrive(0);
  const Answer first = fleet.arrive(0);
  const Answer second = fleet.arrive(0);
  CHECK(fleet.gate().ready());
  const Answer third = fleet.arrive(0);
  fleet.leave(third);
  fleet.leave(second);
  CHECK(!fleet.gate().ready());
  CHECK(fleet.arrive(0).waits);
  CHECK(!fleet.gate().ready());
  CHECK(fleet.outcome("readiness").value == 1.0);
  fleet.leave(first);
  fleet.require_held();
}

TEST_CASE("a waiter older than the high lag makes a process not ready, and one of the low lag keeps it so", "[gate]") {
  const Duration low = Duration::milliseconds(50);
  const Duration high = Duration::milliseconds(150);
  SmallFleet fleet = with_marks({.lag_high = high, .lag_low = low});
  fleet.arrive(0);
  const Answer old = fleet.arrive(0);
  const Answer young = fleet.arrive(0);
  fleet.age(old);
  CHECK(fleet.gate().ready());
  fleet.age(old);
  CHECK(!fleet.gate().ready());
  fleet.age(young);
  fleet.leave(old);
  CHECK(!fleet.gate().ready());  // the other is of the low lag by now
  fleet.expire(young);
  CHECK(fleet.gate().ready());
  fleet.require_held();
}

TEST_CASE("both depth and lag have to be low for a process to be ready again", "[gate]") {
  SmallFleet fleet = with_marks(
      {.depth_high = 1, .depth_low = 1, .lag_high = Duration::milliseconds(2), .lag_low = Duration::milliseconds(1)});
  fleet.arrive(0);
  const Answer first = fleet.arrive(0);
  const Answer second = fleet.arrive(0);
  CHECK(!fleet.gate().ready());
  fleet.age(first);
  fleet.leave(second);
  CHECK(!fleet.gate().ready());
  fleet.leave(first);
  CHECK(fleet.gate().ready());
  fleet.require_held();
}

TEST_CASE("a process that drains refuses waiters and arrivals, and finishes what it has", "[gate]") {
  SmallFleet fleet = with_marks({.depth_high = 10, .depth_low = 5});
  const Answer running = fleet.arrive(0);
  const std::vector<Answer> waiting{fleet.arrive(1), fleet.arrive(0), fleet.arrive(1)};
  fleet.step(DrainProcess{ProcessId(0)});
  const std::vector<Effect> refused = fleet.seen(EffectKind::request_refused);
  REQUIRE(refused.size() == 3);
  for (const Effect& effect : refused) {
    CHECK(static_cast<Refusal>(effect.detail) == Refusal::draining);
    CHECK(effect.value >= 1);
  }
  CHECK(fleet.gate().depth() == 0);
  CHECK(fleet.seen(EffectKind::became_unready).size() == 1);
  CHECK(fleet.cluster().api()->up(ProcessId(0)));
  CHECK(fleet.arrive(0).refusal == Refusal::draining);
  CHECK(fleet.runs(running));
  fleet.finish(running);
  CHECK(fleet.counts(0).finished == 1);
  CHECK(fleet.cluster().api()->quiet());
  CHECK(fleet.arrive(0).refusal == Refusal::draining);  // with everything free
  fleet.step(DrainProcess{ProcessId(0)});
  CHECK(fleet.seen(EffectKind::drain_began).empty());
  fleet.step(ResumeProcess{ProcessId(0)});
  CHECK(fleet.seen(EffectKind::became_ready).size() == 1);
  CHECK(fleet.arrive(0).ran);
  fleet.require_held();
}

TEST_CASE("draining refuses with 503 a tenant without a token or at its cap as well", "[gate]") {
  SmallFleet fleet(
      fleet_of({api_tenant("a", {.max_inflight = 1, .rate_limit = RateLimit{.nanohertz = 1'000'000'000, .burst = 2}})},
               {.limits = {.max_inflight = 1}, .may_wait = true}));
  fleet.arrive(0);
  const Answer waiting = fleet.arrive(0);
  CHECK(waiting.waits);
  fleet.step(DrainProcess{ProcessId(0)});
  CHECK(status_of(fleet.refusal()) == 503);
  CHECK(fleet.arrive(0).refusal == Refusal::draining);
  CHECK(fleet.counts(0).refused_429 == 0);
  fleet.require_held();
}

}  // namespace
}  // namespace headroom::test
