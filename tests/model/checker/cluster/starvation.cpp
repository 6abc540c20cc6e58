#include <catch2/catch.hpp>

#include "model/base/arithmetic.hpp"
#include "tests/model/checker/cluster/small_scopes.hpp"

namespace headroom::test {
namespace {

using namespace checker;

TEST_CASE("fixed_order starves the last of three tenants in a loop of at most six steps") {
  const ClusterModel model(backlog_on_one_node(3, 2, 4, PlannerKind::fixed_order));
  const CheckResult result = check(model, {});
  CHECK(result.exhausted());
  const Finding& starvation = finding_of(result, "no_starvation");
  REQUIRE(starvation.verdict == Verdict::fail);
  CHECK(starvation.violations == 1);
  CHECK(starvation.reason.find("tenant c on n1 is never served") != std::string::npos);
  REQUIRE(starvation.trace);
  CHECK(starvation.trace->loop_steps() <= 6);
  const auto sweeps = [](const TraceStep& step) { return step.action.starts_with("sweep n1"); };
  const auto sweep = std::ranges::find_if(starvation.trace->steps, sweeps);
  REQUIRE(sweep != starvation.trace->steps.end());
  CHECK(sweep->action == "sweep n1: batch 4, headroom a 2 b 2 c 2 -> claims a 2, b 2");
  CHECK_FALSE(worst_wait_sweeps(model, result).at("c").has_value());
}

TEST_CASE("rotating starves nobody where fixed_order does") {
  const ClusterModel model(backlog_on_one_node(3, 2, 4, PlannerKind::rotating));
  const CheckResult result = check(model, {});
  CHECK(result.verdict() == Verdict::pass);
  CHECK(worst_wait_sweeps(model, result).at("c") == 1);
}

TEST_CASE("under rotating the worst wait is ceil of tenants by batch through a crash and a handoff") {
  const auto [tenants, batch] = GENERATE(table<std::uint32_t, std::uint32_t>({{2, 1}, {3, 1}, {3, 2}, {2, 3}}));
  CAPTURE(tenants, batch);
  ClusterScope scope{.config = cluster_of(2, 4, tenants_of(tenants, 4)),
                     .rows_per_tenant = 1,
                     .renew = true,
                     .counts = {.crashes = 1, .restarts = 1, .handoffs = 1},
                     .properties = {"no_starvation", "slice", "work_conserving", "ceiling", "quota_sum"}};
  scope.config.batch_size = batch;
  const ClusterModel model(scope);
  const CheckResult result = check(model, {});
  CHECK(result.verdict() == Verdict::pass);
  std::uint64_t worst = 0;
  for (const auto& [name, sweeps] : worst_wait_sweeps(model, result)) {
    REQUIRE(sweeps);
    worst = std::max(worst, *sweeps);
  }
  CHECK(worst == div_ceil(tenants, batch));
}

TEST_CASE("slice and work_conserving tell fixed_order from rotating where routes share a slice") {
  ClusterScope scope = backlog_on_one_node(2, 1, 1, PlannerKind::fixed_order);
  scope.properties = {"slice"};
  const CheckResult fixed = check(ClusterModel(scope), {});
  CHECK(finding_of(fixed, "slice").verdict == Verdict::fail);
  scope.config.planner = PlannerKind::rotating;
  const CheckResult rotating = check(ClusterModel(scope), {});
  CHECK(finding_of(rotating, "slice").verdict == Verdict::pass);
}

}  // namespace
}  // namespace headroom::test
