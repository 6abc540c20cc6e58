// The steps out of one packed state: the only place where the checker runs a model forward.
//
//   Expander<M> expander(model, symmetry);
//   expander.open(visited.bytes(id));
//   expander.for_each_step([&](const Step<M>& step, std::span<const std::byte> successor) { ... });
//
// One per thread: it holds the room in which states are unpacked, changed and packed.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "model/checker/cache_lines.hpp"
#include "model/checker/model.hpp"

namespace headroom::checker {

template <Model M>
class alignas(kCacheLines) Expander {
 public:
  Expander(const M& model, bool symmetry)
      : model_(model),
        symmetry_(symmetry),
        current_(model.initial_states().front()),
        next_(current_),
        canonical_(current_),
        lines_(lines_for(model.packed_size().most)) {}

  void open(std::span<const std::byte> bytes) {
    model_.unpack(bytes, current_);
    open_here();
  }
  void open(const typename M::State& state) {
    current_ = state;
    open_here();
  }

  [[nodiscard]] const typename M::State& state() const { return current_; }
  [[nodiscard]] const std::vector<typename M::Action>& enabled() const { return actions_; }

  // Calls visit(step, packed successor) for every enabled action, in order.
  template <class Visit>
  void for_each_step(Visit visit) {
    for (const typename M::Action& action : actions_) {
      take(action, visit);
    }
  }
  // The same for one of them; gives what `visit` gives.
  template <class Visit>
  decltype(auto) take(const typename M::Action& action, Visit&& visit) {
    next_ = current_;
    model_.step(next_, action, effects_);
    return visit(Step<M>{current_, action, effects_, next_}, pack(next_));
  }

  // The state, or with symmetry the representative of its orbit, as it is stored; valid until the next call.
  [[nodiscard]] std::span<const std::byte> pack(const typename M::State& state) {
    const std::span<std::byte> room = std::as_writable_bytes(std::span(lines_)).first(model_.packed_size().most);
    if constexpr (PacksOrbits<M>) {
      if (symmetry_) {
        return room.first(model_.pack_canonical(state, room));
      }
    } else if constexpr (Symmetric<M>) {
      if (symmetry_) {
        canonical_ = state;
        model_.canonicalise(canonical_);
        return room.first(model_.pack(canonical_, room));
      }
    }
    return room.first(model_.pack(state, room));
  }

 private:
  void open_here() {
    actions_.clear();
    model_.enabled(current_, actions_);
  }

  const M& model_;
  bool symmetry_;
  typename M::State current_;
  typename M::State next_;
  typename M::State canonical_;
  typename M::Effects effects_{};
  std::vector<typename M::Action> actions_;
  std::vector<CacheLines> lines_;  // where states are packed
};

}  // namespace headroom::checker
