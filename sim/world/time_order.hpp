// Sorting of what is due at an instant `at`, where those of one instant keep their order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

namespace headroom {

// Stable. By an index, since the stable sort of libstdc++ calls what clang reports as deprecated.
template <class Dated>
void sort_by_time(std::vector<Dated>& items) {
  if (std::ranges::is_sorted(items, {}, &Dated::at)) return;
  std::vector<std::size_t> order(items.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&items](std::size_t i) { return std::pair(items[i].at, i); });
  std::vector<Dated> sorted;
  sorted.reserve(items.size());
  for (const std::size_t i : order) sorted.push_back(items[i]);
  items = std::move(sorted);
}

}  // namespace headroom
