#include <catch2/catch.hpp>

#include "tests/model/backpressure/table_view.hpp"

namespace headroom::test {
namespace {

constexpr PlannerKind kWeighted = PlannerKind::deficit_round_robin;

TableTenant weighing(std::uint32_t weight, std::uint64_t rows = kBusy) {
  return {kPlenty, {{.claimable = rows}}, weight};
}

TEST_CASE("a batch of whole rounds is shared by weight", "[deficit_round_robin]") {
  CHECK(grants_of(kWeighted, TableView({weighing(1, 20), weighing(2, 20), weighing(3, 20)}), 30) == Rows{5, 10, 15});
  CHECK(grants_of(kWeighted, TableView({weighing(1), weighing(5)}), 6) == Rows{1, 5});
}

TEST_CASE("what a tenant does not want goes to the others by weight", "[deficit_round_robin]") {
  // Weighted max-min of demands 2, 20, 20 within 30 is 2, 11.2, 16.8; five sweeps of it are whole.
  const TableView view({weighing(1, 2), weighing(2, 20), weighing(3, 20)});
  CHECK(totals_of(kWeighted, view, 30, 5) == std::vector<std::uint64_t>{10, 56, 84});
  CHECK(grants_of(kWeighted, TableView({busy(31), busy(kPlenty), with_rows(1), with_rows(1)}), 64) ==
        Rows{31, 31, 1, 1});
}

TEST_CASE("a turn that the batch cuts resumes without a second quantum", "[deficit_round_robin]") {
  const TableView view({weighing(3), weighing(5)});
  PlannerMemory memory;
  CHECK(grants_of(kWeighted, view, 4, memory) == Rows{3, 1});
  CHECK(memory.cursor == NamespaceId(1));
  CHECK(memory.turn_is_open);
  CHECK(memory.deficit == 4);
  CHECK(grants_of(kWeighted, view, 4, memory) == Rows{0, 4});
  CHECK_FALSE(memory.turn_is_open);
  CHECK(memory.deficit == 0);
  CHECK(grants_of(kWeighted, view, 4, memory) == Rows{3, 1});
}

TEST_CASE("a tenant heavier than the batch keeps its turn over several sweeps", "[deficit_round_robin]") {
  const TableView view({weighing(10), weighing(1)});
  PlannerMemory memory;
  CHECK(grants_of(kWeighted, view, 4, memory) == Rows{4, 0});
  CHECK(grants_of(kWeighted, view, 4, memory) == Rows{4, 0});
  CHECK(grants_of(kWeighted, view, 4, memory) == Rows{3, 1});
}

TEST_CASE("a deficit is lost when its tenant is no longer active", "[deficit_round_robin]") {
  PlannerMemory memory;
  CHECK(grants_of(kWeighted, TableView({weighing(9), weighing(2)}), 4, memory) == Rows{4, 0});
  CHECK(memory.deficit == 5);
  CHECK(grants_of(kWeighted, TableView({at_ceiling(), weighing(2)}), 1, memory) == Rows{0, 1});
  // The second resumes its turn with 1, then the first has a whole new one.
  CHECK(grants_of(kWeighted, TableView({weighing(9), weighing(2)}), 10, memory) == Rows{9, 1});
  CHECK_FALSE(memory.turn_is_open);
}

TEST_CASE("a deficit is lost when nobody is active", "[deficit_round_robin]") {
  PlannerMemory memory;
  (void)grants_of(kWeighted, TableView({weighing(9)}), 4, memory);
  CHECK(plan_of(kWeighted, TableView({at_ceiling()}), 4, memory).grants.empty());
  CHECK(memory.deficit == 0);
  CHECK_FALSE(memory.turn_is_open);
}

TEST_CASE("a deficit is lost to a lack of headroom or rows, even where the batch ends too", "[deficit_round_robin]") {
  for (const TableTenant& stopped : {TableTenant{4, {{.claimable = kBusy}}, 9}, weighing(9, 4)}) {
    PlannerMemory memory;
    CHECK(grants_of(kWeighted, TableView({stopped, weighing(1)}), 4, memory) == Rows{4, 0});
    CHECK_FALSE(memory.turn_is_open);
    CHECK(memory.deficit == 0);
  }
}

TEST_CASE("no batch is left unused while somebody can take more", "[deficit_round_robin]") {
  CHECK(grants_of(kWeighted, TableView({weighing(1000, 3), weighing(1, 50), weighing(7, 2)}), 40) == Rows{3, 35, 2});
  CHECK(grants_of(kWeighted, TableView({weighing(2, 3), weighing(1, 4)}), 100) == Rows{3, 4});
}

TEST_CASE("claims are merged by tenant in the order of the first visit", "[deficit_round_robin]") {
  PlannerMemory memory;
  memory.cursor = NamespaceId(0);
  const Plan plan = plan_of(kWeighted, TableView({weighing(1), weighing(2), weighing(1)}), 9, memory);
  CHECK(plan.claims == std::vector<ScopedClaim>{{NamespaceId(1), RouteId(1), 5},
                                                {NamespaceId(2), RouteId(2), 2},
                                                {NamespaceId(0), RouteId(0), 2}});
  CHECK(plan.grants == std::vector<Grant>{{NamespaceId(0), 2, 2}, {NamespaceId(1), 5, 3}, {NamespaceId(2), 2, 2}});
}

TEST_CASE("the routes of a tenant take turns here too", "[deficit_round_robin]") {
  const TableView view({{kPlenty, std::vector<TableRoute>(3, {.claimable = kBusy}), 1}});
  PlannerMemory memory;
  CHECK(claimed_by_route(plan_of(kWeighted, view, 4, memory), view, 0) == Rows{2, 1, 1});
  CHECK(claimed_by_route(plan_of(kWeighted, view, 4, memory), view, 0) == Rows{1, 2, 1});
}

}  // namespace
}  // namespace headroom::test
