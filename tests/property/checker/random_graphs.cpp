// The checker on generated graphs against answers found in the most obvious way: by trying all sets of vertices, by
// repeating a rule until nothing changes.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <rapidcheck.h>
#include <vector>

#include "model/checker/check.hpp"
#include "tests/model/checker/graph_model.hpp"
#include "tests/property/check.hpp"

namespace headroom {
namespace {

using test::GraphModel;

constexpr std::size_t kMostVertices = 7;

GraphModel any_graph() {
  GraphModel model;
  const auto vertices = *rc::gen::inRange<std::size_t>(1, kMostVertices + 1);
  model.constraints = *rc::gen::inRange<std::size_t>(1, 4);
  const auto one_in = [](int n) { return *rc::gen::inRange(0, n) == 0; };
  for (std::size_t i = 0; i < vertices; ++i) model.vertices.push_back({.waiting = !one_in(5), .bad = one_in(5)});
  const auto edges = *rc::gen::inRange<std::size_t>(0, 3 * vertices);
  for (std::size_t i = 0; i < edges; ++i) {
    GraphModel::EdgeLabels edge{.from = *rc::gen::inRange<std::size_t>(0, vertices),
                                .to = *rc::gen::inRange<std::size_t>(0, vertices),
                                .served = one_in(6),
                                .counts = one_in(4),
                                .bad = one_in(8)};
    for (std::size_t constraint = 0; constraint < model.constraints; ++constraint) {
      if (one_in(3)) edge.takes.insert(constraint);
    }
    model.edges.push_back(edge);
  }
  return model;
}

// By vertex, whether a way leads there from `start` over edges that `accept` wants.
template <class Accept>
std::vector<bool> reached_from(const GraphModel& model, std::size_t start, Accept accept) {
  std::vector<bool> reached(model.vertices.size(), false);
  reached[start] = true;
  for (bool grows = true; grows;) {
    grows = false;
    for (const GraphModel::EdgeLabels& edge : model.edges) {
      if (reached[edge.from] && !reached[edge.to] && accept(edge)) grows = reached[edge.to] = true;
    }
  }
  return reached;
}

bool everything(const GraphModel::EdgeLabels& /*edge*/) {
  return true;
}

// Whether a behaviour can stay in exactly these vertices for ever, waiting, unserved and fair.
bool is_fair_trap(const GraphModel& model, unsigned set) {
  const auto in = [&](std::size_t vertex) { return (set >> vertex & 1U) != 0; };
  const auto inside = [&](const GraphModel::EdgeLabels& edge) { return in(edge.from) && in(edge.to) && !edge.served; };
  for (std::size_t vertex = 0; vertex < model.vertices.size(); ++vertex) {
    if (!in(vertex)) continue;
    if (!model.vertices[vertex].waiting) return false;
    const std::vector<bool> reached = reached_from(model, vertex, inside);
    for (std::size_t other = 0; other < model.vertices.size(); ++other) {
      if (in(other) && !reached[other]) return false;
    }
  }
  // One vertex without a step is a place to stay at as well: then all constraints have to be disabled there.
  for (std::size_t constraint = 0; constraint < model.constraints; ++constraint) {
    bool met = false;
    for (std::size_t vertex = 0; vertex < model.vertices.size(); ++vertex) {
      met = met || (in(vertex) && !model.enables(vertex, constraint));
    }
    for (const GraphModel::EdgeLabels& edge : model.edges) {
      met = met || (inside(edge) && edge.takes.contains(constraint));
    }
    if (!met) return false;
  }
  return true;
}

bool starves(const GraphModel& model) {
  const std::vector<bool> reached = reached_from(model, 0, everything);
  for (unsigned set = 1; set < 1U << model.vertices.size(); ++set) {
    bool all_reached = true;
    for (std::size_t vertex = 0; vertex < reached.size(); ++vertex) {
      all_reached = all_reached && ((set >> vertex & 1U) == 0 || reached[vertex]);
    }
    if (all_reached && is_fair_trap(model, set)) return true;
  }
  return false;
}

// The most steps that count in one wait; nothing: there is no bound.
std::optional<std::uint64_t> longest_wait(const GraphModel& model) {
  const std::vector<bool> reached = reached_from(model, 0, everything);
  std::vector<std::uint64_t> most(model.vertices.size(), 0);
  for (bool grows = true; grows;) {
    grows = false;
    for (const GraphModel::EdgeLabels& edge : model.edges) {
      if (!reached[edge.from] || !model.vertices[edge.from].waiting) continue;
      const bool goes_on = model.vertices[edge.to].waiting && !edge.served;
      const std::uint64_t over = (edge.counts ? 1U : 0U) + (goes_on ? most[edge.to] : 0);
      if (over > most[edge.from]) {
        most[edge.from] = over;
        grows = true;
      }
      // A wait without a loop passes each vertex at most once.
      if (over > model.vertices.size()) return std::nullopt;
    }
  }
  return *std::ranges::max_element(most);
}

// By vertex, whether some behaviour from it is never bad: it can go on for longer than there are vertices, or end.
std::vector<bool> can_avoid(const GraphModel& model) {
  std::vector<bool> can(model.vertices.size());
  for (std::size_t vertex = 0; vertex < can.size(); ++vertex) can[vertex] = !model.vertices[vertex].bad;
  for (std::size_t round = 0; round <= model.vertices.size(); ++round) {
    std::vector<bool> next(can.size(), false);
    for (std::size_t vertex = 0; vertex < can.size(); ++vertex) {
      bool ends = true;
      bool goes_on = false;
      for (const GraphModel::EdgeLabels& edge : model.edges) {
        if (edge.from != vertex) continue;
        ends = false;
        goes_on = goes_on || (!edge.bad && can[edge.to]);
      }
      next[vertex] = !model.vertices[vertex].bad && (ends || goes_on);
    }
    can = next;
  }
  return can;
}

const checker::Finding& finding_of(const checker::CheckResult& result, checker::FindingKind kind) {
  const auto found = std::ranges::find(result.findings, kind, &checker::Finding::kind);
  RC_ASSERT(found != result.findings.end());
  return *found;
}

// The vertices that a trace goes through, the first included.
std::vector<std::size_t> vertices_of(const GraphModel& model, const checker::Trace& trace) {
  std::vector<std::size_t> vertices = {0};
  RC_ASSERT(checker::replay(model, trace,
                            [&](const checker::Step<GraphModel>& step) { vertices.push_back(step.after.vertex); }));
  return vertices;
}

}  // namespace

TEST_CASE("somebody starves where a set of vertices can be gone round for ever, and nowhere else", "[property]") {
  test::check_property("checker.fair_cycle", [] {
    const GraphModel model = any_graph();
    const bool expected = starves(model);
    const checker::CheckResult result = checker::check(model, {});
    const checker::Finding& finding = finding_of(result, checker::FindingKind::liveness);
    RC_CLASSIFY(expected, "starves");
    RC_ASSERT((finding.verdict == checker::Verdict::fail) == expected);
    RC_ASSERT(finding.trace.has_value() == expected);
    if (!expected) return;
    const std::vector<std::size_t> vertices = vertices_of(model, *finding.trace);
    unsigned set = 0;
    for (std::size_t i = finding.trace->loop_begin; i < vertices.size(); ++i) set |= 1U << vertices[i];
    RC_ASSERT(vertices[finding.trace->loop_begin] == vertices.back());
    RC_ASSERT(is_fair_trap(model, set));
  });
}

TEST_CASE("a longest wait is what repeating its rule comes to", "[property]") {
  test::check_property("checker.longest_wait", [] {
    const GraphModel model = any_graph();
    const std::optional<std::uint64_t> expected = longest_wait(model);
    const checker::CheckResult result = checker::check(model, {});
    RC_CLASSIFY(!expected, "no bound");
    RC_ASSERT((result.waits.front().verdict == checker::Verdict::fail) == !expected);
    if (expected) RC_ASSERT(result.waits.front().steps == *expected);
  });
}

TEST_CASE("a violation is shown by a shortest trace, and with the last step that could be avoided", "[property]") {
  test::check_property("checker.avoidance", [] {
    const GraphModel model = any_graph();
    const checker::CheckResult result = checker::check(model, {});
    const checker::Finding& finding = finding_of(result, checker::FindingKind::safety);
    RC_CLASSIFY(finding.trace.has_value(), "violated");
    // Steps to the nearest bad vertex or over the nearest bad edge.
    std::optional<std::size_t> nearest;
    std::vector<bool> level(model.vertices.size(), false);
    level[0] = true;
    for (std::size_t steps = 0; steps <= model.vertices.size() && !nearest; ++steps) {
      std::vector<bool> next = level;
      for (std::size_t vertex = 0; vertex < level.size(); ++vertex) {
        if (level[vertex] && model.vertices[vertex].bad) nearest = steps;
      }
      for (const GraphModel::EdgeLabels& edge : model.edges) {
        if (!level[edge.from]) continue;
        next[edge.to] = true;
        if (edge.bad && !nearest) nearest = steps + 1;
      }
      level = next;
    }
    RC_ASSERT(finding.trace.has_value() == nearest.has_value());
    if (!nearest) return;
    RC_ASSERT(finding.trace->steps.size() == *nearest);
    const std::vector<bool> can = can_avoid(model);
    const std::vector<std::size_t> vertices = vertices_of(model, *finding.trace);
    std::size_t last = 0;
    for (std::size_t step = 1; step < vertices.size(); ++step) {
      if (can[vertices[step - 1]]) last = step;
    }
    RC_ASSERT(finding.point_of_no_return == last);
  });
}

}  // namespace headroom
