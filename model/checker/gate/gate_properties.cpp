// What a check of the gate proves: safety of every step, progress of every waiter, goals and extremes.
#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "model/base/assert.hpp"
#include "model/checker/gate/gate_judge.hpp"
#include "model/checker/gate/gate_model.hpp"
#include "model/properties/gate_mirror.hpp"

namespace headroom::checker {
namespace {

using State = GateModel::State;

// A tenant in a process.
struct Pair {
  ProcessId process;
  NamespaceId tenant;
};

std::vector<Pair> pairs_of(const State& state) {
  std::vector<Pair> pairs;
  for (std::uint16_t process = 0; process < state.fleet.processes.size(); ++process) {
    for (std::uint32_t tenant = 0; tenant < state.fleet.namespaces(); ++tenant) {
      pairs.push_back({ProcessId(process), NamespaceId(tenant)});
    }
  }
  return pairs;
}

bool is_of(const FleetContents::Inside& request, const Pair& pair) {
  return request.process == pair.process && request.tenant == pair.tenant;
}
bool works(const FleetContents::Inside& request) {
  return request.stage == Stage::handler || request.stage == Stage::downstream;
}

// A limit of 0 lets nobody run, which is what it is for.
bool may_ever_run(const State& state, const Pair& pair) {
  return state.fleet.processes[pair.process.value()].gate.limits.max_inflight != std::uint32_t{0} &&
         state.fleet.tenant(pair.process, pair.tenant).limits.max_inflight != std::uint32_t{0};
}

bool has_waiter(const State& state, const Pair& pair) {
  return oldest_waiter(state.fleet, pair.process, pair.tenant).has_value();
}

bool below_cap(const State& state, const Pair& pair) {
  const Gate::TenantStanding& tenant = state.fleet.tenant(pair.process, pair.tenant);
  return !tenant.limits.max_inflight || tenant.inflight < *tenant.limits.max_inflight;
}

// Whether the step ends the wait of the waiter of the pair that has waited longest.
bool ends_wait(const GateStep& step, const Pair& pair) {
  const std::optional<std::uint32_t> oldest = oldest_waiter(step.before.fleet, pair.process, pair.tenant);
  return oldest && std::ranges::any_of(step.effects.list, [&](const Effect& effect) {
           return effect.request == RequestId(*oldest) &&
                  (effect.kind == EffectKind::request_admitted || effect.kind == EffectKind::request_refused ||
                   effect.kind == EffectKind::request_gone);
         });
}

bool hands_over(const GateStep& step, ProcessId process, std::optional<NamespaceId> to) {
  return std::ranges::any_of(step.effects.list, [&](const Effect& effect) {
    return effect.kind == EffectKind::request_admitted && !effect.live && effect.process == process &&
           (!to || effect.name == *to);
  });
}

bool finishes(const GateStep& step, const Pair& pair) {
  const bool finish = step.action.kind == GateModel::Kind::finish || step.action.kind == GateModel::Kind::fail;
  return finish && is_of(step.before.fleet.requests[step.action.request], pair);
}

template <class Wanted>
bool any_effect(const GateStep& step, Wanted wanted) {
  return std::ranges::any_of(step.effects.list, wanted);
}

bool is_refusal(const Effect& effect, int status) {
  return effect.kind == EffectKind::request_refused && status_of(static_cast<Refusal>(effect.detail)) == status;
}
bool is_expiry(const Effect& effect) {
  const auto refusal = static_cast<Refusal>(effect.detail);
  return effect.kind == EffectKind::request_refused &&
         (refusal == Refusal::tenant_wait_expired || refusal == Refusal::process_wait_expired);
}
bool of_database(const Effect& effect, EffectKind kind) {
  return effect.kind == kind && effect.detail == static_cast<std::uint8_t>(Resource::database_pool);
}

struct Goal {
  std::string_view name;
  bool (*reached)(const Effect& effect);
};

constexpr std::array kGoals{
    Goal{"refused_429", [](const Effect& effect) { return is_refusal(effect, 429); }},
    Goal{"refused_503", [](const Effect& effect) { return is_refusal(effect, 503); }},
    Goal{"queued", [](const Effect& effect) { return effect.kind == EffectKind::request_queued; }},
    Goal{"handed_over",
         [](const Effect& effect) { return effect.kind == EffectKind::request_admitted && !effect.live; }},
    Goal{"wait_expired", is_expiry},
    Goal{"gone", [](const Effect& effect) { return effect.kind == EffectKind::request_gone; }},
    Goal{"abandoned", [](const Effect& effect) { return effect.kind == EffectKind::request_abandoned; }},
    Goal{"unready", [](const Effect& effect) { return effect.kind == EffectKind::became_unready; }},
    Goal{"drained", nullptr},
    Goal{"database_wait", [](const Effect& effect) { return of_database(effect, EffectKind::resource_awaited); }},
    Goal{"database_timeout", [](const Effect& effect) { return of_database(effect, EffectKind::resource_timed_out); }},
    Goal{"limit_changed", [](const Effect& effect) { return effect.kind == EffectKind::limits_changed; }},
    Goal{"crashed", [](const Effect& effect) { return effect.kind == EffectKind::process_down; }},
};

constexpr auto kGoalNames = [] {
  std::array<std::string_view, kGoals.size()> names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = kGoals[i].name;
  return names;
}();

// A process that drains has nothing left inside.
bool is_drained(const State& state) {
  for (std::uint16_t i = 0; i < state.fleet.processes.size(); ++i) {
    const bool empty = std::ranges::none_of(
        state.fleet.requests, [&](const FleetContents::Inside& request) { return request.process == ProcessId(i); });
    if (state.fleet.processes[i].gate.draining && empty) return true;
  }
  return false;
}

Sometimes<GateModel> goal_of(const std::string& name) {
  const auto* const goal = std::ranges::find(kGoals, name, &Goal::name);
  HEADROOM_ASSERT(goal != kGoals.end(), "a check of the gate has no goal {}", name);
  if (goal->reached == nullptr) return {.name = name, .on_state = is_drained, .on_step = {}};
  return {.name = name, .on_state = {}, .on_step = [reached = goal->reached](const GateStep& step) {
            return any_effect(step, reached);
          }};
}

void add_safety(const GateScope& scope, Properties<GateModel>& properties) {
  using Judge = Reason (*)(const GateScope&, const GateStep&);
  const std::array<std::pair<const char*, Judge>, 4> judges{{{"gate_safety", judge_gate_safety},
                                                             {"gate_progress", judge_gate_progress},
                                                             {"readiness", judge_readiness},
                                                             {"ledger", judge_request_ledger}}};
  for (const auto& [name, judge] : judges) {
    properties.safety.push_back({.name = name, .on_state = {}, .on_step = [&scope, judge](const GateStep& step) {
                                   return judge(scope, step);
                                 }});
  }
}

// A waiter is not passed over for ever while handlers end again and again.
void add_liveness(const GateScope& scope, const std::vector<Pair>& pairs, Properties<GateModel>& properties) {
  Liveness<GateModel> liveness{.name = "gate_progress"};
  for (const Pair& pair : pairs) {
    const std::string who = tenant_on(scope.config, pair.process, pair.tenant);
    liveness.who.push_back("the waiter of " + who + " that has waited longest");
    properties.fairness.push_back({.name = "handlers of " + who + " end",
                                   .enabled =
                                       [pair](const State& state) {
                                         return std::ranges::any_of(state.fleet.requests, [&](const auto& request) {
                                           return is_of(request, pair) && works(request);
                                         });
                                       },
                                   .taken = [pair](const GateStep& step) { return finishes(step, pair); }});
  }
  liveness.waiting = [pairs](const State& state, std::size_t who) {
    return has_waiter(state, pairs[who]) && may_ever_run(state, pairs[who]);
  };
  liveness.served = [pairs](const GateStep& step, std::size_t who) { return ends_wait(step, pairs[who]); };
  properties.liveness.push_back(std::move(liveness));
}

// How often permits are handed to others while a tenant could have had them.
void add_waits(const GateScope& scope, const std::vector<Pair>& pairs, Properties<GateModel>& properties) {
  for (std::uint32_t i = 0; i < scope.config.namespaces.size(); ++i) {
    Wait<GateModel> wait{.name = "worst_passed_over/" + scope.config.namespaces[i].name};
    std::vector<Pair> own;
    std::ranges::copy_if(pairs, std::back_inserter(own),
                         [&](const Pair& pair) { return pair.tenant == NamespaceId(i); });
    for (const Pair& pair : own) wait.who.push_back(process_name(scope.config, pair.process));
    wait.waiting = [own](const State& state, std::size_t who) {
      return has_waiter(state, own[who]) && below_cap(state, own[who]);
    };
    wait.served = [own](const GateStep& step, std::size_t who) {
      return hands_over(step, own[who].process, own[who].tenant);
    };
    wait.counts = [own](const GateStep& step, std::size_t who) {
      return hands_over(step, own[who].process, std::nullopt) && !hands_over(step, own[who].process, own[who].tenant);
    };
    properties.waits.push_back(std::move(wait));
  }
}

void add_extremes(const GateScope& scope, const State& initial, Properties<GateModel>& properties) {
  for (std::uint16_t i = 0; i < initial.fleet.processes.size(); ++i) {
    const ProcessId process(i);
    for (const bool waiting : {false, true}) {
      const auto count = [process, waiting](const State& state) -> std::optional<std::int64_t> {
        return std::ranges::count_if(state.fleet.requests, [&](const FleetContents::Inside& request) {
          return request.process == process && (request.stage == Stage::waiting) == waiting;
        });
      };
      properties.extremes.push_back({.name = fmt::format("{}/{}", waiting ? "queue_depth_max" : "inflight_max",
                                                         process_name(scope.config, process)),
                                     .on_state = count,
                                     .on_step = {}});
    }
  }
}

}  // namespace

std::span<const std::string_view> gate_goals() {
  return kGoalNames;
}

Properties<GateModel> GateModel::properties() const {
  Properties<GateModel> properties;
  const std::vector<Pair> pairs = pairs_of(initial_);
  add_safety(scope_, properties);
  for (const std::string& goal : scope_.goals) properties.sometimes.push_back(goal_of(goal));
  if (scope_.liveness) {
    add_liveness(scope_, pairs, properties);
    add_waits(scope_, pairs, properties);
  }
  add_extremes(scope_, initial_, properties);
  properties.may_stop = [](const State& state) {
    return std::ranges::all_of(state.fleet.requests, [&](const FleetContents::Inside& request) {
      return request.stage == Stage::waiting && !may_ever_run(state, {request.process, request.tenant});
    });
  };
  return properties;
}

}  // namespace headroom::checker
