#include <catch2/catch.hpp>

#include "tests/model/checker/cluster/small_scopes.hpp"

namespace headroom::test {
namespace {

using namespace checker;

// Two rows of one tenant on one of two nodes; a crash, a node that stands still and is taken for dead, claims that go
// stale, a key appended twice and a failure.
ClusterScope faults_of_rows() {
  ClusterScope scope{
      .config = cluster_of(2, 1, tenants_of(1, 2)),
      .rows_per_tenant = 2,
      .counts =
          {.crashes = 1, .restarts = 1, .rearms = 2, .reappends = 1, .failures = 1, .node_pauses = 1, .expels = 1},
      .split = {"sweep"},
      .properties = {"exactly_once", "ledger", "ceiling", "quota_sum"},
      .sometimes = {"recorded", "rearmed", "result_ignored", "duplicate_ignored", "work_lost", "node_rejoined",
                    "claim_refused", "retried"}};
  scope.deadlock = false;
  scope.config.batch_size = 2;
  return scope;
}

TEST_CASE("rows are recorded exactly once through crash, zombie, re-arm and duplicate append") {
  const CheckResult result = check(ClusterModel(faults_of_rows()), {.threads = 2});
  for (const Finding& finding : result.findings) {
    INFO(finding.name << ": " << finding.reason);
    CHECK(finding.verdict == Verdict::pass);
  }
  CHECK(result.exhausted());
}

TEST_CASE("without a guard a second result is recorded, and the steps that lead to it are given") {
  ClusterScope scope = faults_of_rows();
  scope.config.settle_guard = SettleGuard::none;
  scope.sometimes = {};
  const CheckResult result = check(ClusterModel(scope), {.threads = 2, .stop_at_first = true});
  const Finding& finding = finding_of(result, "exactly_once");
  REQUIRE(finding.verdict == Verdict::fail);
  REQUIRE(finding.trace);
  CHECK(finding.trace->steps.back().action.starts_with("complete"));
}

TEST_CASE("work that nobody does any more is a deadlock where no claim can go stale") {
  ClusterScope scope{.config = cluster_of(1, 1, tenants_of(1, 2)),
                     .rows_per_tenant = 1,
                     .counts = {.kills = 1},
                     .properties = {"exactly_once"}};
  CHECK(finding_of(check(ClusterModel(scope), {}), "deadlock").verdict == Verdict::fail);
  scope.counts.kills = 0;
  CHECK(finding_of(check(ClusterModel(scope), {}), "deadlock").verdict == Verdict::pass);
}

}  // namespace
}  // namespace headroom::test
