// The rule of `rotating` (spec 1.3) taken literally, and max-min fairness by trying everything.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

#include "tests/model/backpressure/table_view.hpp"

namespace headroom::test {

// A cursor by which units that do not divide go around.
struct NaiveCursor {
  std::size_t after = 0;  // the first place that is next; 0: before the first name

  // Everybody gets the same, but nobody more than its cap; what does not divide goes one each to those next who can
  // take more.
  Rows split(const Rows& caps, std::uint32_t batch) {
    const auto filled_to = [&caps](std::uint32_t level) {
      Rows rows = caps;
      for (std::uint32_t& each : rows) {
        each = std::min(each, level);
      }
      return rows;
    };
    const auto sum = [](const Rows& rows) { return std::accumulate(rows.begin(), rows.end(), 0U); };
    std::uint32_t level = 0;
    while (level < batch && sum(filled_to(level + 1)) <= batch) {
      ++level;
    }
    Rows rows = filled_to(level);
    std::uint32_t left = batch - sum(rows);
    for (std::size_t step = 0; step < caps.size() && left > 0; ++step) {
      const std::size_t i = (first(caps) + step) % caps.size();
      if (caps[i] > level) {
        ++rows[i];
        --left;
        last_ = i;
      }
    }
    after = last_ == kNobody ? after : last_ + 1;
    last_ = kNobody;
    return rows;
  }

 private:
  static constexpr std::size_t kNobody = static_cast<std::size_t>(-1);
  [[nodiscard]] std::size_t first(const Rows& caps) const { return after % caps.size(); }
  std::size_t last_ = kNobody;
};

// Calls `visit` with every way to give out at most `left` rows within the caps.
inline void for_every_allocation(const Rows& caps, std::uint32_t left, Rows& rows,
                                 const std::function<void(const Rows&)>& visit) {
  if (rows.size() == caps.size()) {
    visit(rows);
    return;
  }
  for (std::uint32_t part = 0; part <= std::min(left, caps[rows.size()]); ++part) {
    rows.push_back(part);
    for_every_allocation(caps, left - part, rows, visit);
    rows.pop_back();
  }
}

// The max-min fair allocation, sorted: of all sorted allocations the lexicographically largest.
[[nodiscard]] inline Rows max_min_by_trying_all(const Rows& caps, std::uint32_t batch) {
  Rows best(caps.size(), 0);
  Rows partial;
  for_every_allocation(caps, batch, partial, [&best](Rows rows) {
    std::ranges::sort(rows);
    best = std::max(best, rows);
  });
  return best;
}

}  // namespace headroom::test
