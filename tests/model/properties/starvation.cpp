// no_starvation, slice and the runs of unserved sweeps that they judge (spec 1.0, 2.4).
#include <catch2/catch.hpp>

#include "tests/model/properties/watched_cluster.hpp"

namespace headroom::test {
namespace {

constexpr Duration kPoll = Duration::milliseconds(20);

WatchedCluster three_backlogged(PlannerKind planner, std::uint32_t batch) {
  WatchedCluster cluster(one_node({"a", "b", "c"}, planner, batch));
  for (std::uint32_t tenant = 0; tenant < 3; ++tenant) {
    cluster.append(tenant, 1000);
  }
  return cluster;
}

void sweep_often(WatchedCluster& cluster, int sweeps) {
  for (int i = 0; i < sweeps; ++i) {
    cluster.sweep(0);
    cluster.pass(kPoll);
  }
}

TEST_CASE("a tenant that fixed_order never serves is starved, and told of with its numbers", "[properties]") {
  WatchedCluster cluster = three_backlogged(PlannerKind::fixed_order, 4);
  cluster.watch("no_starvation");
  cluster.watch("slice");
  sweep_often(cluster, 10);
  cluster.end();
  const PropertyOutcome starved = cluster.outcome("no_starvation");
  CHECK(starved.held == Held::no);
  CHECK(starved.value == 10.0);
  CHECK(starved.reason.find("tenant c on node n1: active for 10 sweeps (200 ms), served 0") == 0);
  const PropertyOutcome slice = cluster.outcome("slice");
  CHECK(slice.held == Held::no);
  CHECK(slice.at == Time::zero());
  CHECK(slice.reason.find("tenant c on node n1: granted 0 rows in sweep 1, its slice is 1") == 0);
}

TEST_CASE("rotating serves everyone in every sweep where the batch allows it", "[properties]") {
  WatchedCluster cluster = three_backlogged(PlannerKind::rotating, 4);
  cluster.watch("no_starvation");
  cluster.watch("slice");
  sweep_often(cluster, 10);
  cluster.end();
  CHECK(cluster.held("no_starvation") == Held::yes);
  CHECK(cluster.outcome("no_starvation").value == 0.0);
  CHECK(cluster.held("slice") == Held::yes);
}

TEST_CASE("K - 1 unserved sweeps are allowed and K are not", "[properties]") {
  // Three tenants, batch 2: K = 2.
  WatchedCluster rotating = three_backlogged(PlannerKind::rotating, 2);
  rotating.watch("no_starvation");
  rotating.watch("slice");
  sweep_often(rotating, 10);
  rotating.end();
  CHECK(rotating.held("no_starvation") == Held::yes);
  CHECK(rotating.outcome("no_starvation").value == 1.0);
  CHECK(rotating.held("slice") == Held::yes);

  for (const int sweeps : {1, 2}) {
    WatchedCluster fixed = three_backlogged(PlannerKind::fixed_order, 2);
    fixed.watch("no_starvation");
    fixed.watch("slice");
    sweep_often(fixed, sweeps);
    fixed.end();
    CHECK(fixed.held("no_starvation") == (sweeps < 2 ? Held::yes : Held::no));
    CHECK(fixed.held("slice") == (sweeps < 2 ? Held::yes : Held::no));
  }
}

TEST_CASE("bounds of one's own count sweeps, and time from the first of them to the service", "[properties]") {
  const auto held_within = [](const PropertyBounds& bounds) {
    WatchedCluster cluster = three_backlogged(PlannerKind::rotating, 2);
    cluster.watch("no_starvation", bounds);
    sweep_often(cluster, 6);
    cluster.end();
    return cluster.held("no_starvation");
  };
  CHECK(held_within({.at_most_sweeps = 1}) == Held::yes);
  CHECK(held_within({.at_most_sweeps = 0}) == Held::no);
  CHECK(held_within({.at_most_ms = 20}) == Held::yes);
  CHECK(held_within({.at_most_ms = 19}) == Held::no);
}

TEST_CASE("a tenant that is not active is not starved", "[properties]") {
  ClusterConfig config = one_node({"a", "b", "held"}, PlannerKind::fixed_order, 2);
  config.namespaces[2].quota = 0;
  WatchedCluster cluster(config);
  cluster.watch("no_starvation");
  cluster.watch("slice");
  for (std::uint32_t tenant = 0; tenant < 3; ++tenant) {
    cluster.append(tenant, 100);
  }
  sweep_often(cluster, 5);
  cluster.end();
  CHECK(cluster.held("no_starvation") == Held::yes);
  CHECK(cluster.held("slice") == Held::yes);
}

// Collects the runs that end.
void collect_runs(WatchedCluster& cluster, std::vector<UnservedRun>& runs) {
  cluster.properties().on_run([&runs](const UnservedRun& run) {
    if (run.sweeps > 0) {
      runs.push_back(run);
    }
  });
}

TEST_CASE("losing the last claimable row ends a run", "[properties]") {
  WatchedCluster cluster = three_backlogged(PlannerKind::fixed_order, 2);
  std::vector<UnservedRun> runs;
  collect_runs(cluster, runs);
  sweep_often(cluster, 3);
  cluster.step(EndWorkflow{WorkflowId(cluster.cluster().layout().first_workflow(2))});
  REQUIRE(runs.size() == 1);
  CHECK(runs[0].name == NamespaceId(2));
  CHECK(runs[0].sweeps == 3);
  CHECK(runs[0].active_names == 3);
  CHECK(runs[0].allowed == 2);
  CHECK_FALSE(runs[0].served);
  sweep_often(cluster, 3);
  CHECK(runs.size() == 1);
}

TEST_CASE("tenants that leave in one step count among those that the first of them waited with", "[properties]") {
  ClusterConfig config = one_node({"a", "b", "c"}, PlannerKind::rotating, 2);
  config.nodes = 2;
  WatchedCluster cluster(config);
  cluster.watch("no_starvation");
  cluster.watch("slice");
  cluster.append(0, 10);
  cluster.append(1, 10);
  cluster.append(2, 2);
  sweep_often(cluster, 3);  // a and b, c and a, b and c, which leaves: a has waited for one of K = 2
  cluster.plan(0);
  cluster.hand_off(0, 1);  // a and b leave
  CHECK(cluster.held("no_starvation") != Held::no);
  CHECK(cluster.held("slice") != Held::no);
}

TEST_CASE("a crash ends a run", "[properties]") {
  WatchedCluster cluster = three_backlogged(PlannerKind::fixed_order, 2);
  std::vector<UnservedRun> runs;
  collect_runs(cluster, runs);
  sweep_often(cluster, 2);
  cluster.step(Crash{NodeId(0)});
  REQUIRE(runs.size() == 1);
  CHECK(runs[0].sweeps == 2);
}

TEST_CASE("a sweep that a crash cuts short does not count", "[properties]") {
  WatchedCluster cluster = three_backlogged(PlannerKind::fixed_order, 2);
  std::vector<UnservedRun> runs;
  collect_runs(cluster, runs);
  sweep_often(cluster, 2);
  cluster.plan(0);
  cluster.step(Crash{NodeId(0)});
  REQUIRE(runs.size() == 1);
  CHECK(runs[0].sweeps == 2);
  cluster.step(Restart{NodeId(0)});
  sweep_often(cluster, 4);
  cluster.end();
  REQUIRE(runs.size() == 2);
  CHECK(runs[1].sweeps == 4);
}

// Tenant a has a row on a route each of two shards of the first node, and gets one row of the first route.
WatchedCluster two_routes() {
  ClusterConfig config = one_node({"a"}, PlannerKind::rotating, 1);
  config.nodes = 2;
  config.shards = 2;
  config.initial_owner = {NodeId(0), NodeId(0)};
  config.namespaces[0].routes = {{"first", PoolId::none()}, {"second", PoolId::none()}};
  WatchedCluster cluster(config);
  cluster.append(0, 1, 0, 0);
  cluster.append(0, 1, 1, 1);
  return cluster;
}

TEST_CASE("a sweep whose granted rows were handed off before the claim does not count", "[properties]") {
  for (const bool everything : {false, true}) {
    WatchedCluster cluster = two_routes();
    std::vector<UnservedRun> runs;
    collect_runs(cluster, runs);
    cluster.plan(0);
    cluster.hand_off(0, 1);
    if (everything) {  // then it is not active at the end of the sweep either
      cluster.hand_off(1, 1);
    }
    cluster.claim_and_finish(0);
    CHECK(cluster.running() == 0);
    cluster.end();
    CHECK(runs.empty());
  }
}

TEST_CASE("a sweep that does not count takes no tenant from those that were waited with before it", "[properties]") {
  ClusterConfig config = one_node({"a", "b", "c"}, PlannerKind::rotating, 2);
  config.nodes = 2;
  config.shards = 2;
  config.initial_owner = {NodeId(0), NodeId(0)};
  config.namespaces[2].routes = {{"q", PoolId::none()}, {"r", PoolId::none()}};
  WatchedCluster cluster(config);
  cluster.watch("no_starvation");
  cluster.append(0, 1);
  cluster.append(1, 10);
  cluster.append(2, 1, 1, 0);
  cluster.append(2, 1, 0, 1);
  cluster.sweep(0);  // a, which leaves, and b: c has waited for one of K = 2
  cluster.plan(0);   // c is granted its row on shard 1
  cluster.hand_off(1, 1);
  cluster.claim_and_finish(0);
  REQUIRE(cluster.cluster().outbox().counts(NamespaceId(2)).claims == 0);
  cluster.sweep(0);
  REQUIRE(cluster.cluster().outbox().counts(NamespaceId(2)).claims == 1);
  CHECK(cluster.held("no_starvation") != Held::no);
}

TEST_CASE("only who is active at every sweep is backlogged in a window", "[properties]") {
  WatchedCluster cluster(one_node({"a", "b", "c"}, PlannerKind::rotating, 3));
  cluster.append(0, 100);
  cluster.append(1, 2);
  sweep_often(cluster, 1);
  cluster.properties().skip_window(cluster.cluster(), cluster.now());
  sweep_often(cluster, 1);
  cluster.append(2, 100);
  sweep_often(cluster, 1);
  // b has run dry, c has come late.
  CHECK(cluster.properties().close_window(cluster.cluster(), cluster.now()) ==
        std::vector<NamespaceId>{NamespaceId(0)});
  sweep_often(cluster, 2);
  CHECK(cluster.properties().close_window(cluster.cluster(), cluster.now()) ==
        std::vector<NamespaceId>{NamespaceId(0), NamespaceId(2)});
}

}  // namespace
}  // namespace headroom::test
