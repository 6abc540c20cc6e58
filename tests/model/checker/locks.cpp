// Locks and forks: models whose behaviour every textbook tells.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <fmt/format.h>
#include <string>
#include <vector>

#include "model/checker/check.hpp"
#include "tests/model/checker/naive_search.hpp"
#include "tests/model/checker/plain_state.hpp"

namespace headroom {
namespace {

// Peterson, "Myths about the mutual exclusion problem", Information Processing Letters 12, 1981.
struct PetersonState {
  enum class At : std::uint8_t { outside, raised_flag, at_the_door, inside };
  std::array<At, 2> at{};
  std::uint8_t turn = 0;
};

class Peterson : public test::PlainState<PetersonState> {
 public:
  using At = PetersonState::At;
  using Action = std::uint8_t;  // the process that takes its next step
  // What is left out of the algorithm, and of what is asked of the scheduler.
  struct Without {
    bool turn = false;
    bool flag = false;
    bool fairness = false;
  };

  Peterson() = default;
  explicit Peterson(const Without& without) : without_(without) {}

  [[nodiscard]] std::vector<State> initial_states() const {
    return {State{.at = {}, .turn = 0}, State{.at = {}, .turn = 1}};
  }
  void enabled(const State& state, std::vector<Action>& actions) const {
    for (const Action process : {Action{0}, Action{1}}) {
      const Action other = process ^ 1U;
      const bool other_wants = !without_.flag && state.at[other] != At::outside;
      const bool has_turn = !without_.turn && state.turn == process;
      if (state.at[process] != At::at_the_door || !other_wants || has_turn) actions.push_back(process);
    }
  }
  void step(State& state, const Action& process, Effects& /*effects*/) const {
    At& at = state.at[process];
    if (at == At::raised_flag && !without_.turn) state.turn = process ^ 1U;
    at = at == At::inside ? At::outside : static_cast<At>(static_cast<int>(at) + 1);
  }
  [[nodiscard]] checker::Facts facts(const State& state) const {
    return {{"turn", std::to_string(state.turn)},
            {"process 0", std::to_string(static_cast<int>(state.at[0]))},
            {"process 1", std::to_string(static_cast<int>(state.at[1]))}};
  }
  [[nodiscard]] std::string text(const checker::Step<Peterson>& step) const {
    return fmt::format("process {} goes on", step.action);
  }
  [[nodiscard]] checker::Properties<Peterson> properties() const {
    checker::Properties<Peterson> properties = {
        .safety = {{.name = "mutual_exclusion",
                    .on_state = [](const State& state) -> checker::Reason {
                      if (state.at[0] != At::inside || state.at[1] != At::inside) return std::nullopt;
                      return "both are inside";
                    }}},
        .liveness = {{.name = "enters",
                      .who = {"process 0", "process 1"},
                      .waiting =
                          [](const State& state, std::size_t who) {
                            return state.at[who] == At::raised_flag || state.at[who] == At::at_the_door;
                          },
                      .served =
                          [](const checker::Step<Peterson>& step, std::size_t who) {
                            return step.before.at[who] != At::inside && step.after.at[who] == At::inside;
                          }}},
        .waits = {{.name = "overtaken",
                   .who = {"process 0", "process 1"},
                   .waiting = [](const State& state, std::size_t who) { return state.at[who] == At::at_the_door; },
                   .served = [](const checker::Step<Peterson>& step, std::size_t who) { return step.action == who; },
                   .counts =
                       [](const checker::Step<Peterson>& step, std::size_t who) {
                         return step.action != who && step.after.at[who ^ 1U] == At::inside;
                       }}},
        .may_stop = [](const State&) { return false; }};
    if (!without_.fairness) {
      for (const Action process : {Action{0}, Action{1}}) {
        // Nobody has to want to come in; who wants to goes on.
        const auto moves = [this, process](const State& state) {
          std::vector<Action> actions;
          enabled(state, actions);
          return state.at[process] != At::outside && std::ranges::find(actions, process) != actions.end();
        };
        properties.fairness.push_back({.name = fmt::format("process {}", process),
                                       .enabled = moves,
                                       .taken = [process](const checker::Step<Peterson>& step) {
                                         return step.action == process && step.before.at[process] != At::outside;
                                       }});
      }
    }
    return properties;
  }

 private:
  Without without_;
};

const checker::Finding& finding(const checker::CheckResult& result, const std::string& name) {
  const auto found = std::ranges::find(result.findings, name, &checker::Finding::name);
  REQUIRE(found != result.findings.end());
  return *found;
}

// Philosophers who take the fork at their left, then the one at their right, and put both back.
template <std::size_t N>
struct TableState {
  enum class Has : std::uint8_t { none, left, both };
  std::array<Has, N> philosophers{};
};

template <std::size_t N>
class Philosophers : public test::PlainState<TableState<N>> {
 public:
  using State = TableState<N>;
  using Has = typename State::Has;
  using Effects = checker::NoEffects;
  using Action = std::uint8_t;  // the philosopher who does the next thing

  [[nodiscard]] std::vector<State> initial_states() const { return {State{}}; }
  void enabled(const State& state, std::vector<Action>& actions) const {
    for (Action who = 0; who < N; ++who) {
      const Has left_neighbour = state.philosophers[(who + N - 1) % N];
      const Has right_neighbour = state.philosophers[(who + 1) % N];
      const bool can = state.philosophers[who] == Has::none   ? left_neighbour != Has::both
                       : state.philosophers[who] == Has::left ? right_neighbour == Has::none
                                                              : true;
      if (can) actions.push_back(who);
    }
  }
  void step(State& state, const Action& who, Effects& /*effects*/) const {
    Has& has = state.philosophers[who];
    has = has == Has::both ? Has::none : static_cast<Has>(static_cast<int>(has) + 1);
  }
  [[nodiscard]] checker::Facts facts(const State& state) const {
    checker::Facts facts;
    for (const Has has : state.philosophers) facts.push_back({"philosopher", std::to_string(static_cast<int>(has))});
    return facts;
  }
  [[nodiscard]] std::string text(const checker::Step<Philosophers>& step) const { return std::to_string(step.action); }
  [[nodiscard]] checker::Properties<Philosophers> properties() const {
    return {.may_stop = [](const State&) { return false; }};
  }
};

template <std::size_t N>
void check_table() {
  const Philosophers<N> model;
  const test::NaiveCounts naive = test::naive_search(model);
  const checker::CheckResult result = checker::check(model, {});
  CHECK(result.states == naive.states);
  CHECK(result.transitions == naive.transitions);
  CHECK(result.depth == naive.depth);
  const checker::Finding& deadlock = finding(result, "deadlock");
  CHECK(deadlock.verdict == checker::Verdict::fail);
  CHECK(naive.stuck == 1);
  CHECK(deadlock.violations == 1);
  // Each takes one fork. Whoever comes last could still let another eat.
  CHECK(deadlock.trace->steps.size() == N);
  CHECK(deadlock.point_of_no_return == N);
}

}  // namespace

TEST_CASE("Peterson's lock keeps processes apart, never blocks, and lets everybody in") {
  const checker::CheckResult result = checker::check(Peterson(), {});
  const test::NaiveCounts naive = test::naive_search(Peterson());
  CHECK(result.states == naive.states);
  CHECK(result.transitions == naive.transitions);
  CHECK(result.depth == naive.depth);
  CHECK(result.initial_states == 2);
  CHECK(result.verdict() == checker::Verdict::pass);
}

TEST_CASE("who waits at the door of Peterson's lock is overtaken at most once") {
  const checker::CheckResult result = checker::check(Peterson(), {});
  REQUIRE(result.waits.size() == 2);
  for (const checker::WaitFound& wait : result.waits) {
    CHECK(wait.verdict == checker::Verdict::pass);
    CHECK(wait.steps == 1);
  }
}

TEST_CASE("Peterson's lock without the flags lets both in, by a shortest trace") {
  const checker::CheckResult result = checker::check(Peterson({.flag = true}), {});
  const checker::Finding& broken = finding(result, "mutual_exclusion");
  CHECK(broken.verdict == checker::Verdict::fail);
  CHECK(broken.reason == "both are inside");
  // Three steps bring a process inside.
  CHECK(broken.trace->steps.size() == 6);
  CHECK(broken.trace->steps.back().changes == std::vector<std::string>{"process 1: 2 -> 3"});
}

TEST_CASE("Peterson's lock without the turn comes to a stop that starves both") {
  const checker::CheckResult result = checker::check(Peterson({.turn = true}), {});
  CHECK(finding(result, "mutual_exclusion").verdict == checker::Verdict::pass);
  const checker::Finding& deadlock = finding(result, "deadlock");
  CHECK(deadlock.verdict == checker::Verdict::fail);
  CHECK(deadlock.trace->steps.size() == 4);
  const checker::Finding& starved = finding(result, "enters");
  CHECK(starved.verdict == checker::Verdict::fail);
  CHECK(starved.violations == 2);
}

TEST_CASE("a scheduler that owes nobody a step may leave a process before Peterson's lock for ever") {
  const checker::CheckResult result = checker::check(Peterson({.fairness = true}), {});
  const checker::Finding& starved = finding(result, "enters");
  CHECK(starved.verdict == checker::Verdict::fail);
  CHECK(starved.trace->steps.size() == 1);
  CHECK(starved.trace->is_loop);
  CHECK(starved.trace->loop_steps() == 0);
}

TEST_CASE("dining philosophers have as many states as a search with std::set finds, and one deadlock") {
  check_table<2>();
  check_table<3>();
  check_table<4>();
  check_table<5>();
  check_table<7>();
}

}  // namespace headroom
