// Every number of reference/fixed-order.md 2 and A, and of reference/cases.md DS1 to DS6.
#include <catch2/catch.hpp>
#include <numeric>

#include "model/base/arithmetic.hpp"
#include "tests/model/backpressure/table_view.hpp"

namespace headroom::test {
namespace {

constexpr PlannerKind kFixed = PlannerKind::fixed_order;

Rows fixed(std::vector<TableTenant> tenants, std::uint32_t batch) {
  return grants_of(kFixed, TableView(std::move(tenants)), batch);
}

Rows fixed_busy(std::size_t tenants, std::uint32_t batch) {
  return grants_of(kFixed, all_busy(tenants), batch);
}

TableTenant routed(const std::vector<std::uint64_t>& backlogs, std::uint32_t headroom = kPlenty) {
  TableTenant tenant{headroom, {}};
  for (const std::uint64_t rows : backlogs) {
    // A route with nothing to claim is listed as long as paused rows are due on it.
    tenant.routes.push_back({.claimable = rows, .paused = rows == 0 ? 1U : 0U});
  }
  return tenant;
}

// What one pass of route claims takes of an allocation: the tenant comes last, so that what it leaves goes elsewhere.
Rows one_pass(std::uint32_t allocation, const std::vector<std::uint64_t>& backlogs) {
  const TableView view({busy(), routed(backlogs)});
  return claimed_by_route(plan_of(kFixed, view, 2 * allocation), view, 1);
}

std::size_t unserved(const Rows& rows) {
  return static_cast<std::size_t>(std::ranges::count(rows, 0U));
}

TEST_CASE("A1: slices rounded up starve the tail of the names", "[fixed_order]") {
  CHECK(fixed_busy(3, 4) == Rows{2, 2, 0});
  CHECK(fixed_busy(5, 16) == Rows{4, 4, 4, 4, 0});
  CHECK(fixed_busy(7, 16) == Rows{3, 3, 3, 3, 3, 1, 0});
  CHECK(unserved(fixed_busy(10, 16)) == 2);
  CHECK(unserved(fixed_busy(15, 16)) == 7);
  for (const auto& [tenants, batch] :
       std::vector<std::pair<std::size_t, std::uint32_t>>{{2, 1}, {3, 2}, {4, 5}, {4, 6}, {5, 11}, {6, 9}}) {
    CAPTURE(tenants, batch);
    CHECK(fixed_busy(tenants, batch).back() == 0);
  }
}

TEST_CASE("A1: the unserved tail has A - ceil(B / ceil(B / A)) names", "[fixed_order]") {
  for (const std::uint32_t batch : {4U, 8U, 16U, 32U, 100U}) {
    for (std::uint32_t tenants = 1; tenants <= batch; ++tenants) {
      CAPTURE(batch, tenants);
      const Rows rows = fixed_busy(tenants, batch);
      const std::uint32_t served = div_ceil(batch, div_ceil(batch, tenants));
      REQUIRE(unserved(rows) == tenants - served);
      REQUIRE(std::ranges::find(rows, 0U) == rows.begin() + served);
    }
  }
}

TEST_CASE("A1: the numbers of tenants that leave somebody unserved are the published ones", "[fixed_order]") {
  const auto bad = [](std::uint32_t batch) {
    Rows result;
    for (std::uint32_t tenants = 1; tenants <= batch; ++tenants) {
      if (unserved(fixed_busy(tenants, batch)) > 0) {
        result.push_back(tenants);
      }
    }
    return result;
  };
  CHECK(bad(4) == Rows{3});
  CHECK(bad(8) == Rows{5, 6, 7});
  CHECK(bad(16) == Rows{5, 7, 9, 10, 11, 12, 13, 14, 15});
  CHECK(bad(32).size() == 21);
  CHECK(bad(100).size() == 81);
}

TEST_CASE("A1: the last of five tenants is never served in 1000 sweeps", "[fixed_order]") {
  std::vector<std::uint64_t> backlog(5, 50);
  std::vector<std::uint64_t> served(5, 0);
  for (int sweep = 0; sweep < 1000; ++sweep) {
    std::vector<TableTenant> tenants;
    for (std::uint64_t& rows : backlog) {
      rows += 4;
      tenants.push_back(with_rows(rows));
    }
    const Rows rows = fixed(std::move(tenants), 16);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      backlog[i] -= rows[i];
      served[i] += rows[i];
    }
  }
  CHECK(served == std::vector<std::uint64_t>{4000, 4000, 4000, 4000, 0});
  CHECK(backlog.back() == 4050);
}

TEST_CASE("A1: one row of a quiet tenant waits until those in front have drained", "[fixed_order]") {
  std::vector<std::uint64_t> backlog{500, 500, 500, 500, 1};
  int sweep = 0;
  for (Rows rows(5, 0); rows.back() == 0; ++sweep) {
    std::vector<TableTenant> tenants;
    for (const std::uint64_t left : backlog) {
      tenants.push_back(with_rows(left));
    }
    rows = fixed(std::move(tenants), 16);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      backlog[i] -= rows[i];
    }
  }
  CHECK(sweep == 126);  // 125 sweeps of four rows each go by first
}

TEST_CASE("A1: the tail is served when those in front are capped", "[fixed_order]") {
  CHECK(fixed({busy(1), busy(1), busy()}, 4) == Rows{1, 1, 2});
}

TEST_CASE("A2: with more tenants than batch the first names win every sweep", "[fixed_order]") {
  Rows expected(20, 1);
  std::fill(expected.begin() + 16, expected.end(), 0U);
  CHECK(fixed(std::vector<TableTenant>(20, with_rows(1)), 16) == expected);
}

TEST_CASE("A3: what is left goes to the first name that can take it", "[fixed_order]") {
  CHECK(fixed({busy(), with_rows(1), busy()}, 16) == Rows{9, 1, 6});
  CHECK(fixed({at_ceiling(), busy(), at_ceiling(), busy()}, 8) == Rows{0, 6, 0, 2});
}

TEST_CASE("A4: a tenant with paused rows only makes the slices of the others smaller", "[fixed_order]") {
  CHECK(fixed({all_paused(), busy(), busy()}, 16) == Rows{0, 10, 6});
  CHECK(fixed({busy(), busy()}, 16) == Rows{8, 8});
}

TEST_CASE("A5: a tenant loses the part of its slice that a short route does not use", "[fixed_order]") {
  CHECK(fixed({busy(), routed({100, 1})}, 16) == Rows{11, 5});
}

TEST_CASE("A6: batch is left unused while rows are due", "[fixed_order]") {
  CHECK(fixed({routed({100, 1})}, 8) == Rows{7});
  CHECK(fixed({routed({100, 0, 0, 0})}, 16) == Rows{7});
}

TEST_CASE("A7: only the first queues of a tenant ever advance", "[fixed_order]") {
  const std::vector<std::uint64_t> busy_routes(8, kBusy);
  for (const std::uint32_t ceiling : {1U, 2U}) {
    const TableView view({routed(busy_routes, ceiling)});
    PlannerMemory memory;
    for (int sweep = 0; sweep < 10; ++sweep) {
      Rows expected(8, 0);
      std::fill_n(expected.begin(), ceiling, 1U);
      CHECK(claimed_by_route(plan_of(kFixed, view, 16, memory), view, 0) == expected);
    }
  }
}

TEST_CASE("A8: a claim on a pinned route may spend its share on rows without a pool", "[fixed_order]") {
  const TableView view({{kPlenty, {{.claimable = 10}, {.claimable = 1, .pinned = true}}}});
  CHECK(claimed_by_route(plan_of(kFixed, view, 8), view, 0) == Rows{4, 4});
  // Both claims together still find no more than there is.
  const TableView few({{kPlenty, {{.claimable = 3}, {.claimable = 1, .pinned = true}}}});
  CHECK(claimed_by_route(plan_of(kFixed, few, 8), few, 0) == Rows{3, 1});
}

TEST_CASE("2.5: the share table of route claims", "[fixed_order]") {
  CHECK(one_pass(4, {100, 100, 100}) == Rows{2, 1, 1});
  CHECK(one_pass(2, std::vector<std::uint64_t>(8, 100)) == Rows{1, 1, 0, 0, 0, 0, 0, 0});
  CHECK(one_pass(3, {0, 0, 5}) == Rows{0, 0, 3});
  CHECK(one_pass(3, {5, 0, 0}) == Rows{1, 0, 0});
  CHECK(one_pass(8, {100, 1}) == Rows{4, 1});
  CHECK(one_pass(8, {1, 100}) == Rows{1, 7});
}

TEST_CASE("DS1 to DS4: tails, dilution and greed in numbers", "[fixed_order]") {
  CHECK(fixed_busy(6, 10) == Rows{2, 2, 2, 2, 2, 0});
  CHECK(fixed_busy(4, 10) == Rows{3, 3, 3, 1});
  CHECK(totals_of(kFixed, all_busy(4), 10, 1000) == std::vector<std::uint64_t>{3000, 3000, 3000, 1000});
  CHECK(totals_of(kFixed, all_busy(12), 8, 100) ==
        std::vector<std::uint64_t>{100, 100, 100, 100, 100, 100, 100, 100, 0, 0, 0, 0});
  std::vector<TableTenant> diluted(8, at_ceiling());
  diluted[2] = busy();
  diluted[5] = busy();
  CHECK(fixed(diluted, 8) == Rows{0, 0, 7, 0, 0, 1, 0, 0});
  CHECK(fixed({busy(100), busy(100), busy(1), busy(1)}, 12) == Rows{7, 3, 1, 1});
}

TEST_CASE("DS5 and DS6: routes lose and starve in numbers", "[fixed_order]") {
  CHECK(fixed({routed({kBusy, 0})}, 10) == Rows{8});
  CHECK(fixed({routed({kBusy, 0, 0, 0})}, 10) == Rows{5});
  const TableView view({routed(std::vector<std::uint64_t>(5, kBusy), 2)});
  CHECK(claimed_by_route(plan_of(kFixed, view, 2), view, 0) == Rows{1, 1, 0, 0, 0});
}

TEST_CASE("rows of the first pass are guaranteed and rows of the second are extra", "[fixed_order]") {
  const Plan plan = plan_of(kFixed, TableView({busy(), with_rows(1), busy()}), 16);
  CHECK(plan.grants == std::vector<Grant>{{NamespaceId(0), 9, 6}, {NamespaceId(1), 1, 1}, {NamespaceId(2), 6, 6}});
  // The claims of the two passes stay apart and in order.
  CHECK(plan.claims == std::vector<ScopedClaim>{{NamespaceId(0), RouteId(0), 6},
                                                {NamespaceId(1), RouteId(1), 1},
                                                {NamespaceId(2), RouteId(2), 6},
                                                {NamespaceId(0), RouteId(0), 3}});
}

TEST_CASE("the second pass finds only what the first has left on each route", "[fixed_order]") {
  const TableView view({routed({3, 9})});
  const Plan plan = plan_of(kFixed, view, 16);
  // First pass: 3 of a share of 8, then 9 of 13. Nothing is left for the second.
  CHECK(claimed_by_route(plan, view, 0) == Rows{3, 9});
  CHECK(plan.claims.size() == 2);
}

TEST_CASE("nobody active gives an empty plan", "[fixed_order]") {
  CHECK(plan_of(kFixed, TableView({}), 4).claims.empty());
  CHECK(plan_of(kFixed, TableView({at_ceiling(), all_paused()}), 4).grants.empty());
}

}  // namespace
}  // namespace headroom::test
