// What each tenant was served in each window against what an all-knowing scheduler could have given it: a part of
// Recorder. The windows of the scenario are taken together so that there are at most kMostWindows; each is reckoned
// when it ends, from sums, so memory does not grow with the run.
//
// What could have been given is the max-min fair allocation (reports/metrics/max_min.hpp) of a network with, for each
// window of length T:
// - demand of a tenant on a node: its rows there at the beginning and those that came, which is what it completed of
//   rows claimed there and what is left there at the end, claimable or claimed (rows that failed, were cancelled or are
//   not visible again yet are no demand);
// - at most ceiling * T / service of a tenant on a node, `ceiling` the node's for it on average and `service` its mean
//   (claims last no longer than their work);
// - at most workers * T / service on a node, `service` the mean of what ran there (one worker under dispatch
//   `sequential`), and batch * T / period, `period` the time from one sweep to the next: `poll_interval`, or
//   `min_sweep_gap` if that is shorter and wakes can ask for it, and no less than a sweep with one claim takes. T
//   without the time in which the node was down, paused or out of the store's reach.
// Rows that are Done when pushed (`push_then_done`) hold no ceiling and no worker while they count as claimed. Means
// are of the executions that ended in the window; of all so far, then of all tenants, where there was none. A group is
// one tenant with the weight of all its members. Rows that run at the edges of a window may lift a share above 1.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/cluster/cluster.hpp"
#include "reports/metrics/level_meter.hpp"
#include "reports/metrics/max_min.hpp"
#include "reports/metrics/run_result.hpp"
#include "sim/run/subjects.hpp"

namespace headroom {

class ShareRecorder {
 public:
  static constexpr std::uint64_t kMostWindows = 50;

  // `subjects` outlive this.
  ShareRecorder(const Scenario& scenario, const Subjects& subjects, const Cluster& cluster);

  void on_completed(NamespaceId name, NodeId claimed_by) { ++cell(subjects_.of(name), claimed_by).completed; }
  void on_executed(NamespaceId name, NodeId node, Duration service);
  void on_ceilings(NamespaceId name, const Cluster& cluster, Time at);
  // Its node came, went, or lost touch.
  void on_node(NodeId node, const Cluster& cluster, Time at);
  // `measured`: all of the window is. `jain`: its index.
  void on_window(const Cluster& cluster, Time start, bool measured, std::optional<double> jain);

  // Windows in the order of `reported`: by subject, its place in RunResult.
  [[nodiscard]] std::vector<ShareWindow> windows(const std::vector<std::uint32_t>& reported) const;
  // Served against optimum over all windows; absent: nothing could be given.
  [[nodiscard]] std::optional<double> ratio(std::size_t subject) const;

 private:
  struct Cell {
    std::int64_t completed = 0;
    LevelMeter ceiling;
  };
  struct Services {
    Int128 time = 0;
    std::int64_t count = 0;
    void add(Duration service) {
      time += service.count();
      ++count;
    }
  };
  struct Mean {
    Services window;
    Services run;
  };
  struct Total {
    double served = 0;
    double optimum = 0;
  };

  Cell& cell(std::size_t subject, NodeId node) { return cells_[subject * nodes_.size() + node.value()]; }
  void restart(Time at);
  void close(const Cluster& cluster, Time end);
  [[nodiscard]] std::int64_t left(std::size_t subject, NodeId node, const Cluster& cluster) const;
  [[nodiscard]] std::int64_t most_on(NodeId node, std::int64_t demand) const;
  // Of the window, else of the run, else of all tenants and nodes.
  [[nodiscard]] const Services& mean(const Mean& of) const;

  struct Node {
    LevelMeter there;  // 1 while it can claim and work
    Mean services;
  };

  const Subjects& subjects_;
  Duration window_;
  Time last_end_;                         // of a whole window in the measured part
  std::uint64_t merged_ = 1;              // windows of the scenario in one of these
  std::optional<std::uint32_t> workers_;  // absent: no limit to what a node executes
  bool ceilings_limit_ = true;
  std::uint32_t batch_;
  Duration period_;  // of sweeps; zero: as often as one likes
  std::vector<std::uint64_t> weights_;
  std::vector<Cell> cells_;              // by subject, then node
  std::vector<std::uint32_t> ceilings_;  // by namespace, then node
  std::vector<Mean> services_;           // by subject
  std::vector<Node> nodes_;
  Services all_;
  std::vector<Total> totals_;  // by subject
  std::vector<ShareWindow> windows_;
  std::uint64_t in_window_ = 0;
  ShareWindow running_;
};

}  // namespace headroom
