#include "model/checker/avoidance.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "tests/model/checker/graph_model.hpp"

namespace headroom {
namespace {

using test::GraphModel;

checker::Finding safety_of(const GraphModel& model) {
  return checker::check(model, {}).findings.front();
}

// 0 -> 1 -> 2 -> 3, which is bad.
GraphModel road_to_ruin() {
  GraphModel model;
  model.vertices = {{}, {}, {}, {.bad = true}, {}};
  model.edges = {{.from = 0, .to = 1}, {.from = 1, .to = 2}, {.from = 2, .to = 3}};
  return model;
}

}  // namespace

TEST_CASE("what every behaviour comes to could never be avoided") {
  const checker::Finding finding = safety_of(road_to_ruin());
  CHECK(finding.verdict == checker::Verdict::fail);
  CHECK(finding.reason == "vertex 3 is bad");
  CHECK(finding.trace->steps.size() == 3);
  CHECK(finding.point_of_no_return == 0);
}

TEST_CASE("the last state with a way out stands before the point of no return") {
  GraphModel model = road_to_ruin();
  model.edges.push_back({.from = 0, .to = 4});
  CHECK(safety_of(model).point_of_no_return == 1);
  model.edges.push_back({.from = 1, .to = 4});
  CHECK(safety_of(model).point_of_no_return == 2);
}

TEST_CASE("a way round for ever is a way out") {
  GraphModel model = road_to_ruin();
  model.edges.push_back({.from = 2, .to = 1});
  CHECK(safety_of(model).point_of_no_return == 3);
}

TEST_CASE("a detour to the same end is no way out") {
  GraphModel model = road_to_ruin();
  model.edges.push_back({.from = 1, .to = 4});
  model.edges.push_back({.from = 4, .to = 3});
  CHECK(safety_of(model).point_of_no_return == 0);
}

TEST_CASE("a step can be what is wrong") {
  GraphModel model = road_to_ruin();
  model.vertices[3].bad = false;
  model.edges[2].bad = true;
  const checker::Finding finding = safety_of(model);
  CHECK(finding.reason == "edge 2 is bad");
  CHECK(finding.trace->steps.size() == 3);
  CHECK(finding.point_of_no_return == 0);
  model.edges.push_back({.from = 2, .to = 4});
  CHECK(safety_of(model).point_of_no_return == 3);
}

TEST_CASE("of states and steps that break a property the one with the shortest trace is shown, wherever it lies") {
  constexpr std::size_t side_by_side = 6;
  for (std::size_t bad = 1; bad <= side_by_side; ++bad) {
    GraphModel model;
    model.vertices.resize(side_by_side + 1);
    model.vertices[bad].bad = true;
    for (std::size_t vertex = 1; vertex <= side_by_side; ++vertex) {
      model.edges.push_back({.from = 0, .to = vertex});
      if (vertex != bad) model.edges.push_back({.from = vertex, .to = 0, .bad = true});
    }
    const checker::Finding finding = safety_of(model);
    CHECK(finding.violations == side_by_side);
    CHECK(finding.reason == "vertex " + std::to_string(bad) + " is bad");
    CHECK(finding.trace->steps.size() == 1);
  }
}

}  // namespace headroom
