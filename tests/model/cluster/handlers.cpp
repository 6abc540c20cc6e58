// What handlers hold while they run (spec 1.4): a connection for the whole call, the next service for a part of it; and
// how they end.
#include <catch2/catch.hpp>

#include "tests/model/cluster/small_fleet.hpp"

namespace headroom::test {
namespace {

ClusterConfig with_pool(const ResourceConfig& pool, std::optional<std::uint32_t> max_inflight,
                        std::optional<ResourceConfig> downstream = {}) {
  ClusterConfig config =
      fleet_of({api_tenant("a"), api_tenant("b")}, {.limits = {.max_inflight = max_inflight}, .may_wait = true});
  config.admission->database_pool = pool;
  config.admission->downstream = downstream;
  return config;
}

HandlerOutcome outcome_of(const SmallFleet& fleet) {
  return static_cast<HandlerOutcome>(fleet.seen(EffectKind::request_finished).at(0).detail);
}

void expire_checkout(SmallFleet& fleet, const Answer& request, Resource which = Resource::database_pool) {
  const CheckoutId checkout = fleet.requests()[request.id].checkouts[static_cast<std::size_t>(which)];
  fleet.step(ExpireCheckout{which, checkout, fleet.pool(which).entry(checkout).use});
}

TEST_CASE("a handler holds a connection from its start to its end", "[handlers]") {
  SmallFleet fleet(with_pool({.size = 2}, 2));
  const Answer first = fleet.arrive(0);
  CHECK(fleet.stage(first) == Stage::handler);
  CHECK(fleet.pool().in_use() == 1);
  fleet.finish(first);
  CHECK(fleet.pool().in_use() == 0);
  fleet.require_held();
}

TEST_CASE("requests that wait at the gate or are refused never touch the pool", "[handlers]") {
  ClusterConfig config = with_pool({.size = 5}, 1);
  config.admission->gate.limits.max_queue_depth = 1;
  SmallFleet fleet(config);
  fleet.arrive(0);
  const Answer waiting = fleet.arrive(0);
  CHECK(waiting.waits);
  CHECK(fleet.arrive(0).refusal.has_value());
  CHECK(fleet.pool().in_use() == 1);
  CHECK(fleet.pool().waiting() == 0);
  fleet.expire(waiting);
  CHECK(fleet.pool().in_use() == 1);
  fleet.require_held();
}

TEST_CASE("handlers beyond the pool wait inside the driver, first in first out, holding their permits", "[handlers]") {
  SmallFleet fleet(with_pool({.size = 1}, 3));
  const Answer first = fleet.arrive(0);
  const Answer second = fleet.arrive(1);
  const Answer third = fleet.arrive(0);
  CHECK(fleet.stage(second) == Stage::database_checkout);
  CHECK(fleet.gate().inflight() == 3);
  CHECK(fleet.pool().waiting() == 2);
  fleet.finish(second);  // it does not work yet
  CHECK(fleet.runs(second));
  fleet.finish(first);
  CHECK(fleet.stage(second) == Stage::handler);
  CHECK(fleet.stage(third) == Stage::database_checkout);
  fleet.finish(second);
  CHECK(fleet.stage(third) == Stage::handler);
  fleet.require_held();
}

TEST_CASE("a handler without a connection in time fails and gives its permit to the next", "[handlers]") {
  SmallFleet fleet(with_pool({.size = 1}, 2));
  const Answer first = fleet.arrive(0);
  const Answer second = fleet.arrive(0);
  const Answer at_the_gate = fleet.arrive(1);
  CHECK(fleet.waits(at_the_gate));
  expire_checkout(fleet, second);
  CHECK(outcome_of(fleet) == HandlerOutcome::database_timeout);
  CHECK(!fleet.inside(second));
  CHECK(fleet.stage(at_the_gate) == Stage::database_checkout);
  fleet.finish(first);
  CHECK(fleet.stage(at_the_gate) == Stage::handler);
  CHECK(fleet.counts(0).finished == 2);
  fleet.require_held();
}

TEST_CASE("a checkout timer that comes after the grant is void", "[handlers]") {
  SmallFleet fleet(with_pool({.size = 1}, 2));
  const Answer first = fleet.arrive(0);
  const Answer second = fleet.arrive(0);
  const CheckoutId checkout = fleet.requests()[second.id].checkouts[0];
  const std::uint32_t use = fleet.pool().entry(checkout).use;
  fleet.finish(first);
  fleet.step(ExpireCheckout{Resource::database_pool, checkout, use});
  CHECK(fleet.runs(second));
  CHECK(fleet.stage(second) == Stage::handler);
  fleet.finish(second);
  fleet.step(ExpireCheckout{Resource::database_pool, checkout, use});
  CHECK(fleet.pool().in_use() == 0);
  fleet.require_held();
}

TEST_CASE("handlers leave the reserve to health checks", "[handlers]") {
  SmallFleet fleet(with_pool({.size = 3, .reserve = 1}, 3));
  fleet.arrive_times(2, 0);
  const Answer third = fleet.arrive(0);
  CHECK(fleet.stage(third) == Stage::database_checkout);
  fleet.step(BeginHealthCheck{ProcessId(0)});
  CHECK(fleet.seen(EffectKind::resource_granted).size() == 1);
  CHECK(fleet.pool().in_use() == 3);
  fleet.step(BeginHealthCheck{ProcessId(0)});  // one at a time
  CHECK(fleet.pool().in_use() == 3);
  fleet.step(EndHealthCheck{ProcessId(0)});
  CHECK(fleet.stage(third) == Stage::database_checkout);
  fleet.require_held();
}

// B88: a process that is full answers health checks.
TEST_CASE("a health check passes by the gate", "[handlers]") {
  SmallFleet fleet(with_pool({.size = 2, .reserve = 1}, 1));
  fleet.arrive(0);
  fleet.arrive(0);
  fleet.step(BeginHealthCheck{ProcessId(0)});
  CHECK(fleet.seen(EffectKind::resource_granted).size() == 1);
  fleet.step(EndHealthCheck{ProcessId(0)});
  CHECK(fleet.pool().in_use() == 1);
  fleet.require_held();
}

TEST_CASE("nobody waits for a connection while the caps fit in what the reserve leaves", "[handlers]") {
  ClusterConfig config = with_pool({.size = 9, .reserve = 1}, 2);
  config.nodes = 2;
  config.admission->processes = 2;
  SmallFleet fleet(config);
  for (int i = 0; i < 20; ++i) {
    for (std::uint16_t process = 0; process < 4; ++process) {
      fleet.arrive(0, process);
      CHECK(fleet.seen(EffectKind::resource_awaited).empty());
    }
  }
  CHECK(fleet.pool().in_use() == 8);
  fleet.require_held();
}

TEST_CASE("the next service is held for a part of the call, and waited for with the connection in hand", "[handlers]") {
  SmallFleet fleet(with_pool({.size = 5}, 5, ResourceConfig{.size = 1}));
  const Answer first = fleet.arrive(0);
  const Answer second = fleet.arrive(1);
  fleet.step(EnterDownstream{first.id, first.serial});
  CHECK(fleet.stage(first) == Stage::downstream);
  fleet.step(EnterDownstream{second.id, second.serial});
  CHECK(fleet.stage(second) == Stage::downstream_checkout);
  CHECK(fleet.pool().in_use() == 2);
  fleet.finish(first);
  CHECK(fleet.stage(second) == Stage::downstream);
  CHECK(fleet.pool(Resource::downstream).in_use() == 1);
  fleet.finish(second);
  CHECK(fleet.cluster().api()->quiet());
  fleet.require_held();
}

TEST_CASE("a handler without the next service in time gives back its connection and its permit", "[handlers]") {
  SmallFleet fleet(with_pool({.size = 5}, 5, ResourceConfig{.size = 1}));
  const Answer first = fleet.arrive(0);
  const Answer second = fleet.arrive(1);
  fleet.step(EnterDownstream{first.id, first.serial});
  fleet.step(EnterDownstream{second.id, second.serial});
  expire_checkout(fleet, second, Resource::downstream);
  CHECK(outcome_of(fleet) == HandlerOutcome::downstream_timeout);
  CHECK(fleet.pool().in_use() == 1);
  CHECK(fleet.gate().inflight() == 1);
  CHECK(fleet.pool(Resource::downstream).waiting() == 0);
  fleet.require_held();
}

TEST_CASE("a client that leaves a running handler changes nothing but a mark", "[handlers]") {
  SmallFleet fleet(with_pool({.size = 1}, 2));
  const Answer working = fleet.arrive(0);
  const Answer in_the_driver = fleet.arrive(0);
  fleet.leave(working);
  CHECK(fleet.seen(EffectKind::request_abandoned).size() == 1);
  fleet.leave(working);  // once
  CHECK(fleet.seen(EffectKind::request_abandoned).empty());
  fleet.leave(in_the_driver);
  CHECK(fleet.counts(0).running == 2);
  CHECK(fleet.counts(0).gone == 0);
  CHECK(fleet.gate().inflight() == 2);
  fleet.finish(working);
  CHECK(!fleet.seen(EffectKind::request_finished)[0].live);
  CHECK(fleet.stage(in_the_driver) == Stage::handler);
  fleet.finish(in_the_driver);
  CHECK(fleet.counts(0).finished == 2);
  fleet.require_held();
}

// -- a node that crashes ----------------------------------------------------------------------------------------------

TEST_CASE("a crash ends handlers without an effect, and waiters are gone", "[handlers]") {
  ClusterConfig config = with_pool({.size = 2}, 2);
  config.nodes = 2;
  SmallFleet fleet(config);
  fleet.arrive_times(2, 0);
  const Answer waiting = fleet.arrive(1);
  CHECK(waiting.waits);
  const Answer elsewhere = fleet.arrive(1, 1);
  CHECK(fleet.stage(elsewhere) == Stage::database_checkout);
  fleet.step(Crash{NodeId(0)});
  CHECK(fleet.seen(EffectKind::process_down).size() == 1);
  CHECK(fleet.seen(EffectKind::request_gone).size() == 1);
  CHECK(fleet.seen(EffectKind::became_unready).size() == 1);
  CHECK(fleet.counts(0).finished == 2);
  CHECK(outcome_of(fleet) == HandlerOutcome::crashed);
  CHECK(fleet.counts(1).gone == 1);
  CHECK(fleet.gate(0).inflight() == 0);
  CHECK(fleet.stage(elsewhere) == Stage::handler);  // the dead handlers' connections came back
  CHECK(fleet.pool().in_use() == 1);
  fleet.require_held();
}

TEST_CASE("a process starts again with its configured limits, full buckets and an empty queue", "[handlers]") {
  ClusterConfig config = fleet_of({api_tenant("a", {.rate_limit = RateLimit{.nanohertz = 1'000'000'000, .burst = 2}})},
                                  {.limits = {.max_inflight = 2}, .may_wait = true});
  SmallFleet fleet(config);
  fleet.arrive_times(2, 0);
  fleet.set_limits({.max_inflight = 7});
  fleet.step(DrainProcess{ProcessId(0)});
  fleet.step(Crash{NodeId(0)});
  fleet.step(Restart{NodeId(0)});
  CHECK(fleet.seen(EffectKind::process_up).size() == 1);
  CHECK(fleet.seen(EffectKind::became_ready).size() == 1);
  CHECK(fleet.gate().limits().max_inflight == std::uint32_t{2});
  fleet.pass(Duration::milliseconds(500));
  CHECK(fleet.arrive(0).ran);
  fleet.pass(Duration::milliseconds(500));  // the former bucket's token
  CHECK(fleet.gate().tenant(NamespaceId(0)).bucket.tokens() == 1);
  fleet.pass(Duration::milliseconds(500));
  CHECK(fleet.gate().tenant(NamespaceId(0)).bucket.tokens() == 2);
  fleet.require_held();
}

TEST_CASE("a health check ends with its process, whether it has its connection or waits for it", "[handlers]") {
  for (const bool waits : {false, true}) {
    ClusterConfig config = with_pool({.size = 1}, 1);
    config.nodes = 2;
    SmallFleet fleet(config);
    if (waits) {
      fleet.arrive(0, 1);
    }
    fleet.step(BeginHealthCheck{ProcessId(0)});
    CHECK(fleet.pool().waiting() == (waits ? 1 : 0));
    fleet.step(Crash{NodeId(0)});
    CHECK(fleet.seen(EffectKind::resource_returned).size() == (waits ? 0 : 1));
    CHECK(fleet.pool().waiting() == 0);
    CHECK(fleet.pool().in_use() == (waits ? 1 : 0));
    fleet.require_held();
  }
}

TEST_CASE("copies of a cluster that went the same way are equal, and differ by a request", "[handlers]") {
  Cluster one(with_pool({.size = 1}, 1));
  Cluster other = one;
  Effects effects;
  const ArriveRequest arrival{ProcessId(0), NamespaceId(0), 1, 0};
  one.step(arrival, Time::zero(), effects);
  CHECK(!(one == other));
  other.step(arrival, Time::zero(), effects);
  CHECK(one == other);
}

}  // namespace
}  // namespace headroom::test
