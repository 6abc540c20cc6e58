#include "tests/theory/gate_runs.hpp"

#include <cstdint>

#include "sim/run/simulation.hpp"
#include "sim/run/watch.hpp"
#include "sim/scenario/read_scenario.hpp"

namespace headroom::test {
namespace {

constexpr double kUnit = 1e7;  // nanoseconds

// Follows every request through the gate, in the measured part.
class Meter final : public RunObserver {
 public:
  void on_step(const Cluster& cluster, std::span<const Effect> effects, Time at) override {
    if (measuring_) {
      for (const Effect& effect : effects) {
        note(effect, cluster, at);
      }
    }
  }
  void on_phase(Phase phase, const Cluster& /*cluster*/, Time /*at*/) override {
    measuring_ = phase == Phase::measurement;
  }

  void report(GateMeasured& measured, double arrived) const {
    measured.waits_at_all.add(queued_ / arrived);
    measured.blocked.add(blocked_ / arrived);
    measured.timed_out.add(timed_out_ / arrived);
    measured.wait.add(sum_ / admitted_);
    measured.wait_squared.add(squares_ / admitted_);
  }

 private:
  void note(const Effect& effect, const Cluster& cluster, Time at) {
    if (effect.kind == EffectKind::request_admitted) {
      const Time arrived = cluster.api()->requests()[effect.request].arrived_at;
      const double wait = static_cast<double>((at - arrived).count()) / kUnit;
      ++admitted_;
      sum_ += wait;
      squares_ += wait * wait;
    } else if (effect.kind == EffectKind::request_queued) {
      ++queued_;
    } else if (effect.kind == EffectKind::request_refused) {
      ++(effect.live ? timed_out_ : blocked_);
    }
  }

  bool measuring_ = false;
  double admitted_ = 0;
  double queued_ = 0;
  double blocked_ = 0;
  double timed_out_ = 0;
  double sum_ = 0;
  double squares_ = 0;
};

}  // namespace

std::string poisson(double per_unit) {
  return fmt::format(R"({{"kind": "poisson", "rate": "{}/s"}})", std::lround(per_unit * 100));
}

std::string closed_loop(int clients, double think_units) {
  return fmt::format(R"({{"kind": "closed_loop", "clients": {}, "think": {{"kind": "exponential", "mean": "{}ms"}}}})",
                     clients, std::lround(think_units * 10));
}

Scenario scenario_of(const GateRun& run) {
  std::string tenants;
  for (std::size_t i = 0; i < run.loads.size(); ++i) {
    const RequestLoad& load = run.loads[i];
    tenants += fmt::format(R"({}{{"name": "t{}", "admission": {}, "requests": {{"arrivals": {}, "service": {}}}}})",
                           i == 0 ? "" : ", ", i, load.limits, load.arrivals, load.service);
  }
  const std::string text = fmt::format(
      R"({{"schema": 1, "name": "gate", "duration": "{}ms", "warmup": "{}ms", "drain": "0s", "window": "100s",
          "cluster": {{"nodes": 1, "shards": 1, "poll_interval": "1h", "reconcile_interval": "1h"}},
          "admission": {}, "tenants": [{}]}})",
      (run.warmup_units + run.units) * 10, run.warmup_units * 10, run.admission, tenants);
  const Result<Scenario> scenario = read_scenario_text(text, "gate.json");
  if (!scenario) {
    FAIL(scenario.faults().front().text());
  }
  return scenario.value();
}

GateMeasured measure(const GateRun& run) {
  const Scenario scenario = scenario_of(run);
  const std::size_t tenants = run.loads.size();
  GateMeasured measured;
  for (auto* samples : {&measured.p429, &measured.p503, &measured.accepted, &measured.effective, &measured.inflight,
                        &measured.waiting, &measured.response, &measured.throughput}) {
    samples->resize(tenants);
  }
  for (const std::uint64_t seed : seeds(static_cast<std::size_t>(run.runs))) {
    Simulation simulation(scenario, seed);
    Watch watch(scenario, simulation, false, nullptr);
    Meter meter;
    simulation.observe(watch);
    simulation.observe(meter);
    simulation.run({});
    const RunResult result = watch.recorder().take_result();
    double all_arrived = 0;
    for (std::size_t i = 0; i < tenants; ++i) {
      const GateFigures& gate = *result.tenants.at(i).figures.gate;
      const auto arrived = static_cast<double>(gate.measured.arrived);
      const auto admitted = static_cast<double>(gate.measured.admitted);
      all_arrived += arrived;
      measured.p429[i].add(static_cast<double>(gate.measured.rejected_429) / arrived);
      measured.p503[i].add(static_cast<double>(gate.measured.rejected_503) / arrived);
      measured.accepted[i].add(admitted / arrived);
      measured.effective[i].add(admitted / run.units);
      measured.inflight[i].add(gate.mean_inflight);
      measured.waiting[i].add(gate.mean_waiting);
      const auto answered = static_cast<double>(gate.response.count);
      measured.response[i].add(static_cast<double>(gate.response.sum) / answered / kUnit);
      measured.throughput[i].add(answered / run.units);
    }
    meter.report(measured, all_arrived);
  }
  return measured;
}

}  // namespace headroom::test
