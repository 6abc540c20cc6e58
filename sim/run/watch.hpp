// Everything that follows a run: the properties, the recorder of figures, and the log of sweeps.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "model/properties/property_set.hpp"
#include "reports/render/sweeps_jsonl.hpp"
#include "sim/run/recorder.hpp"
#include "sim/run/recording.hpp"
#include "sim/run/simulation.hpp"

namespace headroom {

class Watch final : public RunObserver {
 public:
  // Judges the properties that the scenario expects, with their bounds, then every other one; none at all without
  // `properties`. `sweeps` and `recording` may be null.
  Watch(const Scenario& scenario, const std::vector<TenantInstance>& tenants, const Cluster& cluster, bool properties,
        SweepLog* sweeps, Recording* recording = nullptr);
  Watch(const Scenario& scenario, const Simulation& simulation, bool properties, SweepLog* sweeps,
        Recording* recording = nullptr)
      : Watch(scenario, simulation.tenants(), simulation.cluster(), properties, sweeps, recording) {}

  void on_step(const Cluster& cluster, std::span<const Effect> effects, Time at) override;
  void on_client(const ClientEvent& event, Time at) override { recorder_.on_client(event, at); }
  void on_phase(Phase phase, const Cluster& cluster, Time at) override;
  void on_window(const Cluster& cluster, Time end) override;
  void on_end(const Cluster& cluster, Time at) override;

  [[nodiscard]] Recorder& recorder() { return recorder_; }
  // The property that judges the expectation of this index; null if it is not one of a property, or none is judged.
  [[nodiscard]] const Property* expected(std::size_t expectation) const { return expected_[expectation]; }
  // Properties that nobody expects anything of.
  [[nodiscard]] const std::vector<const Property*>& others() const { return others_; }

 private:
  void on_run(const UnservedRun& run);
  void note_plan(NodeId node, const Cluster& cluster, Time at);
  void log_sweep(NodeId node, const Cluster& cluster);

  struct LoggedSweep {
    Time at;
    std::vector<NamespaceId> names;
    std::vector<SweepTenant> tenants;
  };

  const Scenario& scenario_;
  const std::vector<TenantInstance>& tenants_;
  PropertySet properties_;
  Recorder recorder_;
  std::vector<const Property*> expected_;
  std::vector<const Property*> others_;
  SweepLog* sweeps_;
  Recording* recording_;
  std::vector<LoggedSweep> logged_;  // by node: the sweep in progress
  std::vector<std::string> node_names_;
  Phase phase_ = Phase::warmup;
  Time measured_from_;
};

}  // namespace headroom
