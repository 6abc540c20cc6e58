// Breadth-first search over all states of a model.
//
//   Explorer<M> explorer(model, properties, options, limits, crew, symmetry);
//   explorer.run();
//   explorer.visited(), explorer.tally(), explorer.ended()
//
// A level is expanded in rounds of a fixed number of states. In a round, threads first expand blocks of states and sort
// the successors by partition, then insert partition by partition, each in the order of the blocks. So which state is
// found first, from where, and what is counted does not depend on the number of threads.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "model/base/assert.hpp"
#include "model/checker/cache_lines.hpp"
#include "model/checker/crew.hpp"
#include "model/checker/expander.hpp"
#include "model/checker/facts.hpp"
#include "model/checker/limits.hpp"
#include "model/checker/model.hpp"
#include "model/checker/options.hpp"
#include "model/checker/packed_set.hpp"
#include "model/checker/properties.hpp"
#include "model/checker/result.hpp"
#include "model/checker/state_range.hpp"
#include "model/checker/tally.hpp"

namespace headroom::checker {

inline constexpr std::uint64_t kRoundStates = 16'384;
inline constexpr std::uint64_t kBlocks = 16;  // of a round

// Ends of the blocks of a round that covers `states` states.
[[nodiscard]] constexpr std::uint64_t block_end(std::uint64_t block, std::uint64_t states) {
  return (block + 1) * states / kBlocks;
}

// While it lives, a broken assertion prints the state that this thread expands.
template <Model M>
[[nodiscard]] ScopedFaultContext expanding_context(const M& model, const Expander<M>& expander,
                                                   const Options& options) {
  return ScopedFaultContext([&model, &expander, &options] {
    std::string text = options.fault_context ? options.fault_context() + "\n" : "";
    return text + "while the checker expanded the state\n" + text_of(model.facts(expander.state()));
  });
}

template <Model M>
class Explorer {
 public:
  Explorer(const M& model, const Properties<M>& properties, const Options& options, const Limits& limits, Crew& crew,
           bool symmetry)
      : model_(model),
        properties_(properties),
        options_(options),
        limits_(limits),
        crew_(crew),
        symmetry_(symmetry),
        visited_(model.packed_size()),
        tally_(empty_tally()),
        expanders_(crew.workers(), Expander<M>(model, symmetry)) {
    for (Block& block : blocks_) {
      block.tally = empty_tally();
    }
  }

  void run();

  [[nodiscard]] const M& model() const { return model_; }
  [[nodiscard]] const Properties<M>& properties() const { return properties_; }
  [[nodiscard]] bool symmetry() const { return symmetry_; }
  [[nodiscard]] const PackedSet& visited() const { return visited_; }
  [[nodiscard]] const Tally& tally() const { return tally_; }
  [[nodiscard]] Ended ended() const { return ended_; }
  [[nodiscard]] std::uint64_t initial_states() const { return initial_states_; }
  // Where each level begins: the states of depth d are those from levels()[d] to before levels()[d + 1].
  [[nodiscard]] const std::vector<PackedSet::Counts>& levels() const { return levels_; }
  // The most that was held at the end of a round.
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  struct alignas(kCacheLines) Block {
    std::array<Batch, PackedSet::kPartitions> successors;
    Tally tally{0, 0, 0};
  };

  [[nodiscard]] Tally empty_tally() const {
    return {properties_.safety.size(), properties_.sometimes.size(), properties_.extremes.size()};
  }
  [[nodiscard]] std::uint32_t depth() const { return static_cast<std::uint32_t>(levels_.size()) - 1; }

  void insert_initial_states();
  [[nodiscard]] bool explore_level(const StateRange& level);
  void explore_round(const StateRange& level, std::uint64_t from, std::uint64_t to);
  void expand_block(Block& block, Expander<M>& expander, const StateRange& level, std::uint64_t from, std::uint64_t to);
  void watch_state(Tally& tally, const Expander<M>& expander, StateId id) const;
  void watch_step(Tally& tally, const Step<M>& step, StateId id) const;
  [[nodiscard]] bool may_go_on(std::uint64_t left_in_level);
  [[nodiscard]] std::size_t bytes_now() const;

  const M& model_;
  const Properties<M>& properties_;
  const Options& options_;
  const Limits& limits_;
  Crew& crew_;
  bool symmetry_;
  PackedSet visited_;
  Tally tally_;
  std::vector<Expander<M>> expanders_;  // by worker
  std::array<Block, kBlocks> blocks_;
  std::vector<PackedSet::Counts> levels_;
  std::uint64_t initial_states_ = 0;
  std::uint64_t expanded_ = 0;
  std::size_t bytes_ = 0;
  Ended ended_ = Ended::exhausted;
};

template <Model M>
void Explorer<M>::run() {
  levels_.push_back({});
  insert_initial_states();
  while (true) {
    const PackedSet::Counts end = visited_.counts();
    const StateRange level(levels_.back(), end);
    if (!explore_level(level)) {
      return;
    }
    if (visited_.counts() == end) {
      return;
    }
    levels_.push_back(end);
    if (options_.stop_at_first && tally_.violated()) {
      ended_ = Ended::first_violation;
      return;
    }
  }
}

template <Model M>
void Explorer<M>::insert_initial_states() {
  Expander<M>& expander = expanders_.front();
  const std::vector<typename M::State> states = model_.initial_states();
  HEADROOM_ASSERT(!states.empty(), "a model needs an initial state");
  for (const typename M::State& state : states) {
    const std::span<const std::byte> bytes = expander.pack(state);
    const std::uint64_t hash = PackedSet::hash(bytes);
    Batch batch;
    batch.add(hash, kNoState, bytes);
    visited_.insert(PackedSet::partition_of(hash), batch);
  }
  initial_states_ = visited_.size();
}

// False: a limit ended the search.
template <Model M>
bool Explorer<M>::explore_level(const StateRange& level) {
  for (std::uint64_t from = 0; from < level.size(); from += kRoundStates) {
    const std::uint64_t to = std::min(from + kRoundStates, level.size());
    explore_round(level, from, to);
    if (!may_go_on(level.size() - to)) {
      return false;
    }
  }
  return true;
}

template <Model M>
void Explorer<M>::explore_round(const StateRange& level, std::uint64_t from, std::uint64_t to) {
  const std::uint64_t states = to - from;
  // A round of few states is not worth waking threads for.
  const auto share_out = [&](std::size_t tasks, const Crew::Task& task) {
    if (states >= 4 * kBlocks) {
      crew_.run(tasks, task);
    } else {
      for (std::size_t i = 0; i < tasks; ++i) task(i, 0);
    }
  };
  share_out(kBlocks, [&](std::size_t block, unsigned worker) {
    const std::uint64_t begin = block == 0 ? 0 : block_end(block - 1, states);
    expand_block(blocks_[block], expanders_[worker], level, from + begin, from + block_end(block, states));
  });
  share_out(PackedSet::kPartitions, [&](std::size_t partition, unsigned /*worker*/) {
    std::array<const Batch*, kBlocks> batches{};
    std::ranges::transform(blocks_, batches.begin(), [&](const Block& block) { return &block.successors[partition]; });
    visited_.insert(static_cast<unsigned>(partition), batches);
  });
  for (const Block& block : blocks_) {
    tally_.merge(block.tally);
  }
  expanded_ += states;
}

template <Model M>
void Explorer<M>::expand_block(Block& block, Expander<M>& expander, const StateRange& level, std::uint64_t from,
                               std::uint64_t to) {
  const ScopedFaultContext context = expanding_context(model_, expander, options_);
  for (Batch& batch : block.successors) {
    batch.clear();
  }
  block.tally = empty_tally();
  level.for_each(from, to, [&](std::uint64_t /*place*/, StateId id) {
    expander.open(visited_.bytes(id));
    watch_state(block.tally, expander, id);
    expander.for_each_step([&](const Step<M>& step, std::span<const std::byte> successor) {
      watch_step(block.tally, step, id);
      const std::uint64_t hash = PackedSet::hash(successor);
      block.successors[PackedSet::partition_of(hash)].add(hash, id, successor);
    });
    block.tally.transitions += expander.enabled().size();
  });
}

template <Model M>
void Explorer<M>::watch_state(Tally& tally, const Expander<M>& expander, StateId id) const {
  const typename M::State& state = expander.state();
  const Sighting here{id, false, depth()};
  for (std::size_t i = 0; i < tally.safety.size(); ++i) {
    const auto& on_state = properties_.safety[i].on_state;
    if (on_state && on_state(state)) tally.safety[i].add(here);
  }
  for (std::size_t i = 0; i < tally.sometimes.size(); ++i) {
    const auto& on_state = properties_.sometimes[i].on_state;
    if (on_state && on_state(state)) tally.sometimes[i].add(here);
  }
  for (std::size_t i = 0; i < tally.extremes.size(); ++i) {
    const auto& on_state = properties_.extremes[i].on_state;
    if (!on_state) continue;
    if (const std::optional<std::int64_t> value = on_state(state)) tally.extremes[i].add(*value, here);
  }
  if (expander.enabled().empty() && properties_.may_stop && !properties_.may_stop(state)) {
    tally.deadlocks.add(here);
  }
}

template <Model M>
void Explorer<M>::watch_step(Tally& tally, const Step<M>& step, StateId id) const {
  const Sighting here{id, true, depth() + 1};
  for (std::size_t i = 0; i < tally.safety.size(); ++i) {
    const auto& on_step = properties_.safety[i].on_step;
    if (on_step && on_step(step)) tally.safety[i].add(here);
  }
  for (std::size_t i = 0; i < tally.sometimes.size(); ++i) {
    const auto& on_step = properties_.sometimes[i].on_step;
    if (on_step && on_step(step)) tally.sometimes[i].add(here);
  }
  for (std::size_t i = 0; i < tally.extremes.size(); ++i) {
    const auto& on_step = properties_.extremes[i].on_step;
    if (!on_step) continue;
    if (const std::optional<std::int64_t> value = on_step(step)) tally.extremes[i].add(*value, here);
  }
}

template <Model M>
std::size_t Explorer<M>::bytes_now() const {
  std::size_t bytes = visited_.memory() + levels_.capacity() * sizeof(PackedSet::Counts);
  for (const Block& block : blocks_) {
    for (const Batch& batch : block.successors) {
      bytes += batch.memory();
    }
  }
  return bytes;
}

template <Model M>
bool Explorer<M>::may_go_on(std::uint64_t left_in_level) {
  const std::uint64_t states = visited_.size();
  bytes_ = std::max(bytes_, bytes_now());
  if (options_.progress) {
    const double seconds = limits_.seconds();
    options_.progress({.phase = Phase::exploring,
                       .states = states,
                       .transitions = tally_.transitions,
                       .frontier = states - expanded_,
                       .depth = depth(),
                       .bytes = bytes_,
                       .seconds = seconds,
                       .states_per_second = seconds > 0 ? static_cast<double>(expanded_) / seconds : 0});
  }
  const bool done = left_in_level == 0 && states == expanded_;
  if (done) {
    return true;
  }
  if (const std::optional<Ended> limit = limits_.passed(states, bytes_)) {
    ended_ = *limit;
    return false;
  }
  if (visited_.nearly_full()) {
    ended_ = Ended::max_states;
    return false;
  }
  return true;
}

}  // namespace headroom::checker
