// exactly_once and ledger (spec 1.1, 2.4): they hold in a run with every transition, and each kind of breach is seen.
#include <catch2/catch.hpp>

#include "tests/model/properties/watched_cluster.hpp"

namespace headroom::test {
namespace {

WatchedCluster watched(ClusterConfig config) {
  WatchedCluster cluster(std::move(config));
  cluster.watch("exactly_once");
  cluster.watch("ledger");
  return cluster;
}

void check_both(const WatchedCluster& cluster, Held held) {
  CHECK(cluster.held("exactly_once") == held);
  CHECK(cluster.held("ledger") == held);
}

TEST_CASE("both hold through results, failures, stale claims, a crash and the end of a workflow", "[properties]") {
  ClusterConfig config = one_node({"a", "b"}, PlannerKind::rotating, 6);
  config.nodes = 2;
  config.backoff.max_attempts = 1;
  WatchedCluster cluster = watched(config);
  cluster.append(0, 10);
  cluster.append(1, 10);
  cluster.sweep(0);
  cluster.finish_one();
  cluster.finish_one(false);  // the only try: a dead letter
  const RowSlot claimed = cluster.cluster().outbox().oldest_claim();
  cluster.step(GoStale{claimed, cluster.cluster().outbox().row(claimed).fence});
  cluster.step(RearmPass{NodeId(0)});
  cluster.plan(0);
  cluster.step(ClaimNext{NodeId(0)});
  cluster.step(Crash{NodeId(0)});
  cluster.step(Adopt{ShardId(0), NodeId(1)});
  cluster.sweep(1);
  cluster.finish_all();  // one of them with a stale fence
  cluster.step(EndWorkflow{WorkflowId(1)});
  cluster.end();
  const RowCounts& counts = cluster.cluster().outbox().counts(NamespaceId(0));
  CHECK(counts.rearms == 1);
  CHECK(counts.failed + cluster.cluster().outbox().counts(NamespaceId(1)).failed >= 1);
  CHECK(cluster.cluster().outbox().counts(NamespaceId(1)).cancelled > 0);
  check_both(cluster, Held::yes);
}

Effect effect_on(EffectKind kind, std::uint64_t ordinal) {
  return {.kind = kind, .node = NodeId(0), .name = NamespaceId(0), .key = DispatchKey(NamespaceId(0), ordinal)};
}

// Effects of rows that the cluster does not have: what would be seen if it broke its word.
std::string reason_for(const std::vector<EffectKind>& kinds) {
  WatchedCluster cluster = watched(one_node({"a"}, PlannerKind::rotating, 1));
  for (const EffectKind kind : kinds) {
    cluster.show({effect_on(kind, 7)});
  }
  return cluster.outcome("exactly_once").reason;
}

TEST_CASE("each way to break exactly_once is seen", "[properties]") {
  using enum EffectKind;
  CHECK(reason_for({appended, appended}) == "tenant a, row 7: a second row for one key");
  CHECK(reason_for({claimed}) == "tenant a, row 7: claimed, but never appended");
  CHECK(reason_for({appended, claimed, claimed}) == "tenant a, row 7: claimed while another fence is live");
  CHECK(reason_for({appended, claimed, recorded, claimed}) == "tenant a, row 7: claimed after it was final");
  CHECK(reason_for({appended, recorded}) == "tenant a, row 7: settled without a live fence");
  CHECK(reason_for({appended, rearmed}) == "tenant a, row 7: Pending again without a live fence");
  CHECK(reason_for({appended, cancelled, cancelled}) == "tenant a, row 7: final twice: a second result was recorded");
}

TEST_CASE("a row that vanishes without a result is lost", "[properties]") {
  WatchedCluster cluster = watched(one_node({"a"}, PlannerKind::rotating, 1));
  cluster.append(0, 2);
  check_both(cluster, Held::yes);
  cluster.show({effect_on(EffectKind::appended, 7)});
  cluster.end();
  CHECK(cluster.outcome("exactly_once").reason == "3 keys are not final, but 2 rows are left: rows were lost");
  CHECK(cluster.held("ledger") == Held::no);
}

TEST_CASE("rows that are left Pending or Claimed are not lost", "[properties]") {
  WatchedCluster cluster = watched(one_node({"a"}, PlannerKind::rotating, 1));
  cluster.append(0, 3);
  cluster.sweep(0);
  cluster.end();
  check_both(cluster, Held::yes);
}

}  // namespace
}  // namespace headroom::test
