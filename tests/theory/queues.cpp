// The simulator against queueing theory: one node with c workers, no binding ceiling or batch, wakes without a gap, so
// that `wait` is the time in the queue (Wq) and `sojourn` the time in the system (W).
//
// Every case runs over many seeds. A mean must lie within 4 standard errors of the closed form, the error being that
// of the mean over the seeds. Times are in units of a hundredth of a second, the tables' mean service times.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <string>
#include <vector>

#include "sim/run/run_scenario.hpp"
#include "sim/run/watch.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "tests/theory/statistics.hpp"

namespace headroom {
namespace {

using namespace test;

constexpr double kUnit = 1e7;  // nanoseconds
constexpr int kUnitsPerSecond = 100;
constexpr int kSeeds = 24;

// -- closed forms, in units of time -------------------------------------------------------------------------------

// Pollaczek and Khinchine: Wq = lambda E[S^2] / (2 (1 - rho)) with E[S] = 1.
double wait_in_mg1(double lambda, double second_moment) {
  return lambda * second_moment / (2 * (1 - lambda));
}

// -- runs ---------------------------------------------------------------------------------------------------------

struct Queue {
  std::string service;  // distribution, as a scenario says it
  double lambda = 0;    // arrivals a unit
  int servers = 1;
  std::string dispatch = "parallel";
  int rows = 25'000;         // measured, about
  int warmup_units = 2'000;  // many times as long as the queue remembers
};

std::string exponential(double mean_units) {
  return fmt::format(R"({{"kind": "exponential", "mean": "{}ms"}})", std::lround(10 * mean_units));
}

Scenario scenario_of(const Queue& queue) {
  const auto warmup = queue.warmup_units * (1000 / kUnitsPerSecond);
  const auto measured = std::lround(queue.rows / queue.lambda * (1000.0 / kUnitsPerSecond));
  const std::string text = fmt::format(
      R"({{"schema": 1, "name": "queue", "duration": "{}ms", "warmup": "{}ms", "drain": "0s", "window": "100s",
          "cluster": {{"nodes": 1, "shards": 1, "workers": {}, "dispatch": "{}", "wake": true, "min_sweep_gap": "0s",
                       "poll_interval": "10s", "reconcile_interval": "1h", "stale_after": "100h"}},
          "backpressure": {{"batch_size": 1000000}},
          "tenants": [{{"name": "a", "quota": 4000000000, "rows": {{
            "arrivals": {{"kind": "poisson", "rate": "{}/s"}}, "service": {}}}}}]}})",
      warmup + measured, warmup, queue.servers, queue.dispatch, std::lround(queue.lambda * kUnitsPerSecond),
      queue.service);
  const Result<Scenario> scenario = read_scenario_text(text, "queue.json");
  if (!scenario) {
    FAIL(scenario.faults().front().text());
  }
  return scenario.value();
}

// Integrates the rows in the system, waiting or in service, over the part of the run that is measured.
class Occupancy final : public RunObserver {
 public:
  void on_step(const Cluster& cluster, std::span<const Effect> /*effects*/, Time at) override { note(cluster, at); }
  void on_phase(Phase phase, const Cluster& cluster, Time at) override {
    note(cluster, at);
    measuring_ = phase == Phase::measurement;
  }
  void on_end(const Cluster& cluster, Time at) override { note(cluster, at); }

  [[nodiscard]] Int128 row_nanoseconds() const { return area_; }
  [[nodiscard]] Duration measured() const { return measured_; }

 private:
  void note(const Cluster& cluster, Time at) {
    if (measuring_) {
      area_ += static_cast<Int128>(rows_) * (at - since_).count();
      measured_ += at - since_;
    }
    since_ = at;
    rows_ = cluster.outbox().live_rows();
  }

  bool measuring_ = false;
  Int128 area_ = 0;
  Duration measured_;
  Time since_;
  std::uint64_t rows_ = 0;
};

double mean_units(const DistributionSummary& times) {
  return static_cast<double>(times.sum) / static_cast<double>(times.count) / kUnit;
}

struct Measured {
  Sample wait;     // Wq
  Sample sojourn;  // W
  Sample present;  // L, integrated over time
  Sample busy;     // servers at work
};

Measured measure(const Queue& queue) {
  const Scenario scenario = scenario_of(queue);
  Measured measured;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Simulation simulation(scenario, seed);
    Watch watch(scenario, simulation, false, nullptr);
    Occupancy occupancy;
    simulation.observe(watch);
    simulation.observe(occupancy);
    simulation.run({});
    const TenantFigures figures = watch.recorder().take_result().tenants.at(0).figures;
    const auto nanoseconds = static_cast<double>(occupancy.measured().count());
    measured.wait.add(mean_units(figures.wait));
    measured.sojourn.add(mean_units(figures.sojourn));
    measured.present.add(static_cast<double>(occupancy.row_nanoseconds()) / nanoseconds);
    measured.busy.add(static_cast<double>(figures.executing_time) / nanoseconds);
  }
  return measured;
}

// Wq as given; W = Wq + E[S], and by Little's law L = lambda W and the busy servers are lambda E[S].
void check_queue(const Queue& queue, double wait, double mean_service) {
  INFO(fmt::format("{} at {} a unit, {} servers", queue.service, queue.lambda, queue.servers));
  const Measured measured = measure(queue);
  check_agrees("Wq", measured.wait, wait);
  check_agrees("W", measured.sojourn, wait + mean_service);
  check_agrees("L", measured.present, queue.lambda * (wait + mean_service));
  check_agrees("busy", measured.busy, queue.lambda * mean_service);
}

// Service laws with mean 1: as a scenario says them, and E[S^2].
struct Law {
  std::string service;
  double second_moment;
};
const Law kConstant{R"({"kind": "constant", "value": "10ms"})", 1};
const Law kErlang4{R"({"kind": "erlang", "mean": "10ms", "k": 4})", 1.25};
const Law kErlang2{R"({"kind": "erlang", "mean": "10ms", "k": 2})", 1.5};
const Law kUniform{R"({"kind": "uniform", "low": "0ms", "high": "20ms"})", 4.0 / 3};
const Law kExponential{R"({"kind": "exponential", "mean": "10ms"})", 2};
const Law kLognormal{R"({"kind": "lognormal", "mean": "10ms", "sigma": 1})", std::exp(1.0)};

TEST_CASE("the closed forms give the tabulated values", "[theory]") {
  const auto near = [](double value) { return Approx(value).epsilon(0).margin(5e-9); };
  // M/M/1 is M/M/c with one server, and M/G/1 with an exponential.
  CHECK(wait_in_mmc(0.5, 1, 1) == near(1));
  CHECK(wait_in_mmc(0.8, 1, 1) == near(4));
  CHECK(wait_in_mmc(0.9, 1, 1) == near(9));
  CHECK(wait_in_mmc(0.95, 1, 1) == near(19));
  CHECK(erlang_b(8, 10) == near(0.1216610643));
  CHECK(erlang_c(8, 10) == near(0.4091801508));
  CHECK(wait_in_mmc(8, 1, 10) == near(0.2045900754));
  CHECK(wait_in_mmc(9, 1, 10) == near(0.6687315241));
  CHECK(wait_in_mmc(9.5, 1, 10) == near(1.6511711563));
  CHECK(wait_in_mmc(1.6, 1, 2) == near(1.7777777778));
  CHECK(wait_in_mmc(45, 1, 50) == near(0.0727728934));
  CHECK(wait_in_mmc(90, 1, 100) == near(0.0216940481));
  CHECK(wait_in_mmc(3, 0.5, 8) == near(0.3569810859));
  CHECK(wait_in_mg1(0.8, kConstant.second_moment) == near(2));
  CHECK(wait_in_mg1(0.8, kErlang4.second_moment) == near(2.5));
  CHECK(wait_in_mg1(0.8, kErlang2.second_moment) == near(3));
  CHECK(wait_in_mg1(0.8, kUniform.second_moment) == near(2.666666667));
  CHECK(wait_in_mg1(0.8, kExponential.second_moment) == near(4));
  CHECK(wait_in_mg1(0.8, kLognormal.second_moment) == near(5.436563657));
}

TEST_CASE("one worker is an M/M/1 queue", "[theory]") {
  for (const double lambda : {0.5, 0.8}) {
    check_queue({.service = exponential(1), .lambda = lambda}, wait_in_mmc(lambda, 1, 1), 1);
  }
  check_queue({.service = exponential(1), .lambda = 0.9, .rows = 50'000, .warmup_units = 5'000}, wait_in_mmc(0.9, 1, 1),
              1);
}

TEST_CASE("c workers are an M/M/c queue", "[theory]") {
  check_queue({.service = exponential(1), .lambda = 1.6, .servers = 2}, wait_in_mmc(1.6, 1, 2), 1);
  check_queue({.service = exponential(1), .lambda = 8, .servers = 10, .warmup_units = 200}, wait_in_mmc(8, 1, 10), 1);
  check_queue({.service = exponential(1), .lambda = 9, .servers = 10, .rows = 50'000, .warmup_units = 500},
              wait_in_mmc(9, 1, 10), 1);
  check_queue({.service = exponential(1), .lambda = 45, .servers = 50, .rows = 50'000, .warmup_units = 100},
              wait_in_mmc(45, 1, 50), 1);
  check_queue({.service = exponential(2), .lambda = 3, .servers = 8, .warmup_units = 500}, wait_in_mmc(3, 0.5, 8), 2);
}

TEST_CASE("one worker with any service law is an M/G/1 queue", "[theory]") {
  for (const Law& law : {kConstant, kErlang4, kErlang2, kUniform, kLognormal}) {
    check_queue({.service = law.service, .lambda = 0.8, .rows = 40'000}, wait_in_mg1(0.8, law.second_moment), 1);
  }
}

// The dispatcher is the server, however many workers it has.
TEST_CASE("a sequential dispatcher is an M/D/1 queue", "[theory]") {
  for (const double lambda : {0.5, 0.8}) {
    check_queue({.service = kConstant.service, .lambda = lambda, .servers = 4, .dispatch = "sequential"},
                wait_in_mg1(lambda, kConstant.second_moment), 1);
  }
}

// Nothing is drawn here but the times: the sum of all times in the system is the integral of the rows in it.
TEST_CASE("Little's law holds exactly from an empty system to an empty one", "[theory]") {
  const Result<Scenario> scenario = read_scenario_text(
      R"({"schema": 1, "name": "little", "duration": "20s",
          "cluster": {"nodes": 3, "shards": 8, "workers": 4, "sweep_cost": "2ms", "claim_cost": "1ms"},
          "backpressure": {"batch_size": 5},
          "tenants": [
            {"name": "a", "quota": 9, "rows": {"arrivals": {"kind": "schedule", "at": [
              {"at": "1ms", "n": 300}, {"at": "2s", "n": 41}, {"at": "2001ms", "n": 7}]}}},
            {"name": "b", "quota": 3, "rows": {"arrivals": {"kind": "schedule", "at": [{"at": "500ms", "n": 100}]}}}]})",
      "little.json");
  REQUIRE(scenario);
  Simulation simulation(scenario.value(), 1);
  Watch watch(scenario.value(), simulation, true, nullptr);
  Occupancy occupancy;
  simulation.observe(watch);
  simulation.observe(occupancy);
  simulation.run({});
  REQUIRE(simulation.cluster().outbox().live_rows() == 0);
  const RunResult result = watch.recorder().take_result();
  REQUIRE(result.tenants.at(0).figures.sojourn.count == 348);
  REQUIRE(result.tenants.at(1).figures.sojourn.count == 100);
  CHECK((result.tenants.at(0).figures.sojourn.sum + result.tenants.at(1).figures.sojourn.sum ==
         occupancy.row_nanoseconds()));
}

// Watching a run changes nothing in it.
TEST_CASE("a queue is the same with its properties judged, and they hold", "[theory]") {
  const Scenario scenario = scenario_of({.service = exponential(1), .lambda = 8, .servers = 10});
  const RunResult watched = run_scenario({.scenario = scenario, .seed = 5}).result;
  const RunResult unwatched = run_scenario({.scenario = scenario, .seed = 5, .properties = false}).result;
  CHECK(watched.event_digest == unwatched.event_digest);
  CHECK((watched.tenants.at(0).figures.wait.sum == unwatched.tenants.at(0).figures.wait.sum));
  for (const Judgement& judgement : watched.information) {
    INFO(judgement.name << ": " << judgement.reason);
    CHECK(judgement.verdict != Verdict::fail);  // of one tenant there is no fairness, and there are no gates
  }
}

}  // namespace
}  // namespace headroom
