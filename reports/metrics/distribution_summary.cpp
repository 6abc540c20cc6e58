#include "reports/metrics/distribution_summary.hpp"

#include <algorithm>
#include <cstddef>
#include <span>

namespace headroom {

DistributionSummary summarise(const Histogram& histogram) {
  DistributionSummary summary;
  summary.count = histogram.count();
  if (summary.count == 0) {
    return summary;
  }
  summary.sum = histogram.sum();
  summary.p50 = *histogram.quantile(5'000);
  summary.p90 = *histogram.quantile(9'000);
  summary.p99 = *histogram.quantile(9'900);
  summary.max = histogram.max();
  const auto above_all = std::lower_bound(kDistributionBounds.begin(), kDistributionBounds.end(), summary.max);
  const auto kept = std::min<std::ptrdiff_t>(above_all - kDistributionBounds.begin() + 1, kDistributionBounds.size());
  summary.at_most = histogram.counts_at_most(std::span(kDistributionBounds).first(static_cast<std::size_t>(kept)));
  return summary;
}

std::optional<Spread> spread_of(std::vector<std::int64_t> values) {
  if (values.empty()) {
    return std::nullopt;
  }
  std::sort(values.begin(), values.end());
  const auto at_percent = [&](std::size_t percent) { return values[(values.size() * percent + 99) / 100 - 1]; };
  return Spread{values.front(), at_percent(50), at_percent(99), values.back()};
}

}  // namespace headroom
