// Generated histories of sweeps of one node, and what a planner makes of them.
#pragma once

#include <cstdint>
#include <numeric>
#include <optional>
#include <rapidcheck.h>
#include <vector>

#include "tests/model/backpressure/table_view.hpp"

namespace headroom::test {

// The most that each tenant can be granted, by sweep and tenant; 0: not active.
using Caps = std::vector<std::vector<std::uint32_t>>;

struct History {
  std::uint32_t batch = 1;
  Caps caps;
  std::vector<std::uint32_t> weights;  // by tenant

  [[nodiscard]] std::size_t tenants() const { return weights.size(); }
};

inline std::ostream& operator<<(std::ostream& out, const History& history) {
  out << "batch " << history.batch << ", weights";
  for (const std::uint32_t weight : history.weights) {
    out << ' ' << weight;
  }
  for (const auto& sweep : history.caps) {
    out << "\n  caps";
    for (const std::uint32_t cap : sweep) {
      out << ' ' << cap;
    }
  }
  return out;
}

inline constexpr std::uint32_t kUncapped = 1000;

// A number of [low, high) whatever the size of the case: small cases are for shrinking only.
template <class Number>
[[nodiscard]] rc::Gen<Number> number_in(Number low, Number high) {
  return rc::gen::resize(rc::kNominalSize, rc::gen::inRange<Number>(low, high));
}

// Up to 8 tenants, batches up to 12, up to 24 sweeps. Some tenants are backlogged throughout, some change from sweep to
// sweep, some come and go.
[[nodiscard]] inline rc::Gen<History> any_history() {
  return rc::gen::exec([] {
    History history;
    const auto tenants = *number_in<std::size_t>(1, 9);
    const auto sweeps = *number_in<std::size_t>(1, 25);
    history.batch = *number_in<std::uint32_t>(1, 13);
    history.caps.assign(sweeps, std::vector<std::uint32_t>(tenants, 0));
    for (std::size_t tenant = 0; tenant < tenants; ++tenant) {
      history.weights.push_back(*number_in<std::uint32_t>(1, 8));
      const auto changing = number_in<std::uint32_t>(0, 7);
      const auto coming_and_going = rc::gen::element(0U, kUncapped, kUncapped);
      const auto kind = *number_in(0, 4);
      for (std::size_t sweep = 0; sweep < sweeps; ++sweep) {
        history.caps[sweep][tenant] = kind <= 1 ? kUncapped : kind == 2 ? *changing : *coming_and_going;
      }
    }
    return history;
  });
}

// A tenant that can be granted `cap` rows at most; `variant` chooses what limits it.
[[nodiscard]] inline TableTenant capped(std::uint32_t cap, std::uint32_t weight, std::size_t variant) {
  if (variant % 2 == 0) {
    return {cap, {{.claimable = kBusy}}, weight};
  }
  return {kPlenty, {{.claimable = cap, .paused = variant % 4}}, weight};
}

[[nodiscard]] inline TableView view_of(const History& history, std::size_t sweep) {
  std::vector<TableTenant> tenants;
  for (std::size_t i = 0; i < history.tenants(); ++i) {
    tenants.push_back(capped(history.caps[sweep][i], history.weights[i], sweep + i));
  }
  return TableView(std::move(tenants));
}

// What happened: grants by sweep and tenant.
struct Outcome {
  std::vector<Rows> grants;
  std::vector<Plan> plans;
};

[[nodiscard]] inline Outcome outcome_of(PlannerKind kind, const History& history) {
  Outcome outcome;
  PlannerMemory memory;
  for (std::size_t sweep = 0; sweep < history.caps.size(); ++sweep) {
    outcome.plans.push_back(plan_of(kind, view_of(history, sweep), history.batch, memory));
    outcome.grants.push_back(granted(outcome.plans.back(), history.tenants()));
  }
  return outcome;
}

}  // namespace headroom::test
