// What the stored graph says of behaviours without end: liveness, and how long waits get.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "model/base/assert.hpp"
#include "model/checker/avoidance.hpp"
#include "model/checker/explorer.hpp"
#include "model/checker/fair_cycle.hpp"
#include "model/checker/linked.hpp"
#include "model/checker/longest_wait.hpp"
#include "model/checker/result.hpp"
#include "model/checker/trace.hpp"

namespace headroom::checker {

template <Model M>
class CycleJudge {
 public:
  // `linked`: none where there is no stored graph.
  CycleJudge(const Explorer<M>& explorer, const Linked<M>* linked)
      : explorer_(explorer), properties_(explorer.properties()), linked_(linked) {}

  void judge(CheckResult& result) const {
    for (std::size_t i = 0; i < properties_.liveness.size(); ++i) result.findings.push_back(judge_liveness(i));
    for (std::size_t i = 0; i < properties_.waits.size(); ++i) {
      for (std::size_t who = 0; who < properties_.waits[i].who.size(); ++who) {
        result.waits.push_back(find_wait(i, who));
      }
    }
  }

 private:
  // With symmetry a loop of stored states may come back to another state of the same orbit. Going round again and again
  // comes back to the very state, in as many rounds as a permutation of the group has until it is the identity.
  static constexpr std::size_t kMostRounds = 100'000;

  [[nodiscard]] Finding judge_liveness(std::size_t index) const {
    const Liveness<M>& liveness = properties_.liveness[index];
    Finding finding{.name = liveness.name, .kind = FindingKind::liveness};
    if (linked_ == nullptr) return finding;
    finding.verdict = linked_->graph.complete ? Verdict::pass : Verdict::undecided;
    for (std::size_t who = 0; who < liveness.who.size(); ++who) {
      const Labels::Who& bits = linked_->labels.liveness[index][who];
      const std::optional<Lasso> lasso =
          find_fair_cycle(linked_->graph, {bits.waiting, bits.served, linked_->labels.fairness});
      if (!lasso) continue;
      ++finding.violations;
      Trace trace = trace_of(*lasso, liveness, bits, who);
      if (finding.trace && finding.trace->steps.size() <= trace.steps.size()) continue;
      finding.verdict = Verdict::fail;
      finding.reason = starves_in_words(trace.loop_steps(), liveness.who[who]);
      finding.trace = std::move(trace);
      finding.point_of_no_return = point_of_no_return(*lasso, bits);
    }
    return finding;
  }

  // The step of the stem from which on nothing can serve it any more; none if a service stays possible.
  [[nodiscard]] std::optional<std::size_t> point_of_no_return(const Lasso& lasso, const Labels::Who& bits) const {
    const StateGraph& graph = linked_->graph;
    if (!graph.complete) return std::nullopt;
    const std::vector<bool> lost = unreachable(
        graph, [&](Vertex vertex) { return !graph.vertex_labels.test(vertex, bits.waiting); },
        [&](Edge edge) { return graph.edge_labels.test(edge, bits.served); });
    if (!lost[lasso.start]) return std::nullopt;
    return step_into(lost, explorer_, linked_->linker, linked_->linker.id_of(lasso.start), false);
  }

  [[nodiscard]] Retracer<M> walk_to(Vertex vertex) const {
    Retracer<M> way(explorer_.model(), explorer_.visited(), explorer_.symmetry());
    way.walk_to(linked_->linker.id_of(vertex));
    return way;
  }

  // Takes steps along edges; each is one that accept(edge, step) wants.
  template <class Accept>
  void walk_over(Retracer<M>& way, const std::vector<Edge>& edges, Accept accept) const {
    for (const Edge edge : edges) {
      way.follow(linked_->linker.id_of(linked_->graph.targets[edge]),
                 [&](const Step<M>& step) { return accept(edge, step); });
    }
  }
  // The same until the loop is back at the state where it began.
  template <class Accept>
  void walk_round(Retracer<M>& way, const std::vector<Edge>& loop, Accept accept) const {
    Expander<M> exact(explorer_.model(), false);
    const std::span<const std::byte> packed = exact.pack(way.state());
    const std::vector<std::byte> start(packed.begin(), packed.end());
    const std::size_t begin = way.steps();
    std::size_t rounds = 0;
    do {
      HEADROOM_ASSERT(rounds++ < kMostRounds, "a loop does not come back to where it began");
      walk_over(way, loop, accept);
    } while (!loop.empty() && !std::ranges::equal(exact.pack(way.state()), start));
    way.close_loop(begin);
  }

  // Re-executes the lasso, and asserts of what it sees that nobody serves `who` and that it is fair.
  [[nodiscard]] Trace trace_of(const Lasso& lasso, const Liveness<M>& liveness, const Labels::Who& bits,
                               std::size_t who) const {
    const StateGraph& graph = linked_->graph;
    const std::vector<Fairness<M>>& fairness = properties_.fairness;
    Retracer<M> way = walk_to(lasso.start);
    std::vector<bool> met(fairness.size(), false);
    const auto see_state = [&](const typename M::State& state) {
      HEADROOM_ASSERT(liveness.waiting(state, who), "{} does not wait in its loop", liveness.who[who]);
      for (std::size_t i = 0; i < fairness.size(); ++i) met[i] = met[i] || !fairness[i].enabled(state);
    };
    see_state(way.state());
    walk_round(way, lasso.loop, [&](Edge edge, const Step<M>& step) {
      if (liveness.served(step, who) != graph.edge_labels.test(edge, bits.served)) return false;
      for (std::size_t i = 0; i < fairness.size(); ++i) {
        if (fairness[i].taken(step) != graph.edge_labels.test(edge, linked_->labels.fairness[i].taken)) return false;
      }
      for (std::size_t i = 0; i < fairness.size(); ++i) met[i] = met[i] || fairness[i].taken(step);
      see_state(step.after);
      return true;
    });
    for (std::size_t i = 0; i < fairness.size(); ++i) {
      HEADROOM_ASSERT(met[i], "a loop is not fair to {}", fairness[i].name);
    }
    return way.take();
  }

  [[nodiscard]] WaitFound find_wait(std::size_t index, std::size_t who) const {
    const Wait<M>& wait = properties_.waits[index];
    WaitFound found{.name = wait.name, .who = wait.who[who]};
    if (linked_ == nullptr) return found;
    const StateGraph& graph = linked_->graph;
    const Labels::Who& bits = linked_->labels.waits[index][who];
    const LongestWait longest = find_longest_wait(graph, {bits.waiting, bits.served, bits.counts});
    if (!longest.bounded) {
      found.verdict = Verdict::fail;
    } else {
      found.verdict = graph.complete ? Verdict::pass : Verdict::undecided;
    }
    found.steps = longest.counted;
    if (longest.start == kNoVertex) return found;
    Retracer<M> way = walk_to(longest.start);
    const auto accept = [&](Edge edge, const Step<M>& step) {
      return wait.served(step, who) == graph.edge_labels.test(edge, bits.served) &&
             wait.counts(step, who) == graph.edge_labels.test(edge, bits.counts);
    };
    if (longest.bounded) {
      walk_over(way, longest.way, accept);
    } else {
      walk_round(way, longest.way, accept);
    }
    found.trace = way.take();
    return found;
  }

  const Explorer<M>& explorer_;
  const Properties<M>& properties_;
  const Linked<M>* linked_;
};

}  // namespace headroom::checker
