// How often work outlives its claim (spec 1.1, `stale_after`), against exponential and Erlang tails.
#include <optional>

#include "sim/run/simulation.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "tests/theory/closed_forms.hpp"
#include "tests/theory/statistics.hpp"

namespace headroom::test {
namespace {

// Claims, and those that went stale: all of them, and sweep by sweep. A sweep of a sequential dispatcher counts once
// the next one begins: what it claimed is over by then.
class Claims final : public RunObserver {
 public:
  void on_step(const Cluster& /*cluster*/, std::span<const Effect> effects, Time /*at*/) override {
    for (const Effect& effect : effects) {
      if (effect.kind == EffectKind::sweep_planned) {
        next_sweep();
      } else if (effect.kind == EffectKind::claimed) {
        ++claimed_;
        ++ever_claimed_;
        last_ = effect.row;
      } else if (effect.kind == EffectKind::went_stale) {
        ++stale_;
        ++ever_stale_;
        last_stale_ += effect.row == last_ ? 1 : 0;
      }
    }
  }
  [[nodiscard]] double part_stale() const { return ever_stale_ / ever_claimed_; }
  [[nodiscard]] double sweeps() const { return sweeps_; }
  [[nodiscard]] double claimed() const { return all_claimed_; }
  [[nodiscard]] double stale() const { return all_stale_; }
  [[nodiscard]] double last_stale() const { return all_last_stale_; }

 private:
  void next_sweep() {
    if (claimed_ > 0) {
      ++sweeps_;
      all_claimed_ += claimed_;
      all_stale_ += stale_;
      all_last_stale_ += last_stale_;
    }
    claimed_ = stale_ = last_stale_ = 0;
  }
  double ever_claimed_ = 0;
  double ever_stale_ = 0;
  RowSlot last_;
  double claimed_ = 0;
  double stale_ = 0;
  double last_stale_ = 0;
  double sweeps_ = 0;
  double all_claimed_ = 0;
  double all_stale_ = 0;
  double all_last_stale_ = 0;
};

// A backlog that is claimed in batches; nothing that has gone stale is armed again. Units are hundredths of a second.
Scenario scenario_of(const std::string& dispatch, int batch, double lease, double mean, int units,
                     const std::string& arrivals) {
  const std::string text = fmt::format(
      R"({{"schema": 1, "name": "lease", "duration": "{}ms", "drain": "0s", "window": "100s",
          "cluster": {{"nodes": 1, "shards": 1, "workers": "unlimited", "dispatch": "{}", "poll_interval": "10ms",
                       "reconcile_interval": "10h", "stale_after": "{}ms"}},
          "backpressure": {{"batch_size": {}}},
          "tenants": [{{"name": "a", "quota": 1000000, "rows": {{
            "arrivals": {}, "service": {{"kind": "exponential", "mean": "{}ms"}}}}}}]}})",
      units * 10, dispatch, std::lround(lease * 10), batch, arrivals, std::lround(mean * 10));
  const Result<Scenario> scenario = read_scenario_text(text, "lease.json");
  if (!scenario) {
    FAIL(scenario.faults().front().text());
  }
  return scenario.value();
}

TEST_CASE("claims of exponential work outlive a lease with probability e^(-lease / mean)", "[theory]") {
  struct Case {
    double lease;
    double mean;
  };
  for (const auto& [lease, mean] : {Case{30, 10}, Case{30, 5}, Case{10, 10}}) {
    INFO(lease << " / " << mean);
    const Scenario scenario =
        scenario_of("parallel", 1000, lease, mean, 20'000, R"({"kind": "poisson", "rate": "60/s"})");
    Sample outlived;
    for (const std::uint64_t seed : seeds(20)) {
      Simulation simulation(scenario, seed);
      Claims claims;
      simulation.observe(claims);
      simulation.run({});
      outlived.add(claims.part_stale());
    }
    check_agrees("outlived", outlived, erlang_tail(1, mean, lease));
  }
}

TEST_CASE("of a batch that is executed row by row, as many rows outlive the lease as Erlang sums do", "[theory]") {
  struct Case {
    int batch;
    double lease;
    double mean;
  };
  for (const auto& [batch, lease, mean] : {Case{8, 30, 5}, Case{16, 60, 5}, Case{32, 120, 5}, Case{32, 30, 1}}) {
    INFO(batch << " rows, " << lease << " / " << mean);
    const int units = static_cast<int>(150 * batch * mean);
    const Scenario scenario = scenario_of("sequential", batch, lease, mean, units,
                                          fmt::format(R"({{"kind": "backlog", "n": {}}})", 2 * batch));
    Sample rows;
    Sample last_row;
    for (const std::uint64_t seed : seeds(20)) {
      Simulation simulation(scenario, seed);
      Claims claims;
      simulation.observe(claims);
      simulation.run({});
      REQUIRE(claims.claimed() == claims.sweeps() * batch);
      rows.add(claims.stale() / claims.sweeps());
      last_row.add(claims.last_stale() / claims.sweeps());
    }
    check_agrees("rows", rows, rows_past_lease(batch, lease, mean));
    check_agrees("the last row", last_row, erlang_tail(batch, mean, lease));
  }
}

}  // namespace
}  // namespace headroom::test
