#include "reports/render/ranking.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <tuple>

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

std::vector<RankedTenant> ranked_by_success(const RunResult& result) {
  return ranked(result, [](const TenantFigures& figures) { return figures.gate.has_value(); }, badness_of_requests);
}

}  // namespace headroom
