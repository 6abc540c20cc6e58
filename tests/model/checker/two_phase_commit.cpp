// Gray and Lamport, "Consensus on transaction commit", ACM Transactions on Database Systems 31, 2006, section 3. The
// counts are those that TLC and stateright give; those with symmetry are of exact orbits.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "model/checker/check.hpp"
#include "tests/model/checker/plain_state.hpp"

namespace headroom {
namespace {

enum class Member : std::uint8_t { working, prepared, committed, aborted };
enum class Manager : std::uint8_t { undecided, committed, aborted };

struct CommitState {
  struct Part {
    Member member = Member::working;
    std::uint8_t sent_prepared = 0;
    std::uint8_t known_prepared = 0;
    friend auto operator<=>(const Part&, const Part&) = default;
  };
  std::array<Part, 5> parts;
  // What it decided is also the message that it sent.
  Manager manager = Manager::undecided;
};

class TwoPhaseCommit : public test::PlainState<CommitState> {
 public:
  enum class Kind : std::uint8_t { learn_prepared, commit, abort, prepare, choose_to_abort, obey_commit, obey_abort };
  struct Action {
    Kind kind;
    std::size_t member = 0;
  };

  explicit TwoPhaseCommit(std::size_t members) : members_(members) {}

  [[nodiscard]] std::vector<State> initial_states() const { return {State{}}; }
  void enabled(const State& state, std::vector<Action>& actions) const {
    const bool undecided = state.manager == Manager::undecided;
    const auto end = state.parts.begin() + static_cast<std::ptrdiff_t>(members_);
    if (undecided && std::all_of(state.parts.begin(), end, [](const auto& part) { return part.known_prepared != 0; })) {
      actions.push_back({Kind::commit});
    }
    if (undecided) actions.push_back({Kind::abort});
    for (std::size_t i = 0; i < members_; ++i) {
      const CommitState::Part& part = state.parts[i];
      if (undecided && part.sent_prepared != 0) actions.push_back({Kind::learn_prepared, i});
      if (part.member == Member::working) {
        actions.push_back({Kind::prepare, i});
        actions.push_back({Kind::choose_to_abort, i});
      }
      if (state.manager == Manager::committed) actions.push_back({Kind::obey_commit, i});
      if (state.manager == Manager::aborted) actions.push_back({Kind::obey_abort, i});
    }
  }
  void step(State& state, const Action& action, Effects& /*effects*/) const {
    CommitState::Part& part = state.parts[action.member];
    switch (action.kind) {
      case Kind::learn_prepared:
        part.known_prepared = 1;
        break;
      case Kind::commit:
        state.manager = Manager::committed;
        break;
      case Kind::abort:
        state.manager = Manager::aborted;
        break;
      case Kind::prepare:
        part.member = Member::prepared;
        part.sent_prepared = 1;
        break;
      case Kind::choose_to_abort:
      case Kind::obey_abort:
        part.member = Member::aborted;
        break;
      case Kind::obey_commit:
        part.member = Member::committed;
        break;
    }
  }
  void canonicalise(State& state) const {
    std::sort(state.parts.begin(), state.parts.begin() + static_cast<std::ptrdiff_t>(members_));
  }
  [[nodiscard]] checker::Facts facts(const State& state) const {
    checker::Facts facts = {{"manager", std::to_string(static_cast<int>(state.manager))}};
    for (std::size_t i = 0; i < members_; ++i) {
      facts.push_back({"member " + std::to_string(i), std::to_string(static_cast<int>(state.parts[i].member))});
    }
    return facts;
  }
  [[nodiscard]] std::string text(const checker::Step<TwoPhaseCommit>& step) const {
    return std::to_string(static_cast<int>(step.action.kind)) + " " + std::to_string(step.action.member);
  }
  [[nodiscard]] checker::Properties<TwoPhaseCommit> properties() const {
    const auto some = [](const State& state, Member member) {
      return std::ranges::any_of(state.parts, [&](const auto& part) { return part.member == member; });
    };
    return {
        .safety = {{.name = "consistent",
                    .on_state = [some](const State& state) -> checker::Reason {
                      if (!some(state, Member::committed) || !some(state, Member::aborted)) return std::nullopt;
                      return "one member committed, another aborted";
                    }}},
        .sometimes = {
            {.name = "committed", .on_state = [some](const State& state) { return some(state, Member::committed); }},
            {.name = "aborted", .on_state = [some](const State& state) { return some(state, Member::aborted); }}}};
  }

 private:
  std::size_t members_;
};

std::uint64_t states_of(std::size_t members, bool symmetry) {
  const checker::CheckResult result = checker::check(TwoPhaseCommit(members), {.symmetry = symmetry});
  CHECK(result.verdict() == checker::Verdict::pass);
  return result.states;
}

}  // namespace

TEST_CASE("two-phase commit of three resource managers has 288 states, 80 up to their names") {
  CHECK(states_of(3, false) == 288);
  CHECK(states_of(3, true) == 80);
}

TEST_CASE("two-phase commit of five resource managers has 8,832 states, 314 up to their names") {
  CHECK(states_of(5, false) == 8'832);
  CHECK(states_of(5, true) == 314);
}

TEST_CASE(
    "a shortest commit of three resource managers takes a step each to prepare and to be learnt of, and two more") {
  for (const bool symmetry : {false, true}) {
    const checker::CheckResult result = checker::check(TwoPhaseCommit(3), {.symmetry = symmetry});
    REQUIRE(result.findings[1].name == "committed");
    CHECK(result.findings[1].trace->steps.size() == 3 + 3 + 1 + 1);
  }
}

}  // namespace headroom
