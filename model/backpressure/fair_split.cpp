#include "model/backpressure/fair_split.hpp"

#include <algorithm>

#include "model/base/assert.hpp"

namespace headroom {
namespace {

std::uint64_t rows_at_level(std::span<const FairPart> parts, std::uint64_t level) {
  std::uint64_t rows = 0;
  for (const FairPart& part : parts) {
    rows += std::min(part.cap, level);
  }
  return rows;
}

// The highest level, at most `total`, that does not use up more than `total`.
std::uint64_t water_level(std::span<const FairPart> parts, std::uint32_t total) {
  std::uint64_t fits = total / parts.size();
  // While nobody is capped the level is the even share: look just above it before searching.
  if (rows_at_level(parts, fits + 1) > total) {
    return fits;
  }
  std::uint64_t too_high = std::uint64_t{total} + 1;
  while (too_high - fits > 1) {
    const std::uint64_t middle = fits + (too_high - fits) / 2;
    (rows_at_level(parts, middle) <= total ? fits : too_high) = middle;
  }
  return fits;
}

}  // namespace

std::size_t fair_split(std::span<FairPart> parts, std::uint32_t total, std::size_t start) {
  if (parts.empty()) {
    return 0;
  }
  HEADROOM_ASSERT(start < parts.size(), "a split of {} parts starts at {}", parts.size(), start);
  const std::uint64_t level = water_level(parts, total);
  std::uint64_t left = total;
  for (FairPart& part : parts) {
    part.rows = static_cast<std::uint32_t>(std::min(part.cap, level));
    left -= part.rows;
  }
  std::size_t last = parts.size();
  for (std::size_t step = 0; step < parts.size() && left > 0; ++step) {
    const std::size_t index = start + step < parts.size() ? start + step : start + step - parts.size();
    if (parts[index].cap > level) {
      ++parts[index].rows;
      --left;
      last = index;
    }
  }
  return last;
}

}  // namespace headroom
