// M3 of the metamorphic properties: a tenant that spreads its rows over more routes changes no other tenant's claims.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/base/hash.hpp"
#include "tests/property/check.hpp"
#include "tests/property/cluster/generated_scenario.hpp"
#include "tests/property/metamorphic/sweep_trace.hpp"

namespace headroom::test {
namespace {

// Which of its rows a tenant's claims find may change with its routes, so all of its rows are alike here and shards
// stay where they are. A claim costs nothing, since more routes are more claims; and no two nodes sweep at one instant,
// since more claims may change which of them comes first.
void changes_nobody_else(const std::string& planner) {
  DraftScenario draft =
      *any_scenario({.planners = {planner}, .wake = {"false"}, .tie_break = {"sequence"}, .claim_cost_us = {"0"}});
  draft.faults.clear();
  const std::string terms = fmt::format(
      R"("quota": {}, "rows": {{"arrivals": {{"kind": "{}}}, "service": {{"kind": "constant", "value": "15ms"}}}})",
      *rc::gen::element(1000, 1, 3, 8),
      any(0, 1) == 0 ? fmt::format(R"(backlog", "n": {})", any(1, 30))
                     : fmt::format(R"(poisson", "rate": "{}/s")", any(1, 300)));
  const std::string name = *rc::gen::element<std::string>("a", "t2x", "z");
  const auto sweeps_with = [&](int routes) {
    std::vector<std::string> queues;
    for (int i = 0; i < routes; ++i) {
      queues.push_back(fmt::format(R"("x{}")", i));
    }
    DraftScenario with = draft;
    with.more_tenants.push_back(
        fmt::format(R"({{"name": "{}", "id": "spread", "routes": [{}], {}}})", name, fmt::join(queues, ", "), terms));
    return std::pair(without(sweeps_of(scenario_of(with.text({})), 1), stable_hash(std::string_view("spread"))),
                     with.text({}));
  };
  const auto on_one = sweeps_with(1).first;
  const auto [on_many, many_text] = sweeps_with(any(2, 6));
  for (std::size_t i = 0; i < std::min(on_one.size(), on_many.size()); ++i) {
    if (on_one[i] != on_many[i]) {
      RC_FAIL(fmt::format("the sweep of node n{} at {} ms is another one with\n  {}", on_one[i].node.value() + 1,
                          on_one[i].at.nanoseconds() / 1'000'000, many_text));
    }
  }
  RC_ASSERT(on_one.size() == on_many.size());
}

TEST_CASE("rows that one tenant spreads over more routes change no other tenant's claims", "[property]") {
  check_property("split.rotating", [] { changes_nobody_else("rotating"); });
  check_property("split.deficit_round_robin", [] { changes_nobody_else("deficit_round_robin"); });
}
TEST_CASE("under fixed_order the routes of one tenant are seen to change others' claims", "[property]") {
  check_broken("fixed_order.split", [] { changes_nobody_else("fixed_order"); });
}

}  // namespace
}  // namespace headroom::test
