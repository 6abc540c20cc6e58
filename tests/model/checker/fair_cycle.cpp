#include "model/checker/fair_cycle.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "model/checker/check.hpp"
#include "model/checker/trace.hpp"
#include "tests/model/checker/graph_model.hpp"
#include "tests/model/checker/plain_state.hpp"

namespace headroom {
namespace {

using test::GraphModel;

// What `served` of a graph comes to.
checker::Finding liveness_of(const GraphModel& model) {
  const checker::CheckResult result = checker::check(model, {});
  for (const checker::Finding& finding : result.findings) {
    if (finding.kind == checker::FindingKind::liveness) return finding;
  }
  FAIL("a graph has a liveness property");
  return {};
}

// A way of 0 -> 1 -> 2 -> 3 on which somebody waits, is served from 3 to 4, and a step back from 3 to 1.
GraphModel planted() {
  GraphModel model;
  model.vertices = {{true}, {true}, {true}, {true}, {false}};
  model.edges = {{.from = 0, .to = 1, .takes = {0}},
                 {.from = 1, .to = 2, .takes = {0}},
                 {.from = 2, .to = 3, .takes = {0}},
                 {.from = 3, .to = 4, .takes = {0}, .served = true},
                 {.from = 3, .to = 1, .takes = {0}}};
  model.constraints = 1;
  return model;
}

// The check that stops a path at a state that was seen before, and asks only of paths that end whether they kept the
// promise.
bool ends_without_service(const GraphModel& model) {
  std::vector<bool> seen(model.vertices.size(), false);
  std::vector<std::size_t> waiting = {0};
  seen[0] = true;
  while (!waiting.empty()) {
    const std::size_t vertex = waiting.back();
    waiting.pop_back();
    bool ends = true;
    for (const GraphModel::EdgeLabels& edge : model.edges) {
      if (edge.from != vertex) continue;
      ends = false;
      if (edge.served || seen[edge.to]) continue;
      seen[edge.to] = true;
      waiting.push_back(edge.to);
    }
    if (ends) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("a loop through states that were seen before starves, where a check of paths that end finds nothing") {
  const GraphModel model = planted();
  CHECK_FALSE(ends_without_service(model));
  const checker::Finding finding = liveness_of(model);
  CHECK(finding.verdict == checker::Verdict::fail);
  CHECK(finding.reason == "these 3 steps repeat for ever; somebody is never served");
  REQUIRE(finding.trace);
  CHECK(finding.trace->loop_begin == 1);
  CHECK(finding.trace->loop_steps() == 3);
  // From each state of the loop a service can be reached.
  CHECK_FALSE(finding.point_of_no_return);
}

TEST_CASE("a loop is no starvation when the scheduler owes a step that leaves it") {
  GraphModel model = planted();
  model.constraints = 2;
  model.edges[3].takes = {1};
  // Owed at 3 alone, which the loop leaves again and again: weak fairness does not oblige.
  CHECK(liveness_of(model).verdict == checker::Verdict::fail);
  model.edges.push_back({.from = 1, .to = 4, .takes = {1}, .served = true});
  model.edges.push_back({.from = 2, .to = 4, .takes = {1}, .served = true});
  CHECK(liveness_of(model).verdict == checker::Verdict::pass);
}

TEST_CASE("a fair loop does all that is owed, though a shorter one exists") {
  GraphModel model;
  model.vertices = {{true}, {true}, {true}};
  // 0 <-> 1 is a loop of two steps that leaves constraint 1 waiting.
  model.edges = {{.from = 0, .to = 1, .takes = {0}},
                 {.from = 1, .to = 0, .takes = {0}},
                 {.from = 0, .to = 2, .takes = {1}},
                 {.from = 1, .to = 2, .takes = {1}},
                 {.from = 2, .to = 0, .takes = {0}}};
  model.constraints = 2;
  const checker::Finding finding = liveness_of(model);
  REQUIRE(finding.trace);
  CHECK(finding.trace->loop_steps() == 2);
  bool goes_through_2 = false;
  for (const checker::TraceStep& step : finding.trace->steps)
    goes_through_2 = goes_through_2 || step.state == "at: 2\n";
  CHECK(goes_through_2);
}

TEST_CASE("who may stay for ever in a state where nothing is owed starves without a step") {
  GraphModel model;
  model.vertices = {{true}, {true}};
  model.edges = {{.from = 0, .to = 1, .takes = {0}}, {.from = 1, .to = 0, .served = true}};
  model.constraints = 1;
  const checker::Finding finding = liveness_of(model);
  CHECK(finding.verdict == checker::Verdict::fail);
  CHECK(finding.reason == "nothing more needs to happen; somebody waits for ever");
  REQUIRE(finding.trace);
  CHECK(finding.trace->steps.size() == 1);
}

TEST_CASE("the step into a part from which no service can be reached is the last that could be avoided") {
  GraphModel model;
  model.vertices = {{true}, {true}, {true}, {false}};
  model.edges = {{.from = 0, .to = 1, .takes = {0}},
                 {.from = 1, .to = 3, .takes = {0}, .served = true},
                 {.from = 1, .to = 2, .takes = {0}},
                 {.from = 2, .to = 2, .takes = {0}}};
  model.constraints = 1;
  const checker::Finding finding = liveness_of(model);
  CHECK(finding.verdict == checker::Verdict::fail);
  CHECK(finding.point_of_no_return == 2);
}

namespace {

// A token goes round a ring of three. Where it is makes no difference to anybody, so there is one orbit.
struct Token {
  std::uint8_t at = 0;
};

struct Ring : test::PlainState<Token> {
  struct Action {};
  [[nodiscard]] std::vector<State> initial_states() const { return {State{}}; }
  void enabled(const State& /*state*/, std::vector<Action>& actions) const { actions.emplace_back(); }
  void step(State& state, const Action& /*action*/, Effects& /*effects*/) const {
    state.at = static_cast<std::uint8_t>((state.at + 1) % 3);
  }
  void canonicalise(State& state) const { state.at = 0; }
  [[nodiscard]] checker::Facts facts(const State& state) const { return {{"token", std::to_string(state.at)}}; }
  [[nodiscard]] std::string text(const checker::Step<Ring>& /*step*/) const { return "on"; }
  [[nodiscard]] checker::Properties<Ring> properties() const {
    return {.liveness = {{.name = "ends",
                          .who = {"the ring"},
                          .waiting = [](const State&, std::size_t) { return true; },
                          .served = [](const checker::Step<Ring>&, std::size_t) { return false; },
                          .keeps_symmetry = keeps_symmetry}},
            .fairness = {{.name = "moves",
                          .enabled = [](const State&) { return true; },
                          .taken = [](const checker::Step<Ring>&) { return true; }}}};
  }
  bool keeps_symmetry = true;
};

}  // namespace

TEST_CASE("a loop of one orbit is gone round until it is back at the very state") {
  const Ring model;
  const checker::CheckResult result = checker::check(model, {});
  CHECK(result.states == 1);
  const checker::Finding& finding = result.findings.front();
  REQUIRE(finding.trace);
  CHECK(finding.trace->loop_steps() == 3);
  CHECK(finding.trace->steps.back().state == finding.trace->initial);
}

TEST_CASE("liveness that tells the states of an orbit apart is checked without the symmetry") {
  Ring model;
  model.keeps_symmetry = false;
  const checker::CheckResult result = checker::check(model, {});
  CHECK_FALSE(result.symmetry);
  CHECK(result.states == 3);
}

}  // namespace headroom
