// What a run leaves for reports beyond its figures: sweeps and executions one by one, in bounded memory.
//
//   Recording recording(scenario, simulation.tenants(), simulation.cluster(), stretch);
//   recording.before_judgement(cluster, effects, at, causes);   // every step, before properties observe it
//   recording.after_judgement(properties, at);                  // and after
//   recording.take(result);
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/base/result.hpp"
#include "model/cluster/cluster.hpp"
#include "model/properties/property_set.hpp"
#include "reports/metrics/row_slices.hpp"
#include "reports/metrics/run_result.hpp"
#include "reports/metrics/sweep_book.hpp"
#include "sim/run/subjects.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/tenants.hpp"

namespace headroom {

// "60s..70s" in simulated time, "100..250" by number of the sweep, both ends included.
[[nodiscard]] Result<RecordStretch> parse_stretch(const std::string& text);

class Recording {
 public:
  // What it refers to outlives it.
  Recording(const Scenario& scenario, const std::vector<TenantInstance>& tenants, const Cluster& cluster,
            std::optional<RecordStretch> asked);

  void before_judgement(const Cluster& cluster, std::span<const Effect> effects, Time at, const WaitCauses& causes);
  void after_judgement(const PropertySet& properties, Time at);
  void on_run(const UnservedRun& run);
  // Moves what is kept into the result.
  void take(RunResult& result);

 private:
  void note_plan(NodeId node, const Cluster& cluster, Time at);
  void choose_standings(NodeId node, const Cluster& cluster, std::vector<NamespaceId>& chosen) const;
  void note_end_of_sweep(NodeId node, const Cluster& cluster, const WaitCauses& causes);
  void add_slice(const Effect& effect, SliceEnd end, const Cluster& cluster, Time at);
  [[nodiscard]] std::string row_name(DispatchKey key) const;

  const std::vector<TenantInstance>& tenants_;
  Subjects subjects_;
  std::vector<std::uint32_t> fan_outs_;  // by tenant of the scenario
  SweepBook sweeps_;
  RowSliceBook slices_;
  std::vector<SweepEntry> current_;     // by node: the sweep in progress
  std::vector<Time> started_;           // by execution
  std::vector<std::uint8_t> violated_;  // by property of the set
};

}  // namespace headroom
