// Whole runs of generated scenarios: whatever the cluster, its planner, its tenants and its faults, what is promised
// holds, and the same scenario and seed give the same run.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/render/json.hpp"
#include "sim/run/run_scenario.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "tests/property/check.hpp"

namespace headroom::test {
namespace {

int any(int least, int most) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(least, most + 1));
}
// The first is the simplest.
std::string one_of(const std::vector<std::string>& choices) {
  return choices[static_cast<std::size_t>(any(0, static_cast<int>(choices.size()) - 1))];
}
template <class Make>
std::string list_of(int n, Make make) {
  std::vector<std::string> entries;
  for (int i = 0; i < n; ++i) {
    entries.push_back(make(i));
  }
  return fmt::format("{}", fmt::join(entries, ", "));
}

// What a generated scenario is bound to; the rest is drawn.
struct Shape {
  std::vector<std::string> planners = {"rotating", "fixed_order", "deficit_round_robin", "unscoped"};
  std::vector<std::string> claimed_counts = {"owned_or_started", "started", "owned_shards"};
  std::vector<std::string> ceiling_growth = {"settled", "immediate"};
  std::vector<std::string> dispatch = {"parallel", "sequential", "push_then_done"};
};

std::string any_arrivals() {
  switch (any(0, 4)) {
    case 0:
      return fmt::format(R"({{"kind": "schedule", "at": [{}]}})", list_of(any(1, 3), [](int) {
                           return fmt::format(R"({{"at": "{}ms", "n": {}}})", any(0, 900), any(1, 20));
                         }));
    case 1:
      return fmt::format(R"({{"kind": "poisson", "rate": "{}/s"}})", any(1, 200));
    case 2:
      return fmt::format(R"({{"kind": "backlog", "n": {}}})", any(1, 20));
    case 3:
      return fmt::format(
          R"({{"kind": "closed_loop", "clients": {}, "think": {{"kind": "exponential", "mean": "20ms"}}}})", any(1, 8));
    default:
      return R"({"kind": "on_off", "rate_on": "400/s", "rate_off": "2/s", "mean_on": "100ms", "mean_off": "200ms"})";
  }
}

std::string any_service() {
  return one_of({R"({"kind": "constant", "value": "10ms"})", R"({"kind": "exponential", "mean": "20ms"})",
                 R"({"kind": "uniform", "low": "0ms", "high": "60ms"})", R"({"kind": "constant", "value": "200ms"})"});
}

std::string any_tenant(int number) {
  return fmt::format(
      R"({{"name": "t{}", "quota": {}, "weight": {}, "routes": [{}],
        "rows": {{"arrivals": {}, "service": {}, "failure": {}, "workflows": {}, "visible_after": "{}ms"}}}})",
      number, one_of({"1", "2", "3", "5", "8", "1000", "0"}), any(1, 4),
      one_of({R"("q")", R"("q", "r", "s")", R"("q", {"queue": "q", "worker_pool": "p"})"}), any_arrivals(),
      any_service(), one_of({"0", "0.1", "0.5"}), any(1, 4), one_of({"0", "30"}));
}

std::string any_fault(int nodes, int shards) {
  const int node = any(1, nodes);
  const int at = any(1, 999);
  switch (any(0, 3)) {
    case 0:
      return fmt::format(R"({{"kind": "handoff", "shard": {}, "to": "n{}", "at": "{}ms"}})", any(0, shards - 1), node,
                         at);
    case 1:
      return fmt::format(R"({{"kind": "handoff", "shard": {}, "to": "n{}", "every": "{}ms"}})", any(0, shards - 1),
                         node, any(10, 300));
    case 2:
      return fmt::format(R"({{"kind": "crash", "node": "n{}", "at": "{}ms"}})", node, at);
    default:
      return fmt::format(R"({{"kind": "restart", "node": "n{}", "at": "{}ms"}})", node, at);
  }
}

std::string any_shift(int nodes) {
  const std::string on = one_of(
      {R"({"tenant": "t1"})", fmt::format(R"({{"node": "n{}"}})", any(1, nodes)), R"("store")", R"({"route": "q"})"});
  return fmt::format(R"({{"kind": "{}", "on": {}, "factor": 3, "at": "{}ms", "for": "300ms"}})",
                     one_of({"step", "spike"}), on, any(0, 900));
}

std::string any_scenario_text(const Shape& shape) {
  const int nodes = any(1, 4);
  const int shards = any(1, 16);
  const std::string cluster = fmt::format(
      R"("nodes": {}, "shards": {}, "workers": {}, "worker_pools": {{"p": ["n1"]}}, "dispatch": "{}",
        "poll_interval": "{}ms", "wake": {}, "min_sweep_gap": "{}ms", "sweep_cost": "{}ms", "claim_cost": "{}us",
        "detection_delay": "100ms", "adoption_delay": "50ms", "reconcile_interval": "200ms", "stale_after": "{}ms")",
      nodes, shards, one_of({"4", "1", R"("unlimited")"}), one_of(shape.dispatch), one_of({"20", "7"}),
      one_of({"true", "false"}), one_of({"1", "5"}), one_of({"0", "2"}), one_of({"0", "500", "3000"}),
      one_of({"2000", "300"}));
  return fmt::format(
      R"({{"schema": 1, "name": "generated", "duration": "1s", "warmup": "{}ms", "drain": "4s", "window": "100ms",
      "tie_break": "{}", "cluster": {{{}}},
      "outbox": {{"max_attempts": {}, "shard_by": "{}"}},
      "backpressure": {{"planner": "{}", "batch_size": {}, "claimed_counts": "{}", "ceiling_growth": "{}"}},
      "tenants": [{}],
      "latency_shifts": [{}],
      "faults": [{}]}})",
      one_of({"0", "200"}), one_of({"sequence", "random"}), cluster, any(1, 5), one_of({"dispatch_key", "workflow"}),
      one_of(shape.planners), any(1, 16), one_of(shape.claimed_counts), one_of(shape.ceiling_growth),
      list_of(any(1, 6), [](int i) { return any_tenant(i + 1); }),
      list_of(any(0, 2), [&](int) { return any_shift(nodes); }),
      list_of(any(0, 5), [&](int) { return any_fault(nodes, shards); }));
}

RunResult run(const std::string& text, std::uint64_t seed) {
  const Result<Scenario> scenario = read_scenario_text(text, "generated.json");
  if (!scenario) {
    RC_FAIL(scenario.faults().front().text() + "\n" + text);
  }
  return run_scenario({.scenario = scenario.value(), .seed = seed}).result;
}

void require_hold(const Shape& shape, const std::vector<std::string_view>& properties) {
  const std::string text = any_scenario_text(shape);
  // A case costs more to read than to run.
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const RunResult result = run(text, seed);
    for (const std::string_view property : properties) {
      const auto found = std::ranges::find(result.information, property, &Judgement::name);
      RC_ASSERT(found != result.information.end());
      if (found->verdict == Verdict::fail) {
        RC_FAIL(fmt::format("{}: {}\nwith seed {} of {}", property, found->reason, seed, text));
      }
    }
  }
}

TEST_CASE("rows are executed and recorded once whatever happens", "[property]") {
  check_property("cluster.rows", [] { require_hold({}, {"exactly_once", "ledger"}); });
}

TEST_CASE("no claim passes a ceiling under any planner that has them", "[property]") {
  Shape scoped;
  scoped.planners.pop_back();
  check_property("cluster.ceiling", [scoped] { require_hold(scoped, {"exactly_once", "ledger", "ceiling"}); });
}

TEST_CASE("settled ceilings keep executing rows within the quota's bound whatever happens", "[property]") {
  Shape strict;
  strict.planners.pop_back();
  strict.claimed_counts.pop_back();
  strict.ceiling_growth.pop_back();
  check_property("cluster.quota_sum", [strict] { require_hold(strict, {"quota_sum", "ceiling"}); });
}

TEST_CASE("rotating serves everybody in turn whatever happens", "[property]") {
  const Shape rotating{.planners = {"rotating"}, .dispatch = {"parallel"}};
  check_property("cluster.rotating",
                 [rotating] { require_hold(rotating, {"slice", "no_starvation", "work_conserving", "ceiling"}); });
}

TEST_CASE("a scenario and a seed give one run, to the byte", "[property]") {
  check_property("cluster.deterministic", [] {
    const std::string text = any_scenario_text({});
    const auto seed = static_cast<std::uint64_t>(any(1, 1000));
    const RunResult first = run(text, seed);
    const RunResult second = run(text, seed);
    RC_ASSERT(first.event_digest == second.event_digest);
    RC_ASSERT(render_result_json(first) == render_result_json(second));
  });
}

}  // namespace
}  // namespace headroom::test
