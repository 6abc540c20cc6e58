// Whole runs of generated scenarios: whatever the cluster, its gates, its planner, its tenants and its faults, what is
// promised holds, and the same scenario and seed give the same run.
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <vector>

#include "model/properties/property.hpp"
#include "reports/render/json.hpp"
#include "sim/run/run_scenario.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "tests/property/check.hpp"
#include "tests/property/cluster/generated_scenario.hpp"

namespace headroom::test {
namespace {

using Properties = std::vector<std::string_view>;

Scenario read(const std::string& text) {
  const Result<Scenario> scenario = read_scenario_text(text, "generated.json");
  if (!scenario) {
    RC_FAIL(scenario.faults().front().text() + "\n" + text);
  }
  return scenario.value();
}

void require_hold(const ScenarioShape& shape, const Properties& properties) {
  const DraftScenario draft = *any_scenario(shape);
  const Scenario scenario = read(draft.text(properties));
  // A case costs more to read than to run.
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const RunResult result = run_scenario({.scenario = scenario, .seed = seed}).result;
    for (const Judgement& judgement : result.expectations) {
      if (judgement.verdict == Verdict::fail) {
        RC_FAIL(fmt::format("{}: {}\nby `headroom run` of the scenario\n  {}", judgement.name, judgement.reason,
                            draft.text(properties, seed)));
      }
    }
  }
}

const std::vector<std::string> kScopedPlanners = {"rotating", "fixed_order", "deficit_round_robin"};
const std::vector<std::string> kAnyPlanner = {"rotating", "fixed_order", "deficit_round_robin", "unscoped"};
const std::vector<std::string> kAnyCounts = {"owned_or_started", "started", "owned_shards"};
const std::vector<std::string> kAnyGrowth = {"settled", "immediate"};

TEST_CASE("with every switch at its safe value every property holds, whatever happens", "[property]") {
  Properties all;
  for (const PropertyInfo& property : all_properties()) {
    all.push_back(property.name);
  }
  check_property("scenarios.all_properties", [all] { require_hold({}, all); });
}

TEST_CASE("rows are executed and recorded once whatever happens", "[property]") {
  const ScenarioShape shape{.planners = kAnyPlanner, .claimed_counts = kAnyCounts, .ceiling_growth = kAnyGrowth};
  check_property("cluster.rows", [shape] { require_hold(shape, {"exactly_once", "ledger"}); });
}

TEST_CASE("no claim passes a ceiling under any planner that has them", "[property]") {
  const ScenarioShape shape{
      .planners = kScopedPlanners, .claimed_counts = kAnyCounts, .ceiling_growth = kAnyGrowth, .gates = false};
  check_property("cluster.ceiling", [shape] { require_hold(shape, {"exactly_once", "ledger", "ceiling"}); });
}

TEST_CASE("settled ceilings keep executing rows within the quota's bound whatever happens", "[property]") {
  const ScenarioShape shape{.planners = kScopedPlanners,
                            .claimed_counts = {"owned_or_started", "started"},
                            .gates = false,
                            .all_faults = false};
  check_property("cluster.quota_sum", [shape] { require_hold(shape, {"quota_sum", "ceiling"}); });
}

TEST_CASE("rotating serves everybody in turn whatever happens", "[property]") {
  const ScenarioShape shape{.dispatch = {"parallel"}, .gates = false, .all_faults = false};
  check_property("cluster.rotating",
                 [shape] { require_hold(shape, {"slice", "no_starvation", "work_conserving", "ceiling"}); });
}

TEST_CASE("generated scenarios are seen to break what fixed_order and immediate growth break", "[property]") {
  check_broken("scenarios.fixed_order", [] { require_hold({.planners = {"fixed_order"}}, {"slice"}); });
  const ScenarioShape weak{
      .claimed_counts = {"owned_shards"}, .ceiling_growth = {"immediate"}, .gates = false, .all_faults = false};
  check_broken("scenarios.immediate", [weak] { require_hold(weak, {"quota_sum"}); });
}

TEST_CASE("a scenario and a seed give one run, to the byte", "[property]") {
  const ScenarioShape shape{.planners = kAnyPlanner, .claimed_counts = kAnyCounts, .ceiling_growth = kAnyGrowth};
  check_property("cluster.deterministic", [shape] {
    const DraftScenario draft = *any_scenario(shape);
    const auto seed = static_cast<std::uint64_t>(any(1, 1000));
    const Scenario scenario = read(draft.text({}));
    const RunResult first = run_scenario({.scenario = scenario, .seed = seed}).result;
    const RunResult second = run_scenario({.scenario = scenario, .seed = seed}).result;
    RC_ASSERT(first.event_digest == second.event_digest);
    RC_ASSERT(render_result_json(first) == render_result_json(second));
  });
}

// Hidden: for the test of what a failure prints.
TEST_CASE("a canary: fixed_order gives every tenant its slice", "[.scenario_canary]") {
  check_property("canary.scenario", [] { require_hold({.planners = {"fixed_order"}}, {"slice"}); });
}

}  // namespace
}  // namespace headroom::test
