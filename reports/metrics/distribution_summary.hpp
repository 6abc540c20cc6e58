// What is reported of a distribution of times, and of how a figure spreads over the members of a group.
//
//   tenant.wait = summarise(wait_histogram);
//   group.across.wait_p99 = spread_of(p99_of_each_member);
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "reports/metrics/histogram.hpp"

namespace headroom {

// In nanoseconds. The quantiles and the greatest mean nothing when there is no sample; mean = sum / count.
struct DistributionSummary {
  std::uint64_t count = 0;
  Int128 sum = 0;
  std::int64_t p50 = 0;
  std::int64_t p90 = 0;
  std::int64_t p99 = 0;
  std::int64_t max = 0;
};

[[nodiscard]] DistributionSummary summarise(const Histogram& histogram);

// A figure over the members of a group, each member counted once: exact order statistics of rank ceil(p * count).
struct Spread {
  std::int64_t min = 0;
  std::int64_t median = 0;
  std::int64_t p99 = 0;
  std::int64_t max = 0;
  friend bool operator==(const Spread&, const Spread&) = default;
};

// Nothing when no member has the figure.
[[nodiscard]] std::optional<Spread> spread_of(std::vector<std::int64_t> values);

}  // namespace headroom
