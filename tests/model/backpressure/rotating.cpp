// The promises of spec 1.3 in numbers, and that none of reference/fixed-order.md A1 to A7 is to be seen.
#include <catch2/catch.hpp>
#include <numeric>

#include "model/base/arithmetic.hpp"
#include "tests/model/backpressure/table_view.hpp"

namespace headroom::test {
namespace {

constexpr PlannerKind kRotating = PlannerKind::rotating;

Rows rotating(std::vector<TableTenant> tenants, std::uint32_t batch) {
  return grants_of(kRotating, TableView(std::move(tenants)), batch);
}

// A tenant whose demand is all that limits it, as in the fair allocation vectors of other projects.
std::vector<TableTenant> wanting(const std::vector<std::uint64_t>& demands) {
  std::vector<TableTenant> tenants;
  for (const std::uint64_t demand : demands) {
    tenants.push_back(with_rows(demand));
  }
  return tenants;
}

TableTenant routed(const std::vector<std::uint64_t>& backlogs, std::uint32_t headroom = kPlenty) {
  TableTenant tenant{headroom, {}};
  for (const std::uint64_t rows : backlogs) {
    tenant.routes.push_back({.claimable = rows, .paused = rows == 0 ? 1U : 0U});
  }
  return tenant;
}

TEST_CASE("the unit that does not divide goes round", "[rotating]") {
  const TableView view = all_busy(5);
  PlannerMemory memory;
  for (std::size_t sweep = 0; sweep < 15; ++sweep) {
    Rows expected(5, 3);
    expected[sweep % 5] = 4;
    CHECK(grants_of(kRotating, view, 16, memory) == expected);
  }
}

TEST_CASE("A1: nobody starves for any batch and number of tenants", "[rotating]") {
  for (const std::uint32_t batch : {1U, 2U, 4U, 5U, 6U, 8U, 9U, 11U, 16U, 32U}) {
    for (std::uint32_t tenants = 1; tenants <= 2 * batch + 1; ++tenants) {
      CAPTURE(batch, tenants);
      const TableView view = all_busy(tenants);
      const auto bound = static_cast<int>(div_ceil(tenants, batch));
      const auto within = totals_of(kRotating, view, batch, bound);
      REQUIRE(std::ranges::min(within) >= 1);
      const auto totals = totals_of(kRotating, view, batch, 7 * bound + 3);
      REQUIRE(std::ranges::max(totals) - std::ranges::min(totals) <= 1);
    }
  }
}

TEST_CASE("A1: batches that starve a tenant under fixed_order are shared evenly", "[rotating]") {
  for (const auto& [tenants, batch] :
       std::vector<std::pair<std::size_t, std::uint32_t>>{{2, 1}, {3, 2}, {3, 4}, {4, 5}, {4, 6}, {5, 11}, {6, 9}}) {
    CAPTURE(tenants, batch);
    // After as many sweeps as there are tenants the units that do not divide have gone round without a remainder.
    CHECK(totals_of(kRotating, all_busy(tenants), batch, static_cast<int>(tenants)) ==
          std::vector<std::uint64_t>(tenants, batch));
  }
}

TEST_CASE("A1: a quiet tenant's one row is claimed in its first sweep", "[rotating]") {
  CHECK(rotating(wanting({500, 500, 500, 500, 1}), 16).back() == 1);
}

TEST_CASE("A2 and DS2: with more tenants than batch each waits its turn", "[rotating]") {
  CHECK(totals_of(kRotating, all_busy(12), 8, 1200) == std::vector<std::uint64_t>(12, 800));
  PlannerMemory memory;
  const TableView view = all_busy(5);
  CHECK(grants_of(kRotating, view, 2, memory) == Rows{1, 1, 0, 0, 0});
  CHECK(grants_of(kRotating, view, 2, memory) == Rows{0, 0, 1, 1, 0});
  CHECK(grants_of(kRotating, view, 2, memory) == Rows{1, 0, 0, 0, 1});
}

TEST_CASE("A3, DS3 and DS4: what is left is shared", "[rotating]") {
  CHECK(rotating({busy(), with_rows(1), busy()}, 16) == Rows{8, 1, 7});
  CHECK(rotating({at_ceiling(), busy(), at_ceiling(), busy()}, 8) == Rows{0, 4, 0, 4});
  CHECK(rotating({busy(100), busy(100), busy(1), busy(1)}, 12) == Rows{5, 5, 1, 1});
  std::vector<TableTenant> diluted(8, at_ceiling());
  diluted[2] = busy();
  diluted[5] = busy();
  CHECK(rotating(diluted, 8) == Rows{0, 0, 4, 0, 0, 4, 0, 0});
}

TEST_CASE("A4: who is not active takes nothing from the others", "[rotating]") {
  CHECK(rotating({all_paused(), busy(), busy()}, 16) == Rows{0, 8, 8});
}

TEST_CASE("A5, A6 and DS5: what one route does not use another gets", "[rotating]") {
  CHECK(rotating({busy(), routed({100, 1})}, 16) == Rows{8, 8});
  CHECK(rotating({routed({100, 1})}, 8) == Rows{8});
  CHECK(rotating({routed({100, 0, 0, 0})}, 16) == Rows{16});
  CHECK(rotating({routed({kBusy, 0, 0, 0})}, 10) == Rows{10});
}

TEST_CASE("A7 and DS6: the routes of a tenant take turns", "[rotating]") {
  for (const std::uint32_t ceiling : {1U, 2U, 3U}) {
    const TableView view({routed(std::vector<std::uint64_t>(8, kBusy), ceiling)});
    PlannerMemory memory;
    Rows totals(8, 0);
    for (int sweep = 0; sweep < 8; ++sweep) {
      const Rows rows = claimed_by_route(plan_of(kRotating, view, 16, memory), view, 0);
      for (std::size_t i = 0; i < totals.size(); ++i) {
        totals[i] += rows[i];
      }
    }
    CHECK(totals == Rows(8, ceiling));
  }
}

TEST_CASE("fair allocations of other projects come out the same", "[rotating]") {
  // Kubernetes API priority and fairness, then Doorman's FAIR_SHARE, then equal weights.
  CHECK(rotating(wanting({47, 0}), 42) == Rows{42, 0});
  CHECK(rotating(wanting({1, 47}), 42) == Rows{1, 41});
  CHECK(rotating(wanting({3, 7, 9, 1}), 14) == Rows{3, 5, 5, 1});
  CHECK(rotating(wanting({1, 9, 7, 3}), 21) == Rows{1, 9, 7, 3});
  CHECK(rotating(wanting({1000, 50, 10}), 120) == Rows{60, 50, 10});
  CHECK(rotating(wanting({100, 100, 1, 1}), 64) == Rows{31, 31, 1, 1});
}

TEST_CASE("a cursor is a name: who leaves or joins shifts nobody", "[rotating]") {
  PlannerMemory memory;
  CHECK(grants_of(kRotating, TableView({busy(), busy(), busy(), busy()}), 5, memory) == Rows{2, 1, 1, 1});
  CHECK(grants_of(kRotating, TableView({busy(), busy(), busy(), busy()}), 5, memory) == Rows{1, 2, 1, 1});
  // The name at the cursor has gone: the next in order has its turn.
  CHECK(grants_of(kRotating, TableView({busy(), at_ceiling(), busy(), busy()}), 4, memory) == Rows{1, 0, 2, 1});
  CHECK(grants_of(kRotating, TableView({busy(), busy(), busy(), busy()}), 5, memory) == Rows{1, 1, 1, 2});
  CHECK(grants_of(kRotating, TableView({busy(), busy(), busy(), busy()}), 5, memory) == Rows{2, 1, 1, 1});
}

TEST_CASE("the cursor stays where it is when the batch divides", "[rotating]") {
  PlannerMemory memory;
  memory.cursor = NamespaceId(1);
  for (const std::uint32_t batch : {3U, 6U}) {
    (void)grants_of(kRotating, all_busy(3), batch, memory);
    CHECK(memory.cursor == NamespaceId(1));
  }
  (void)grants_of(kRotating, TableView({with_rows(1), with_rows(2), busy(3)}), 100, memory);
  CHECK(memory.cursor == NamespaceId(1));
  (void)grants_of(kRotating, TableView({busy(), at_ceiling(), busy()}), 2, memory);
  CHECK(memory.cursor == NamespaceId(1));
}

TEST_CASE("a unit that does not divide passes over who can take no more", "[rotating]") {
  PlannerMemory memory;
  const TableView view({busy(), busy(2), busy()});
  CHECK(grants_of(kRotating, view, 7, memory) == Rows{3, 2, 2});
  CHECK(grants_of(kRotating, view, 7, memory) == Rows{2, 2, 3});
  CHECK(grants_of(kRotating, view, 7, memory) == Rows{3, 2, 2});
}

TEST_CASE("at most floor(batch / active) of a grant is guaranteed", "[rotating]") {
  const Plan plan = plan_of(kRotating, TableView({busy(), with_rows(1), busy()}), 16);
  CHECK(plan.grants == std::vector<Grant>{{NamespaceId(0), 8, 5}, {NamespaceId(1), 1, 1}, {NamespaceId(2), 7, 5}});
  CHECK(plan.active == 3);
  CHECK(plan.batch == 16);
  const Plan crowded = plan_of(kRotating, all_busy(3), 2);
  CHECK(crowded.grants == std::vector<Grant>{{NamespaceId(0), 1, 0}, {NamespaceId(1), 1, 0}});
}

TEST_CASE("claims are made in ring order and grants listed in name order", "[rotating]") {
  PlannerMemory memory;
  memory.cursor = NamespaceId(1);
  const Plan plan = plan_of(kRotating, all_busy(4), 5, memory);
  CHECK(plan.grants ==
        std::vector<Grant>{
            {NamespaceId(0), 1, 1}, {NamespaceId(1), 1, 1}, {NamespaceId(2), 2, 1}, {NamespaceId(3), 1, 1}});
  CHECK(plan.claims == std::vector<ScopedClaim>{{NamespaceId(2), RouteId(2), 2},
                                                {NamespaceId(3), RouteId(3), 1},
                                                {NamespaceId(0), RouteId(0), 1},
                                                {NamespaceId(1), RouteId(1), 1}});
  CHECK(plan.granted_to(NamespaceId(2)) == 2);
  CHECK(plan.granted_to(NamespaceId(4)) == 0);
}

TEST_CASE("a queue's claim without a pool comes before its pinned ones", "[rotating]") {
  const TableView view({{kPlenty, {{.claimable = 5}, {.claimable = 5, .pinned = true}}}});
  PlannerMemory memory;
  CHECK(plan_of(kRotating, view, 3, memory).claims ==
        std::vector<ScopedClaim>{{NamespaceId(0), RouteId(0), 2}, {NamespaceId(0), RouteId(1), 1}});
  CHECK(plan_of(kRotating, view, 3, memory).claims ==
        std::vector<ScopedClaim>{{NamespaceId(0), RouteId(0), 1}, {NamespaceId(0), RouteId(1), 2}});
}

TEST_CASE("a route cursor is kept only where a unit did not divide", "[rotating]") {
  PlannerMemory memory;
  (void)grants_of(kRotating, all_busy(3), 4, memory);
  CHECK(memory.route_cursors.empty());
  const TableView view({busy(), routed({kBusy, kBusy}, 3), busy()});
  (void)grants_of(kRotating, view, 9, memory);
  CHECK(memory.route_cursors == std::vector<RouteId>{RouteId::none(), RouteId(1)});
}

TEST_CASE("rows spread over many routes gain their tenant nothing", "[rotating]") {
  const TableView spread({routed(std::vector<std::uint64_t>(9, kBusy)), busy(), busy()});
  CHECK(totals_of(kRotating, spread, 10, 3) == std::vector<std::uint64_t>{10, 10, 10});
}

TEST_CASE("nobody active gives an empty plan and keeps the memory", "[rotating]") {
  PlannerMemory memory;
  memory.cursor = NamespaceId(0);
  const PlannerMemory before = memory;
  const Plan plan = plan_of(kRotating, TableView({at_ceiling(), all_paused()}), 4, memory);
  CHECK(plan.grants.empty());
  CHECK(plan.claims.empty());
  CHECK(plan.active == 0);
  CHECK(memory == before);
}

}  // namespace
}  // namespace headroom::test
