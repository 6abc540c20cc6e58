// Nodes that sweep only when they are woken (spec 1.2): by an append to a shard of theirs, and by a completion of a
// tenant that stood at its ceiling with claimable rows.
#include <algorithm>
#include <catch2/catch.hpp>

#include "model/checker/confirm.hpp"
#include "tests/model/checker/cluster/small_scopes.hpp"

namespace headroom::test {
namespace {

using namespace checker;

// Two nodes with a shard each, on every one of which both tenants have two rows and, with quota 2, headroom for one.
ClusterScope woken_only(std::uint32_t lost_wakes) {
  ClusterScope scope{.config = cluster_of(2, 2, tenants_of(2, 2)),
                     .rows_per_shard = 2,
                     .renew = true,
                     .polls = false,
                     .counts = {.lost_wakes = lost_wakes},
                     .properties = {"no_starvation"}};
  scope.config.wake = true;
  scope.config.batch_size = 2;
  return scope;
}

// One node, one tenant with so many rows that end once.
ClusterScope rows_that_end(std::uint32_t rows, std::uint32_t quota, std::uint32_t batch, std::uint32_t lost_wakes) {
  ClusterScope scope{.config = cluster_of(1, 1, tenants_of(1, quota)),
                     .rows_per_tenant = rows,
                     .polls = false,
                     .counts = {.lost_wakes = lost_wakes},
                     .properties = {"no_starvation"}};
  scope.config.wake = true;
  scope.config.batch_size = batch;
  return scope;
}

Verdict stuck(const ClusterScope& scope) {
  return finding_of(check(ClusterModel(scope), {}), "deadlock").verdict;
}

TEST_CASE("without polls one lost wake starves the tenants of its node for ever while the other node goes on") {
  const ClusterModel model(woken_only(1));
  const CheckResult result = check(model, {});
  CHECK(result.exhausted());
  const Finding& starvation = finding_of(result, "no_starvation");
  REQUIRE(starvation.verdict == Verdict::fail);
  REQUIRE(starvation.trace);
  const auto loses = [](const TraceStep& step) { return step.action.ends_with("is lost"); };
  CHECK(std::ranges::any_of(starvation.trace->steps, loses));
  // The other node, by hand: it is woken by a completion, sweeps, and all is as before.
  CHECK(starvation.trace->loop_steps() >= 2);
  const Claim claim{.kind = ClaimKind::liveness, .name = "no_starvation"};
  CHECK(confirm(model, *starvation.trace, claim) == starvation.reason);
}

TEST_CASE("with polls a lost wake starves nobody") {
  ClusterScope scope = woken_only(1);
  scope.polls = true;
  scope.sometimes = {"wake_lost"};
  const CheckResult result = check(ClusterModel(scope), {});
  CHECK(result.verdict() == Verdict::pass);
}

TEST_CASE("wakes alone are enough as long as none is lost") {
  const CheckResult result = check(ClusterModel(woken_only(0)), {});
  CHECK(result.verdict() == Verdict::pass);
}

TEST_CASE("any number of lost wakes is made good by polls") {
  ClusterScope scope = woken_only(0);
  scope.polls = true;
  scope.counts.lost_wakes = Allowance::unbounded();
  CHECK(check(ClusterModel(scope), {}).verdict() == Verdict::pass);
}

TEST_CASE("one append of two rows is one wake, so that without polls a batch of one leaves the second") {
  CHECK(stuck(rows_that_end(2, 2, 1, 0)) == Verdict::fail);
  CHECK(stuck(rows_that_end(2, 2, 2, 0)) == Verdict::pass);
}

TEST_CASE("a completion of a tenant at its ceiling wakes the node, unless that wake is lost") {
  CHECK(stuck(rows_that_end(2, 1, 2, 0)) == Verdict::pass);
  CHECK(stuck(rows_that_end(2, 1, 2, 1)) == Verdict::fail);
}

TEST_CASE("a woken node sweeps even where nothing is left for it, and is not woken any more") {
  ClusterScope scope = rows_that_end(1, 1, 1, 0);
  scope.counts.cancels = 1;
  const ClusterModel model(scope);
  ClusterState state = model.initial_states().front();
  Effects effects;
  model.step(state, {.kind = ClusterActionKind::cancel, .item = 0}, effects);
  REQUIRE(state.cluster.wake_wanted(NodeId(0)));
  std::vector<ClusterAction> actions;
  model.enabled(state, actions);
  REQUIRE(actions.size() == 1);
  CHECK(actions.front().kind == ClusterActionKind::sweep);
  model.step(state, actions.front(), effects);
  CHECK_FALSE(model.sweep_enabled(state, NodeId(0)));
}

TEST_CASE("with and without the symmetry of rows the same is found of lost wakes") {
  for (const bool polls : {false, true}) {
    ClusterScope scope = woken_only(1);
    scope.polls = polls;
    const CheckResult folded = check(ClusterModel(scope), {});
    scope.symmetry = false;
    const CheckResult whole = check(ClusterModel(scope), {.symmetry = false});
    CHECK(folded.states < whole.states);
    REQUIRE(folded.findings.size() == whole.findings.size());
    for (std::size_t i = 0; i < whole.findings.size(); ++i) {
      CHECK(folded.findings[i].verdict == whole.findings[i].verdict);
    }
  }
}

TEST_CASE("a scope in which no node could ever sweep, or no wake be lost, is refused") {
  ClusterScope scope = woken_only(0);
  scope.config.wake = false;
  CHECK(find_fault(scope) == "without polls and without wakes no node ever sweeps");
  scope.polls = true;
  CHECK_FALSE(find_fault(scope));
  scope.counts.lost_wakes = 1;
  CHECK(find_fault(scope) == "there are no wakes that could be lost");
}

}  // namespace
}  // namespace headroom::test
