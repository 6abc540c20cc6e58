// How requests and rows meet (spec 1.5): the fan-out is one write with the answer, a retry of the same logical request
// appends nothing twice, and rows may need connections of the pool that handlers use.
#include <catch2/catch.hpp>

#include "tests/model/cluster/small_fleet.hpp"

namespace headroom::test {
namespace {

ClusterConfig with_fan_out(std::uint32_t fan_out, std::optional<std::uint32_t> max_inflight = {}) {
  return fleet_of({api_tenant("a", {}, fan_out), api_tenant("b", {}, fan_out)},
                  {.limits = {.max_inflight = max_inflight}, .may_wait = false});
}

std::uint64_t appended(const SmallFleet& fleet, std::uint32_t tenant = 0) {
  return fleet.cluster().outbox().counts(NamespaceId(tenant)).appended;
}

TEST_CASE("a request answered 2xx has all of its rows in the outbox in the step of the answer", "[end_to_end]") {
  SmallFleet fleet(with_fan_out(3));
  const Answer request = fleet.arrive(0);
  CHECK(appended(fleet) == 0);
  fleet.finish(request);
  CHECK(appended(fleet) == 3);
  CHECK(fleet.seen(EffectKind::wake).size() == 1);  // one append of three rows
  fleet.sweep();
  CHECK(fleet.cluster().executions().running_count() == 3);
  fleet.require_held();
}

TEST_CASE("a request that is refused, fails, leaves or crashes has no row", "[end_to_end]") {
  SmallFleet fleet(with_fan_out(2, 1));
  const Answer fails = fleet.arrive(0);
  CHECK(fleet.arrive(0).refusal.has_value());
  fleet.finish(fails, false);
  const Answer crashes = fleet.arrive(0);
  CHECK(crashes.ran);
  fleet.step(Crash{NodeId(0)});
  CHECK(fleet.counts(0).finished == 2);
  CHECK(appended(fleet) == 0);
  fleet.require_held();
}

TEST_CASE("a client that left its running handler has its rows all the same", "[end_to_end]") {
  SmallFleet fleet(with_fan_out(2));
  const Answer request = fleet.arrive(0);
  fleet.leave(request);
  fleet.finish(request);
  CHECK(appended(fleet) == 2);
  fleet.require_held();
}

TEST_CASE("another try of an answered request appends nothing and is answered 2xx", "[end_to_end]") {
  SmallFleet fleet(with_fan_out(3));
  const Answer first = fleet.try_again(0, 7);
  fleet.leave(first);  // its client timed out, and tries again
  const Answer second = fleet.try_again(0, 7);
  fleet.finish(first);
  fleet.finish(second);
  CHECK(fleet.seen(EffectKind::duplicate_ignored).size() == 3);
  CHECK(appended(fleet) == 3);
  CHECK(fleet.counts(0).finished == 2);
  fleet.require_held();
}

TEST_CASE("a try that is refused after an earlier one was answered takes no row away", "[end_to_end]") {
  SmallFleet fleet(with_fan_out(1, 1));
  fleet.finish(fleet.try_again(0, 4));
  fleet.arrive(1);
  CHECK(fleet.try_again(0, 4).refusal.has_value());
  CHECK(appended(fleet) == 1);
  fleet.require_held();
}

TEST_CASE("rows of different tenants and of arrivals beside requests do not meet", "[end_to_end]") {
  SmallFleet fleet(with_fan_out(1));
  fleet.finish(fleet.try_again(0, 0));
  fleet.finish(fleet.try_again(1, 0));
  const NewRow beside{.key = DispatchKey(NamespaceId(0), 0),
                      .workflow = WorkflowId(0),
                      .route = RouteId(0),
                      .shard = ShardId(0),
                      .visible_after = fleet.now()};
  fleet.step(AppendRows{{&beside, 1}});
  CHECK(appended(fleet, 0) == 2);
  CHECK(appended(fleet, 1) == 1);
  fleet.require_held();
}

// -- rows that need a connection --------------------------------------------------------------------------------------

ClusterConfig rows_on_the_pool(std::uint32_t size, std::uint32_t max_inflight) {
  ClusterConfig config = fleet_of({api_tenant("a", {}, 1)}, {.limits = {.max_inflight = max_inflight}});
  config.admission->database_pool = ResourceConfig{.size = size};
  config.namespaces[0].rows_use_database_pool = true;
  config.workers = 4;
  return config;
}

ExecutionId only_execution(const SmallFleet& fleet) {
  REQUIRE(fleet.cluster().executions().running_count() == 1);
  return ExecutionId(0);
}

TEST_CASE("an executing row holds a connection of the pool that handlers use", "[end_to_end]") {
  SmallFleet fleet(rows_on_the_pool(1, 2));
  fleet.finish(fleet.arrive(0));
  fleet.sweep();
  CHECK(fleet.pool().in_use() == 1);
  const Answer request = fleet.arrive(0);
  CHECK(fleet.stage(request) == Stage::database_checkout);
  fleet.step(FinishExecution{only_execution(fleet), true});
  CHECK(fleet.stage(request) == Stage::handler);
  CHECK(fleet.cluster().outbox().counts(NamespaceId(0)).done == 1);
  fleet.finish(request);
  fleet.require_held();
}

TEST_CASE("a row without a connection in time has failed a try and is retried", "[end_to_end]") {
  SmallFleet fleet(rows_on_the_pool(1, 2));
  fleet.finish(fleet.arrive(0));
  const Answer request = fleet.arrive(0);
  fleet.sweep();
  const CheckoutId checkout = fleet.cluster().executions()[only_execution(fleet)].connection;
  CHECK(!fleet.pool().checked_out(checkout));
  fleet.step(ExpireCheckout{Resource::database_pool, checkout, fleet.pool().entry(checkout).use});
  CHECK(fleet.seen(EffectKind::retried).size() == 1);
  CHECK(fleet.cluster().executions().running_count() == 0);
  CHECK(fleet.pool().waiting() == 0);
  fleet.finish(request);
  CHECK(fleet.cluster().api()->quiet());
  fleet.require_held();
}

TEST_CASE("a row that ends while it waits for a connection leaves the line", "[end_to_end]") {
  SmallFleet fleet(rows_on_the_pool(1, 3));
  fleet.finish(fleet.arrive(0));
  const Answer holder = fleet.arrive(0);
  fleet.sweep();
  const Answer behind = fleet.arrive(0);
  fleet.step(FinishExecution{only_execution(fleet), false});
  CHECK(fleet.pool().waiting() == 1);
  fleet.finish(holder);
  CHECK(fleet.stage(behind) == Stage::handler);
  fleet.require_held();
}

}  // namespace
}  // namespace headroom::test
