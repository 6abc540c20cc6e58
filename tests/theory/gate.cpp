// The admission gate against queueing theory: loss, bounded depth, bounded wait, nested caps, the order of waiting, a
// closed loop, the token bucket, Little's law.
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/run/run_scenario.hpp"
#include "tests/theory/closed_forms.hpp"
#include "tests/theory/gate_runs.hpp"

namespace headroom::test {
namespace {

std::string bounded_gate(int permits, int depth) {
  return fmt::format(R"({{"max_inflight": {}, "max_queue_depth": {}, "queue_wait": "unbounded"}})", permits, depth);
}

TEST_CASE("a gate that lets nobody wait loses what Erlang's formula says, whatever the law of the service",
          "[theory]") {
  for (const auto& [lambda, servers] : {std::pair{8.0, 10}, std::pair{12.0, 10}, std::pair{3.0, 5}}) {
    for (const std::string& service : {kExponentialUnit, kConstantUnit, kLognormalUnit}) {
      INFO(lambda << " a unit, " << servers << " permits, " << service);
      const GateMeasured measured =
          measure({.admission = fmt::format(R"({{"max_inflight": {}, "max_queue_depth": 0}})", servers),
                   .loads = {{poisson(lambda), service}},
                   .units = 3'000,
                   .warmup_units = 200});
      const double lost = erlang_b(lambda, servers);
      check_agrees("refused", measured.p503[0], lost);
      check_agrees("admitted a unit", measured.effective[0], lambda * (1 - lost));
      check_agrees("in flight", measured.inflight[0], lambda * (1 - lost));
    }
  }
}

TEST_CASE("a gate with a bounded queue is an M/M/c/K queue", "[theory]") {
  struct Case {
    double lambda;
    int servers;
    int depth;
    int requests = 30'000;
  };
  for (const auto& [lambda, servers, depth, requests] :
       {Case{8, 10, 5}, Case{10, 10, 5}, Case{12, 10, 5}, Case{12, 10, 20, 60'000}, Case{20, 10, 10}, Case{5, 4, 2},
        Case{0.8, 1, 4}, Case{1, 1, 4}, Case{1.5, 1, 9}}) {
    INFO(lambda << " a unit, " << servers << " permits, depth " << depth);
    const GateMeasured measured = measure({.admission = bounded_gate(servers, depth),
                                           .loads = {{poisson(lambda)}},
                                           .units = static_cast<int>(requests / lambda)});
    const BoundedDepth expected = bounded_depth(lambda, 1, servers, depth);
    check_agrees("refused", measured.p503[0], expected.blocked);
    check_agrees("admitted a unit", measured.effective[0], expected.effective);
    check_agrees("waiting", measured.waiting[0], expected.waiting);
    check_agrees("wait", measured.wait, expected.wait);
  }
}

TEST_CASE("a gate that bounds the wait times out what the M/M/c+D queue does", "[theory]") {
  struct Case {
    double lambda;
    double mu;
    int servers;
    double most;
  };
  for (const auto& [lambda, mu, servers, most] :
       {Case{8, 1, 10, 0.5}, Case{10, 1, 10, 0.5}, Case{12, 1, 10, 0.5}, Case{12, 1, 10, 0.1}, Case{15, 1, 10, 0.2},
        Case{20, 1, 10, 1}, Case{0.8, 1, 1, 1}, Case{1.2, 1, 1, 1}, Case{2, 1, 1, 2}, Case{120, 10, 10, 0.05}}) {
    INFO(lambda << " a unit, " << servers << " permits at " << mu << ", at most " << most);
    const GateMeasured measured = measure(
        {.admission = fmt::format(
             R"({{"max_inflight": {}, "max_queue_depth": "unbounded", "queue_wait": "{}us", "queue_order": "fifo"}})",
             servers, std::lround(most * 10'000)),
         .loads = {{poisson(lambda),
                    fmt::format(R"({{"kind": "exponential", "mean": "{}us"}})", std::lround(10'000 / mu))}},
         .units = static_cast<int>(30'000 / lambda)});
    const BoundedWait expected = bounded_wait(lambda, mu, servers, most);
    check_agrees("timed out", measured.p503[0], expected.timed_out);
    check_agrees("had to wait", measured.waits_at_all, expected.waits);
    check_agrees("wait of those served", measured.wait, expected.wait_served);
    check_agrees("in flight", measured.inflight[0], expected.utilisation * servers);
  }
}

// No closed form: means and standard errors of another simulator.
TEST_CASE("a gate that bounds depth and wait agrees with a simulation made elsewhere", "[theory]") {
  struct Case {
    double lambda;
    int servers;
    int depth;
    double most;
    MeasuredElsewhere blocked;
    MeasuredElsewhere timed_out;
    MeasuredElsewhere wait;
  };
  for (const Case& each : {
           Case{12, 10, 5, 0.5, {0.13509, 0.00096}, {0.07544, 0.00048}, {0.17347, 0.00097}},
           Case{12, 10, 5, 0.2, {0.02111, 0.00017}, {0.21771, 0.00129}, {0.05357, 0.00026}},
           Case{20, 10, 10, 0.5, {0.16208, 0.00057}, {0.33857, 0.00112}, {0.37918, 0.00078}},
       }) {
    INFO(each.lambda << " a unit, depth " << each.depth << ", at most " << each.most);
    const GateMeasured measured =
        measure({.admission = fmt::format(
                     R"({{"max_inflight": {}, "max_queue_depth": {}, "queue_wait": "{}us", "queue_order": "fifo"}})",
                     each.servers, each.depth, std::lround(each.most * 10'000)),
                 .loads = {{poisson(each.lambda)}}});
    check_agrees("refused at once", measured.blocked, each.blocked);
    check_agrees("timed out", measured.timed_out, each.timed_out);
    check_agrees("wait", measured.wait, each.wait);
  }
}

TEST_CASE("a gate with unbounded waits is an M/M/c queue, and the order of waiting moves only the tail", "[theory]") {
  const auto waits = [](const std::string& order, double lambda) {
    return measure({.admission = fmt::format(
                        R"({{"max_inflight": 1, "max_queue_depth": "unbounded", "queue_wait": "unbounded",
                             "queue_order": "{}"}})",
                        order),
                    .loads = {{poisson(lambda)}},
                    .units = 50'000,
                    .warmup_units = 2'000});
  };
  for (const double rho : {0.5, 0.8}) {
    INFO("load " << rho);
    const GateMeasured fifo = waits("fifo", rho);
    check_agrees("fifo wait", fifo.wait, rho / (1 - rho));
    check_agrees("fifo second moment", fifo.wait_squared, second_moment_fifo(rho), Precision::any);
    const GateMeasured lifo = waits("lifo", rho);
    check_agrees("lifo wait", lifo.wait, rho / (1 - rho));
    check_agrees("lifo second moment", lifo.wait_squared, second_moment_lifo(rho), Precision::any);
    CHECK(lifo.wait_squared.mean() > second_moment_random(rho));
  }
}

TEST_CASE("ten permits and an unbounded queue, whose tenants take turns, wait as an M/M/10 queue does", "[theory]") {
  const GateMeasured measured =
      measure({.admission = R"({"max_inflight": 10, "max_queue_depth": "unbounded", "queue_wait": "unbounded"})",
               .loads = {{poisson(2)}, {poisson(6)}},
               .units = 6'000,
               .warmup_units = 500});
  check_agrees("wait of all", measured.wait, wait_in_mmc(8, 1, 10));
  check_agrees("had to wait", measured.waits_at_all, erlang_c(8, 10));
}

TEST_CASE("nested caps refuse by the product form, whatever the law of the service", "[theory]") {
  struct Case {
    std::vector<double> lambda;
    std::vector<int> caps;
    int process;
  };
  for (const Case& each : {Case{{6, 3}, {6, 6}, 8}, Case{{30, 3}, {6, 6}, 8}, Case{{30, 3}, {8, 8}, 8},
                           Case{{30, 3}, {5, 5}, 10}, Case{{100, 2, 2}, {4, 4, 4}, 8}}) {
    const NestedLoss loss = nested_caps(each.lambda, each.caps, each.process);
    for (const std::string& service : {kExponentialUnit, kConstantUnit, kLognormalUnit}) {
      INFO(each.lambda[0] << " a unit under " << each.process << ", " << service);
      std::vector<RequestLoad> loads;
      for (std::size_t i = 0; i < each.lambda.size(); ++i) {
        loads.push_back({poisson(each.lambda[i]), service, fmt::format(R"({{"max_inflight": {}}})", each.caps[i])});
      }
      const GateMeasured measured =
          measure({.admission = fmt::format(R"({{"max_inflight": {}, "max_queue_depth": 0}})", each.process),
                   .loads = loads,
                   .units = 1'200,
                   .warmup_units = 200});
      for (std::size_t i = 0; i < each.lambda.size(); ++i) {
        if (loss.p429[i] < 1e-7) {  // below what so few arrivals can show
          CHECK(measured.p429[i].mean() == 0);
        } else {
          check_agrees(fmt::format("429 of {}", i), measured.p429[i], loss.p429[i], Precision::any);
        }
        check_agrees(fmt::format("503 of {}", i), measured.p503[i], loss.p503[i], Precision::any);
        check_agrees(fmt::format("in flight of {}", i), measured.inflight[i], loss.inflight[i]);
      }
    }
  }
}

TEST_CASE("caps that sum to the process cap isolate a tenant from ten times the load of the other", "[theory]") {
  std::vector<std::uint64_t> refused;
  for (const double other : {3.0, 30.0}) {
    const GateRun run{.admission = R"({"max_inflight": 10, "max_queue_depth": 0, "tenant": {"max_inflight": 5}})",
                      .loads = {{poisson(other)}, {poisson(3)}},
                      .units = 5'000,
                      .warmup_units = 200};
    check_agrees("refused", measure(run).p429[1], erlang_b(3, 5));
    const RunResult result = run_scenario({.scenario = scenario_of(run), .seed = 3}).result;
    CHECK(result.tenants.at(1).figures.gate->counts.rejected_503 == 0);
    refused.push_back(result.tenants.at(1).figures.gate->counts.rejected_429);
  }
  // Its arrivals and services hang on it alone: not one refusal more or less.
  CHECK(refused[0] == refused[1]);
}

TEST_CASE("clients that wait for their answers and think are the machine repair model", "[theory]") {
  struct Case {
    int clients;
    int servers;
    double think;
  };
  for (const auto& [clients, servers, think] :
       {Case{10, 1, 10}, Case{20, 2, 9}, Case{50, 10, 4}, Case{5, 1, 1}, Case{15, 10, 1}}) {
    INFO(clients << " clients, " << servers << " permits, think " << think);
    const GateMeasured measured =
        measure({.admission = fmt::format(
                     R"({{"max_inflight": {}, "max_queue_depth": "unbounded", "queue_wait": "unbounded"}})", servers),
                 .loads = {{closed_loop(clients, think)}},
                 .units = 6'000});
    const ClosedLoop expected = machine_repair(clients, servers, think, 1);
    check_agrees("throughput", measured.throughput[0], expected.throughput);
    check_agrees("response", measured.response[0], expected.response);
  }
}

TEST_CASE("a token bucket accepts of a Poisson stream what the closed form says", "[theory]") {
  struct Case {
    double lambda;
    double rate;
    int burst;
  };
  for (const auto& [lambda, rate, burst] :
       {Case{2, 1, 1}, Case{1, 1, 1}, Case{1, 1, 5}, Case{0.8, 1, 3}, Case{0.8, 1, 10}, Case{0.9, 1, 10},
        Case{1.2, 1, 5}, Case{2, 1, 5}, Case{5, 1, 5}}) {
    INFO(lambda << " a unit, rate " << rate << ", burst " << burst);
    const GateMeasured measured =
        measure({.admission = "{}",
                 .loads = {{poisson(lambda), kConstantUnit,
                            fmt::format(R"({{"rate_limit": {{"rate": "{}/s", "burst": {}}}}})", std::lround(rate * 100),
                                        burst)}},
                 .units = static_cast<int>(15'000 / lambda)});
    check_agrees("accepted", measured.accepted[0], accepted_by_bucket(lambda, rate, burst));
  }
}

// A bucket, not GCRA with a tolerance of as many periods: that would let in one more.
TEST_CASE("a bucket that was idle lets in at one instant what its burst is", "[theory]") {
  const GateRun run{.admission = "{}",
                    .loads = {{R"({"kind": "schedule", "at": [{"at": "20s", "n": 50}]})", kConstantUnit,
                               R"({"rate_limit": {"rate": "1/s", "burst": 7}})"}},
                    .units = 2'001,
                    .warmup_units = 0};
  const GateFigures gate = *run_scenario({.scenario = scenario_of(run), .seed = 1}).result.tenants.at(0).figures.gate;
  CHECK(gate.counts.admitted == 7);
  CHECK(gate.counts.rejected_429 == 43);
}

TEST_CASE("handlers that take twice as long occupy twice as much, and Little's law tells how much", "[theory]") {
  const auto occupancy = [](const std::string& mean) {
    const GateRun run{.admission = "{}",
                      .loads = {{poisson(4), fmt::format(R"({{"kind": "exponential", "mean": "{}"}})", mean)}},
                      .units = 10'000};
    const GateFigures gate = *run_scenario({.scenario = scenario_of(run), .seed = 1}).result.tenants.at(0).figures.gate;
    CHECK(gate.little_residual.value() < 0.01);
    return measure(run).inflight[0];
  };
  check_agrees("occupancy", occupancy("10ms"), 4);
  check_agrees("occupancy when it takes twice as long", occupancy("20ms"), 8);
}

}  // namespace
}  // namespace headroom::test
