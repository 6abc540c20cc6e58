#include "reports/render/ranking.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <tuple>
#include <utility>

namespace headroom {
namespace {

// Tuples that compare greater are worse.
auto badness_of_rows(const TenantFigures& figures) {
  return std::tuple(std::max(figures.wait.p99, figures.oldest_unclaimed.count()), figures.wait.max,
                    figures.longest_starvation.time, figures.longest_starvation.sweeps);
}

auto badness_of_requests(const TenantFigures& figures) {
  const GateFigures& gate = *figures.gate;
  const double without_any = gate.counts.arrived > 0 ? 1 : -1;
  return std::tuple(gate.success_rate ? 1 - *gate.success_rate : without_any, gate.response.p99);
}

template <class Chosen, class Badness>
std::vector<RankedTenant> ranked(const RunResult& result, Chosen chosen, Badness badness) {
  std::vector<RankedTenant> list;
  list.reserve(result.tenants.size() + result.groups.size());
  for (const TenantResult& tenant : result.tenants) {
    if (chosen(tenant.figures)) {
      list.push_back({&tenant.figures, nullptr, tenant.name, tenant.name});
    }
  }
  for (const GroupResult& group : result.groups) {
    if (chosen(group.pooled)) {
      list.push_back({&group.pooled, &group, fmt::format("{} x{}", group.name, group.members), group.name});
    }
  }
  std::sort(list.begin(), list.end(), [&](const RankedTenant& a, const RankedTenant& b) {
    const auto left = badness(*a.figures);
    const auto right = badness(*b.figures);
    return left != right ? left > right : a.name < b.name;
  });
  return list;
}

}  // namespace

std::vector<RankedTenant> ranked_worst_first(const RunResult& result) {
  return ranked(
      result, [](const TenantFigures& figures) { return figures.appended > 0 || !figures.gate; }, badness_of_rows);
}

std::optional<double> share_of_entitlement(const TenantFigures& figures) {
  if (!figures.share || !figures.entitled_share || *figures.entitled_share <= 0) {
    return std::nullopt;
  }
  return *figures.share / *figures.entitled_share;
}

std::vector<RankedTenant> ranked_by_share(const RunResult& result) {
  std::vector<RankedTenant> list = ranked_worst_first(result);
  std::ranges::stable_sort(list, {}, [](const RankedTenant& tenant) {
    const std::optional<double>& best = tenant.figures->max_min_ratio;
    const std::optional<double> ratio = best ? best : share_of_entitlement(*tenant.figures);
    return std::pair(!ratio.has_value(), ratio.value_or(0));
  });
  return list;
}

std::vector<RankedTenant> ranked_by_success(const RunResult& result) {
  return ranked(result, [](const TenantFigures& figures) { return figures.gate.has_value(); }, badness_of_requests);
}

}  // namespace headroom
