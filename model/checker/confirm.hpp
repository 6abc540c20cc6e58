// Whether a trace still shows what it was found for: the steps are taken again, and the property is asked once more.
//
//   const std::optional<std::string> shown = confirm(model, trace, {.kind = ClaimKind::safety, .name = "ceiling"});
//   if (shown != reason) ...   // another model than the one that it was found in
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fmt/format.h>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/checker/expander.hpp"
#include "model/checker/model.hpp"
#include "model/checker/properties.hpp"
#include "model/checker/result.hpp"
#include "model/checker/trace.hpp"

namespace headroom::checker {

enum class ClaimKind : std::uint8_t {
  safety,
  deadlock,
  liveness,
  extreme,  // the last state or step has this value
  wait,     // the trace ends with a wait of so many steps
};

struct Claim {
  ClaimKind kind = ClaimKind::safety;
  std::string name;
  std::string who = {};  // of a wait
};

// A trace walked again, kept whole.
template <Model M>
struct Walk {
  std::vector<typename M::State> states;  // one more than actions
  std::vector<typename M::Action> actions;
  std::vector<typename M::Effects> effects;

  [[nodiscard]] std::size_t steps() const { return actions.size(); }
  [[nodiscard]] Step<M> step(std::size_t i) const { return {states[i], actions[i], effects[i], states[i + 1]}; }
};

// Nothing: the model does not have these steps.
template <Model M>
[[nodiscard]] std::optional<Walk<M>> walk_again(const M& model, const Trace& trace) {
  const std::vector<typename M::State> initial = model.initial_states();
  if (trace.initial_choice >= initial.size()) return std::nullopt;
  Walk<M> walk{.states = {initial[trace.initial_choice]}, .actions = {}, .effects = {}};
  const bool whole = replay(model, trace, [&](const Step<M>& step) {
    walk.actions.push_back(step.action);
    walk.effects.push_back(step.effects);
    walk.states.push_back(step.after);
  });
  return whole ? std::optional(std::move(walk)) : std::nullopt;
}

template <Model M>
class Confirmer {
 public:
  Confirmer(const M& model, const Trace& trace, const Walk<M>& walk)
      : model_(model), properties_(model.properties()), trace_(trace), walk_(walk) {}

  [[nodiscard]] std::optional<std::string> confirm(const Claim& claim) const {
    switch (claim.kind) {
      case ClaimKind::safety:
        return first_of(properties_.safety, claim.name, [&](const Safety<M>& safety) { return broken(safety); });
      case ClaimKind::deadlock:
        return deadlock();
      case ClaimKind::liveness:
        return first_of(properties_.liveness, claim.name,
                        [&](const Liveness<M>& liveness) { return starves(liveness); });
      case ClaimKind::extreme:
        return first_of(properties_.extremes, claim.name, [&](const Extreme<M>& extreme) { return value(extreme); });
      case ClaimKind::wait:
        return first_of(properties_.waits, claim.name, [&](const Wait<M>& wait) { return waits(wait, claim.who); });
    }
    return std::nullopt;
  }

 private:
  template <class P, class Ask>
  [[nodiscard]] static std::optional<std::string> first_of(const std::vector<P>& properties, std::string_view name,
                                                           Ask ask) {
    for (const P& property : properties) {
      if (property.name != name) continue;
      if (std::optional<std::string> shown = ask(property)) return shown;
    }
    return std::nullopt;
  }

  [[nodiscard]] std::optional<std::string> broken(const Safety<M>& safety) const {
    if (walk_.steps() > 0 && safety.on_step) {
      if (Reason reason = safety.on_step(walk_.step(walk_.steps() - 1))) return reason;
    }
    return safety.on_state ? safety.on_state(walk_.states.back()) : std::nullopt;
  }

  [[nodiscard]] std::optional<std::string> deadlock() const {
    std::vector<typename M::Action> actions;
    model_.enabled(walk_.states.back(), actions);
    const bool stuck = actions.empty() && properties_.may_stop && !properties_.may_stop(walk_.states.back());
    return stuck ? std::optional<std::string>("nothing can happen any more") : std::nullopt;
  }

  [[nodiscard]] bool loop_closes() const {
    if (!trace_.is_loop) return false;
    Expander<M> exact(model_, false);
    const std::span<const std::byte> first = exact.pack(walk_.states[trace_.loop_begin]);
    const std::vector<std::byte> begin(first.begin(), first.end());
    return std::ranges::equal(exact.pack(walk_.states.back()), begin);
  }

  [[nodiscard]] bool loop_is_fair() const {
    return std::ranges::all_of(properties_.fairness, [&](const Fairness<M>& fairness) {
      for (std::size_t i = trace_.loop_begin; i <= walk_.steps(); ++i) {
        if (!fairness.enabled(walk_.states[i])) return true;
        if (i < walk_.steps() && fairness.taken(walk_.step(i))) return true;
      }
      return false;
    });
  }

  // Whether somebody waits in all of the loop and no step serves them.
  template <class P>
  [[nodiscard]] bool waits_throughout(const P& property, std::size_t who) const {
    for (std::size_t i = trace_.loop_begin; i <= walk_.steps(); ++i) {
      if (!property.waiting(walk_.states[i], who)) return false;
      if (i < walk_.steps() && property.served(walk_.step(i), who)) return false;
    }
    return true;
  }

  [[nodiscard]] std::optional<std::string> starves(const Liveness<M>& liveness) const {
    if (!loop_closes() || !loop_is_fair()) return std::nullopt;
    for (std::size_t who = 0; who < liveness.who.size(); ++who) {
      if (waits_throughout(liveness, who)) return starves_in_words(trace_.loop_steps(), liveness.who[who]);
    }
    return std::nullopt;
  }

  [[nodiscard]] std::optional<std::string> value(const Extreme<M>& extreme) const {
    std::optional<std::int64_t> shown;
    if (walk_.steps() > 0 && extreme.on_step) shown = extreme.on_step(walk_.step(walk_.steps() - 1));
    if (extreme.on_state) {
      if (const std::optional<std::int64_t> of_state = extreme.on_state(walk_.states.back())) {
        shown = shown ? std::max(*shown, *of_state) : *of_state;
      }
    }
    return shown ? std::optional(std::to_string(*shown)) : std::nullopt;
  }

  [[nodiscard]] std::optional<std::string> waits(const Wait<M>& wait, const std::string& name) const {
    const auto found = std::ranges::find(wait.who, name);
    if (found == wait.who.end()) return std::nullopt;
    const auto who = static_cast<std::size_t>(found - wait.who.begin());
    std::uint64_t counted = 0;
    std::uint64_t in_loop = 0;
    for (std::size_t i = 0; i < walk_.steps(); ++i) {
      const Step<M> step = walk_.step(i);
      if (!wait.waiting(step.before, who) || (i > 0 && wait.served(walk_.step(i - 1), who))) counted = 0;
      const bool counts = wait.waiting(step.before, who) && wait.counts(step, who);
      counted += counts ? 1 : 0;
      in_loop += counts && i >= trace_.loop_begin ? 1 : 0;
    }
    if (!trace_.is_loop) return std::to_string(counted);
    const bool endless = loop_closes() && waits_throughout(wait, who) && in_loop > 0;
    return endless ? std::optional<std::string>("without bound") : std::nullopt;
  }

  const M& model_;
  const Properties<M> properties_;
  const Trace& trace_;
  const Walk<M>& walk_;
};

// What the trace shows now; nothing: not what is claimed, or the model does not have these steps.
template <Model M>
[[nodiscard]] std::optional<std::string> confirm(const M& model, const Trace& trace, const Claim& claim) {
  const std::optional<Walk<M>> walk = walk_again(model, trace);
  return walk ? Confirmer<M>(model, trace, *walk).confirm(claim) : std::nullopt;
}

}  // namespace headroom::checker
