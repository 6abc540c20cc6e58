#include "tests/theory/queue_runs.hpp"

#include <cstdint>

#include "sim/run/simulation.hpp"
#include "sim/run/watch.hpp"
#include "sim/scenario/read_scenario.hpp"

namespace headroom::test {
namespace {

constexpr double kUnit = 1e7;  // nanoseconds
constexpr int kUnitsPerSecond = 100;
constexpr int kMillisecondsPerUnit = 1000 / kUnitsPerSecond;

// Follows every row, and integrates the rows in the system over the part of the run that is measured.
class Meter final : public RunObserver {
 public:
  explicit Meter(const Queue& queue) : queue_(queue) {}

  void on_step(const Cluster& cluster, std::span<const Effect> effects, Time at) override {
    if (measuring_) {
      for (const Effect& effect : effects) {
        note(effect, cluster, at);
      }
    }
    pass(cluster, at);
  }
  void on_phase(Phase phase, const Cluster& cluster, Time at) override {
    pass(cluster, at);
    measuring_ = phase == Phase::measurement;
  }
  void on_end(const Cluster& cluster, Time at) override { pass(cluster, at); }

  void report(QueueMeasured& measured) const {
    const auto started = static_cast<double>(started_);
    measured.waits_at_all.add(static_cast<double>(waited_) / started);
    measured.waits_beyond.add(static_cast<double>(waited_beyond_) / started);
    measured.sojourns_beyond.add(static_cast<double>(stayed_beyond_) / static_cast<double>(finished_));
    measured.present.add(row_time_ / time_);
    measured.ten_or_more.add(time_with_ten_ / time_);
  }
  [[nodiscard]] double present() const { return row_time_ / time_; }
  [[nodiscard]] double time() const { return time_; }

 private:
  void note(const Effect& effect, const Cluster& cluster, Time at) {
    if (effect.kind != EffectKind::started && effect.kind != EffectKind::finished) {
      return;
    }
    const Duration since_due = at - cluster.executions()[effect.execution].item.due_since;
    const double units = static_cast<double>(since_due.count()) / kUnit;
    if (effect.kind == EffectKind::started) {
      ++started_;
      waited_ += since_due > Duration::zero() ? 1U : 0U;
      waited_beyond_ += units > queue_.wait_beyond ? 1U : 0U;
    } else {
      ++finished_;
      stayed_beyond_ += units > queue_.sojourn_beyond ? 1U : 0U;
    }
  }

  void pass(const Cluster& cluster, Time at) {
    if (measuring_) {
      const auto passed = static_cast<double>((at - since_).count());
      row_time_ += static_cast<double>(rows_) * passed;
      time_with_ten_ += rows_ >= 10 ? passed : 0;
      time_ += passed;
    }
    since_ = at;
    rows_ = cluster.outbox().live_rows();
  }

  const Queue& queue_;
  bool measuring_ = false;
  Time since_;
  std::uint64_t rows_ = 0;
  double row_time_ = 0;
  double time_with_ten_ = 0;
  double time_ = 0;
  std::uint64_t started_ = 0;
  std::uint64_t waited_ = 0;
  std::uint64_t waited_beyond_ = 0;
  std::uint64_t finished_ = 0;
  std::uint64_t stayed_beyond_ = 0;
};

double mean_units(const DistributionSummary& times) {
  return static_cast<double>(times.sum) / static_cast<double>(times.count) / kUnit;
}

std::string tenants_of(const Queue& queue) {
  std::string tenants;
  char name = 'a';
  for (const RowLoad& load : queue.loads) {
    tenants += fmt::format(
        R"({}{{"name": "{}", "quota": 4000000000, "weight": {}, "rows": {{
            "arrivals": {{"kind": "poisson", "rate": "{}/s"}}, "service": {}}}}})",
        tenants.empty() ? "" : ", ", name++, load.weight, std::lround(load.lambda * kUnitsPerSecond), queue.service);
  }
  return tenants;
}

}  // namespace

std::string exponential_service(double mean_units) {
  return fmt::format(R"({{"kind": "exponential", "mean": "{}ms"}})", std::lround(kMillisecondsPerUnit * mean_units));
}

std::string constant_service() {
  return R"({"kind": "constant", "value": "10ms"})";
}

std::string two_point_service(int shorts, int short_ms, int long_ms) {
  std::string values;
  for (int i = 0; i < shorts; ++i) {
    values += fmt::format(R"("{}ms", )", short_ms);
  }
  return fmt::format(R"({{"kind": "empirical", "values": [{}"{}ms"]}})", values, long_ms);
}

Scenario scenario_of(const Queue& queue) {
  double lambda = 0;
  for (const RowLoad& load : queue.loads) {
    lambda += load.lambda;
  }
  const auto warmup = queue.warmup_units * kMillisecondsPerUnit;
  const auto measured = std::lround(queue.rows / lambda * kMillisecondsPerUnit);
  const std::string text = fmt::format(
      R"({{"schema": 1, "name": "queue", "duration": "{}ms", "warmup": "{}ms", "drain": "0s", "window": "100s",
          "cluster": {{"nodes": 1, "shards": 1, "workers": {}, "dispatch": "{}", "wake": true, "min_sweep_gap": "0s",
                       "poll_interval": "{}", "reconcile_interval": "1h", "stale_after": "100h"}},
          "backpressure": {{"planner": "{}", "batch_size": {}}}, "tenants": [{}]}})",
      warmup + measured, warmup, queue.servers, queue.dispatch, queue.poll_interval, queue.planner, queue.batch,
      tenants_of(queue));
  const Result<Scenario> scenario = read_scenario_text(text, "queue.json");
  if (!scenario) {
    FAIL(scenario.faults().front().text());
  }
  return scenario.value();
}

QueueMeasured measure(const Queue& queue) {
  const Scenario scenario = scenario_of(queue);
  QueueMeasured measured;
  measured.wait.resize(queue.loads.size());
  for (const std::uint64_t seed : seeds(static_cast<std::size_t>(queue.runs))) {
    Simulation simulation(scenario, seed);
    Watch watch(scenario, simulation, false, nullptr);
    Meter meter(queue);
    simulation.observe(watch);
    simulation.observe(meter);
    simulation.run({});
    const RunResult result = watch.recorder().take_result();
    double sojourns = 0;
    double finished = 0;
    double executing = 0;
    for (std::size_t i = 0; i < queue.loads.size(); ++i) {
      const TenantFigures& figures = result.tenants.at(i).figures;
      measured.wait[i].add(mean_units(figures.wait));
      sojourns += static_cast<double>(figures.sojourn.sum) / kUnit;
      finished += static_cast<double>(figures.sojourn.count);
      executing += static_cast<double>(figures.executing_time);
    }
    measured.sojourn.add(sojourns / finished);
    measured.busy.add(executing / meter.time());
    measured.queued.add(meter.present() - executing / meter.time());
    meter.report(measured);
  }
  return measured;
}

}  // namespace headroom::test
