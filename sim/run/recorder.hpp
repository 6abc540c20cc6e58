// Measures a run while it goes on and turns it into a RunResult. Memory does not grow with the length of the run.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/properties/backlogged_fairness.hpp"
#include "model/properties/property.hpp"
#include "model/properties/wait_causes.hpp"
#include "reports/metrics/histogram.hpp"
#include "reports/metrics/level_meter.hpp"
#include "reports/metrics/run_result.hpp"
#include "reports/metrics/series.hpp"
#include "sim/run/gate_recorder.hpp"
#include "sim/run/quota_recorder.hpp"
#include "sim/run/recovery.hpp"
#include "sim/run/share_recorder.hpp"
#include "sim/run/simulation.hpp"
#include "sim/run/subjects.hpp"
#include "sim/scenario/names.hpp"

namespace headroom {

class Recorder {
 public:
  // `causes` outlive this, and are settled when a part of the run begins or ends.
  Recorder(const Scenario& scenario, const std::vector<TenantInstance>& tenants, const Cluster& cluster,
           const WaitCauses& causes);

  void on_step(const Cluster& cluster, std::span<const Effect> effects, Time at);
  void on_client(const ClientEvent& event, Time at);
  void on_phase(Phase phase, const Cluster& cluster, Time at);
  // `measured`: all of the window is. `backlogged`: the namespaces that were active at every sweep of it.
  void on_window(const Cluster& cluster, std::span<const NamespaceId> backlogged, Time start, bool measured);
  void end_series_window() { series_.end_window(); }
  void on_run(const UnservedRun& run);
  void on_end(const Cluster& cluster, Time at);

  // Moves the figures of the run out; verdicts, names and digests are the caller's to fill.
  [[nodiscard]] RunResult take_result();

 private:
  // Of one subject.
  struct Paths {
    Histogram claim_wait;
    Histogram sojourn;
  };
  struct Started {
    Time at;
    bool counts = true;  // its claim was live then: an attempt, and no duplicate
  };
  // Of one namespace.
  struct Account {
    Int128 executing_time = 0;
    Starvation longest;
    Duration at_ceiling;
    Time at_ceiling_since;
    std::uint32_t nodes_at_ceiling = 0;
    std::uint64_t claimed_in_window = 0;
    LevelMeter executing;           // in the running window
    RowCounts counts;               // as of the end of the measured part
    std::uint64_t rows_before = 0;  // Pending and Claimed when it began
    std::uint64_t appended_before = 0;
    std::uint64_t done_before = 0;
    Duration oldest_unclaimed;
  };

  void on_effect(const Effect& effect, const Cluster& cluster, Time at);
  void reach_of_requests(const Effect& effect, const Cluster& cluster);
  void reach_of_faults(const Effect& effect, const Cluster& cluster, Time at);
  // Requests answered in time; rows completed where nobody sends requests.
  [[nodiscard]] std::uint64_t goodput() const { return sends_requests_ ? gate_->goodput() : completed_rows_; }
  void on_started(const Effect& effect, const Cluster& cluster, Time at);
  void on_finished(const Effect& effect, const Cluster& cluster, Time at);
  void on_died(const Effect& effect, const Cluster& cluster, Time at);
  void account_work(const Execution& execution, ExecutionId id, Time until);
  void on_ceilings(NamespaceId name, const Cluster& cluster, Time at);
  void on_quota(NamespaceId name, const Cluster& cluster);
  void note_at_ceiling(NodeId node, NamespaceId name, const Cluster& cluster, Time at);
  void close_measurement(const Cluster& cluster, Time at);
  void reach(Goal goal) { ++reached_[static_cast<std::size_t>(goal)]; }
  [[nodiscard]] std::vector<CauseTimes> causes_now() const;
  [[nodiscard]] bool measuring() const { return phase_ == Phase::measurement; }
  void begin_measurement(const Cluster& cluster, Time at);
  std::optional<double> judge_window(std::span<const NamespaceId> backlogged, Time start, Time end);
  [[nodiscard]] TenantFigures figures_of(std::size_t subject_index) const;
  [[nodiscard]] std::optional<double> littles_residual(std::span<const NamespaceId> names) const;
  void fill_cluster(RunResult& result) const;
  [[nodiscard]] MemberSpreads spreads_of(const Subject& subject) const;
  [[nodiscard]] Starvation longest_of(const Subject& subject) const;

  const Scenario& scenario_;
  Subjects subjects_;
  std::vector<Histogram> waits_;  // by namespace: members of a group are compared
  std::vector<Paths> paths_;      // by subject
  std::vector<Account> accounts_;
  std::vector<std::uint8_t> at_ceiling_;    // by namespace, then node
  std::vector<std::int64_t> ceiling_sums_;  // by namespace
  std::vector<std::int64_t> quota_sums_;    // by namespace: what the series hold
  std::vector<Started> started_;            // by execution
  std::vector<NodeResult> nodes_;
  SeriesRecorder series_;
  std::optional<GateRecorder> gate_;
  QuotaRecorder quotas_;
  ShareRecorder shares_;
  std::optional<Recovery> recovery_;
  const WaitCauses& causes_;
  BackloggedFairness fairness_;                  // in rows claimed
  BackloggedFairness executing_fairness_;        // in executing time
  std::vector<bool> away_;                       // by node: not there yet, or left as planned
  std::array<std::uint64_t, kGoals> reached_{};  // how often
  ClusterResult cluster_;
  // As of the end of the measured part.
  std::vector<NodeResult> nodes_at_end_;
  ClusterResult cluster_at_end_;
  DrainResult drain_;
  std::vector<CauseTimes> causes_before_;  // by namespace, at the beginning of the measured part
  std::vector<CauseTimes> causes_at_end_;  // at its end
  Phase phase_ = Phase::warmup;
  Time measured_from_;
  Time measured_until_;
  bool sends_requests_ = false;
  std::uint64_t completed_rows_ = 0;  // so far
  std::uint64_t goodput_at_window_ = 0;
  std::uint64_t goodput_at_measurement_ = 0;
  std::uint64_t total_served_ = 0;  // rows completed in the measured part
  Int128 total_executing_ = 0;
};

}  // namespace headroom
