// M2 of the metamorphic properties: a tenant with nothing to claim (idle, paused, at its ceiling, visible in the future
// only) that is added to a run changes nobody's claims.
#include <fmt/format.h>

#include "model/base/hash.hpp"
#include "tests/property/check.hpp"
#include "tests/property/cluster/generated_scenario.hpp"
#include "tests/property/metamorphic/sweep_trace.hpp"

namespace headroom::test {
namespace {

enum class Guest : std::uint8_t { idle, paused, at_ceiling, in_the_future };

// Its rows come while others work.
void invite(DraftScenario& draft, Guest guest) {
  // Before, between and behind the others.
  const std::string name = *rc::gen::element<std::string>("a", "t2x", "z");
  const std::string rows =
      fmt::format(R"("arrivals": {{"kind": "schedule", "at": [{{"at": "{}ms", "n": {}}}]}})", any(0, 500), any(1, 20));
  const auto tenant = [&](std::string_view quota, const std::string& has) {
    draft.more_tenants.push_back(
        fmt::format(R"({{"name": "{}", "id": "guest", "quota": {}, "rows": {{{}}}}})", name, quota, has));
  };
  switch (guest) {
    case Guest::idle:
      tenant("8", "");
      return;
    case Guest::paused:
      tenant("8", rows);
      draft.more_faults.push_back(fmt::format(R"({{"kind": "workflow_pause", "tenant": "{}", "at": "0ms"}})", name));
      return;
    case Guest::at_ceiling:
      tenant("0", rows);
      return;
    case Guest::in_the_future:
      tenant("8", rows + R"(, "visible_after": "10h")");
      return;
  }
}

// A sweep by a wake is one that an append asked for, whoever's it was; so sweeps come by the clock alone here.
void changes_nobody(const std::string& planner, Guest guest) {
  const DraftScenario alone = *any_scenario({.planners = {planner}, .wake = {"false"}, .tie_break = {"sequence"}});
  DraftScenario together = alone;
  invite(together, guest);
  const std::uint64_t entity = stable_hash(std::string_view("guest"));
  const std::vector<TracedSweep> expected = without(sweeps_of(scenario_of(alone.text({})), 1), entity);
  const std::vector<TracedSweep> found = without(sweeps_of(scenario_of(together.text({})), 1), entity);
  for (std::size_t i = 0; i < std::min(expected.size(), found.size()); ++i) {
    if (expected[i] != found[i]) {
      RC_FAIL(fmt::format("the sweep of node n{} at {} ms is another one with\n  {}", expected[i].node.value() + 1,
                          expected[i].at.nanoseconds() / 1'000'000, together.text({})));
    }
  }
  RC_ASSERT(expected.size() == found.size());
}

TEST_CASE("a tenant with nothing to claim changes nobody's claims", "[property]") {
  check_property("added.idle", [] { changes_nobody("rotating", Guest::idle); });
  check_property("added.paused", [] { changes_nobody("rotating", Guest::paused); });
  check_property("added.at_ceiling", [] { changes_nobody("rotating", Guest::at_ceiling); });
  check_property("added.in_the_future", [] { changes_nobody("rotating", Guest::in_the_future); });
}

TEST_CASE("under fixed_order tenants that are paused or at their ceiling are seen to take from others", "[property]") {
  check_broken("fixed_order.added.paused", [] { changes_nobody("fixed_order", Guest::paused); });
  check_broken("fixed_order.added.at_ceiling", [] { changes_nobody("fixed_order", Guest::at_ceiling); });
}

}  // namespace
}  // namespace headroom::test
