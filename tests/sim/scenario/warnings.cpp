#include "sim/scenario/warnings.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "sim/scenario/read_scenario.hpp"

using namespace headroom;

namespace {

// 3 nodes with 4 workers each; "a" keeps 5/s * 100ms = 0.5 workers busy.
constexpr const char* kCalm = R"({
  "schema": 1, "name": "calm", "duration": "60s", "cluster": {"nodes": 3, "workers": 4},
  "tenants": [{"name": "a", "quota": 6, "rows": {"arrivals": {"kind": "poisson", "rate": "5/s"},
                                                 "service": {"kind": "constant", "value": "100ms"}}}]
})";

Diagnostics warnings_with(std::vector<std::string> overrides) {
  const Result<Scenario> scenario = read_scenario_text(kCalm, "x.json", overrides);
  REQUIRE(scenario);
  return warnings(scenario.value());
}

void check_only(const Diagnostics& found, const std::string& pointer, const std::string& word) {
  REQUIRE(found.size() == 1);
  CHECK(found.front().pointer == pointer);
  CHECK_THAT(found.front().text(), Catch::Contains(word));
}

}  // namespace

TEST_CASE("nothing is warned of where the arithmetic works out") {
  CHECK(warnings_with({}).empty());
}

TEST_CASE("load above capacity is warned of") {
  const Diagnostics found =
      warnings_with({"/cluster/workers=1", "/tenants/0/quota=3", "/tenants/0/rows/arrivals/rate=31/s"});
  REQUIRE(found.size() == 2);
  CHECK(found[0].pointer == "/tenants/0/quota");  // 3.1 workers of work, 3 rows at most
  CHECK_THAT(found[0].text(), Catch::Contains("3.1"));
  CHECK(found[1].pointer == "/cluster/workers");
}

TEST_CASE("members of a group are counted in the load") {
  // 100 members with 0.5 workers of work each.
  const Diagnostics found = warnings_with({"/tenants/0/count=100", "/tenants/0/quota=3"});
  REQUIRE(found.size() == 2);
  CHECK_THAT(found[0].text(), Catch::Contains("50 workers"));
  CHECK_THAT(found[1].text(), Catch::Contains("quotas sum to 300"));
}

TEST_CASE("quotas that exceed the workers are warned of") {
  check_only(warnings_with({"/tenants/0/quota=13"}), "/cluster/workers", "quotas sum to 13 and there are 12 workers");
  CHECK(warnings_with({"/tenants/0/quota=13", "/cluster/workers=unlimited"}).empty());
  CHECK(warnings_with({"/tenants/0/quota=13", "/backpressure/planner=unscoped"}).empty());
}

TEST_CASE("a quota below the number of owning nodes is warned of") {
  check_only(warnings_with({"/tenants/0/quota=2"}), "/tenants/0/quota", "more than the quota of 2");
  CHECK(warnings_with({"/tenants/0/quota=2", "/cluster/ownership={\"weights\":[1,1,0]}"}).empty());
}

TEST_CASE("a quota of 0 is warned of") {
  check_only(warnings_with({"/tenants/0/quota=0"}), "/tenants/0/quota", "holds every row");
}

TEST_CASE("work that outlasts its claim is warned of") {
  check_only(warnings_with({"/cluster/stale_after=100ms"}), "/tenants/0/rows/service", "runs twice");
}

TEST_CASE("weights that no planner reads are warned of") {
  check_only(warnings_with({"/tenants/0/weight=2"}), "/tenants/0/weight", "no effect");
  CHECK(warnings_with({"/tenants/0/weight=2", "/backpressure/planner=deficit_round_robin"}).empty());
}

TEST_CASE("a restart without a crash is warned of") {
  check_only(
      warnings_with({R"(/faults=[{"kind":"restart","node":"n2","at":"5s"},{"kind":"crash","node":"n2","at":"9s"}])"}),
      "/faults/0/node", "has not crashed");
  CHECK(warnings_with({R"(/faults=[{"kind":"restart","node":"n2","at":"9s"},{"kind":"crash","node":"n2","at":"5s"}])"})
            .empty());
}

TEST_CASE("a scenario without rows is warned of") {
  check_only(warnings_with({"/tenants/0/rows={}"}), "/tenants", "nothing will happen");
}
