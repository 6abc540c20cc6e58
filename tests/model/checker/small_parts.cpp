// Facts, pictures, threads, states of varying size.
#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "model/checker/crew.hpp"
#include "model/checker/dot.hpp"
#include "model/checker/facts.hpp"
#include "tests/model/checker/graph_model.hpp"
#include "tests/model/checker/naive_search.hpp"

namespace headroom {

TEST_CASE("a change of facts names what differs, what is new and what is gone") {
  const checker::Facts before = {{"row a", "pending"}, {"row b", "pending"}, {"row c", "done"}};
  const checker::Facts after = {{"row a", "claimed by n1"}, {"row b", "pending"}, {"row d", "pending"}};
  CHECK(checker::changes_between(before, after) ==
        std::vector<std::string>{"row a: pending -> claimed by n1", "row d: new, pending", "row c: done -> gone"});
  CHECK(checker::changes_between(before, before).empty());
}

TEST_CASE("facts of one name are compared in their order") {
  CHECK(checker::changes_between({{"fork", "1"}, {"fork", "2"}}, {{"fork", "1"}, {"fork", "3"}}) ==
        std::vector<std::string>{"fork: 2 -> 3"});
}

TEST_CASE("each task of a crew is done once, however many threads it has") {
  for (const unsigned workers : {1U, 2U, 4U}) {
    checker::Crew crew(workers);
    REQUIRE(crew.workers() == workers);
    for (const std::size_t tasks : {0U, 1U, 7U, 1000U}) {
      std::vector<std::atomic<int>> done(tasks);
      crew.run(tasks, [&](std::size_t task, unsigned worker) {
        if (worker < workers) ++done[task];
      });
      for (const std::atomic<int>& count : done) REQUIRE(count == 1);
    }
  }
}

TEST_CASE("a picture has a node for each state and an edge for each step") {
  test::GraphModel model;
  model.vertices = {{}, {}, {}};
  model.edges = {{.from = 0, .to = 2}, {.from = 2, .to = 0}, {.from = 2, .to = 2}};
  CHECK(checker::dot_of(model, {}) ==
        "digraph states {\n"
        "  node [shape=box];\n"
        "  0 [label=\"at: 0\\l\", peripheries=2];\n"
        "  0 -> 1 [label=\"edge 0\"];\n"
        "  1 [label=\"at: 2\\l\"];\n"
        "  1 -> 0 [label=\"edge 1\"];\n"
        "  1 -> 1 [label=\"edge 2\"];\n"
        "}\n");
}

TEST_CASE("a picture quotes what the language of Graphviz takes for its own") {
  CHECK(checker::dot_string("a \"b\" \\ c\n") == "\"a \\\"b\\\" \\\\ c\\l\"");
}

TEST_CASE("no picture is drawn of more states than were asked for") {
  test::GraphModel model;
  model.vertices = {{}, {}};
  model.edges = {{.from = 0, .to = 1}};
  CHECK(checker::dot_of(model, {.max_states = 2}));
  CHECK_FALSE(checker::dot_of(model, {.max_states = 1}));
}

namespace {

// A queue of at most six letters: its packed size is its length.
struct Letters {
  using State = std::string;
  struct Action {
    char letter;  // to append; '-' takes the first out
  };
  using Effects = checker::NoEffects;
  [[nodiscard]] std::vector<State> initial_states() const { return {""}; }
  void enabled(const State& state, std::vector<Action>& actions) const {
    if (!state.empty()) actions.push_back({'-'});
    if (state.size() < 6) actions.insert(actions.end(), {{'a'}, {'b'}});
  }
  void step(State& state, const Action& action, Effects& /*effects*/) const {
    if (action.letter == '-') {
      state.erase(0, 1);
    } else {
      state += action.letter;
    }
  }
  [[nodiscard]] checker::PackedSize packed_size() const { return {.most = 6, .fixed = false}; }
  std::size_t pack(const State& state, std::span<std::byte> bytes) const {
    std::ranges::copy(std::as_bytes(std::span(state)), bytes.begin());
    return state.size();
  }
  void unpack(std::span<const std::byte> bytes, State& state) const {
    state.clear();
    for (const std::byte letter : bytes) state += static_cast<char>(letter);
  }
  [[nodiscard]] checker::Facts facts(const State& state) const { return {{"queue", state}}; }
  [[nodiscard]] std::string text(const checker::Step<Letters>& step) const { return {step.action.letter}; }
  [[nodiscard]] checker::Properties<Letters> properties() const {
    return {.extremes = {
                {.name = "length", .on_step = [](const checker::Step<Letters>& step) -> std::optional<std::int64_t> {
                   return static_cast<std::int64_t>(step.after.size());
                 }}}};
  }
};

}  // namespace

TEST_CASE("queues of at most six letters of two kinds are 127, of seven sizes") {
  const checker::CheckResult result = checker::check(Letters(), {});
  CHECK(result.states == 127);
  CHECK(result.transitions == test::naive_search(Letters()).transitions);
  REQUIRE(result.extremes.front().value == 6);
  CHECK(result.extremes.front().trace->steps.size() == 6);
}

}  // namespace headroom
