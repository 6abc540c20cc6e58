// Clients that come back: herds, retry amplification, the time a queue takes to fill, and metastable failures (Bronson
// et al., Metastable Failures in Distributed Systems, HotOS 2021).
#include <array>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "sim/run/run_scenario.hpp"
#include "sim/run/watch.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "tests/theory/closed_forms.hpp"
#include "tests/theory/statistics.hpp"

namespace headroom::test {
namespace {

Scenario scenario_of(const std::string& text) {
  const Result<Scenario> scenario = read_scenario_text(text, "retries.json");
  if (!scenario) {
    FAIL(scenario.faults().front().text());
  }
  return scenario.value();
}

// -- herds ------------------------------------------------------------------------------------------------------------

class Instants final : public RunObserver {
 public:
  void on_step(const Cluster& /*cluster*/, std::span<const Effect> effects, Time at) override {
    for (const Effect& effect : effects) {
      if (effect.kind == EffectKind::request_admitted || effect.kind == EffectKind::request_refused) {
        tries_ += 1;
        instants_.insert(at);
      }
    }
  }
  [[nodiscard]] int tries() const { return tries_; }
  [[nodiscard]] std::size_t instants() const { return instants_.size(); }

 private:
  int tries_ = 0;
  std::set<Time> instants_;
};

TEST_CASE("a herd that is told the same second comes back in as many rounds as it takes to serve it", "[theory]") {
  struct Case {
    int clients;
    int served;
    std::size_t rounds;
  };
  for (const auto& [clients, served, rounds] : {Case{1000, 100, 10}, Case{1000, 250, 4}, Case{100, 7, 15}}) {
    INFO(clients << " clients, " << served << " at a time");
    const Scenario scenario = scenario_of(fmt::format(
        R"({{"schema": 1, "name": "herd", "duration": "60s", "cluster": {{"nodes": 1, "shards": 1}},
            "admission": {{"max_inflight": {}, "max_queue_depth": 0, "retry_after": 1}},
            "tenants": [{{"name": "a", "requests": {{
              "arrivals": {{"kind": "schedule", "at": [{{"at": "1s", "n": {}}}]}},
              "service": {{"kind": "constant", "value": "500ms"}},
              "client": {{"retry": {{"kind": "fixed", "delay": "0s", "attempts": 50}}}}}}}}]}})",
        served, clients));
    Simulation simulation(scenario, 1);
    Instants herd;
    simulation.observe(herd);
    simulation.run({});
    CHECK(herd.tries() == herd_attempts(clients, served));
    CHECK(herd.instants() == rounds);
  }
}

// -- amplification ----------------------------------------------------------------------------------------------------

Scenario failing(double p, int retries, const std::string& budget) {
  return scenario_of(fmt::format(
      R"({{"schema": 1, "name": "amplification", "duration": "200s", "cluster": {{"nodes": 1, "shards": 1}},
          "admission": {{}},
          "tenants": [{{"name": "a", "requests": {{
            "arrivals": {{"kind": "constant", "rate": "50/s"}}, "service": {{"kind": "constant", "value": "1ms"}},
            "failure": {},
            "client": {{"retry": {{"kind": "fixed", "delay": "1ms", "attempts": {}{}}}}}}}}}]}})",
      p, retries, budget));
}

TEST_CASE("tries per request are the geometric sum of their failures", "[theory]") {
  struct Case {
    double p;
    int retries;
  };
  for (const auto& [p, retries] : {Case{0.5, 3}, Case{0.9, 3}, Case{1, 3}, Case{0.2, 2}, Case{0.5, 10}}) {
    INFO(p << ", " << retries << " retries");
    const Scenario scenario = failing(p, retries, "");
    Sample tries;
    for (const std::uint64_t seed : seeds(20)) {
      const RunResult result = run_scenario({.scenario = scenario, .seed = seed, .properties = false}).result;
      tries.add(result.tenants.at(0).figures.gate->amplification.value());
    }
    check_agrees("tries", tries, amplification(p, retries));
  }
}

TEST_CASE("a retry budget bounds the amplification, however much fails", "[theory]") {
  for (const double budget : {0.1, 0.5}) {
    const Scenario scenario = failing(0.9, 3, fmt::format(R"(, "budget": {})", budget));
    for (const std::uint64_t seed : seeds(5)) {
      const RunResult result = run_scenario({.scenario = scenario, .seed = seed, .properties = false}).result;
      const double tries = result.tenants.at(0).figures.gate->amplification.value();
      CHECK(tries <= 1 + budget);
      CHECK(tries > 0.99 * (1 + budget));
    }
  }
}

// -- filling up -------------------------------------------------------------------------------------------------------

class FirstRefusal final : public RunObserver {
 public:
  void on_step(const Cluster& /*cluster*/, std::span<const Effect> effects, Time at) override {
    for (const Effect& effect : effects) {
      if (effect.kind == EffectKind::request_refused && !at_) {
        at_ = at;
      }
    }
  }
  [[nodiscard]] double seconds() const { return static_cast<double>((at_.value() - Time::zero()).count()) / 1e9; }

 private:
  std::optional<Time> at_;
};

// As a fluid: rates 12 and 10 and depth 5, in thousands, so that single requests are drops.
TEST_CASE("a queue is full when the surplus has filled it, and the surplus is refused from then on", "[theory]") {
  const Scenario scenario = scenario_of(
      R"({"schema": 1, "name": "fill", "duration": "10s", "warmup": "5s", "drain": "0s",
          "cluster": {"nodes": 1, "shards": 1},
          "admission": {"max_inflight": 1, "max_queue_depth": 5000, "queue_wait": "unbounded"},
          "tenants": [{"name": "a", "requests": {
            "arrivals": {"kind": "constant", "rate": "12000/s"}, "service": {"kind": "constant", "value": "100us"}}}]})");
  Simulation simulation(scenario, 1);
  FirstRefusal refusal;
  simulation.observe(refusal);
  simulation.run({});
  CHECK(refusal.seconds() == Approx(2.5).margin(0.002));
  const GateCounts steady =
      run_scenario({.scenario = scenario, .properties = false}).result.tenants.at(0).figures.gate->measured;
  CHECK(static_cast<double>(steady.rejected_503) / static_cast<double>(steady.arrived) ==
        Approx(1.0 / 6).epsilon(0.001));
}

// -- metastable failures ----------------------------------------------------------------------------------------------

constexpr std::string_view kUnboundedQueue = R"("max_queue_depth": "unbounded", "queue_wait": "unbounded")";
constexpr std::string_view kBoundedQueue = R"("max_queue_depth": 20, "queue_wait": "200ms")";
constexpr std::string_view kAtOnce = R"("kind": "fixed", "delay": "0s", "attempts": 3, "honour_retry_after": false)";

struct Variant {
  std::string_view queue = kUnboundedQueue;
  std::string_view retry = kAtOnce;
  std::string_view on_timeout = "silent";
  int lambda = 80;
  int slower = 2;
};

// Ten permits and handlers of 100 ms, so 100/s; clients wait for a second; from 60 s to 70 s handlers are slower.
Scenario scenario_of(const Variant& variant) {
  return scenario_of(fmt::format(
      R"({{"schema": 1, "name": "metastable", "duration": "240s", "warmup": "20s", "drain": "0s",
          "cluster": {{"nodes": 1, "shards": 1, "poll_interval": "1h"}},
          "admission": {{"max_inflight": 10, {}, "queue_order": "fifo", "retry_after": 1}},
          "tenants": [{{"name": "web", "requests": {{
            "arrivals": {{"kind": "poisson", "rate": "{}/s"}}, "service": {{"kind": "exponential", "mean": "100ms"}},
            "client": {{"timeout": "1s", "on_timeout": "{}", "retry": {{{}}}}}}}}}],
          "latency_shifts": [
            {{"kind": "step", "on": {{"tenant": "web"}}, "factor": {}, "at": "60s", "for": "10s"}}]}})",
      variant.queue, variant.lambda, variant.on_timeout, variant.retry, variant.slower));
}

// Answers in time and tries, second by second.
class Goodput final : public RunObserver {
 public:
  void on_step(const Cluster& /*cluster*/, std::span<const Effect> /*effects*/, Time /*at*/) override {}
  void on_client(const ClientEvent& event, Time at) override {
    const auto second =
        std::min<std::size_t>(static_cast<std::size_t>((at - Time::zero()).count() / 1'000'000'000), 239);
    answered_[second] += event.kind == ClientEvent::Kind::answered ? 1 : 0;
    tried_[second] += event.kind == ClientEvent::Kind::called || event.kind == ClientEvent::Kind::retried ? 1 : 0;
  }
  [[nodiscard]] double answered(std::size_t from, std::size_t to) const { return mean(answered_, from, to); }
  [[nodiscard]] double tried(std::size_t from, std::size_t to) const { return mean(tried_, from, to); }

 private:
  using PerSecond = std::array<double, 240>;
  static double mean(const PerSecond& counts, std::size_t from, std::size_t to) {
    double sum = 0;
    for (std::size_t i = from; i < to; ++i) {
      sum += counts[i];
    }
    return sum / static_cast<double>(to - from);
  }
  PerSecond answered_{};
  PerSecond tried_{};
};

struct Course {
  Sample before;  // 20 s to 60 s
  Sample during;  // to 70 s
  Sample after;   // to 80 s
  Sample end;     // 140 s to 240 s
  Sample offered_at_end;
  Sample recovery;  // seconds from the end of the slowness; of the runs that came back
};

Course course_of(const Variant& variant) {
  const Scenario scenario = scenario_of(variant);
  Course course;
  for (const std::uint64_t seed : seeds(10)) {
    Simulation simulation(scenario, seed);
    Watch watch(scenario, simulation, false, nullptr);
    Goodput goodput;
    simulation.observe(watch);
    simulation.observe(goodput);
    simulation.run({});
    course.before.add(goodput.answered(20, 60));
    course.during.add(goodput.answered(60, 70));
    course.after.add(goodput.answered(70, 80));
    course.end.add(goodput.answered(140, 240));
    course.offered_at_end.add(goodput.tried(140, 240));
    if (const std::optional<Duration> recovery = watch.recorder().take_result().cluster.recovery) {
      course.recovery.add(static_cast<double>(recovery->count()) / 1e9);
    }
  }
  return course;
}

// Measured by another simulator, which does not say how often: at least once, so its error is at most that of counting
// in one run of so many seconds.
MeasuredElsewhere counted(double per_second, double seconds) {
  return {per_second, std::sqrt(std::max(per_second, 0.05) / seconds)};
}

TEST_CASE("an unbounded queue and three retries at once do not come back from ten slow seconds", "[theory]") {
  const Course course = course_of({});
  check_agrees("before", course.before, counted(80.78, 60));
  check_agrees("during", course.during, counted(10.37, 10));
  check_agrees("after", course.after, counted(0, 10));
  check_agrees("end", course.end, counted(0, 100));
  check_agrees("offered at the end", course.offered_at_end, counted(319.39, 100));
  CHECK(course.recovery.size() == 0);
}

// A waiter whose client has left is never granted: what a deadline test at the dequeue does.
TEST_CASE("not working for clients that have left does not rescue it", "[theory]") {
  const Course course = course_of({.on_timeout = "disconnect"});
  check_agrees("end", course.end, counted(4.7, 100));
  check_agrees("offered at the end", course.offered_at_end, counted(312, 100));
}

TEST_CASE("a bounded queue comes back at once, whenever its clients come back", "[theory]") {
  const Course at_once = course_of({.queue = kBoundedQueue});
  check_agrees("at once: during", at_once.during, counted(47.77, 10));
  check_agrees("at once: after", at_once.after, counted(79.87, 10));
  check_agrees("at once: end", at_once.end, counted(79.72, 100));
  CHECK(at_once.recovery.size() == at_once.end.size());
  CHECK(at_once.recovery.mean() <= 2);

  const Course told = course_of({.queue = kBoundedQueue, .retry = R"("kind": "fixed", "delay": "0s", "attempts": 3)"});
  check_agrees("told to wait: during", told.during, counted(50.8, 10));
  check_agrees("told to wait: after", told.after, counted(90.2, 10));
  check_agrees("told to wait: end", told.end, counted(79.33, 100));

  // Uniform over one to two seconds: half of two, and at most as much again.
  const Course spread = course_of(
      {.queue = kBoundedQueue,
       .retry = R"("kind": "fixed", "delay": "2s", "jitter": "equal", "attempts": 3, "honour_retry_after": false)"});
  check_agrees("spread: during", spread.during, counted(48.87, 10));
  check_agrees("spread: after", spread.after, counted(96.43, 10));
  check_agrees("spread: end", spread.end, counted(80.11, 100));
}

TEST_CASE("a retry budget, or no retries, rescue an unbounded queue", "[theory]") {
  const Course budget = course_of(
      {.retry = R"("kind": "fixed", "delay": "0s", "attempts": 3, "honour_retry_after": false, "budget": 0.1)"});
  check_agrees("budget: end", budget.end, counted(79.49, 100));
  CHECK(budget.recovery.size() == budget.end.size());
  CHECK(budget.recovery.mean() >= 27 - 4 * budget.recovery.standard_error());
  CHECK(budget.recovery.mean() <= 31 + 4 * budget.recovery.standard_error());

  const Course none = course_of({.retry = R"("kind": "none")"});
  check_agrees("none: end", none.end, counted(79.65, 100));
  CHECK(none.recovery.mean() >= 12 - 4 * none.recovery.standard_error());
  CHECK(none.recovery.mean() <= 14 + 4 * none.recovery.standard_error());
}

// Vulnerable is what could be kept busy by its own retries, 4 lambda > 100/s; it takes a trigger as well.
TEST_CASE("retries can only keep down what they can fill", "[theory]") {
  const Course vulnerable = course_of({.lambda = 60});
  check_agrees("60/s: end", vulnerable.end, counted(0, 100));
  check_agrees("60/s: offered at the end", vulnerable.offered_at_end, counted(240, 100));
  const Course weak_trigger = course_of({.lambda = 30});
  check_agrees("30/s: end", weak_trigger.end, counted(30.3, 100));
  const Course stable = course_of({.lambda = 20, .slower = 10});
  check_agrees("20/s: end", stable.end, 20);
}

}  // namespace
}  // namespace headroom::test
