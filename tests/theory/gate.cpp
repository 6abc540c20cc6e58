// The admission gate against queueing theory: loss, bounded depth, bounded wait, nested caps, a closed loop, the token
// bucket, the order of waiting. Times are in units of a hundredth of a second; every case runs over many seeds.
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

constexpr int kSeeds = 20;

// -- closed forms, in units of time -----------------------------------------------------------------------------------

struct Loss {
  double blocked;  // of the arrivals
  double wait;     // of those admitted
};

// M/M/c/K with K = c + depth: the stationary distribution of a birth-death chain.
Loss bounded_depth(double lambda, double mu, int servers, int depth) {
  std::vector<double> weight{1};
  for (int n = 1; n <= servers + depth; ++n) {
    weight.push_back(weight.back() * lambda / (mu * std::min(n, servers)));
  }
  double total = 0;
  double queued = 0;
  for (int n = 0; n <= servers + depth; ++n) {
    total += weight[static_cast<std::size_t>(n)];
    queued += weight[static_cast<std::size_t>(n)] * std::max(0, n - servers);
  }
  const double blocked = weight.back() / total;
  return {blocked, queued / total / (lambda * (1 - blocked))};
}

// M/M/c+D, waits of at most D (Baccelli and Hebuterne, 1981; Zeltyn and Mandelbaum, 2005): who times out.
double bounded_wait(double lambda, double mu, int servers, double most) {
  const double theta = lambda - servers * mu;
  const double busy = servers * mu;
  const double j = theta == 0 ? most + 1 / busy : (std::exp(theta * most) - 1) / theta + std::exp(theta * most) / busy;
  const double offered = lambda / mu;
  double term = 1;  // a^j / j!, over that of c - 1
  double e = 0;
  for (int k = servers - 1; k >= 0; --k) {
    e += term;
    term *= k / offered;
  }
  return (1 + theta * j) / (e + lambda * j);
}

// Two tenants with caps of their own under one of the process, nobody waits: product form (tenant test first).
struct NestedLoss {
  double p429[2];
  double p503[2];
};
NestedLoss nested_caps(const double (&offered)[2], const int (&cap)[2], int process) {
  NestedLoss loss{};
  double total = 0;
  double first = 1;
  for (int n = 0; n <= cap[0]; ++n) {
    double weight = first;
    for (int m = 0; m <= cap[1] && n + m <= process; ++m) {
      total += weight;
      const int at[2] = {n, m};
      for (int tenant = 0; tenant < 2; ++tenant) {
        if (at[tenant] == cap[tenant]) {
          loss.p429[tenant] += weight;
        } else if (n + m == process) {
          loss.p503[tenant] += weight;
        }
      }
      weight *= offered[1] / (m + 1);
    }
    first *= offered[0] / (n + 1);
  }
  for (int tenant = 0; tenant < 2; ++tenant) {
    loss.p429[tenant] /= total;
    loss.p503[tenant] /= total;
  }
  return loss;
}

// N clients that think for Z on average, c servers: throughput and time in the system.
struct ClosedLoop {
  double throughput;
  double response;
};
ClosedLoop machine_repair(int clients, int servers, double think, double service) {
  std::vector<double> weight{1};
  double total = 1;
  double inside = 0;
  for (int n = 1; n <= clients; ++n) {
    weight.push_back(weight.back() * (clients - n + 1) / think * service / std::min(n, servers));
    total += weight.back();
    inside += n * weight.back();
  }
  inside /= total;
  const double throughput = (clients - inside) / think;
  return {throughput, inside / throughput};
}

// A bucket of b tokens that come back one by one at rate r, Poisson arrivals, nobody waits.
double accepted_by_bucket(double lambda, double rate, int burst) {
  const long double rho = lambda / rate;
  long double sum = 0;
  long double factorial = 1;
  for (int k = 0; k < burst; ++k) {
    factorial *= k == 0 ? 1 : k;
    const long double x = rho * (burst - 1 - k);
    sum += std::pow(-x, static_cast<long double>(k)) / factorial * std::exp(x);
  }
  return static_cast<double>(sum / (1 + rho * sum));
}

// -- runs -------------------------------------------------------------------------------------------------------------

struct Load {
  std::string arrivals;
  std::string service;
  std::string limits = "{}";  // of the tenant
};

std::string poisson(double per_unit) {
  return fmt::format(R"({{"kind": "poisson", "rate": "{}/s"}})", std::lround(per_unit * 100));
}
const std::string kExponential = R"({"kind": "exponential", "mean": "10ms"})";
const std::string kConstant = R"({"kind": "constant", "value": "10ms"})";
const std::string kLognormal = R"({"kind": "lognormal", "mean": "10ms", "sigma": 1})";

Scenario scenario_of(const std::string& admission, const std::vector<Load>& loads, int warmup_units, int units) {
  std::string tenants;
  for (std::size_t i = 0; i < loads.size(); ++i) {
    tenants += fmt::format(R"({}{{"name": "t{}", "admission": {}, "requests": {{"arrivals": {}, "service": {}}}}})",
                           i == 0 ? "" : ", ", i, loads[i].limits, loads[i].arrivals, loads[i].service);
  }
  const std::string text = fmt::format(
      R"({{"schema": 1, "name": "gate", "duration": "{}ms", "warmup": "{}ms", "drain": "0s", "window": "100s",
          "cluster": {{"nodes": 1, "shards": 1, "poll_interval": "1h", "reconcile_interval": "1h"}},
          "admission": {}, "tenants": [{}]}})",
      (warmup_units + units) * 10, warmup_units * 10, admission, tenants);
  const Result<Scenario> scenario = read_scenario_text(text, "gate.json");
  if (!scenario) {
    FAIL(scenario.faults().front().text());
  }
  return scenario.value();
}

// Waits at the gate of those admitted in the measured part.
class GateWaits final : public RunObserver {
 public:
  void on_step(const Cluster& cluster, std::span<const Effect> effects, Time at) override {
    for (const Effect& effect : effects) {
      if (measuring_ && effect.kind == EffectKind::request_admitted) {
        const Time arrived = cluster.api()->requests()[effect.request].arrived_at;
        const double wait = static_cast<double>((at - arrived).count()) / 1e7;
        ++admitted_;
        sum_ += wait;
        squares_ += wait * wait;
      }
    }
  }
  void on_phase(Phase phase, const Cluster& /*cluster*/, Time /*at*/) override {
    measuring_ = phase == Phase::measurement;
  }
  [[nodiscard]] double mean() const { return sum_ / admitted_; }
  [[nodiscard]] double second_moment() const { return squares_ / admitted_; }

 private:
  bool measuring_ = false;
  double admitted_ = 0;
  double sum_ = 0;
  double squares_ = 0;
};

struct Measured {
  std::vector<Sample> p429;  // by tenant
  std::vector<Sample> p503;
  std::vector<Sample> accepted;
  std::vector<Sample> inflight;
  std::vector<Sample> response;
  std::vector<Sample> throughput;
  Sample wait;
  Sample wait_squared;
};

Measured measure(const Scenario& scenario) {
  const std::size_t tenants = scenario.tenants.size();
  Measured measured;
  for (auto* samples : {&measured.p429, &measured.p503, &measured.accepted, &measured.inflight, &measured.response,
                        &measured.throughput}) {
    samples->resize(tenants);
  }
  const double units = static_cast<double>((scenario.duration - scenario.warmup).count()) / 1e7;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Simulation simulation(scenario, seed);
    Watch watch(scenario, simulation, false, nullptr);
    GateWaits waits;
    simulation.observe(watch);
    simulation.observe(waits);
    simulation.run({});
    const RunResult result = watch.recorder().take_result();
    measured.wait.add(waits.mean());
    measured.wait_squared.add(waits.second_moment());
    for (std::size_t i = 0; i < tenants; ++i) {
      const GateFigures& gate = *result.tenants.at(i).figures.gate;
      const auto arrived = static_cast<double>(gate.measured.arrived);
      measured.p429[i].add(static_cast<double>(gate.measured.rejected_429) / arrived);
      measured.p503[i].add(static_cast<double>(gate.measured.rejected_503) / arrived);
      measured.accepted[i].add(static_cast<double>(gate.measured.admitted) / arrived);
      measured.inflight[i].add(gate.mean_inflight);
      const double answered = static_cast<double>(gate.response.count);
      measured.response[i].add(static_cast<double>(gate.response.sum) / answered / 1e7);
      measured.throughput[i].add(answered / units);
    }
  }
  return measured;
}

TEST_CASE("the gate's closed forms give the tabulated values", "[theory]") {
  const auto near = [](double value) { return Approx(value).epsilon(0).margin(5e-9); };
  CHECK(bounded_depth(8, 1, 10, 0).blocked == near(0.1216610643));
  CHECK(bounded_depth(8, 1, 10, 5).blocked == near(0.0300380337));
  CHECK(bounded_depth(8, 1, 10, 5).wait == near(0.0814277716));
  CHECK(bounded_depth(12, 1, 10, 20).blocked == near(0.1686372446));
  CHECK(bounded_depth(12, 1, 10, 20).wait == near(1.5345601941));
  CHECK(bounded_depth(0.8, 1, 1, 4).wait == near(1.5630652070));
  CHECK(bounded_wait(8, 1, 10, 0.5) == near(0.0342275877));
  CHECK(bounded_wait(10, 1, 10, 0.5) == near(0.1035173575));
  CHECK(bounded_wait(12, 1, 10, 0.5) == near(0.1995542107));
  CHECK(bounded_wait(15, 1, 10, 0.2) == near(0.3580528275));
  CHECK(bounded_wait(0.8, 1, 1, 1) == near(0.2751964929));
  CHECK(bounded_wait(120, 10, 10, 0.05) == near(0.1995542107));
  const NestedLoss shared = nested_caps({6, 3}, {6, 6}, 8);
  CHECK(shared.p429[0] == near(0.1608098886));
  CHECK(shared.p429[1] == near(0.0073901603));
  CHECK(shared.p503[0] == near(0.1649483784));
  CHECK(shared.p503[1] == near(0.2447621098));
  const NestedLoss isolated = nested_caps({30, 3}, {5, 5}, 10);
  CHECK(isolated.p429[1] == near(erlang_b(3, 5)));
  CHECK(isolated.p503[1] == near(0));
  CHECK(machine_repair(10, 1, 10, 1).throughput == near(0.785417657));
  CHECK(machine_repair(10, 1, 10, 1).response == near(2.732079439));
  CHECK(machine_repair(20, 2, 9, 1).response == near(2.388728733));
  CHECK(machine_repair(50, 10, 4, 1).throughput == near(9.321043682));
  CHECK(machine_repair(15, 10, 1, 1).response == near(1.013791844));
  CHECK(accepted_by_bucket(2, 1, 1) == near(0.3333333333));
  CHECK(accepted_by_bucket(1, 1, 5) == near(0.8965510587));
  CHECK(accepted_by_bucket(0.8, 1, 10) == near(0.9963607689));
  CHECK(accepted_by_bucket(2, 1, 5) == near(0.4997469170));
}

TEST_CASE("a gate that lets nobody wait loses what Erlang's formula says, whatever the law of the service",
          "[theory]") {
  for (const auto& [lambda, servers] : {std::pair{8.0, 10}, std::pair{3.0, 5}}) {
    for (const std::string& service : {kExponential, kConstant, kLognormal}) {
      INFO(lambda << " a unit, " << servers << " permits, " << service);
      const std::string gate = fmt::format(R"({{"max_inflight": {}, "max_queue_depth": 0}})", servers);
      const Measured measured = measure(scenario_of(gate, {{poisson(lambda), service}}, 200, 3'000));
      check_agrees("refused", measured.p503[0], erlang_b(lambda, servers));
      check_agrees("in flight", measured.inflight[0], lambda * (1 - erlang_b(lambda, servers)));
    }
  }
}

TEST_CASE("a gate with a bounded queue is an M/M/c/K queue", "[theory]") {
  struct Case {
    double lambda;
    int servers;
    int depth;
  };
  for (const auto& [lambda, servers, depth] : {Case{8, 10, 5}, Case{12, 10, 20}, Case{0.8, 1, 4}, Case{1.5, 1, 9}}) {
    INFO(lambda << " a unit, " << servers << " permits, depth " << depth);
    const std::string gate =
        fmt::format(R"({{"max_inflight": {}, "max_queue_depth": {}, "queue_wait": "unbounded"}})", servers, depth);
    const int units = static_cast<int>(40'000 / lambda);
    const Measured measured = measure(scenario_of(gate, {{poisson(lambda), kExponential}}, 300, units));
    const Loss loss = bounded_depth(lambda, 1, servers, depth);
    check_agrees("refused", measured.p503[0], loss.blocked);
    check_agrees("wait", measured.wait, loss.wait);
  }
}

TEST_CASE("a gate with unbounded waits is an M/M/c queue, and the order of waiting moves only the tail", "[theory]") {
  const auto waits = [](const std::string& order, double lambda) {
    const std::string gate = fmt::format(
        R"({{"max_inflight": 1, "max_queue_depth": "unbounded", "queue_wait": "unbounded", "queue_order": "{}"}})",
        order);
    return measure(scenario_of(gate, {{poisson(lambda), kExponential}}, 2'000, 60'000));
  };
  // E[Wq] = rho / (1 - rho); E[Wq^2] = 2 rho / (1 - rho)^2 first in first out, over 1 - rho last in first out.
  const double rho = 0.5;
  const Measured fifo = waits("fifo", rho);
  check_agrees("fifo wait", fifo.wait, rho / (1 - rho));
  check_agrees("fifo second moment", fifo.wait_squared, 2 * rho / ((1 - rho) * (1 - rho)));
  const Measured lifo = waits("lifo", rho);
  check_agrees("lifo wait", lifo.wait, rho / (1 - rho));
  check_agrees("lifo second moment", lifo.wait_squared, 2 * rho / std::pow(1 - rho, 3));
  const std::string ten = R"({"max_inflight": 10, "max_queue_depth": "unbounded", "queue_wait": "unbounded"})";
  check_agrees("ten permits", measure(scenario_of(ten, {{poisson(8), kExponential}}, 500, 6'000)).wait,
               wait_in_mmc(8, 1, 10));
}

TEST_CASE("a gate that bounds the wait times out what the M/M/c+D queue does", "[theory]") {
  struct Case {
    double lambda;
    int servers;
    double most;
  };
  for (const auto& [lambda, servers, most] :
       {Case{8, 10, 0.5}, Case{12, 10, 0.5}, Case{15, 10, 0.2}, Case{0.8, 1, 1}}) {
    INFO(lambda << " a unit, " << servers << " permits, at most " << most);
    const std::string gate = fmt::format(
        R"({{"max_inflight": {}, "max_queue_depth": "unbounded", "queue_wait": "{}ms", "queue_order": "fifo"}})",
        servers, std::lround(most * 10));
    const int units = static_cast<int>(40'000 / lambda);
    const Measured measured = measure(scenario_of(gate, {{poisson(lambda), kExponential}}, 300, units));
    check_agrees("timed out", measured.p503[0], bounded_wait(lambda, 1, servers, most));
  }
}

TEST_CASE("nested caps refuse by the product form, whatever the law of the service", "[theory]") {
  struct Case {
    double lambda[2];
    int cap[2];
    int process;
  };
  for (const auto& [lambda, cap, process] :
       {Case{{6, 3}, {6, 6}, 8}, Case{{30, 3}, {6, 6}, 8}, Case{{4, 5}, {3, 7}, 8}}) {
    const NestedLoss loss = nested_caps(lambda, cap, process);
    for (const std::string& service : {kExponential, kLognormal}) {
      INFO(lambda[0] << " and " << lambda[1] << " a unit under " << cap[0] << ", " << cap[1] << ", " << process << ", "
                     << service);
      const std::string gate = fmt::format(R"({{"max_inflight": {}, "max_queue_depth": 0}})", process);
      const std::vector<Load> loads{{poisson(lambda[0]), service, fmt::format(R"({{"max_inflight": {}}})", cap[0])},
                                    {poisson(lambda[1]), service, fmt::format(R"({{"max_inflight": {}}})", cap[1])}};
      const Measured measured = measure(scenario_of(gate, loads, 200, 4'000));
      for (std::size_t i = 0; i < 2; ++i) {
        check_agrees(fmt::format("429 of {}", i), measured.p429[i], loss.p429[i], Precision::any);
        check_agrees(fmt::format("503 of {}", i), measured.p503[i], loss.p503[i]);
      }
    }
  }
}

TEST_CASE("caps that sum to the process cap isolate a tenant from ten times the load of the other", "[theory]") {
  const std::string gate = R"({"max_inflight": 10, "max_queue_depth": 0, "tenant": {"max_inflight": 5}})";
  std::vector<std::uint64_t> refused;
  for (const double other : {3.0, 30.0}) {
    const Scenario scenario =
        scenario_of(gate, {{poisson(other), kExponential}, {poisson(3), kExponential}}, 200, 5'000);
    const Measured measured = measure(scenario);
    check_agrees("refused", measured.p429[1], erlang_b(3, 5));
    const RunResult run = run_scenario({.scenario = scenario, .seed = 3}).result;
    CHECK(run.tenants.at(1).figures.gate->counts.rejected_503 == 0);
    refused.push_back(run.tenants.at(1).figures.gate->counts.rejected_429);
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
  for (const auto& [clients, servers, think] : {Case{10, 1, 10}, Case{20, 2, 9}, Case{50, 10, 4}, Case{5, 1, 1}}) {
    INFO(clients << " clients, " << servers << " permits, think " << think);
    const std::string gate =
        fmt::format(R"({{"max_inflight": {}, "max_queue_depth": "unbounded", "queue_wait": "unbounded"}})", servers);
    const std::string arrivals =
        fmt::format(R"({{"kind": "closed_loop", "clients": {}, "think": {{"kind": "exponential", "mean": "{}ms"}}}})",
                    clients, std::lround(think * 10));
    const Measured measured = measure(scenario_of(gate, {{arrivals, kExponential}}, 300, 8'000));
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
       {Case{2, 1, 1}, Case{1, 1, 5}, Case{0.8, 1, 3}, Case{1.2, 1, 5}, Case{2, 1, 5}}) {
    INFO(lambda << " a unit, rate " << rate << ", burst " << burst);
    const std::string limits =
        fmt::format(R"({{"rate_limit": {{"rate": "{}/s", "burst": {}}}}})", std::lround(rate * 100), burst);
    const Measured measured = measure(scenario_of("{}", {{poisson(lambda), kConstant, limits}}, 200, 10'000));
    check_agrees("accepted", measured.accepted[0], accepted_by_bucket(lambda, rate, burst));
  }
}

TEST_CASE("handlers that take twice as long occupy twice as much, and Little's law tells how much", "[theory]") {
  const auto occupancy = [](const std::string& mean) {
    const std::string service = fmt::format(R"({{"kind": "exponential", "mean": "{}"}})", mean);
    const Scenario scenario = scenario_of("{}", {{poisson(4), service}}, 300, 20'000);
    const GateFigures gate = *run_scenario({.scenario = scenario, .seed = 1}).result.tenants.at(0).figures.gate;
    CHECK(gate.little_residual.value() < 0.01);
    return measure(scenario).inflight[0];
  };
  check_agrees("occupancy", occupancy("10ms"), 4);
  check_agrees("occupancy when it takes twice as long", occupancy("20ms"), 8);
}

}  // namespace
}  // namespace headroom
