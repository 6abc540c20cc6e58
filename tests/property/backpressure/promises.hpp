// The promises of spec 1.3 as functions of a history and what a planner made of it. Each gives back what is wrong in
// words, or nothing; they know nothing of how a planner works.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <numeric>
#include <optional>
#include <string>

#include "tests/property/backpressure/history.hpp"

namespace headroom::test {

using Breach = std::optional<std::string>;

[[nodiscard]] inline std::uint32_t active_in(const std::vector<std::uint32_t>& caps) {
  return static_cast<std::uint32_t>(caps.size()) - static_cast<std::uint32_t>(std::ranges::count(caps, 0U));
}

// Every active namespace is granted at least min(headroom, claimable, floor(batch / active)).
[[nodiscard]] inline Breach breach_of_slice(const History& history, const Outcome& outcome) {
  for (std::size_t sweep = 0; sweep < history.caps.size(); ++sweep) {
    const std::uint32_t active = active_in(history.caps[sweep]);
    for (std::size_t i = 0; i < history.tenants(); ++i) {
      const std::uint32_t promised = active == 0 ? 0 : std::min(history.caps[sweep][i], history.batch / active);
      if (outcome.grants[sweep][i] < promised) {
        return fmt::format("sweep {}: tenant {} is granted {} of {} promised", sweep, i, outcome.grants[sweep][i],
                           promised);
      }
    }
  }
  return {};
}

// No run of unserved sweeps is as long as K = ceil(D / batch), D counting who was active in it or when it ended.
[[nodiscard]] inline Breach breach_of_turns(const History& history, const Outcome& outcome) {
  for (std::size_t i = 0; i < history.tenants(); ++i) {
    std::size_t length = 0;
    std::vector<bool> seen(history.tenants(), false);
    for (std::size_t sweep = 0; sweep < history.caps.size(); ++sweep) {
      const bool active = history.caps[sweep][i] > 0;
      const bool served = outcome.grants[sweep][i] > 0;
      const bool ends = sweep + 1 == history.caps.size();
      if (active) {
        for (std::size_t j = 0; j < history.tenants(); ++j) {
          seen[j] = seen[j] || history.caps[sweep][j] > 0;
        }
        length += served ? 0 : 1;
      }
      if (!active || served || ends) {
        const auto others = static_cast<std::size_t>(std::ranges::count(seen, true));
        const std::size_t bound = (others + history.batch - 1) / history.batch;
        if (length > 0 && length >= bound) {
          return fmt::format("tenant {}: active for {} sweeps up to {} and not served; bound {}", i, length, sweep,
                             bound);
        }
        length = 0;
        seen.assign(history.tenants(), false);
      }
    }
  }
  return {};
}

// Over any window in which two tenants are granted less than their caps in every sweep, service by weight differs by at
// most `rounds`. The difference over a window is that of two prefix sums.
[[nodiscard]] inline Breach breach_of_equality(const History& history, const Outcome& outcome, std::int64_t rounds,
                                               const std::vector<std::uint32_t>& weights) {
  for (std::size_t i = 0; i < history.tenants(); ++i) {
    for (std::size_t j = i + 1; j < history.tenants(); ++j) {
      std::int64_t difference = 0;
      std::int64_t least = 0;
      std::int64_t most = 0;
      for (std::size_t sweep = 0; sweep < history.caps.size(); ++sweep) {
        const Rows& grants = outcome.grants[sweep];
        if (grants[i] >= history.caps[sweep][i] || grants[j] >= history.caps[sweep][j]) {
          difference = least = most = 0;
          continue;
        }
        difference += std::int64_t{grants[i]} * weights[j] - std::int64_t{grants[j]} * weights[i];
        least = std::min(least, difference);
        most = std::max(most, difference);
        if (most - least > rounds * weights[i] * weights[j]) {
          return fmt::format("sweep {}: uncapped tenants {} and {} differ by {} / {}", sweep, i, j, most - least,
                             weights[i] * weights[j]);
        }
      }
    }
  }
  return {};
}

// Uncapped tenants differ by at most one row.
[[nodiscard]] inline Breach breach_of_equality(const History& history, const Outcome& outcome) {
  return breach_of_equality(history, outcome, 1, std::vector<std::uint32_t>(history.tenants(), 1));
}

// The plan never exceeds the batch, a headroom or what is claimable.
[[nodiscard]] inline Breach breach_of_limits(const History& history, const Outcome& outcome) {
  for (std::size_t sweep = 0; sweep < history.caps.size(); ++sweep) {
    const Rows& grants = outcome.grants[sweep];
    const std::uint32_t sum = std::accumulate(grants.begin(), grants.end(), 0U);
    if (sum > history.batch) {
      return fmt::format("sweep {}: {} rows are granted from a batch of {}", sweep, sum, history.batch);
    }
    for (std::size_t i = 0; i < grants.size(); ++i) {
      if (grants[i] > history.caps[sweep][i]) {
        return fmt::format("sweep {}: tenant {} is granted {} of {}", sweep, i, grants[i], history.caps[sweep][i]);
      }
    }
  }
  return {};
}

// No batch is left unused while an active namespace could take more.
[[nodiscard]] inline Breach breach_of_work_conservation(const History& history, const Outcome& outcome) {
  for (std::size_t sweep = 0; sweep < history.caps.size(); ++sweep) {
    const Rows& grants = outcome.grants[sweep];
    const std::vector<std::uint32_t>& caps = history.caps[sweep];
    const std::uint32_t sum = std::accumulate(grants.begin(), grants.end(), 0U);
    const std::uint64_t wanted = std::accumulate(caps.begin(), caps.end(), std::uint64_t{0});
    if (sum < std::min<std::uint64_t>(wanted, history.batch)) {
      return fmt::format("sweep {}: {} rows are granted of a batch of {} and {} wanted", sweep, sum, history.batch,
                         wanted);
    }
  }
  return {};
}

// Of each grant min(grant, floor(batch / active)) is reported as guaranteed.
[[nodiscard]] inline Breach breach_of_guarantee(const History& history, const Outcome& outcome) {
  for (std::size_t sweep = 0; sweep < outcome.plans.size(); ++sweep) {
    const std::uint32_t active = active_in(history.caps[sweep]);
    for (const Grant& grant : outcome.plans[sweep].grants) {
      if (active == 0 || grant.guaranteed != std::min(grant.rows, history.batch / active)) {
        return fmt::format("sweep {}: {} of {} rows for tenant {} are called guaranteed, with a batch of {} for {}",
                           sweep, grant.guaranteed, grant.rows, grant.name.value(), history.batch, active);
      }
    }
  }
  return {};
}

// Claims carry out the grants: together they ask for what was granted, and what is guaranteed is part of it.
[[nodiscard]] inline Breach breach_of_claims(const Outcome& outcome) {
  for (std::size_t sweep = 0; sweep < outcome.plans.size(); ++sweep) {
    const Plan& plan = outcome.plans[sweep];
    Rows claimed = Rows(outcome.grants[sweep].size(), 0);
    for (const ScopedClaim& claim : plan.claims) {
      claimed[claim.name.value()] += claim.rows;
    }
    const bool is_sorted = std::ranges::is_sorted(plan.grants, {}, &Grant::name);
    const bool is_split = std::ranges::all_of(plan.grants, [](const Grant& g) { return g.guaranteed <= g.rows; });
    if (claimed != outcome.grants[sweep] || !is_sorted || !is_split) {
      return fmt::format("sweep {}: claims and grants do not agree", sweep);
    }
  }
  return {};
}

}  // namespace headroom::test
