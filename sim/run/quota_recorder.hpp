// Quotas against ceilings and claimed and executing rows over time: a part of Recorder.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/cluster/cluster.hpp"
#include "reports/metrics/level_meter.hpp"
#include "reports/metrics/run_result.hpp"

namespace headroom {

class QuotaRecorder {
 public:
  explicit QuotaRecorder(const Cluster& cluster);

  // After every step.
  void on_step(const Cluster& cluster, std::span<const Effect> effects, Time at);
  void begin_measurement(Time at);
  // Figures stand as they are from here on.
  void end_measurement(Time at);

  [[nodiscard]] const QuotaExcess& of(NamespaceId name) const { return figures_[name.value()]; }
  // The integral of the rows in the system over the measured part, in row-nanoseconds.
  [[nodiscard]] Int128 row_time(NamespaceId name) const { return row_time_[name.value()]; }

 private:
  struct Levels {
    LevelMeter ceilings_over;
    LevelMeter executing_over;
    LevelMeter under;
    LevelMeter stranded;
    LevelMeter rows;  // Pending and Claimed
  };
  void note(NamespaceId name, const Cluster& cluster, Time at);

  std::vector<Levels> levels_;       // by namespace
  std::vector<std::uint64_t> seen_;  // by namespace: the last step in which it was looked at
  std::uint64_t step_ = 0;
  std::vector<QuotaExcess> figures_;
  std::vector<Int128> row_time_;
};

// Each figure of the one that is worse in it.
[[nodiscard]] QuotaExcess worse_of(const QuotaExcess& a, const QuotaExcess& b);

}  // namespace headroom
