// After the measured part nobody comes any more (spec 2.3): neither new requests nor new tries of old ones, however
// long the drain takes for other reasons.
#include <catch2/catch.hpp>
#include <string>

#include "sim/run/simulation.hpp"
#include "sim/scenario/read_scenario.hpp"

using namespace headroom;

namespace {

// Requests that reached a gate at or after the end of the measured part.
class LateRequests final : public RunObserver {
 public:
  explicit LateRequests(Time end) : end_(end) {}
  void on_step(const Cluster& /*cluster*/, std::span<const Effect> effects, Time at) override {
    for (const Effect& effect : effects) {
      const bool reached = effect.kind == EffectKind::request_admitted || effect.kind == EffectKind::request_refused;
      count += reached && at >= end_ ? 1 : 0;
      refused += effect.kind == EffectKind::request_refused ? 1 : 0;
    }
  }
  int count = 0;
  int refused = 0;

 private:
  Time end_;
};

}  // namespace

TEST_CASE("a client that was told to come back after the end of the run does not, even while others' rows drain") {
  // The second request at 0.9 s is refused, and told to wait for 1 s; the row takes until 3 s.
  const std::string text = R"({
    "schema": 1, "name": "late", "duration": "1s", "drain": "10s",
    "cluster": {"nodes": 1, "shards": 1},
    "admission": {"max_inflight": 1, "max_queue_depth": 0},
    "tenants": [
      {"name": "a", "requests": {"arrivals": {"kind": "schedule", "at": [{"at": "900ms", "n": 2}]},
                                 "service": {"kind": "constant", "value": "10ms"},
                                 "client": {"retry": {"kind": "fixed", "delay": "10ms"}}}},
      {"name": "b", "rows": {"arrivals": {"kind": "schedule", "at": [{"at": "0s", "n": 1}]},
                             "service": {"kind": "constant", "value": "3s"}}}]})";
  const Result<Scenario> scenario = read_scenario_text(text, "late.json");
  REQUIRE(scenario);
  Simulation simulation(scenario.value(), 1);
  LateRequests late(Time::at(Duration::seconds(1)));
  simulation.observe(late);
  simulation.run({});
  CHECK(late.refused == 1);
  CHECK(late.count == 0);
  CHECK(simulation.totals().drained);
  CHECK(simulation.totals().ended >= Time::at(Duration::seconds(3)));
}
