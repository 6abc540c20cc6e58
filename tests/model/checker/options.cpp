#include "model/checker/options.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

#include "tests/model/checker/claim_protocol.hpp"
#include "tests/model/checker/graph_model.hpp"

namespace headroom {
namespace {

using checker::CheckResult;
using checker::Ended;
using checker::Verdict;
using test::ClaimProtocol;

const ClaimProtocol::Scope kScope{2, 2, 2, 2, 2, 2, 1, 1};  // 54,296 states

CheckResult explore(checker::Options options) {
  options.symmetry = false;
  return checker::check(ClaimProtocol(kScope), options);
}

void requires_undecided(const CheckResult& result, Ended ended) {
  CHECK(result.ended == ended);
  CHECK_FALSE(result.exhausted());
  CHECK(result.states < 54'296);
  CHECK(result.verdict() == Verdict::undecided);
  for (const checker::Finding& finding : result.findings) {
    const bool reached = finding.kind == checker::FindingKind::sometimes && finding.trace.has_value();
    CHECK(finding.verdict == (reached ? Verdict::pass : Verdict::undecided));
  }
}

// All of a result but what depends on the machine.
void requires_same(const CheckResult& a, const CheckResult& b) {
  CHECK(a.ended == b.ended);
  CHECK(a.states == b.states);
  CHECK(a.transitions == b.transitions);
  CHECK(a.depth == b.depth);
  CHECK(a.findings == b.findings);
  CHECK(a.extremes == b.extremes);
  CHECK(a.waits == b.waits);
}

// The protocol with promises that it does not keep.
class Promising : public ClaimProtocol {
 public:
  using ClaimProtocol::ClaimProtocol;
  [[nodiscard]] std::string text(const checker::Step<Promising>& step) const {
    return ClaimProtocol::text({step.before, step.action, step.effects, step.after});
  }
  [[nodiscard]] checker::Properties<Promising> properties() const {
    const auto running = [](const State& state) {
      return std::popcount(state.nodes[0].executing) + std::popcount(state.nodes[1].executing);
    };
    const auto first_is_pending = [](const State& state, std::size_t) {
      return ((state.nodes[0].claimed | state.nodes[1].claimed | state.done) & 1U) == 0;
    };
    const auto first_is_claimed = [](const checker::Step<Promising>& step, std::size_t) {
      return ((step.after.nodes[0].claimed | step.after.nodes[1].claimed) & 1U) != 0;
    };
    return {
        .safety = {{.name = "few_run",
                    .on_state = [running](const State& state) -> checker::Reason {
                      if (running(state) < 5) return std::nullopt;
                      return fmt::format("{} executions", running(state));
                    }}},
        .liveness = {{.name = "claimed", .who = {"row 0"}, .waiting = first_is_pending, .served = first_is_claimed}},
        .waits = {{.name = "sweeps",
                   .who = {"row 0"},
                   .waiting = first_is_pending,
                   .served = first_is_claimed,
                   .counts = [](const checker::Step<Promising>& step,
                                std::size_t) { return step.action.kind == Kind::sweep; }}},
        .extremes = {{.name = "running", .on_state = running}}};
  }
};

}  // namespace

TEST_CASE("a scope cut short by the number of states is not exhausted and proves nothing") {
  requires_undecided(explore({.max_states = 1'000}), Ended::max_states);
}

TEST_CASE("a scope of exactly the greatest number of states is exhausted") {
  CHECK(explore({.max_states = 54'296}).exhausted());
  CHECK_FALSE(explore({.max_states = 54'295}).exhausted());
}

TEST_CASE("a scope cut short by memory is not exhausted and proves nothing") {
  requires_undecided(explore({.max_memory = 100'000}), Ended::max_memory);
}

TEST_CASE("a scope cut short by time is not exhausted and proves nothing") {
  requires_undecided(explore({.max_seconds = 1e-9}), Ended::max_seconds);
}

TEST_CASE("a scope cut short from outside is not exhausted and proves nothing") {
  unsigned asked = 0;
  requires_undecided(explore({.stop = [&] { return ++asked == 5; }}), Ended::stopped);
  CHECK(asked == 5);
}

TEST_CASE("of a scope cut short no liveness is proved, and a loop in what was seen is shown all the same") {
  test::GraphModel model;
  model.vertices.assign(6, {.waiting = true});
  for (std::size_t vertex = 0; vertex < 5; ++vertex) {
    model.edges.push_back({.from = vertex, .to = vertex + 1, .takes = {0}, .served = vertex == 4, .counts = true});
  }
  model.edges.push_back({.from = 5, .to = 0, .takes = {0}});
  model.constraints = 1;
  const CheckResult all = checker::check(model, {});
  CHECK(all.findings[1].verdict == Verdict::pass);
  CHECK(all.waits[0].verdict == Verdict::pass);
  CHECK(all.waits[0].steps == 5);
  const CheckResult part = checker::check(model, {.max_states = 3});
  CHECK(part.ended == Ended::max_states);
  CHECK(part.findings[1].verdict == Verdict::undecided);
  CHECK(part.waits[0].verdict == Verdict::undecided);
  model.edges.push_back({.from = 1, .to = 0, .takes = {0}});
  const CheckResult with_loop = checker::check(model, {.max_states = 3});
  CHECK(with_loop.ended == Ended::max_states);
  CHECK(with_loop.findings[1].verdict == Verdict::fail);
  CHECK(with_loop.verdict() == Verdict::fail);
}

TEST_CASE("progress tells of every level, and in the end of all states") {
  std::vector<checker::Progress> seen;
  const CheckResult result =
      explore({.progress = [&](const checker::Progress& progress) { seen.push_back(progress); }});
  REQUIRE(seen.size() >= result.depth);
  for (std::size_t i = 1; i < seen.size(); ++i) {
    CHECK(seen[i].states >= seen[i - 1].states);
    CHECK(seen[i].depth >= seen[i - 1].depth);
  }
  CHECK(seen.back().states == 54'296);
  CHECK(seen.back().frontier == 0);
  CHECK(seen.back().transitions == 259'500);
}

TEST_CASE("one, two and three threads find the same, to the last step of each trace") {
  const Promising model(kScope);
  const CheckResult one = checker::check(model, {.threads = 1});
  CHECK(one.states == 54'296);
  CHECK(one.verdict() == Verdict::fail);
  REQUIRE(one.findings.size() == 2);
  CHECK(one.findings[0].trace);
  CHECK(one.findings[1].trace);
  for (const unsigned threads : {2U, 3U}) {
    requires_same(one, checker::check(model, {.threads = threads}));
  }
}

TEST_CASE("one and two threads cut a scope short at the same state") {
  const Promising model(kScope);
  for (const std::uint64_t most : {100U, 5'000U, 30'000U}) {
    const CheckResult one = checker::check(model, {.threads = 1, .max_states = most});
    CHECK(one.ended == Ended::max_states);
    requires_same(one, checker::check(model, {.threads = 2, .max_states = most}));
  }
}

TEST_CASE("a check that stops at the first violation has the same shortest trace and is not exhausted") {
  const Promising model(kScope);
  const CheckResult all = checker::check(model, {});
  const CheckResult first = checker::check(model, {.stop_at_first = true});
  CHECK(first.ended == Ended::first_violation);
  CHECK(first.verdict() == Verdict::fail);
  CHECK(first.states < all.states);
  CHECK(first.findings[0].trace == all.findings[0].trace);
  CHECK(all.findings[0].point_of_no_return);
  CHECK_FALSE(first.findings[0].point_of_no_return);
}

TEST_CASE("a trace is walked again by the model that it is of, and by no other") {
  const Promising model(kScope);
  const CheckResult result = checker::check(model, {});
  const checker::Trace& trace = *result.extremes.front().trace;
  int running = 0;
  const auto visit = [&](const checker::Step<Promising>& step) {
    running = std::popcount(step.after.nodes[0].executing) + std::popcount(step.after.nodes[1].executing);
  };
  CHECK(checker::replay(model, trace, visit));
  CHECK(running == result.extremes.front().value);
  CHECK_FALSE(checker::replay(Promising({2, 2, 2, 2, 2, 2, 0, 0}), trace, visit));
  checker::Trace elsewhere = trace;
  elsewhere.steps.back().state = "somewhere else\n";
  CHECK_FALSE(checker::replay(model, elsewhere, visit));
}

}  // namespace headroom
