// Claims that go stale, and shards that change hands, while a node has made up its mind about them.
#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/model/cluster/small_cluster.hpp"

namespace headroom {
namespace {

RowSlot only_row(const Cluster& cluster) {
  RowSlot found = RowSlot::none();
  cluster.outbox().for_each_in_shard(ShardId(0), [&](RowSlot slot) { found = slot; });
  return found;
}

void go_stale(SmallCluster& small) {
  const RowSlot row = only_row(small.cluster);
  small.step(GoStale{row, small.cluster.outbox().row(row).fence});
}

TEST_CASE("a row that goes stale under two claims between two passes is re-armed once") {
  SmallCluster small(cluster_of(1, 1, {tenant("a", 4)}));
  small.append(0, 0, 1);
  small.sweep(0);
  go_stale(small);
  small.step(FinishExecution{small.running().front(), false});
  const RowSlot row = only_row(small.cluster);
  small.step(BecomeVisible{row, small.cluster.outbox().row(row).key});
  small.sweep(0);
  go_stale(small);
  small.step(RearmPass{NodeId(0)});
  CHECK(small.count(EffectKind::rearmed) == 1);
  CHECK(small.cluster.holding(NodeId(0), NamespaceId(0)).due == 1);
  CHECK(small.cluster.holding(NodeId(0), NamespaceId(0)).started == 0);
}

ClusterConfig lists_and_acts() {
  ClusterConfig config = cluster_of(2, 1, {tenant("a", 4)});
  config.rearm_pass = RearmPassKind::list_and_act;
  return config;
}

TEST_CASE("what a node had listed when it died is re-armed by whoever adopts the shard") {
  SmallCluster small(lists_and_acts());
  const NodeId owner = small.cluster.outbox().holder(ShardId(0));
  const NodeId other(owner == NodeId(0) ? 1 : 0);
  small.append(0, 0, 1);
  small.sweep(owner.value());
  go_stale(small);
  small.step(RearmPass{owner});
  small.step(Crash{owner});
  small.step(Adopt{ShardId(0), other});
  small.step(RearmPass{other});
  small.step(ActOnStale{other});
  CHECK(small.count(EffectKind::rearmed) == 1);
}

TEST_CASE("what a node had listed of a shard that it handed over is re-armed by the new owner") {
  SmallCluster small(lists_and_acts());
  const NodeId owner = small.cluster.outbox().holder(ShardId(0));
  const NodeId other(owner == NodeId(0) ? 1 : 0);
  small.append(0, 0, 1);
  small.sweep(owner.value());
  go_stale(small);
  small.step(RearmPass{owner});
  small.step(Handoff{ShardId(0), other});
  small.step(ActOnStale{owner});
  CHECK(small.count(EffectKind::rearmed) == 0);
  small.step(RearmPass{other});
  small.step(ActOnStale{other});
  CHECK(small.count(EffectKind::rearmed) == 1);
}

TEST_CASE("a list that a paused node could not act on is acted on after its next pass") {
  SmallCluster small(lists_and_acts());
  const NodeId owner = small.cluster.outbox().holder(ShardId(0));
  small.append(0, 0, 1);
  small.sweep(owner.value());
  go_stale(small);
  small.step(RearmPass{owner});
  small.step(PauseNode{owner});
  small.step(ActOnStale{owner});
  small.step(ResumeNode{owner});
  small.step(RearmPass{owner});
  CHECK(small.count(EffectKind::stale_listed) == 2);
  small.step(ActOnStale{owner});
  CHECK(small.count(EffectKind::rearmed) == 1);
}

TEST_CASE("a shard lost twice is planned for once by a node that keeps its scope") {
  ClusterConfig config = cluster_of(2, 2, {tenant("a", 8)});
  config.scope_on_loss = ScopeOnLoss::keep;
  config.batch_size = 8;
  SmallCluster small(config);
  small.append(0, 0, 3);
  small.step(Handoff{ShardId(0), NodeId(1)});
  small.step(Handoff{ShardId(0), NodeId(0)});
  small.step(Handoff{ShardId(0), NodeId(1)});
  small.step(PlanSweep{NodeId(0)});
  REQUIRE(small.cluster.kept_rows(NodeId(0)).size() == 1);
  CHECK(small.cluster.kept_rows(NodeId(0))[0] == 3);
}

TEST_CASE("a claim takes the rows that it is given, passes over those that it may not take and keeps to its limit") {
  ClusterConfig config = cluster_of(1, 2, {tenant("a", 8), tenant("b", 8)});
  config.batch_size = 4;
  SmallCluster small(config);
  small.append(0, 0, 2);
  small.append(0, 1, 2);
  small.append(1, 0, 2);
  std::vector<RowSlot> rows;
  for (const std::uint32_t shard : {1U, 0U}) {
    small.cluster.outbox().for_each_in_shard(ShardId(shard), [&](RowSlot slot) { rows.push_back(slot); });
  }
  small.step(PlanSweep{NodeId(0)});
  REQUIRE(small.cluster.next_claim_limit(NodeId(0)) == 2);
  const auto of_b = std::ranges::find_if(
      rows, [&](RowSlot slot) { return small.cluster.outbox().row(slot).name() == NamespaceId(1); });
  REQUIRE(of_b != rows.end());
  std::iter_swap(rows.begin(), of_b);  // the first claim is of a
  CHECK_FALSE(small.cluster.next_claim_may_take(NodeId(0), rows.front()));
  small.step(ClaimNext{NodeId(0), rows});
  std::vector<RowSlot> taken;
  for (const Effect& effect : small.effects) {
    if (effect.kind == EffectKind::claimed) {
      taken.push_back(effect.row);
    }
  }
  std::erase_if(rows, [&](RowSlot slot) { return small.cluster.outbox().row(slot).name() == NamespaceId(1); });
  CHECK(taken == std::vector<RowSlot>(rows.begin(), rows.begin() + 2));
}

}  // namespace
}  // namespace headroom
