#include "model/cluster/cluster.hpp"

#include <catch2/catch.hpp>

#include "tests/model/cluster/small_cluster.hpp"

namespace headroom {
namespace {

TEST_CASE("the ceiling of a node is its share of the quota, and a sweep claims no more") {
  SmallCluster small(cluster_of(4, 64, {tenant("a", 10)}));
  for (std::uint16_t node = 0; node < 4; ++node) {
    CHECK(small.cluster.holding(NodeId(node), NamespaceId(0)).ceiling == 3);
  }
  small.append(0, 0, 8);
  CHECK(small.sweep(0) == std::vector<std::uint32_t>{3});
  CHECK(small.cluster.headroom(NodeId(0), NamespaceId(0)) == 0);
  CHECK(small.sweep(0) == std::vector<std::uint32_t>{0});
  CHECK(small.cluster.outbox().counts(NamespaceId(0)).pending == 5);
}

TEST_CASE("Pending rows do not count against the ceiling") {
  SmallCluster small(cluster_of(1, 1, {tenant("a", 2)}));
  small.append(0, 0, 100);
  CHECK(small.cluster.headroom(NodeId(0), NamespaceId(0)) == 2);
}

TEST_CASE("a completion of a tenant that stood at its ceiling with claimable rows wakes the node") {
  SmallCluster small(cluster_of(1, 1, {tenant("a", 1)}));
  small.append(0, 0, 2);
  CHECK(small.count(EffectKind::wake) == 1);  // one append of n rows is one wake
  small.sweep(0);
  CHECK_FALSE(small.cluster.wake_wanted(NodeId(0)));
  small.step(FinishExecution{small.running().front()});
  CHECK(small.cluster.wake_wanted(NodeId(0)));
  small.sweep(0);
  small.step(FinishExecution{small.running().front()});
  CHECK(small.count(EffectKind::wake) == 2);  // nothing was left to claim
}

TEST_CASE("without wake nothing wakes a node") {
  ClusterConfig config = cluster_of(1, 1, {tenant("a", 1)});
  config.wake = false;
  SmallCluster small(config);
  small.append(0, 0, 2);
  CHECK(small.count(EffectKind::wake) == 0);
}

TEST_CASE("a claimed row executes as soon as a worker is free") {
  ClusterConfig config = cluster_of(1, 1, {tenant("a", 10)});
  config.workers = 2;
  SmallCluster small(config);
  small.append(0, 0, 3);
  small.sweep(0);
  CHECK(small.running().size() == 2);
  CHECK(small.cluster.outbox().counts(NamespaceId(0)).claimed == 3);
  CHECK(small.cluster.executing_live(NamespaceId(0)) == 2);
  small.step(FinishExecution{small.running().front()});
  CHECK(small.running().size() == 2);
  CHECK(small.cluster.outbox().counts(NamespaceId(0)).done == 1);
}

TEST_CASE("a sequential dispatcher waits for each result before the next row and the next sweep") {
  ClusterConfig config = cluster_of(1, 1, {tenant("a", 10)});
  config.workers = 8;
  config.dispatch = DispatchKind::sequential;
  SmallCluster small(config);
  small.append(0, 0, 2);
  small.sweep(0);
  CHECK(small.running().size() == 1);
  CHECK_FALSE(small.cluster.can_sweep(NodeId(0)));
  small.step(FinishExecution{small.running().front()});
  CHECK(small.running().size() == 1);
  CHECK_FALSE(small.cluster.can_sweep(NodeId(0)));
  small.step(FinishExecution{small.running().front()});
  CHECK(small.cluster.can_sweep(NodeId(0)));
}

TEST_CASE("push_then_done: rows are Done when pushed, and the work goes on without a fence") {
  ClusterConfig config = cluster_of(1, 1, {tenant("a", 3)});
  config.workers = 2;
  config.dispatch = DispatchKind::push_then_done;
  SmallCluster small(config);
  small.append(0, 0, 6);
  small.sweep(0);
  CHECK(small.cluster.outbox().counts(NamespaceId(0)).done == 3);
  CHECK(small.cluster.executing_live(NamespaceId(0)) == 0);
  small.sweep(0);  // the ceiling does not bind what is executing
  CHECK(small.cluster.outbox().counts(NamespaceId(0)).done == 6);
  CHECK(small.running().size() == 2);
  while (!small.running().empty()) {
    small.step(FinishExecution{small.running().front()});
  }
  CHECK(small.count(EffectKind::recorded) == 6);
  CHECK(small.count(EffectKind::started) == 6);
}

TEST_CASE("a failed try comes back after its backoff with one more attempt") {
  SmallCluster small(cluster_of(1, 1, {tenant("a", 1)}));
  small.append(0, 0, 1);
  small.sweep(0);
  small.step(FinishExecution{small.running().front(), false});
  REQUIRE(small.count(EffectKind::retried) == 1);
  CHECK(small.cluster.holding(NodeId(0), NamespaceId(0)).claimable == 0);
  const RowSlot slot(0);
  small.step(BecomeVisible{slot, DispatchKey(NamespaceId(0), 0)});
  CHECK(small.cluster.holding(NodeId(0), NamespaceId(0)).claimable == 1);
  CHECK(small.cluster.outbox().row(slot).attempt == 1);
}

TEST_CASE("work goes on when its node dies, and its result counts if the row was not re-armed") {
  SmallCluster small(cluster_of(2, 2, {tenant("a", 4)}));
  small.append(0, 0, 1);
  small.sweep(0);
  small.step(Crash{NodeId(0)});
  CHECK_FALSE(small.cluster.every_shard_owned());
  small.step(Adopt{ShardId(0), NodeId(1)});
  CHECK(small.cluster.outbox().epoch(ShardId(0)) == 2);
  small.step(FinishExecution{small.running().front()});
  CHECK(small.cluster.outbox().counts(NamespaceId(0)).done == 1);
}

TEST_CASE("after a re-arm the old result is stale and the row runs again") {
  SmallCluster small(cluster_of(2, 2, {tenant("a", 4)}));
  small.append(0, 0, 1);
  small.sweep(0);
  const RowSlot slot(0);
  small.step(GoStale{slot, small.cluster.outbox().row(slot).fence});
  CHECK(small.cluster.executing_live(NamespaceId(0)) == 1);  // marked, but still live
  small.step(RearmPass{NodeId(1)});
  CHECK(small.count(EffectKind::rearmed) == 0);  // not its shard
  small.step(RearmPass{NodeId(0)});
  CHECK(small.count(EffectKind::rearmed) == 1);
  CHECK(small.cluster.executing_live(NamespaceId(0)) == 0);
  small.sweep(0);
  REQUIRE(small.running().size() == 2);
  small.step(FinishExecution{small.running().front()});
  CHECK(small.count(EffectKind::result_ignored) == 1);
  small.step(FinishExecution{small.running().front()});
  CHECK(small.count(EffectKind::recorded) == 1);
}

TEST_CASE("a re-arm pass leaves a row of another node's shard alone that took the place of a settled one") {
  SmallCluster small(cluster_of(2, 2, {tenant("a", 8)}));
  const auto claim_and_go_stale = [&small](std::uint16_t node) {
    small.append(0, node, 1);
    small.sweep(node);
    const RowSlot slot = small.cluster.outbox().oldest_claim();
    small.step(GoStale{slot, small.cluster.outbox().row(slot).fence});
    return slot;
  };
  const RowSlot slot = claim_and_go_stale(0);
  small.step(FinishExecution{small.running().front()});
  REQUIRE(claim_and_go_stale(1) == slot);
  small.step(RearmPass{NodeId(0)});
  CHECK(small.cluster.outbox().counts(NamespaceId(0)).rearms == 0);
  small.step(RearmPass{NodeId(1)});
  CHECK(small.cluster.outbox().counts(NamespaceId(0)).rearms == 1);
}

TEST_CASE("rows that wait for a worker are lost with their node and stay Claimed until re-armed") {
  ClusterConfig config = cluster_of(2, 2, {tenant("a", 8)});
  config.workers = 1;
  SmallCluster small(config);
  small.append(0, 0, 3);
  small.sweep(0);
  small.step(Crash{NodeId(0)});
  CHECK(small.count(EffectKind::work_lost) == 2);
  CHECK(small.cluster.outbox().counts(NamespaceId(0)).claimed == 3);
  CHECK(small.running().size() == 1);
}

TEST_CASE("a node that comes back has the shards that nobody adopted") {
  SmallCluster small(cluster_of(2, 4, {tenant("a", 4)}));
  small.step(Crash{NodeId(0)});
  CHECK(small.cluster.holding(NodeId(0), NamespaceId(0)).ceiling == 0);
  small.step(Adopt{ShardId(0), NodeId(1)});
  CHECK(small.cluster.holding(NodeId(1), NamespaceId(0)).ceiling == 3);
  small.step(Restart{NodeId(0)});
  CHECK(small.cluster.every_shard_owned());
  CHECK(small.cluster.owned(NodeId(0)) == 1);
  CHECK(small.cluster.holding(NodeId(0), NamespaceId(0)).ceiling == 1);
  small.step(Adopt{ShardId(1), NodeId(1)});
  CHECK(small.cluster.owned(NodeId(1)) == 3);  // it is not ownerless: void
}

TEST_CASE("a handoff moves due rows, and claimed ones by what is counted") {
  const auto counted = [](ClaimedCounts counts) {
    ClusterConfig config = cluster_of(2, 4, {tenant("a", 8)});
    config.claimed_counts = counts;
    SmallCluster small(config);
    small.append(0, 0, 3);
    small.append(0, 1, 1);
    small.sweep(0);
    small.append(0, 0, 5);
    small.step(Handoff{ShardId(0), NodeId(1)});
    REQUIRE(small.cluster.holding(NodeId(1), NamespaceId(0)).claimable == 5);
    return std::pair(small.cluster.claimed(small.cluster.holding(NodeId(0), NamespaceId(0))),
                     small.cluster.claimed(small.cluster.holding(NodeId(1), NamespaceId(0))));
  };
  CHECK(counted(ClaimedCounts::owned_shards) == std::pair(1U, 3U));
  CHECK(counted(ClaimedCounts::started) == std::pair(4U, 0U));
  CHECK(counted(ClaimedCounts::owned_or_started) == std::pair(4U, 3U));
}

TEST_CASE("a handoff in the middle of a sweep: what the plan granted is not found any more") {
  SmallCluster small(cluster_of(2, 4, {tenant("a", 8)}));
  small.append(0, 0, 2);
  small.step(PlanSweep{NodeId(0)});
  REQUIRE(small.cluster.sweep(NodeId(0)).plan.granted_to(NamespaceId(0)) == 2);
  small.step(Handoff{ShardId(0), NodeId(1)});
  while (small.cluster.claims_left(NodeId(0))) {
    small.step(ClaimNext{NodeId(0)});
  }
  small.step(FinishSweep{NodeId(0)});
  CHECK(small.count(EffectKind::claimed) == 0);
  CHECK(small.sweep(1) == std::vector<std::uint32_t>{2});
}

TEST_CASE("a claim that finds nothing any more takes nothing from those after it") {
  SmallCluster small(cluster_of(1, 1, {tenant("a", 8), tenant("b", 8)}));
  small.append(0, 0, 2);
  small.append(1, 0, 2);
  small.step(PlanSweep{NodeId(0)});
  small.step(EndWorkflow{WorkflowId(small.cluster.layout().first_workflow(0))});
  while (small.cluster.claims_left(NodeId(0))) {
    small.step(ClaimNext{NodeId(0)});
  }
  small.step(FinishSweep{NodeId(0)});
  CHECK(small.cluster.outbox().counts(NamespaceId(0)).claims == 0);
  CHECK(small.cluster.outbox().counts(NamespaceId(1)).claims == 2);
}

TEST_CASE("a claim takes at most the headroom at its instant, whatever the plan granted") {
  SmallCluster small(cluster_of(2, 2, {tenant("a", 4)}));
  small.append(0, 0, 4);
  small.step(PlanSweep{NodeId(0)});
  REQUIRE(small.cluster.sweep(NodeId(0)).plan.granted_to(NamespaceId(0)) == 2);
  small.append(0, 1, 4);
  small.sweep(1);
  // The other node's rows move here and use up the headroom before the claim.
  small.step(Handoff{ShardId(1), NodeId(0)});
  const std::uint32_t headroom = small.cluster.headroom(NodeId(0), NamespaceId(0));
  while (small.cluster.claims_left(NodeId(0))) {
    small.step(ClaimNext{NodeId(0)});
  }
  CHECK(small.cluster.sweep(NodeId(0)).rows_claimed == std::min(2U, headroom));
  CHECK(headroom < 2);
}

TEST_CASE("a claim on a pinned route takes the oldest of its rows and of those pinned to no pool (A8)") {
  ClusterConfig config = cluster_of(1, 1, {tenant("a", 100)});
  config.pool_nodes = {{NodeId(0)}};
  config.namespaces[0].routes = {{"q", PoolId::none()}, {"q", PoolId(0)}};
  config.planner = PlannerKind::fixed_order;
  config.batch_size = 2;
  SmallCluster small(config);
  small.append(0, 0, 3, 0);
  small.now = Time::at(Duration::milliseconds(1));
  small.append(0, 0, 3, 1);
  small.sweep(0);
  // The share of the pinned route went to an older unpinned row.
  CHECK(small.cluster.outbox().claimable(NodeId(0), RouteId(0)) == 1);
  CHECK(small.cluster.outbox().claimable(NodeId(0), RouteId(1)) == 3);
}

TEST_CASE("pinned rows run on a node of their pool") {
  ClusterConfig config = cluster_of(2, 2, {tenant("a", 100)});
  config.pool_nodes = {{NodeId(1)}};
  config.namespaces[0].routes = {{"q", PoolId(0)}};
  SmallCluster small(config);
  small.append(0, 0, 2);
  small.sweep(0);
  REQUIRE(small.running().size() == 2);
  CHECK(small.cluster.executions()[small.running().front()].node == NodeId(1));
  CHECK(small.cluster.workers(NodeId(0)).busy == 0);
}

TEST_CASE("paused rows are not claimable but present; ending their workflow cancels them") {
  SmallCluster small(cluster_of(1, 1, {tenant("a", 10)}));
  small.append(0, 0, 3);
  small.step(PauseWorkflow{WorkflowId(0)});
  CHECK(small.cluster.active(NodeId(0)).empty());
  CHECK(small.cluster.present(NodeId(0)).count() == 1);
  CHECK(small.sweep(0) == std::vector<std::uint32_t>{0});
  small.step(PauseWorkflow{WorkflowId(0), false});
  CHECK(small.sweep(0) == std::vector<std::uint32_t>{3});
  small.append(0, 0, 1);
  small.step(EndWorkflow{WorkflowId(0)});
  CHECK(small.cluster.outbox().counts(NamespaceId(0)).cancelled == 4);
  CHECK(small.cluster.executing_live(NamespaceId(0)) == 0);
  CHECK(small.cluster.present(NodeId(0)).empty());
  small.step(FinishExecution{small.running().front()});
  CHECK(small.count(EffectKind::result_ignored) == 1);
}

TEST_CASE("unscoped takes the oldest rows whoever they belong to, past any ceiling") {
  ClusterConfig config = cluster_of(1, 1, {tenant("a", 1), tenant("b", 1)});
  config.planner = PlannerKind::unscoped;
  config.batch_size = 4;
  SmallCluster small(config);
  small.append(1, 0, 3);
  small.now = Time::at(Duration::milliseconds(1));
  small.append(0, 0, 3);
  CHECK(small.sweep(0) == std::vector<std::uint32_t>{1, 3});
}

TEST_CASE("two clusters that went through the same steps are equal, and a copy goes its own way") {
  SmallCluster small(cluster_of(2, 4, {tenant("a", 4), tenant("b", 4)}));
  small.append(0, 0, 3);
  Cluster copy = small.cluster;
  CHECK(copy == small.cluster);
  small.sweep(0);
  CHECK_FALSE(copy == small.cluster);
  Effects effects;
  copy.sweep_at_once(NodeId(0), small.now, effects);
  CHECK(copy == small.cluster);
}

}  // namespace
}  // namespace headroom
