// What a search says of states and steps: safety, deadlock, goals and extremes, each with a shortest trace.
#pragma once

#include <cstddef>
#include <fmt/format.h>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "model/base/assert.hpp"
#include "model/checker/avoidance.hpp"
#include "model/checker/explorer.hpp"
#include "model/checker/linked.hpp"
#include "model/checker/result.hpp"
#include "model/checker/trace.hpp"

namespace headroom::checker {

template <Model M>
class StateJudge {
 public:
  // `linked`: none where there is no stored graph.
  StateJudge(const Explorer<M>& explorer, const Linked<M>* linked)
      : explorer_(explorer), properties_(explorer.properties()), linked_(linked) {}

  void judge(CheckResult& result) const {
    for (std::size_t i = 0; i < properties_.safety.size(); ++i) result.findings.push_back(judge_safety(i));
    if (properties_.may_stop) result.findings.push_back(judge_deadlock());
    for (std::size_t i = 0; i < properties_.sometimes.size(); ++i) result.findings.push_back(judge_goal(i));
    for (std::size_t i = 0; i < properties_.extremes.size(); ++i) result.extremes.push_back(find_extreme(i));
  }

 private:
  [[nodiscard]] bool exhausted() const { return explorer_.ended() == Ended::exhausted; }

  // The trace of a sighting; its step, if it is in one, is one that `accept` wants.
  template <class Accept>
  [[nodiscard]] Trace trace_of(const Sighting& sighting, Accept accept) const {
    Retracer<M> way(explorer_.model(), explorer_.visited(), explorer_.symmetry());
    way.walk_to(sighting.state);
    if (sighting.in_step) way.follow(std::nullopt, accept);
    return way.take();
  }

  [[nodiscard]] std::optional<std::size_t> point_of_no_return(const Sighting& sighting,
                                                              const std::function<bool(Vertex)>& bad_vertex,
                                                              const std::function<bool(Edge)>& bad_edge) const {
    if (linked_ == nullptr || !linked_->graph.complete) return std::nullopt;
    return step_into(unavoidable(linked_->graph, bad_vertex, bad_edge), explorer_, linked_->linker, sighting.state,
                     sighting.in_step);
  }

  [[nodiscard]] Finding judge_safety(std::size_t index) const {
    const Safety<M>& safety = properties_.safety[index];
    const SeenAt& seen = explorer_.tally().safety[index];
    Finding finding{.name = safety.name, .kind = FindingKind::safety, .violations = seen.count};
    if (!seen.first) {
      finding.verdict = exhausted() ? Verdict::pass : Verdict::undecided;
      return finding;
    }
    Reason reason;
    Retracer<M> way(explorer_.model(), explorer_.visited(), explorer_.symmetry());
    way.walk_to(seen.first->state);
    if (seen.first->in_step) {
      way.follow(std::nullopt, [&](const Step<M>& step) {
        reason = safety.on_step(step);
        return reason.has_value();
      });
    } else {
      reason = safety.on_state(way.state());
    }
    HEADROOM_ASSERT(reason, "{} is violated in the search, not when its trace is walked again", safety.name);
    finding.verdict = Verdict::fail;
    finding.reason = *reason;
    finding.trace = way.take();
    finding.point_of_no_return = point_of_no_return(
        *seen.first,
        [&](Vertex vertex) { return linked_->graph.vertex_labels.test(vertex, linked_->labels.safety[index].state); },
        [&](Edge edge) { return linked_->graph.edge_labels.test(edge, linked_->labels.safety[index].step); });
    return finding;
  }

  [[nodiscard]] Finding judge_deadlock() const {
    const SeenAt& seen = explorer_.tally().deadlocks;
    Finding finding{.name = "deadlock", .kind = FindingKind::deadlock, .violations = seen.count};
    if (!seen.first) {
      finding.verdict = exhausted() ? Verdict::pass : Verdict::undecided;
      return finding;
    }
    finding.verdict = Verdict::fail;
    finding.reason = "nothing can happen any more";
    finding.trace = trace_of(*seen.first, [](const Step<M>& /*step*/) { return true; });
    finding.point_of_no_return = point_of_no_return(
        *seen.first, [&](Vertex vertex) { return linked_->graph.vertex_labels.test(vertex, linked_->labels.deadlock); },
        [](Edge /*edge*/) { return false; });
    return finding;
  }

  [[nodiscard]] Finding judge_goal(std::size_t index) const {
    const Sometimes<M>& goal = properties_.sometimes[index];
    const SeenAt& seen = explorer_.tally().sometimes[index];
    Finding finding{.name = goal.name, .kind = FindingKind::sometimes};
    if (seen.first) {
      finding.verdict = Verdict::pass;
      finding.trace = trace_of(*seen.first, [&](const Step<M>& step) { return goal.on_step(step); });
      finding.reason = fmt::format("reached in {} steps", finding.trace->steps.size());
    } else {
      finding.verdict = exhausted() ? Verdict::fail : Verdict::undecided;
      finding.reason = fmt::format("not reached in {} states", explorer_.visited().size());
    }
    return finding;
  }

  [[nodiscard]] ExtremeFound find_extreme(std::size_t index) const {
    const Extreme<M>& extreme = properties_.extremes[index];
    const Greatest& greatest = explorer_.tally().extremes[index];
    ExtremeFound found{.name = extreme.name, .value = greatest.value};
    if (greatest.value) {
      found.trace = trace_of(greatest.at, [&](const Step<M>& step) { return extreme.on_step(step) == greatest.value; });
    }
    return found;
  }

  const Explorer<M>& explorer_;
  const Properties<M>& properties_;
  const Linked<M>* linked_;
};

}  // namespace headroom::checker
