#include "model/checker/gate/gate_judge.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

#include "model/base/ordered_bitmap.hpp"
#include "model/properties/gate_mirror.hpp"
#include "model/properties/gate_rules.hpp"

namespace headroom::checker {
namespace {

Reason about(const GateScope& scope, ProcessId process, NamespaceId name, std::optional<std::string> wrong) {
  if (wrong) *wrong = tenant_on(scope.config, process, name) + ": " + *wrong;
  return wrong;
}
Reason about(const GateScope& scope, ProcessId process, std::optional<std::string> wrong) {
  if (wrong) *wrong = process_name(scope.config, process) + ": " + *wrong;
  return wrong;
}

// Calls judge(process, name) for each tenant in each process; gives the first reason.
template <class Judge>
Reason first_of_all(const FleetContents& fleet, Judge judge) {
  for (std::uint16_t i = 0; i < fleet.processes.size(); ++i) {
    for (std::uint32_t name = 0; name < fleet.namespaces(); ++name) {
      if (Reason reason = judge(ProcessId(i), NamespaceId(name))) return reason;
    }
  }
  return std::nullopt;
}

// -- gate_safety ------------------------------------------------------------------------------------------------------

class SafetyOfStep {
 public:
  SafetyOfStep(const GateScope& scope, const GateStep& step)
      : scope_(scope), step_(step), mirror_(step.before.fleet), gate_(scope.config.admission->gate) {
    for (const FleetContents::Inside& request : step.before.fleet.requests) {
      whereabouts_.push_back(request.stage == Stage::waiting ? Whereabouts::waiting : Whereabouts::running);
    }
    whereabouts_.push_back(Whereabouts::outside);
    for (const Gate::TenantStanding& tenant : step.before.fleet.tenants) tokens_.push_back(tenant.tokens);
  }

  [[nodiscard]] Reason judge() {
    for (const Effect& effect : step_.effects.list) {
      if (Reason reason = judge_effect(effect)) return reason;
      mirror_.on(effect, *step_.effects.fleet, scope_.config);
      if (effect.kind == EffectKind::process_up) fill_buckets(effect.process);
    }
    if (Reason reason = judge_gates()) return reason;
    return judge_resources();
  }

 private:
  [[nodiscard]] Reason judge_effect(const Effect& effect) {
    const auto judged = [&](std::optional<std::string> wrong) {
      return about(scope_, effect.process, effect.name, std::move(wrong));
    };
    if (const std::optional<Move> move = move_of(effect)) {
      Whereabouts& its = whereabouts_[effect.request.value()];
      if (Reason reason = judged(wrong_move(its, *move))) return reason;
      its = move->to;
    }
    switch (effect.kind) {
      case EffectKind::request_admitted:
        if (Reason reason = judged(wrong_start(mirror_.at(effect, gate_.may_wait)))) return reason;
        return effect.live ? judged(take_token(effect)) : std::nullopt;
      case EffectKind::request_queued:
        if (Reason reason = judged(wrong_wait(mirror_.at(effect, gate_.may_wait)))) return reason;
        return judged(take_token(effect));
      case EffectKind::request_refused:
        return judged(wrong_refusal(effect, mirror_.at(effect, gate_.may_wait), tokens_of(effect), gate_.retry_after));
      case EffectKind::token_awaited:
      case EffectKind::bucket_full:
        tokens_[mirror_.place(effect.process, effect.name)] += step_.action.kind == GateModel::Kind::refill ? 1 : 0;
        return std::nullopt;
      case EffectKind::resource_awaited:
        if (effect.detail == static_cast<std::uint8_t>(Resource::database_pool)) return judge_checkout_wait();
        return judged(judge_claimant(effect));
      case EffectKind::resource_granted:
        return judged(judge_claimant(effect));
      default:
        return std::nullopt;
    }
  }

  // So what is refused, which never had a permit, never touched a resource.
  [[nodiscard]] std::optional<std::string> judge_claimant(const Effect& effect) const {
    if (whereabouts_[effect.request.value()] == Whereabouts::running) return std::nullopt;
    return "a request without a permit uses a shared resource";
  }

  [[nodiscard]] Reason judge_checkout_wait() const {
    const auto handlers = std::ranges::count(whereabouts_, Whereabouts::running);
    return wrong_checkout_wait(handlers, 0, {}, *step_.effects.fleet->resource(Resource::database_pool));
  }

  [[nodiscard]] std::optional<std::int64_t> tokens_of(const Effect& effect) const {
    const bool limited = mirror_.tenant(effect.process, effect.name).limits.rate_limit.has_value();
    return limited ? std::optional(tokens_[mirror_.place(effect.process, effect.name)]) : std::nullopt;
  }

  [[nodiscard]] std::optional<std::string> take_token(const Effect& effect) {
    if (!tokens_of(effect)) return std::nullopt;
    if (--tokens_[mirror_.place(effect.process, effect.name)] >= 0) return std::nullopt;
    return "a request came in without a rate token";
  }

  void fill_buckets(ProcessId process) {
    for (std::uint32_t i = 0; i < scope_.config.namespaces.size(); ++i) {
      const std::optional<RateLimit>& limit = scope_.config.namespaces[i].limits.rate_limit;
      tokens_[mirror_.place(process, NamespaceId(i))] = limit ? limit->burst : 0;
    }
  }

  // Permits neither leaked nor released twice: the gates count what went in and out.
  [[nodiscard]] Reason judge_gates() const {
    const ApiFleet& fleet = *step_.effects.fleet;
    for (std::uint16_t i = 0; i < fleet.processes(); ++i) {
      const ProcessId id(i);
      const ProcessAtGate& process = mirror_.process(id);
      const Gate& gate = fleet.gate(id);
      if (auto reason =
              about(scope_, id, wrong_counts(gate.inflight(), gate.depth(), process.inflight, process.waiting)))
        return reason;
    }
    if (fleet.requests().inside_count() == 0 && !fleet.quiet()) {
      return "everything has ended, but a permit, a unit or a place in a queue is still taken";
    }
    return first_of_all(step_.after.fleet, [&](ProcessId id, NamespaceId name) -> Reason {
      const Gate::Tenant& held = fleet.gate(id).tenant(name);
      const TenantAtGate& tenant = mirror_.tenant(id, name);
      if (auto wrong = wrong_counts(held.inflight, held.waiting, tenant.inflight, tenant.waiting)) {
        return about(scope_, id, name, std::move(wrong));
      }
      const std::int64_t tokens = tokens_[mirror_.place(id, name)];
      if (!held.limits.rate_limit || held.bucket.tokens() == tokens) return std::nullopt;
      return about(scope_, id, name,
                   fmt::format("has {} rate tokens left; its requests say {}", held.bucket.tokens(), tokens));
    });
  }

  [[nodiscard]] Reason judge_resources() const {
    std::array<UnitsOut, kResources> units{};
    for (const FleetContents::Inside& request : step_.after.fleet.requests) {
      const bool works = request.stage >= Stage::handler;
      units[static_cast<std::size_t>(Resource::database_pool)].ordinary += works ? 1 : 0;
      units[static_cast<std::size_t>(Resource::downstream)].ordinary += request.stage == Stage::downstream ? 1 : 0;
    }
    for (const Resource which : {Resource::database_pool, Resource::downstream}) {
      const ResourcePool* pool = step_.effects.fleet->resource(which);
      if (pool == nullptr) continue;
      if (auto wrong = wrong_units(which, units[static_cast<std::size_t>(which)], pool)) return wrong;
      if (auto wrong = wrong_pool_counts(which, units[static_cast<std::size_t>(which)], *pool)) return wrong;
    }
    return std::nullopt;
  }

  const GateScope& scope_;
  const GateStep& step_;
  GateMirror mirror_;
  const GateConfig& gate_;
  std::vector<Whereabouts> whereabouts_;  // by request; the last is the one that arrives
  std::vector<std::int64_t> tokens_;      // by process and tenant
};

// -- gate_progress ----------------------------------------------------------------------------------------------------

class ProgressOfStep {
 public:
  ProgressOfStep(const GateScope& scope, const GateStep& step)
      : scope_(scope), step_(step), mirror_(step.before.fleet), order_(scope.config.admission->gate.order) {
    const std::vector<FleetContents::Inside>& requests = step.before.fleet.requests;
    for (std::uint32_t i = 0; i < requests.size() && requests[i].stage == Stage::waiting; ++i) {
      waiting_.push_back({RequestId(i), requests[i].process, requests[i].tenant});
    }
    for (const FleetContents::Process& process : step.before.fleet.processes) cursors_.push_back(process.gate.cursor);
  }

  [[nodiscard]] Reason judge() {
    for (const Effect& effect : step_.effects.list) {
      if (effect.kind == EffectKind::request_admitted) {
        if (Reason reason = effect.live ? judge_start(effect) : judge_hand_over(effect)) return reason;
      }
      mirror_.on(effect, *step_.effects.fleet, scope_.config);
      if (effect.kind == EffectKind::request_queued) {
        waiting_.push_back({effect.request, effect.process, effect.name});
      } else if (move_of(effect)) {
        std::erase_if(waiting_, [&](const Waiting& waiter) { return waiter.request == effect.request; });
      }
      if (effect.kind == EffectKind::process_up) cursors_[effect.process.value()] = NamespaceId::none();
    }
    return first_of_all(step_.after.fleet, [&](ProcessId id, NamespaceId name) {
      return about(scope_, id, name, waits_in_vain({mirror_.tenant(id, name), mirror_.process(id)}));
    });
  }

 private:
  struct Waiting {
    RequestId request;
    ProcessId process;
    NamespaceId tenant;
  };

  [[nodiscard]] Reason judge_start(const Effect& effect) const {
    for (const Waiting& waiter : waiting_) {
      if (waiter.process != effect.process || !mirror_.tenant(waiter.process, waiter.tenant).below_cap()) continue;
      return about(scope_, effect.process, effect.name,
                   fmt::format("a request started at once while tenant {}, below its cap, had {} waiting",
                               scope_.config.namespaces[waiter.tenant.value()].name,
                               mirror_.tenant(waiter.process, waiter.tenant).waiting));
    }
    return std::nullopt;
  }

  // Who waits at the process and may run, in order of arrival within each tenant.
  [[nodiscard]] std::vector<Waiting> in_line(ProcessId process) const {
    std::vector<Waiting> line;
    for (const Waiting& waiter : waiting_) {
      const bool may_run = waiter.process == process && mirror_.tenant(process, waiter.tenant).below_cap();
      if (may_run) line.push_back(waiter);
    }
    return line;
  }

  [[nodiscard]] std::optional<Waiting> in_turn(ProcessId process) const {
    const std::vector<Waiting> line = in_line(process);
    if (line.empty()) return std::nullopt;
    switch (order_) {
      case QueueOrder::fifo:
        return line.front();
      case QueueOrder::lifo:
        return line.back();
      case QueueOrder::tenant_round_robin:
        break;
    }
    OrderedBitmap tenants(static_cast<std::uint32_t>(scope_.config.namespaces.size()));
    for (const Waiting& waiter : line) tenants.assign(waiter.tenant.value(), true);
    const NamespaceId turn = after_cursor(tenants, cursors_[process.value()]);
    return *std::ranges::find(line, turn, &Waiting::tenant);
  }

  [[nodiscard]] Reason judge_hand_over(const Effect& effect) {
    const std::optional<Waiting> turn = in_turn(effect.process);
    cursors_[effect.process.value()] = effect.name;
    if (turn && turn->request == effect.request) return std::nullopt;
    const std::string name = turn ? scope_.config.namespaces[turn->tenant.value()].name : std::string();
    return about(scope_, effect.process, effect.name, out_of_turn(turn && turn->tenant == effect.name, name));
  }

  const GateScope& scope_;
  const GateStep& step_;
  GateMirror mirror_;
  QueueOrder order_;
  std::vector<Waiting> waiting_;
  std::vector<NamespaceId> cursors_;  // by process
};

// -- readiness --------------------------------------------------------------------------------------------------------

class ReadinessOfStep {
 public:
  ReadinessOfStep(const GateScope& scope, const GateStep& step) : scope_(scope), step_(step) {
    for (const FleetContents::Process& process : step.before.fleet.processes) {
      processes_.push_back(
          {{.calm = process.gate.calm, .up = process.up, .draining = process.gate.draining}, process.known_ready});
    }
    for (const FleetContents::Inside& request : step.before.fleet.requests) {
      ages_.push_back(request.age);
      if (request.stage == Stage::waiting) count(request.process, request.age, +1);
    }
    ages_.push_back(WaiterAge::young);
  }

  [[nodiscard]] Reason judge() {
    for (const Effect& effect : step_.effects.list) {
      if (Reason reason = judge_effect(effect)) return reason;
    }
    const ApiFleet& fleet = *step_.effects.fleet;
    for (std::uint16_t i = 0; i < processes_.size(); ++i) {
      Process& process = processes_[i];
      process.gate.calm = calm_after(scope_.config.admission->gate.readiness, process.gate.waiters, process.gate.calm);
      const bool answers = process.gate.up && fleet.gate(ProcessId(i)).ready();
      if (auto reason = about(scope_, ProcessId(i), wrong_readiness(process.gate, process.reported, answers))) {
        return reason;
      }
    }
    return std::nullopt;
  }

 private:
  struct Process {
    ReadinessAtGate gate;
    bool reported = true;
  };

  void count(ProcessId id, WaiterAge age, std::int64_t change) {
    WaiterCounts& waiters = processes_[id.value()].gate.waiters;
    waiters.depth += change;
    waiters.lagging += age >= WaiterAge::lagging ? change : 0;
    waiters.too_old += age == WaiterAge::too_old ? change : 0;
  }

  [[nodiscard]] Reason judge_effect(const Effect& effect) {
    Process& process = processes_[effect.process.value()];
    if (const std::optional<Move> move = move_of(effect)) {
      const WaiterAge age = ages_[effect.request.value()];
      if (move->to == Whereabouts::waiting) count(effect.process, age, +1);
      if (move->from == Whereabouts::waiting) count(effect.process, age, -1);
      return std::nullopt;
    }
    switch (effect.kind) {
      case EffectKind::request_aged: {
        WaiterAge& age = ages_[effect.request.value()];
        count(effect.process, age, -1);
        age = age == WaiterAge::young ? WaiterAge::lagging : WaiterAge::too_old;
        count(effect.process, age, +1);
        return std::nullopt;
      }
      case EffectKind::drain_began:
      case EffectKind::drain_ended:
        process.gate.draining = effect.kind == EffectKind::drain_began;
        return std::nullopt;
      case EffectKind::process_down:
        process.gate.up = false;
        return std::nullopt;
      case EffectKind::process_up:
        process.gate = {};
        return std::nullopt;
      case EffectKind::became_ready:
      case EffectKind::became_unready:
        return judge_report(process, effect);
      default:
        return std::nullopt;
    }
  }

  [[nodiscard]] Reason judge_report(Process& process, const Effect& effect) const {
    const bool ready = effect.kind == EffectKind::became_ready;
    if (std::exchange(process.reported, ready) != ready) return std::nullopt;
    return about(scope_, effect.process, fmt::format("became {} a second time", ready ? "ready" : "not ready"));
  }

  const GateScope& scope_;
  const GateStep& step_;
  std::vector<Process> processes_;
  std::vector<WaiterAge> ages_;  // by request; the last is the one that arrives
};

}  // namespace

Reason judge_gate_safety(const GateScope& scope, const GateStep& step) {
  return SafetyOfStep(scope, step).judge();
}

Reason judge_gate_progress(const GateScope& scope, const GateStep& step) {
  return ProgressOfStep(scope, step).judge();
}

Reason judge_readiness(const GateScope& scope, const GateStep& step) {
  return ReadinessOfStep(scope, step).judge();
}

Reason judge_request_ledger(const GateScope& scope, const GateStep& step) {
  std::uint64_t inside = 0;
  for (std::uint32_t i = 0; i < scope.config.namespaces.size(); ++i) {
    const NamespaceId name(i);
    RequestCounts want = step.before.fleet.counts_inside(name);
    for (const Effect& effect : step.effects.list) {
      if (effect.name == name) count_request(effect, want);
    }
    if (auto wrong = wrong_ledger(step.effects.fleet->counts(name), want)) {
      return fmt::format("tenant {}: {}", scope.config.namespaces[i].name, *wrong);
    }
    inside += want.running + want.waiting;
  }
  if (inside == step.after.fleet.requests.size()) return std::nullopt;
  return fmt::format("in all: running + waiting = {}, but {} requests are inside", inside,
                     step.after.fleet.requests.size());
}

std::optional<std::uint32_t> oldest_waiter(const FleetContents& fleet, ProcessId process, NamespaceId name) {
  for (std::uint32_t i = 0; i < fleet.requests.size() && fleet.requests[i].stage == Stage::waiting; ++i) {
    if (fleet.requests[i].process == process && fleet.requests[i].tenant == name) return i;
  }
  return std::nullopt;
}

}  // namespace headroom::checker
