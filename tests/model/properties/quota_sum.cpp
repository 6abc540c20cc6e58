// quota_sum (spec 1.3, "Quota while shards move"): 2 nodes, 4 shards, quota 4, one saturated tenant.
#include <catch2/catch.hpp>

#include "tests/model/properties/watched_cluster.hpp"

namespace headroom::test {
namespace {

constexpr std::uint32_t kShards = 4;
constexpr std::uint32_t kQuota = 4;

WatchedCluster moving(ClaimedCounts counts, CeilingGrowth growth, const PropertyBounds& bounds = {}) {
  ClusterConfig config = two_nodes(kShards, kQuota);
  config.claimed_counts = counts;
  config.ceiling_growth = growth;
  WatchedCluster cluster(config);
  cluster.watch("quota_sum", bounds);
  return cluster;
}

std::uint32_t executing(const WatchedCluster& cluster) {
  return cluster.cluster().executing_live(NamespaceId(0));
}

// The work of each shard is started before the shard is handed over.
void hand_over_one_by_one(WatchedCluster& cluster) {
  for (std::uint32_t shard = 0; shard < kShards; ++shard) {
    cluster.append(0, 10, shard);
    cluster.sweep(0);
    cluster.sweep(1);
    cluster.hand_off(shard, 1);
  }
}
void hand_over_all(WatchedCluster& cluster) {
  for (std::uint32_t shard = 0; shard < kShards; ++shard) {
    cluster.append(0, 10, shard);
  }
  cluster.sweep(0);
  for (std::uint32_t shard = 0; shard < kShards; ++shard) {
    cluster.hand_off(shard, 1);
  }
  cluster.sweep(1);
}
void hand_over_idle_shards(WatchedCluster& cluster) {
  cluster.append(0, 10, 0);
  cluster.sweep(0);
  for (std::uint32_t shard = 1; shard < kShards; ++shard) {
    cluster.append(0, 10, shard);
    cluster.hand_off(shard, 1);
  }
  cluster.sweep(1);
}

TEST_CASE("counting owned shards lets handoffs push executing rows to 10", "[properties]") {
  for (const CeilingGrowth growth : {CeilingGrowth::immediate, CeilingGrowth::settled}) {
    WatchedCluster cluster = moving(ClaimedCounts::owned_shards, growth);
    hand_over_one_by_one(cluster);
    CHECK(executing(cluster) == 10);
    CHECK(cluster.held("quota_sum") == Held::no);
  }
}

TEST_CASE("counting started rows with immediate growth lets handoffs push executing rows to 8", "[properties]") {
  WatchedCluster cluster = moving(ClaimedCounts::started, CeilingGrowth::immediate);
  hand_over_all(cluster);
  CHECK(executing(cluster) == 8);
  const PropertyOutcome outcome = cluster.outcome("quota_sum");
  CHECK(outcome.held == Held::no);
  CHECK(outcome.value == 4.0);  // one node is charged: the bound is 4 + 1 - 1
}

TEST_CASE("counting either with immediate growth lets handoffs push executing rows to 7", "[properties]") {
  WatchedCluster cluster = moving(ClaimedCounts::owned_or_started, CeilingGrowth::immediate);
  hand_over_idle_shards(cluster);
  CHECK(executing(cluster) == 7);
  const PropertyOutcome outcome = cluster.outcome("quota_sum");
  CHECK(outcome.held == Held::no);
  CHECK(outcome.value == 2.0);  // two nodes are charged: the bound is 4 + 2 - 1
  CHECK(outcome.reason == "tenant a: 7 rows execute with a live fence; quota 4 + 2 charged nodes - 1 + slack 0");
}

TEST_CASE("settled growth keeps the bound whatever is handed over", "[properties]") {
  for (const ClaimedCounts counts : {ClaimedCounts::started, ClaimedCounts::owned_or_started}) {
    for (const auto& hand_over : {hand_over_one_by_one, hand_over_all, hand_over_idle_shards}) {
      WatchedCluster cluster = moving(counts, CeilingGrowth::settled);
      hand_over(cluster);
      CHECK(executing(cluster) >= kQuota);
      CHECK(executing(cluster) <= kQuota + 1);
      CHECK(cluster.held("quota_sum") == Held::yes);
    }
  }
}

TEST_CASE("what is withheld from a new owner is only what the former one still runs", "[properties]") {
  WatchedCluster cluster = moving(ClaimedCounts::owned_or_started, CeilingGrowth::settled);
  hand_over_all(cluster);
  for (std::uint32_t ended = 0; ended <= kQuota; ++ended) {
    CHECK(executing(cluster) == kQuota - ended);
    CHECK(cluster.cluster().holding(NodeId(0), NamespaceId(0)).ceiling == 0);
    CHECK(cluster.cluster().holding(NodeId(1), NamespaceId(0)).ceiling == ended);
    if (ended < kQuota) {
      cluster.finish_one();
    }
  }
  cluster.sweep(1);
  CHECK(executing(cluster) == kQuota);
  CHECK(cluster.held("quota_sum") == Held::yes);
}

TEST_CASE("slack allows as many rows beyond the bound", "[properties]") {
  for (const std::int64_t slack : {3, 4}) {
    WatchedCluster cluster = moving(ClaimedCounts::started, CeilingGrowth::immediate, {.slack = slack});
    hand_over_all(cluster);
    CHECK(cluster.held("quota_sum") == (slack < 4 ? Held::no : Held::yes));
  }
}

TEST_CASE("quota 1 on four nodes gives four ceilings of 1, within quota + nodes - 1", "[properties]") {
  ClusterConfig config = two_nodes(4, 1);
  config.nodes = 4;
  config.initial_owner = {NodeId(0), NodeId(1), NodeId(2), NodeId(3)};
  WatchedCluster cluster(config);
  cluster.watch("quota_sum");
  for (std::uint16_t node = 0; node < 4; ++node) {
    CHECK(cluster.cluster().holding(NodeId(node), NamespaceId(0)).ceiling == 1);
    cluster.append(0, 5, node);
    cluster.sweep(node);
  }
  CHECK(executing(cluster) == 4);
  CHECK(cluster.held("quota_sum") == Held::yes);
}

}  // namespace
}  // namespace headroom::test
