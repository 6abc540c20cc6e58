// The simulator's dispatchers and workers against queueing theory: M/M/1, M/M/c, M/G/1, priorities, Little's law.
#include <cmath>
#include <string>

#include "sim/run/run_scenario.hpp"
#include "sim/run/watch.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "tests/theory/closed_forms.hpp"
#include "tests/theory/queue_runs.hpp"

namespace headroom::test {
namespace {

// Wq as given; W = Wq + E[S], and by Little's law L = lambda W, Lq = lambda Wq, and the busy servers are lambda E[S].
void check_means(const QueueMeasured& measured, double lambda, double wait, double mean_service,
                 Precision precision = Precision::five_percent) {
  check_agrees("Wq", measured.wait[0], wait, precision);
  check_agrees("W", measured.sojourn, wait + mean_service, precision);
  check_agrees("L", measured.present, lambda * (wait + mean_service), precision);
  check_agrees("Lq", measured.queued, lambda * wait, precision);
  check_agrees("busy", measured.busy, lambda * mean_service);
}

// Long queues forget slowly: their means are known less well.
Precision heavy_from(double bound, double load) {
  return load >= bound ? Precision::ten_percent : Precision::five_percent;
}

TEST_CASE("one worker is an M/M/1 queue, in its means and in its tails", "[theory]") {
  struct Case {
    double lambda;
    int rows;
    int warmup_units;
  };
  for (const auto& [lambda, rows, warmup] :
       {Case{0.5, 15'000, 500}, Case{0.8, 20'000, 1'000}, Case{0.9, 40'000, 3'000}, Case{0.95, 60'000, 10'000}}) {
    INFO(lambda << " a unit");
    const QueueMeasured measured = measure({.loads = {{lambda}},
                                            .rows = rows,
                                            .warmup_units = warmup,
                                            .wait_beyond = wait_quantile_in_mmc(lambda, 1, 1, 0.99),
                                            .sojourn_beyond = sojourn_quantile_in_mm1(lambda, 1, 0.99)});
    check_means(measured, lambda, wait_in_mmc(lambda, 1, 1), 1, heavy_from(0.95, lambda));
    check_agrees("P(Wq > 0)", measured.waits_at_all, lambda);
    check_agrees("P(Wq > its 99th percentile)", measured.waits_beyond, 0.01, Precision::any);
    check_agrees("P(W > its 99th percentile)", measured.sojourns_beyond, 0.01, Precision::any);
    check_agrees("P(N >= 10)", measured.ten_or_more, std::pow(lambda, 10), Precision::any);
  }
}

TEST_CASE("the median of the time in an M/M/1 queue is ln 2 / (mu - lambda)", "[theory]") {
  const QueueMeasured measured = measure({.loads = {{0.8}},
                                          .rows = 15'000,
                                          .warmup_units = 1'000,
                                          .sojourn_beyond = sojourn_quantile_in_mm1(0.8, 1, 0.5)});
  check_agrees("P(W > its median)", measured.sojourns_beyond, 0.5);
}

TEST_CASE("c workers are an M/M/c queue, in their means and in their tails", "[theory]") {
  struct Case {
    double lambda;
    double mean_service;
    int servers;
    int rows;
    int warmup_units;
  };
  for (const auto& [lambda, mean_service, servers, rows, warmup] :
       {Case{8, 1, 10, 15'000, 200}, Case{9, 1, 10, 30'000, 500}, Case{9.5, 1, 10, 50'000, 1'500},
        Case{1.6, 1, 2, 15'000, 1'000}, Case{45, 1, 50, 40'000, 100}, Case{90, 1, 100, 40'000, 100},
        Case{3, 2, 8, 15'000, 500}}) {
    INFO(lambda << " a unit, " << servers << " workers");
    const double mu = 1 / mean_service;
    const QueueMeasured measured = measure({.loads = {{lambda}},
                                            .service = exponential_service(mean_service),
                                            .servers = servers,
                                            .rows = rows,
                                            .warmup_units = warmup,
                                            .wait_beyond = wait_quantile_in_mmc(lambda, mu, servers, 0.99)});
    check_means(measured, lambda, wait_in_mmc(lambda, mu, servers), mean_service, Precision::ten_percent);
    check_agrees("P(Wq > 0)", measured.waits_at_all, erlang_c(lambda / mu, servers));
    check_agrees("P(Wq > its 99th percentile)", measured.waits_beyond, 0.01, Precision::any);
  }
}

// The wait hangs on the first two moments of the service alone, so a law of two points with those of a hyperexponential
// (mean 1, cv^2 4 and 10), which scenarios cannot name, must wait as long as that.
TEST_CASE("one worker with any service law is an M/G/1 queue", "[theory]") {
  struct Law {
    std::string service;
    double second_moment;
    double lambda = 0.8;
    int rows = 15'000;
  };
  for (const Law& law : {
           Law{constant_service(), 1},
           Law{constant_service(), 1, 0.5},
           Law{constant_service(), 1, 0.9},
           Law{constant_service(), 1, 0.95, 40'000},
           Law{R"({"kind": "erlang", "mean": "10ms", "k": 4})", 1.25},
           Law{R"({"kind": "erlang", "mean": "10ms", "k": 2})", 1.5},
           Law{R"({"kind": "uniform", "low": "0ms", "high": "20ms"})", 4.0 / 3},
           Law{R"({"kind": "lognormal", "mean": "10ms", "sigma": 1})", std::exp(1.0)},
           Law{two_point_service(9, 5, 55), 0.9 * 0.25 + 0.1 * 5.5 * 5.5},
           Law{two_point_service(9, 5, 55), 0.9 * 0.25 + 0.1 * 5.5 * 5.5, 0.5},
           Law{two_point_service(16, 5, 90), 1 + 4},
           Law{two_point_service(40, 5, 210), 1 + 10, 0.8, 40'000},
       }) {
    INFO(law.service << " at " << law.lambda);
    const int warmup = law.lambda > 0.9 ? 4'000 : 1'000;
    const QueueMeasured measured =
        measure({.loads = {{law.lambda}}, .service = law.service, .rows = law.rows, .warmup_units = warmup});
    check_means(measured, law.lambda, wait_in_mg1(law.lambda, law.second_moment), 1, Precision::ten_percent);
  }
}

// The dispatcher is the server, however many workers it has.
TEST_CASE("a sequential dispatcher is an M/D/1 queue", "[theory]") {
  for (const double lambda : {0.5, 0.8}) {
    INFO(lambda << " a unit");
    const QueueMeasured measured =
        measure({.loads = {{lambda}}, .service = constant_service(), .servers = 4, .dispatch = "sequential"});
    check_means(measured, lambda, wait_in_mg1(lambda, 1), 1);
  }
}

// One row a sweep, in name order: the first name has non-preemptive priority. Where nobody came during a service the
// next sweep is the poll's, half a hundredth of a unit later on average: far below what these runs can see.
TEST_CASE("fixed_order, a row at a time, gives the first name Cobham's priority", "[theory]") {
  const QueueMeasured measured = measure({.loads = {{0.3}, {0.5}},
                                          .dispatch = "sequential",
                                          .planner = "fixed_order",
                                          .batch = 1,
                                          .poll_interval = "100us",
                                          .rows = 10'000,
                                          .warmup_units = 1'000});
  const PriorityWaits expected = cobham(0.3, 0.5);
  check_agrees("Wq of the first", measured.wait[0], expected.first);
  check_agrees("Wq of the second", measured.wait[1], expected.second, Precision::ten_percent);
}

// Kleinrock: sum rho_i Wq_i does not depend on the order, as long as nobody idles beside work and nobody looks ahead. A
// sequential dispatcher lets rows gather, so that its planner has something to put in order.
TEST_CASE("a planner only moves waiting from one tenant to another", "[theory]") {
  for (const std::string planner : {"unscoped", "fixed_order", "rotating", "deficit_round_robin"}) {
    INFO(planner);
    const QueueMeasured measured = measure({.loads = {{0.3, 1}, {0.5, 4}},
                                            .dispatch = "sequential",
                                            .planner = planner,
                                            .rows = 15'000,
                                            .warmup_units = 1'000});
    check_agrees("rows waiting of both tenants", measured.queued, 3.2);
    if (planner == "unscoped") {  // first come, first served
      check_agrees("Wq of a", measured.wait[0], 4);
      check_agrees("Wq of b", measured.wait[1], 4);
    } else {  // to the heavier load; by weight, to the lighter one
      const double moved = measured.wait[1].mean() - measured.wait[0].mean();
      CHECK((planner == "deficit_round_robin" ? -moved : moved) > 0.1);
    }
  }
}

// Nothing is drawn here but the times: the sum of all times in the system is the integral of the rows in it.
class RowTime final : public RunObserver {
 public:
  void on_step(const Cluster& cluster, std::span<const Effect> /*effects*/, Time at) override { note(cluster, at); }
  void on_end(const Cluster& cluster, Time at) override { note(cluster, at); }
  [[nodiscard]] Int128 nanoseconds() const { return area_; }

 private:
  void note(const Cluster& cluster, Time at) {
    area_ += static_cast<Int128>(rows_) * (at - since_).count();
    since_ = at;
    rows_ = cluster.outbox().live_rows();
  }
  Int128 area_ = 0;
  Time since_;
  std::uint64_t rows_ = 0;
};

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
  RowTime occupancy;
  simulation.observe(watch);
  simulation.observe(occupancy);
  simulation.run({});
  REQUIRE(simulation.cluster().outbox().live_rows() == 0);
  const RunResult result = watch.recorder().take_result();
  REQUIRE(result.tenants.at(0).figures.sojourn.count == 348);
  REQUIRE(result.tenants.at(1).figures.sojourn.count == 100);
  CHECK(
      (result.tenants.at(0).figures.sojourn.sum + result.tenants.at(1).figures.sojourn.sum == occupancy.nanoseconds()));
}

// Watching a run changes nothing in it.
TEST_CASE("a queue is the same with its properties judged, and they hold", "[theory]") {
  const Scenario scenario = scenario_of({.loads = {{8}}, .servers = 10});
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
}  // namespace headroom::test
