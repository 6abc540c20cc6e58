// How the scope of a check is read from a scenario.
#include <array>
#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <string>
#include <vector>

#include "sim/run/check_scope.hpp"
#include "sim/scenario/read_scenario.hpp"

using namespace headroom;

namespace {

using Count = CheckSection::Count;

constexpr const char* kRows = R"({"schema": 1, "name": "x", "duration": "1s", "cluster": {"nodes": 2, "shards": 2},
  "tenants": [{"name": "a"}, {"name": "b"}], "check": {"rows_per_tenant": 2}})";
constexpr const char* kRequests = R"({"schema": 1, "name": "x", "duration": "1s", "cluster": {"nodes": 1, "shards": 1},
  "admission": {"max_inflight": 1, "max_queue_depth": 2, "queue_wait": "1s"},
  "tenants": [{"name": "a"}, {"name": "b"}, {"name": "many", "count": 3}], "check": {"requests_per_tenant": 2}})";

Scenario read(const std::string& text, const std::vector<std::string>& overrides = {}) {
  Result<Scenario> scenario = read_scenario_text(text, "x.json", overrides);
  if (!scenario) {
    FAIL(scenario.faults().front().text());
  }
  return std::move(scenario.value());
}

CheckSection check_with(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return *read(text, overrides).check;
}

// Whether a fault stands at the pointer and says so.
void require_fault(const std::string& text, const std::string& override, const std::string& pointer,
                   const std::string& word) {
  const Result<Scenario> scenario = read_scenario_text(text, "x.json", std::vector{override});
  INFO(override);
  REQUIRE_FALSE(scenario);
  const Diagnostic& fault = scenario.faults().front();
  INFO(fault.text());
  CHECK(fault.text().find(word) != std::string::npos);
  CHECK(fault.pointer == pointer);
}

}  // namespace

TEST_CASE("nothing happens in a check but what is named, except that waits end and tokens come back") {
  const CheckSection check = check_with(kRows);
  CHECK(check.rows_per_tenant == 2U);
  CHECK_FALSE(check.rows_per_shard);
  CHECK_FALSE(check.requests_per_tenant);
  CHECK_FALSE(check.renew);
  for (const Count& count :
       {check.crashes, check.restarts, check.handoffs, check.rearms, check.reappends, check.failures, check.cancels,
        check.drains, check.pauses, check.quota_changes, check.quota_errors, check.node_pauses, check.expels,
        check.partitions, check.worker_deaths, check.store_errors, check.lost_wakes}) {
    CHECK(count == Count(0));
  }
  CHECK(check.polls);
  CHECK_FALSE(check.expiries);
  CHECK_FALSE(check.refills);
  CHECK(check.limit_changes.empty());
  CHECK(check.split.empty());
  CHECK(check.properties.empty());
}

TEST_CASE("any count may be unbounded") {
  for (const char* key :
       {"crashes", "restarts", "handoffs", "rearms", "reappends", "failures", "cancels", "pauses", "quota_changes",
        "quota_errors", "node_pauses", "expels", "partitions", "worker_deaths", "store_errors", "lost_wakes"}) {
    INFO(key);
    CHECK_NOTHROW(check_with(kRows, {fmt::format("/check/{}=unbounded", key), R"(/check/split=["sweep"])"}));
    require_fault(kRows, fmt::format("/check/{}=unbouned", key), fmt::format("/check/{}", key),
                  "did you mean \"unbounded\"?");
    require_fault(kRows, fmt::format("/check/{}=1001", key), fmt::format("/check/{}", key), "out of range");
    require_fault(kRows, fmt::format("/check/{}=-1", key), fmt::format("/check/{}", key), "out of range");
  }
  const CheckSection requests =
      check_with(kRequests, {"/check/requests_per_tenant=unbounded", "/check/drains=unbounded", "/check/expiries=3"});
  REQUIRE(requests.requests_per_tenant);
  CHECK_FALSE(requests.requests_per_tenant->has_value());
  CHECK_FALSE(requests.drains);
  CHECK(requests.expiries == Count(3));
}

TEST_CASE("limit changes say whose limits become what") {
  const CheckSection check = check_with(
      kRequests, {R"(/check/limit_changes=[{"max_inflight": 2}, {"tenant": "b", "max_queue_depth": "unbounded"}])"});
  REQUIRE(check.limit_changes.size() == 2);
  CHECK(check.limit_changes[0].tenant.empty());
  CHECK(check.limit_changes[0].max_inflight == std::optional<CheckSection::Limit>(2));
  CHECK_FALSE(check.limit_changes[0].max_queue_depth);
  const checker::GateScope scope = gate_scope(read(
      kRequests, {R"(/check/limit_changes=[{"max_inflight": 2}, {"tenant": "b", "max_queue_depth": "unbounded"}])"}));
  CHECK(scope.limit_changes[0].tenant.is_none());
  CHECK(scope.limit_changes[1].tenant == NamespaceId(1));
  REQUIRE(scope.limit_changes[1].max_queue_depth);
  CHECK_FALSE(scope.limit_changes[1].max_queue_depth->has_value());
}

TEST_CASE("a scope that cannot be explored is refused at the place that says so") {
  require_fault(kRows, "/check={}", "/check", "there is nothing to happen");
  require_fault(kRows, "/check/rows_per_shard=1", "/check/rows_per_shard", "stands beside \"rows_per_tenant\"");
  require_fault(kRows, "/check/requests_per_tenant=1", "/check/requests_per_tenant", "are not supported");
  require_fault(kRows, "/check/rows_per_tenant=0", "/check/rows_per_tenant", "out of range");
  require_fault(kRows, "/check/drains=1", "/check/drains", "belongs to requests");
  require_fault(kRows, R"(/check/limit_changes=[{"max_inflight": 2}])", "/check/limit_changes", "belongs to requests");
  require_fault(kRows, R"(/check/split=["swep"])", "/check/split/0", "did you mean \"sweep\"?");
  require_fault(kRows, R"(/check/properties=["no_starvaton"])", "/check/properties/0", "\"no_starvation\"?");
  require_fault(kRows, R"(/check/properties=["gate_safety"])", "/check/properties/0", "does not tell");
  require_fault(kRows, R"(/check/properties=["slice", "slice"])", "/check/properties/1", "listed twice");
  require_fault(kRows, "/check/crahes=1", "/check/crahes", "did you mean \"crashes\"?");
  require_fault(kRequests, R"(/check/properties=["slice"])", "/check/properties/0", "does not tell");
  for (const char* key : {"handoffs", "rearms", "reappends", "pauses", "quota_changes", "quota_errors", "node_pauses",
                          "expels", "partitions", "worker_deaths", "store_errors", "lost_wakes"}) {
    require_fault(kRequests, fmt::format("/check/{}=1", key), fmt::format("/check/{}", key), "belongs to rows");
  }
  require_fault(kRequests, "/check/renew=true", "/check/renew", "belongs to rows");
  require_fault(kRequests, "/check/polls=false", "/check/polls", "belongs to rows");
  require_fault(kRows, "/check/store_errors=1", "/check/store_errors", "\"split\"");
  require_fault(kRequests, R"(/check/limit_changes=[{"tenant": "c", "max_inflight": 2}])",
                "/check/limit_changes/0/tenant", "there is no tenant");
  require_fault(kRequests, R"(/check/limit_changes=[{"tenant": "many", "max_inflight": 2}])",
                "/check/limit_changes/0/tenant", "is a group");
  require_fault(kRequests, R"(/check/limit_changes=[{"tenant": "a"}])", "/check/limit_changes/0", "changes no limit");
  require_fault(kRequests, "/tenants/2/count=63", "/tenants", "too many to check");
}

TEST_CASE("a scope needs polls or wakes, and wakes that are to be lost") {
  for (const auto& [key, value] : {std::pair("polls", "false"), std::pair("lost_wakes", "1")}) {
    const std::string set = fmt::format("/check/{}={}", key, value);
    CHECK_NOTHROW(read(kRows, {set}));
    const Result<Scenario> scenario =
        read_scenario_text(kRows, "x.json", std::vector<std::string>{set, "/cluster/wake=false"});
    REQUIRE_FALSE(scenario);
    CHECK(scenario.faults().front().pointer == fmt::format("/check/{}", key));
  }
}

TEST_CASE("what a scenario counts is what may happen in its scope") {
  const checker::ClusterScope scope =
      cluster_scope(read(kRows, {"/check/quota_errors=1", "/check/node_pauses=2", "/check/expels=3",
                                 "/check/partitions=4", "/check/worker_deaths=5", "/check/store_errors=6",
                                 "/check/lost_wakes=unbounded", "/check/polls=false", R"(/check/split=["sweep"])"}),
                    true);
  CHECK(scope.counts == checker::FaultCounts{.quota_errors = 1,
                                             .node_pauses = 2,
                                             .expels = 3,
                                             .cuts = 4,
                                             .kills = 5,
                                             .lost_wakes = checker::Allowance::unbounded(),
                                             .sweep_errors = 6});
  CHECK_FALSE(scope.polls);
}

TEST_CASE("requests without end need a process that bounds what is inside") {
  constexpr const char* pointer = "/check/requests_per_tenant";
  const std::string endless = "/check/requests_per_tenant=unbounded";
  CHECK_NOTHROW(read(kRequests, {endless}));
  for (const char* open : {"/admission/max_inflight=unbounded", "/admission/max_queue_depth=unbounded",
                           R"(/check/limit_changes=[{"max_inflight": "unbounded"}])"}) {
    const Result<Scenario> scenario = read_scenario_text(kRequests, "x.json", std::vector<std::string>{endless, open});
    INFO(open);
    REQUIRE_FALSE(scenario);
    CHECK(scenario.faults().front().text().find(pointer) != std::string::npos);
  }
  CHECK_NOTHROW(read(kRequests, {"/admission/max_inflight=unbounded"}));
}

TEST_CASE("what expires in a check of the gate is what the gate ends") {
  CHECK(gate_scope(read(kRequests)).waits_expire);
  CHECK_FALSE(gate_scope(read(kRequests, {"/admission/queue_wait=unbounded"})).waits_expire);
  const std::vector<std::string> pools = {R"(/admission/database_pool={"size": 2, "checkout_timeout": "1s"})",
                                          R"(/admission/downstream={"size": 2})"};
  CHECK(gate_scope(read(kRequests, pools)).checkouts_expire == std::array<bool, kResources>{true, false});
}

TEST_CASE("a check of the gate asks for liveness and for the goals that it can reach") {
  CHECK(gate_scope(read(kRequests)).liveness);
  CHECK_FALSE(gate_scope(read(kRequests, {R"(/check/properties=["gate_safety"])"})).liveness);
  const checker::GateScope scope =
      gate_scope(read(kRequests, {R"(/expect=[{"sometimes": "handed_over"}, {"sometimes": "gave_up"}])"}));
  CHECK(scope.goals == std::vector<std::string>{"handed_over"});
}

TEST_CASE("the scope in words names what there is and what may happen") {
  CHECK(scope_in_words(read(kRequests, {"/check/cancels=1", "/check/refills=0", "/tenants/2/count=1"})) ==
        "1 node with 1 process each, 3 tenants (a, b, many_1), 2 requests of each; 1 cancel, expiries without bound");
  CHECK(scope_in_words(read(kRows)) == "2 nodes, 2 shards, 2 tenants (a, b), 2 rows of each; no faults");
}
