// ceiling, work_conserving and fairness (spec 2.4).
#include <catch2/catch.hpp>

#include "tests/model/properties/watched_cluster.hpp"

namespace headroom::test {
namespace {

TEST_CASE("unscoped claims go past a ceiling and scoped ones do not", "[properties]") {
  for (const PlannerKind planner : all_planners()) {
    ClusterConfig config = one_node({"a"}, planner, 8);
    config.namespaces[0].quota = 3;
    WatchedCluster cluster(config);
    cluster.watch("ceiling");
    CHECK(cluster.held("ceiling") == Held::undefined);
    cluster.append(0, 20);
    cluster.sweep(0);
    cluster.sweep(0);
    const PropertyOutcome outcome = cluster.outcome("ceiling");
    CAPTURE(planner_for(planner).name(), outcome.reason);
    CHECK(outcome.held == (planner == PlannerKind::unscoped ? Held::no : Held::yes));
    if (planner == PlannerKind::unscoped) {
      // One unscoped claim of the whole batch is one atomic step.
      CHECK(outcome.reason == "tenant a on node n1: a claim took it to 8 claimed rows over a ceiling of 3");
    }
  }
}

TEST_CASE("A6: fixed_order leaves batch unused while rows are due", "[properties]") {
  for (const PlannerKind planner :
       {PlannerKind::fixed_order, PlannerKind::rotating, PlannerKind::deficit_round_robin}) {
    ClusterConfig config = one_node({"a"}, planner, 8);
    config.namespaces[0].routes = {{"first", PoolId::none()}, {"second", PoolId::none()}};
    WatchedCluster cluster(config);
    cluster.watch("work_conserving");
    CHECK(cluster.held("work_conserving") == Held::undefined);
    cluster.append(0, 100, 0, 0);
    cluster.append(0, 1, 0, 1);
    cluster.sweep(0);
    const PropertyOutcome outcome = cluster.outcome("work_conserving");
    CHECK(outcome.held == (planner == PlannerKind::fixed_order ? Held::no : Held::yes));
    if (planner == PlannerKind::fixed_order) {
      CHECK(outcome.reason == "node n1, sweep 1: 7 of batch 8 granted, while tenant a got 7 and could take 101");
    }
  }
}

TEST_CASE("a batch that nobody can use is not left unused", "[properties]") {
  ClusterConfig config = one_node({"a", "b"}, PlannerKind::rotating, 8);
  config.namespaces[0].quota = 2;
  WatchedCluster cluster(config);
  cluster.watch("work_conserving");
  cluster.append(0, 100);
  cluster.append(1, 1);
  cluster.sweep(0);
  CHECK(cluster.held("work_conserving") == Held::yes);
}

PropertyOutcome fairness_of(PlannerKind planner, const PropertyBounds& bounds, int windows) {
  WatchedCluster cluster(one_node({"a", "b", "c"}, planner, 4));
  cluster.watch("fairness", bounds);
  for (std::uint32_t tenant = 0; tenant < 3; ++tenant) {
    cluster.append(tenant, 1000);
  }
  for (int window = 0; window < windows; ++window) {
    for (int sweep = 0; sweep < 6; ++sweep) {
      cluster.sweep(0);
    }
    cluster.properties().close_window(cluster.cluster(), cluster.now());
  }
  return cluster.outcome("fairness");
}

TEST_CASE("Jain's index of a starved third is 2/3, and of equal shares 1", "[properties]") {
  const PropertyOutcome starved = fairness_of(PlannerKind::fixed_order, {}, 3);
  CHECK(starved.held == Held::no);  // 12, 12, 0 rows: k of n equal and the rest 0 give k / n
  CHECK(*starved.value == Approx(2.0 / 3.0).epsilon(1e-12));
  CHECK(starved.reason.find("least share 0.0000 of the entitled one (tenant c)") != std::string::npos);
  const PropertyOutcome equal = fairness_of(PlannerKind::rotating, {}, 3);
  CHECK(equal.held == Held::yes);
  CHECK(*equal.value == Approx(1.0).epsilon(1e-12));
}

TEST_CASE("each bound of fairness is judged on its own", "[properties]") {
  CHECK(fairness_of(PlannerKind::fixed_order, {.at_least = 0.6}, 1).held == Held::yes);
  CHECK(fairness_of(PlannerKind::fixed_order, {.worst_window_at_least = 0.7}, 1).held == Held::no);
  CHECK(fairness_of(PlannerKind::fixed_order, {.max_min_share_at_least = 0.1}, 1).held == Held::no);
  CHECK(fairness_of(PlannerKind::rotating, {.max_min_share_at_least = 0.99}, 1).held == Held::yes);
}

TEST_CASE("without a window in which two were backlogged fairness is undefined", "[properties]") {
  CHECK(fairness_of(PlannerKind::rotating, {}, 0).held == Held::undefined);
}

}  // namespace
}  // namespace headroom::test
