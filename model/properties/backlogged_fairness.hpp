// Jain's index of what backlogged tenants were served.
//
//   jain_index({{5, 5, 5, 5, 0}})                    // 0.8
//
// It means something only over tenants that were backlogged for the whole window, and alone it misleads (one starved of
// a hundred is 0.99): it goes with the worst window and the least share. Doubles, from + - * / alone, so that they are
// the same on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "model/base/time.hpp"

namespace headroom {

// (sum y)^2 / (n * sum y^2): 1 when all are equal, k/n when k of n are equal and the others get nothing. Undefined for
// no figures and for all zeros. Source: Jain, Chiu, Hawe, DEC-TR-301 (1984).
[[nodiscard]] std::optional<double> jain_index(std::span<const double> figures);

// Jain's index over the windows of a run in which tenants were backlogged.
//
//   BackloggedFairness fairness(weights);
//   fairness.add_window(start, served_of_backlogged);  // once a window
//   fairness.index(); fairness.worst_window();
//
// In each window the backlogged tenants are entitled to what they were served together, split by weight. The index of
// the run is taken over every tenant's service divided by what it was entitled to, both summed over the windows in
// which it was backlogged; so a tenant that was backlogged longer does not count as favoured. The index of one window
// is over service / weight. A window in which the backlogged were served nothing has no index and counts nowhere.
class BackloggedFairness {
 public:
  struct Service {
    std::size_t tenant = 0;
    std::uint64_t amount = 0;  // rows, or nanoseconds of execution
  };
  struct WorstWindow {
    double index = 1;
    Time start;
  };

  struct LeastShare {
    double share = 1;
    std::size_t tenant = 0;
  };

  // By tenant; all positive.
  explicit BackloggedFairness(std::vector<std::uint32_t> weights);

  // `backlogged`: the tenants that were backlogged for the whole window, each once. The index of the window, if it has
  // one.
  std::optional<double> add_window(Time start, std::span<const Service> backlogged);

  [[nodiscard]] std::optional<double> index() const;
  // The first of the windows with the least index.
  [[nodiscard]] std::optional<WorstWindow> worst_window() const { return worst_; }
  // The least share of a tenant against the part that its weight entitles it to, in any window.
  [[nodiscard]] std::optional<LeastShare> least_share() const { return least_; }
  [[nodiscard]] std::uint64_t windows_judged() const { return windows_judged_; }

 private:
  struct Account {
    std::uint64_t served = 0;
    double entitled = 0;
  };
  std::vector<std::uint32_t> weights_;
  std::vector<Account> accounts_;
  std::vector<double> normalised_;  // of the running window; kept for its memory
  std::optional<WorstWindow> worst_;
  std::optional<LeastShare> least_;
  std::uint64_t windows_judged_ = 0;
};

}  // namespace headroom
