// Routes inside a tenant: they share its grant like tenants share a batch, and gain it nothing.
#include "tests/property/backpressure/promises.hpp"
#include "tests/property/check.hpp"

namespace headroom::test {
namespace {

// One tenant whose routes have the caps of a history's tenants as rows, and as much headroom as the batch.
Outcome routes_as_tenants(PlannerKind kind, const History& history) {
  Outcome outcome;
  PlannerMemory memory;
  for (const auto& caps : history.caps) {
    TableTenant tenant;
    for (const std::uint32_t cap : caps) {
      tenant.routes.push_back({.claimable = cap, .paused = 1});
    }
    const TableView view({std::move(tenant)});
    outcome.grants.push_back(claimed_by_route(plan_of(kind, view, history.batch, memory), view, 0));
  }
  return outcome;
}

using Promise = Breach (*)(const History&, const Outcome&);
Breach uncapped_are_equal(const History& history, const Outcome& outcome) {
  return breach_of_equality(history, outcome);
}

[[nodiscard]] auto keeps(PlannerKind kind, Promise breach) {
  return [kind, breach] {
    const History history = *any_history();
    const Breach found = breach(history, routes_as_tenants(kind, history));
    if (found) {
      RC_FAIL(*found);
    }
  };
}

TEST_CASE("the routes of a tenant are promised what tenants are", "[property]") {
  for (const PlannerKind kind : {PlannerKind::rotating, PlannerKind::deficit_round_robin}) {
    const std::string prefix = "routes." + std::string(planner_for(kind).name());
    check_property(prefix + ".slice", keeps(kind, breach_of_slice));
    check_property(prefix + ".turns", keeps(kind, breach_of_turns));
    check_property(prefix + ".equality", keeps(kind, uncapped_are_equal));
    check_property(prefix + ".limits", keeps(kind, breach_of_limits));
    check_property(prefix + ".work_conservation", keeps(kind, breach_of_work_conservation));
  }
}

TEST_CASE("fixed_order is seen to starve and waste routes", "[property]") {
  check_broken("routes.fixed_order.turns", keeps(PlannerKind::fixed_order, breach_of_turns));
  check_broken("routes.fixed_order.work_conservation", keeps(PlannerKind::fixed_order, breach_of_work_conservation));
}

// The view of a sweep in which the rows of one tenant lie on several routes: `parts` of them each on one of its own,
// the rest on the first.
TableView spread(const History& history, std::size_t sweep, std::size_t tenant,
                 const std::vector<std::uint32_t>& parts) {
  std::vector<TableTenant> tenants = view_of(history, sweep).tenants();
  std::uint64_t left = tenants[tenant].claimable();
  std::vector<TableRoute> routes(1);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::uint64_t rows = std::min<std::uint64_t>(parts[i], left);
    routes.push_back({.claimable = rows, .paused = 1, .pinned = i % 3 == 2});
    left -= rows;
  }
  routes.front().claimable = left;
  tenants[tenant].routes = std::move(routes);
  return TableView(std::move(tenants));
}

TEST_CASE("rows spread over routes change no tenant's grants", "[property]") {
  const auto spreading_changes_nothing = [](PlannerKind kind) {
    const History history = *any_history();
    const auto tenant = *number_in<std::size_t>(0, history.tenants());
    const auto parts = *rc::gen::resize(6, rc::gen::container<std::vector<std::uint32_t>>(number_in(0U, 9U)));
    const Outcome expected = outcome_of(kind, history);
    PlannerMemory memory;
    for (std::size_t sweep = 0; sweep < history.caps.size(); ++sweep) {
      RC_ASSERT(grants_of(kind, spread(history, sweep, tenant, parts), history.batch, memory) ==
                expected.grants[sweep]);
    }
  };
  check_property("routes.rotating.spread", [&] { spreading_changes_nothing(PlannerKind::rotating); });
  check_property("routes.deficit_round_robin.spread",
                 [&] { spreading_changes_nothing(PlannerKind::deficit_round_robin); });
  check_broken("routes.fixed_order.spread", [&] { spreading_changes_nothing(PlannerKind::fixed_order); });
}

}  // namespace
}  // namespace headroom::test
