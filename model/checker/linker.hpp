// Stores the steps between the states that a search found, with the labels that are asked for: a second pass, made only
// for liveness, bounded waits and points of no return.
//
//   Linker<M> linker(explorer, options, limits, crew);
//   const std::size_t waiting = linker.label_states([](const State& state) { ... });
//   if (std::optional<StateGraph> graph = linker.link()) graph->vertex_labels.test(vertex, waiting);
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "model/checker/explorer.hpp"
#include "model/checker/state_graph.hpp"

namespace headroom::checker {

template <Model M>
class Linker {
 public:
  using OfState = std::function<bool(const typename M::State&)>;
  using OfStep = std::function<bool(const Step<M>&)>;

  Linker(const Explorer<M>& explorer, const Options& options, const Limits& limits, Crew& crew)
      : explorer_(explorer),
        options_(options),
        limits_(limits),
        crew_(crew),
        states_({}, explorer.visited().counts()),
        expanders_(crew.workers(), Expander<M>(explorer.model(), explorer.symmetry())) {}

  // The bit of the new label.
  std::size_t label_states(OfState label) {
    of_states_.push_back(std::move(label));
    return of_states_.size() - 1;
  }
  std::size_t label_steps(OfStep label) {
    of_steps_.push_back(std::move(label));
    return of_steps_.size() - 1;
  }

  // Nothing: max_memory, max_seconds or `stop` ended it.
  [[nodiscard]] std::optional<StateGraph> link();

  [[nodiscard]] Vertex vertex_of(StateId id) const { return static_cast<Vertex>(states_.place_of(id)); }
  [[nodiscard]] StateId id_of(Vertex vertex) const { return states_.id_at(vertex); }

 private:
  struct Block {
    std::vector<std::uint32_t> degrees;  // by state
    Batch successors;                    // their parents are not used
    std::vector<StateId> targets;
    BitRows state_labels;
    BitRows step_labels;
  };

  void expand_block(Block& block, Expander<M>& expander, std::uint64_t from, std::uint64_t to) const;
  void find_targets(Block& block) const;
  void append(const Block& block, StateGraph& graph) const;
  void set_depths(StateGraph& graph) const;
  [[nodiscard]] bool may_go_on(const StateGraph& graph, std::uint64_t done) const;

  const Explorer<M>& explorer_;
  const Options& options_;
  const Limits& limits_;
  Crew& crew_;
  StateRange states_;
  std::vector<Expander<M>> expanders_;
  std::vector<OfState> of_states_;
  std::vector<OfStep> of_steps_;
};

template <Model M>
std::optional<StateGraph> Linker<M>::link() {
  StateGraph graph;
  graph.vertex_labels = BitRows(of_states_.size());
  graph.edge_labels = BitRows(of_steps_.size());
  graph.complete = explorer_.ended() == Ended::exhausted;
  graph.first_edge.reserve(states_.size() + 1);
  std::array<Block, kBlocks> blocks;
  for (Block& block : blocks) {
    block.state_labels = BitRows(of_states_.size());
    block.step_labels = BitRows(of_steps_.size());
  }
  for (std::uint64_t from = 0; from < states_.size(); from += kRoundStates) {
    const std::uint64_t states = std::min(kRoundStates, states_.size() - from);
    crew_.run(kBlocks, [&](std::size_t block, unsigned worker) {
      const std::uint64_t begin = block == 0 ? 0 : block_end(block - 1, states);
      expand_block(blocks[block], expanders_[worker], from + begin, from + block_end(block, states));
    });
    for (const Block& block : blocks) {
      append(block, graph);
    }
    if (!may_go_on(graph, from + states)) {
      return std::nullopt;
    }
  }
  set_depths(graph);
  return graph;
}

template <Model M>
void Linker<M>::expand_block(Block& block, Expander<M>& expander, std::uint64_t from, std::uint64_t to) const {
  const ScopedFaultContext context = expanding_context(explorer_.model(), expander, options_);
  block.degrees.clear();
  block.successors.clear();
  block.state_labels.clear();
  block.step_labels.clear();
  states_.for_each(from, to, [&](std::uint64_t /*place*/, StateId id) {
    expander.open(explorer_.visited().bytes(id));
    block.state_labels.add_row();
    for (std::size_t bit = 0; bit < of_states_.size(); ++bit) {
      if (of_states_[bit](expander.state())) block.state_labels.set_in_last_row(bit);
    }
    expander.for_each_step([&](const Step<M>& step, std::span<const std::byte> successor) {
      const std::uint64_t hash = PackedSet::hash(successor);
      explorer_.visited().prefetch(hash);
      block.successors.add(hash, id, successor);
      block.step_labels.add_row();
      for (std::size_t bit = 0; bit < of_steps_.size(); ++bit) {
        if (of_steps_[bit](step)) block.step_labels.set_in_last_row(bit);
      }
    });
    block.degrees.push_back(static_cast<std::uint32_t>(expander.enabled().size()));
  });
  find_targets(block);
}

template <Model M>
void Linker<M>::find_targets(Block& block) const {
  block.targets.resize(block.successors.size());
  for (std::size_t i = 0; i < block.targets.size(); ++i) {
    block.targets[i] = explorer_.visited().find(block.successors.entry(i).hash, block.successors.bytes(i));
    HEADROOM_ASSERT(block.targets[i] != kNoState || explorer_.ended() != Ended::exhausted,
                    "a step leads to a state that the search did not find: the model is no function of its state");
  }
}

// Steps to states that a search which was cut short did not find are left out.
template <Model M>
void Linker<M>::append(const Block& block, StateGraph& graph) const {
  graph.vertex_labels.append(block.state_labels);
  std::size_t step = 0;
  for (const std::uint32_t degree : block.degrees) {
    for (const std::size_t end = step + degree; step < end; ++step) {
      if (block.targets[step] == kNoState) continue;
      graph.targets.push_back(vertex_of(block.targets[step]));
      graph.edge_labels.append_row(block.step_labels, step);
    }
    graph.first_edge.push_back(graph.targets.size());
  }
}

template <Model M>
void Linker<M>::set_depths(StateGraph& graph) const {
  graph.depths.resize(graph.size());
  const std::vector<PackedSet::Counts>& levels = explorer_.levels();
  for (std::uint32_t depth = 0; depth < levels.size(); ++depth) {
    const StateRange level(levels[depth], depth + 1 < levels.size() ? levels[depth + 1] : explorer_.visited().counts());
    level.for_each(0, level.size(), [&](std::uint64_t /*place*/, StateId id) { graph.depths[vertex_of(id)] = depth; });
  }
}

template <Model M>
bool Linker<M>::may_go_on(const StateGraph& graph, std::uint64_t done) const {
  const std::size_t bytes = explorer_.bytes() + graph.memory();
  if (options_.progress) {
    const double seconds = limits_.seconds();
    options_.progress({.phase = Phase::linking,
                       .states = states_.size(),
                       .transitions = graph.edge_count(),
                       .frontier = states_.size() - done,
                       .depth = 0,
                       .bytes = bytes,
                       .seconds = seconds,
                       .states_per_second = seconds > 0 ? static_cast<double>(done) / seconds : 0});
  }
  // What passed max_states has ended the search, not this.
  return !limits_.passed(0, bytes);
}

}  // namespace headroom::checker
