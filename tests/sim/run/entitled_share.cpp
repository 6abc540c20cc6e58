// entitled_share of tenants that always have rows: what they were given must not decide what they are entitled to.
#include <catch2/catch.hpp>

#include "sim/run/run_scenario.hpp"
#include "sim/scenario/read_scenario.hpp"

using namespace headroom;

TEST_CASE("a tenant whose backlog starves is entitled to as much as one whose backlog is served") {
  const Result<Scenario> scenario = read_scenario_text(
      R"({"schema": 1, "name": "x", "duration": "5s", "drain": "0s", "cluster": {"nodes": 1, "shards": 4, "wake": false},
          "backpressure": {"planner": "fixed_order", "batch_size": 4},
          "tenants": [{"name": "a", "quota": 100, "rows": {"arrivals": {"kind": "backlog", "n": 50},
                                                        "service": {"kind": "constant", "value": "5ms"}}},
                      {"name": "b", "quota": 100, "rows": {"arrivals": {"kind": "backlog", "n": 50},
                                                        "service": {"kind": "constant", "value": "5ms"}}},
                      {"name": "c", "quota": 100, "rows": {"arrivals": {"kind": "backlog", "n": 50},
                                                        "service": {"kind": "constant", "value": "5ms"}}}]})",
      "x.json");
  INFO((scenario ? std::string() : scenario.faults().front().text()));
  REQUIRE(scenario);
  const RunReport report = run_scenario({.scenario = scenario.value(), .seed = 1, .limits = {}});
  REQUIRE(report.result.tenants[2].figures.completed == 0);
  for (const TenantResult& tenant : report.result.tenants) {
    CHECK(tenant.figures.entitled_share.value() == Approx(1.0 / 3));
  }
}
