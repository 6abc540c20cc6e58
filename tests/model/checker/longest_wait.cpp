#include "model/checker/longest_wait.hpp"

#include <catch2/catch.hpp>

#include "tests/model/checker/graph_model.hpp"

namespace headroom {
namespace {

using test::GraphModel;

checker::WaitFound wait_of(const GraphModel& model) {
  const checker::CheckResult result = checker::check(model, {});
  REQUIRE(result.waits.size() == 1);
  return result.waits.front();
}

}  // namespace

TEST_CASE("the longest wait counts the step that serves, if it is of the kind that counts") {
  GraphModel model;
  model.vertices = {{true}, {true}, {true}, {false}};
  model.edges = {{.from = 0, .to = 1, .counts = true},
                 {.from = 1, .to = 2},
                 {.from = 2, .to = 3, .served = true, .counts = true},
                 {.from = 0, .to = 3, .served = true, .counts = true},
                 {.from = 3, .to = 0}};
  const checker::WaitFound wait = wait_of(model);
  CHECK(wait.verdict == checker::Verdict::pass);
  CHECK(wait.steps == 2);
  REQUIRE(wait.trace);
  CHECK(wait.trace->steps.size() == 3);
}

TEST_CASE("a service begins a new wait") {
  GraphModel model;
  model.vertices = {{true}, {true}};
  model.edges = {{.from = 0, .to = 1, .counts = true}, {.from = 1, .to = 0, .served = true, .counts = true}};
  CHECK(wait_of(model).steps == 2);
}

TEST_CASE("a loop of steps that do not count does not make a wait longer") {
  GraphModel model;
  model.vertices = {{true}, {true}, {true}};
  model.edges = {{.from = 0, .to = 1}, {.from = 1, .to = 0}, {.from = 1, .to = 2, .counts = true}};
  const checker::WaitFound wait = wait_of(model);
  CHECK(wait.verdict == checker::Verdict::pass);
  CHECK(wait.steps == 1);
}

TEST_CASE("a wait that can go on through a step that counts, again and again, has no bound") {
  GraphModel model;
  model.vertices = {{true}, {true}, {false}};
  model.edges = {{.from = 0, .to = 1}, {.from = 1, .to = 0, .counts = true}, {.from = 1, .to = 2}};
  const checker::WaitFound wait = wait_of(model);
  CHECK(wait.verdict == checker::Verdict::fail);
  REQUIRE(wait.trace);
  CHECK(wait.trace->is_loop);
  CHECK(wait.trace->loop_steps() == 2);
}

TEST_CASE("nobody who waits is no wait") {
  GraphModel model;
  model.vertices = {{false}, {false}};
  model.edges = {{.from = 0, .to = 1, .counts = true}};
  const checker::WaitFound wait = wait_of(model);
  CHECK(wait.verdict == checker::Verdict::pass);
  CHECK(wait.steps == 0);
  CHECK_FALSE(wait.trace);
}

}  // namespace headroom
