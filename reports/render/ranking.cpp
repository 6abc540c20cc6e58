#include "reports/render/ranking.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <tuple>

namespace headroom {
namespace {

auto badness(const TenantFigures& figures) {
  return std::tuple(std::max(figures.wait.p99, figures.oldest_unclaimed.count()), figures.wait.max,
                    figures.longest_starvation.time, figures.longest_starvation.sweeps);
}

}  // namespace

std::vector<RankedTenant> ranked_worst_first(const RunResult& result) {
  std::vector<RankedTenant> ranked;
  ranked.reserve(result.tenants.size() + result.groups.size());
  for (const TenantResult& tenant : result.tenants) {
    ranked.push_back({&tenant.figures, nullptr, tenant.name, tenant.name});
  }
  for (const GroupResult& group : result.groups) {
    ranked.push_back({&group.pooled, &group, fmt::format("{} x{}", group.name, group.members), group.name});
  }
  std::sort(ranked.begin(), ranked.end(), [](const RankedTenant& a, const RankedTenant& b) {
    const auto left = badness(*a.figures);
    const auto right = badness(*b.figures);
    return left != right ? left > right : a.name < b.name;
  });
  return ranked;
}

}  // namespace headroom
