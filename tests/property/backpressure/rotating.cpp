// The promises of `rotating` (spec 1.3), one by one, and that `fixed_order` breaks those that it is known to break.
#include "tests/property/backpressure/naive_rotation.hpp"
#include "tests/property/backpressure/promises.hpp"
#include "tests/property/check.hpp"

namespace headroom::test {
namespace {

constexpr PlannerKind kRotating = PlannerKind::rotating;
constexpr PlannerKind kFixed = PlannerKind::fixed_order;

using Promise = Breach (*)(const History&, const Outcome&);

// A property: the planner keeps the promise in every history.
[[nodiscard]] auto keeps(PlannerKind kind, Promise breach) {
  return [kind, breach] {
    const History history = *any_history();
    const Breach found = breach(history, outcome_of(kind, history));
    if (found) {
      RC_FAIL(*found);
    }
  };
}

Breach claims_agree(const History&, const Outcome& outcome) {
  return breach_of_claims(outcome);
}
Breach uncapped_are_equal(const History& history, const Outcome& outcome) {
  return breach_of_equality(history, outcome);
}

TEST_CASE("rotating grants every active tenant its slice", "[property]") {
  check_property("rotating.slice", keeps(kRotating, breach_of_slice));
}
TEST_CASE("rotating serves every active tenant within K sweeps", "[property]") {
  check_property("rotating.turns", keeps(kRotating, breach_of_turns));
}
TEST_CASE("rotating serves uncapped tenants alike to one row", "[property]") {
  check_property("rotating.equality", keeps(kRotating, uncapped_are_equal));
}
TEST_CASE("rotating keeps within batch, headroom and claimable rows", "[property]") {
  check_property("rotating.limits", keeps(kRotating, breach_of_limits));
}
TEST_CASE("rotating leaves no batch unused that somebody could take", "[property]") {
  check_property("rotating.work_conservation", keeps(kRotating, breach_of_work_conservation));
}
TEST_CASE("rotating claims what it grants", "[property]") {
  check_property("rotating.claims", keeps(kRotating, claims_agree));
}

TEST_CASE("fixed_order is seen to break slice, turns and equality", "[property]") {
  check_broken("fixed_order.slice", keeps(kFixed, breach_of_slice));
  check_broken("fixed_order.turns", keeps(kFixed, breach_of_turns));
  check_broken("fixed_order.equality", keeps(kFixed, uncapped_are_equal));
}
TEST_CASE("fixed_order keeps within batch, headroom and claimable rows", "[property]") {
  check_property("fixed_order.limits", keeps(kFixed, breach_of_limits));
  check_property("fixed_order.claims", keeps(kFixed, claims_agree));
}

// ---- against splits found in other ways

// Gives one unit at a time to whoever has least and can take more, first in ring order after the cursor among equals.
Rows filled_by_units(const std::vector<std::uint32_t>& caps, std::uint32_t batch, std::size_t first) {
  Rows rows(caps.size(), 0);
  for (std::uint32_t unit = 0; unit < batch; ++unit) {
    std::optional<std::size_t> poorest;
    for (std::size_t step = 0; step < caps.size(); ++step) {
      const std::size_t i = (first + step) % caps.size();
      if (rows[i] < caps[i] && (!poorest || rows[i] < rows[*poorest])) {
        poorest = i;
      }
    }
    if (!poorest) {
      break;
    }
    ++rows[*poorest];
  }
  return rows;
}

TEST_CASE("rotating agrees with filling one unit at a time from the cursor", "[property]") {
  check_property("rotating.progressive_filling", [] {
    const History history = *any_history();
    PlannerMemory memory;
    for (std::size_t sweep = 0; sweep < history.caps.size(); ++sweep) {
      const std::size_t first = memory.cursor.is_none() ? 0 : memory.cursor.value() + 1;
      const Rows expected = filled_by_units(history.caps[sweep], history.batch, first);
      RC_ASSERT(grants_of(kRotating, view_of(history, sweep), history.batch, memory) == expected);
    }
  });
}

TEST_CASE("rotating grants the max-min fair one of all allocations", "[property]") {
  check_property("rotating.max_min", [] {
    const auto caps = *rc::gen::resize(5, rc::gen::container<std::vector<std::uint32_t>>(number_in(0U, 7U)));
    const auto batch = *number_in<std::uint32_t>(1, 10);
    std::vector<TableTenant> tenants;
    for (std::size_t i = 0; i < caps.size(); ++i) {
      tenants.push_back(capped(caps[i], 1, i));
    }
    Rows rows = grants_of(kRotating, TableView(std::move(tenants)), batch);
    std::ranges::sort(rows);
    RC_ASSERT(rows == max_min_by_trying_all(caps, batch));
  });
}

// ---- what must change nothing

// A history with tenants that are never active put between the others: `slots` says before which.
History with_idle(const History& history, const std::vector<std::size_t>& slots) {
  History wider = history;
  for (const std::size_t slot : slots) {
    const auto at = static_cast<std::ptrdiff_t>(slot % (wider.tenants() + 1));
    wider.weights.insert(wider.weights.begin() + at, 1);
    for (auto& sweep : wider.caps) {
      sweep.insert(sweep.begin() + at, 0);
    }
  }
  return wider;
}

// What those are granted that are active in some sweep.
std::vector<Rows> of_the_active(const History& history, const Outcome& outcome) {
  std::vector<Rows> result(history.caps.size());
  for (std::size_t i = 0; i < history.tenants(); ++i) {
    const bool ever = std::ranges::any_of(history.caps, [i](const auto& caps) { return caps[i] > 0; });
    for (std::size_t sweep = 0; ever && sweep < history.caps.size(); ++sweep) {
      result[sweep].push_back(outcome.grants[sweep][i]);
    }
  }
  return result;
}

// Idle tenants (at their ceiling, without rows, with paused rows) change nobody's grants. They also give all others new
// names in the same order, so this is the promise of order-preserving renaming too.
void idle_changes_nothing(PlannerKind kind) {
  const History history = *any_history();
  const auto slots = *rc::gen::resize(6, rc::gen::arbitrary<std::vector<std::size_t>>());
  const History wider = with_idle(history, slots);
  RC_ASSERT(of_the_active(history, outcome_of(kind, history)) == of_the_active(wider, outcome_of(kind, wider)));
}

TEST_CASE("who is not active changes nobody's grants", "[property]") {
  check_property("rotating.idle", [] { idle_changes_nothing(kRotating); });
  check_property("deficit_round_robin.idle", [] { idle_changes_nothing(PlannerKind::deficit_round_robin); });
  check_broken("fixed_order.idle", [] { idle_changes_nothing(kFixed); });
}

// A tenant that is idle for a while only: over those sweeps the cursor must not favour or pass over anybody.
TEST_CASE("sweeps in which all caps stay the same do not depend on the order of names but for one row", "[property]") {
  const auto renaming_costs_a_row = [](PlannerKind kind) {
    History history = *any_history();
    const std::vector<std::uint32_t> caps = history.caps.front();
    history.caps.assign(history.caps.size(), caps);
    std::vector<std::size_t> new_name(caps.size());
    std::iota(new_name.begin(), new_name.end(), 0U);
    for (std::size_t i = caps.size(); i > 1; --i) {
      std::swap(new_name[i - 1], new_name[*number_in<std::size_t>(0, i)]);
    }
    History renamed = history;
    for (std::size_t sweep = 0; sweep < history.caps.size(); ++sweep) {
      for (std::size_t i = 0; i < caps.size(); ++i) {
        renamed.caps[sweep][new_name[i]] = caps[i];
      }
    }
    const Outcome before = outcome_of(kind, history);
    const Outcome after = outcome_of(kind, renamed);
    for (std::size_t i = 0; i < caps.size(); ++i) {
      for (std::size_t begin = 0; begin < history.caps.size(); ++begin) {
        std::int64_t difference = 0;
        for (std::size_t sweep = begin; sweep < history.caps.size(); ++sweep) {
          const std::uint32_t old_grant = before.grants[sweep][i];
          const std::uint32_t new_grant = after.grants[sweep][new_name[i]];
          if (old_grant >= caps[i] || new_grant >= caps[i]) {
            break;
          }
          difference += std::int64_t{old_grant} - std::int64_t{new_grant};
          RC_ASSERT(std::abs(difference) <= 1);
        }
      }
    }
  };
  check_property("rotating.renaming", [renaming_costs_a_row] { renaming_costs_a_row(kRotating); });
  check_broken("fixed_order.renaming", [renaming_costs_a_row] { renaming_costs_a_row(kFixed); });
}

// ---- cost

TEST_CASE("a sweep over 100,000 active tenants asks the view on the order of the batch", "[property]") {
  const TableView view = all_busy(100'000);
  for (const PlannerKind kind : all_planners()) {
    PlannerMemory memory;
    for (const std::uint32_t batch : {1U, 16U, 256U}) {
      for (int sweep = 0; sweep < 3; ++sweep) {
        view.calls = 0;
        (void)plan_of(kind, view, batch, memory);
        CAPTURE(planner_for(kind).name(), batch, sweep);
        CHECK(view.calls <= 4 * batch + 8);
      }
    }
  }
}

}  // namespace
}  // namespace headroom::test
