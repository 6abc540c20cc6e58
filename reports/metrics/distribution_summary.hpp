// What is reported of a distribution of times, and of how a figure spreads over the members of a group.
//
//   tenant.wait = summarise(wait_histogram);
//   group.across.wait_p99 = spread_of(p99_of_each_member);
#pragma once

#include <array>
#include <cstddef>
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
  // How many samples are at most each of kDistributionBounds, up to the first of them that is above all samples.
  std::vector<std::uint64_t> at_most;
};

// Where the curve of a distribution is kept: 0, then five in each tenfold from 0.1 ms to 1,000 s, in nanoseconds.
inline constexpr std::size_t kBoundsPerDecade = 5;
inline constexpr std::size_t kBoundDecades = 7;
inline constexpr auto kDistributionBounds = [] {
  std::array<std::int64_t, kBoundDecades * kBoundsPerDecade + 2> bounds{};
  constexpr std::array<std::int64_t, kBoundsPerDecade> steps{100'000, 158'000, 251'000, 398'000, 631'000};
  std::int64_t decade = 1;
  for (std::size_t i = 1; i < bounds.size(); ++i) {
    bounds[i] = steps[(i - 1) % kBoundsPerDecade] * decade;
    decade *= i % kBoundsPerDecade == 0 ? 10 : 1;
  }
  return bounds;
}();

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
