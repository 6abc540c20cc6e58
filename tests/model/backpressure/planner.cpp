#include "model/backpressure/planner.hpp"

#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "tests/model/backpressure/table_view.hpp"

namespace headroom::test {
namespace {

TEST_CASE("every planner has a name of its own and says what it does", "[planner]") {
  std::set<std::string_view> names;
  for (const PlannerKind kind : all_planners()) {
    const Planner& planner = planner_for(kind);
    names.insert(planner.name());
    CHECK_FALSE(planner.summary().empty());
    CHECK(planner.heeds_ceilings() == (kind != PlannerKind::unscoped));
  }
  CHECK(names == std::set<std::string_view>{"unscoped", "fixed_order", "rotating", "deficit_round_robin"});
}

TEST_CASE("unscoped asks for one batch of anybody's rows and grants nothing", "[planner]") {
  PlannerMemory memory;
  const Plan plan = plan_of(PlannerKind::unscoped, TableView({at_ceiling(), busy(), all_paused()}), 16, memory);
  CHECK(plan.claims == std::vector<ScopedClaim>{{NamespaceId::none(), RouteId::none(), 16}});
  CHECK(plan.grants.empty());
  CHECK(plan.active == 1);
  CHECK(plan.batch == 16);
  CHECK(memory == PlannerMemory{});
}

TEST_CASE("a plan is made afresh whatever it held before", "[planner]") {
  for (const PlannerKind kind : all_planners()) {
    PlannerMemory memory;
    PlannerMemory other;
    Plan used;
    planner_for(kind).plan(TableView({busy(), busy(), busy(3)}), 20, memory, used);
    const TableView view({with_rows(2), {kPlenty, {{.claimable = 4}, {.claimable = 4, .pinned = true}}}});
    memory = other;
    planner_for(kind).plan(view, 7, memory, used);
    CHECK(used == plan_of(kind, view, 7, other));
    CHECK(memory == other);
  }
}

TEST_CASE("the room that a planner works in is no part of a plan's value", "[planner]") {
  const Plan plan = plan_of(PlannerKind::rotating, all_busy(3), 4);
  const Plan copy = plan;
  CHECK_FALSE(plan.scratch.names.empty());
  CHECK(copy.scratch.names.empty());
  CHECK(copy == plan);
}

}  // namespace
}  // namespace headroom::test
