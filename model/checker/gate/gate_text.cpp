// What a GateModel says to people.
#include <array>
#include <fmt/format.h>

#include "model/checker/gate/gate_model.hpp"
#include "model/properties/gate_mirror.hpp"

namespace headroom::checker {
namespace {

constexpr std::array<std::string_view, kBudgets> kBudgetNames{"crashes", "restarts", "failures", "clients that leave",
                                                              "drains",  "expiries", "refills"};

std::string of_limit(std::uint64_t n, const std::optional<std::uint32_t>& limit) {
  return limit ? fmt::format("{} of {}", n, *limit) : fmt::format("{}", n);
}

std::string joined(const std::vector<std::string>& parts) {
  return parts.empty() ? "none" : fmt::format("{}", fmt::join(parts, ", "));
}

std::string_view name_of(WaiterAge age) {
  constexpr std::array<std::string_view, 3> names{"", " (lagging)", " (too old)"};
  return names[static_cast<std::size_t>(age)];
}

std::string_view name_of(Stage stage) {
  constexpr std::array<std::string_view, 5> names{"", " (waits for a connection)", "", " (waits for the next service)",
                                                  " (in the next service)"};
  return names[static_cast<std::size_t>(stage)];
}

std::string limit_text(std::string_view name, const std::optional<LimitChange::Limit>& limit) {
  if (!limit) return {};
  return *limit ? fmt::format(" {} {}", name, **limit) : fmt::format(" {} unbounded", name);
}

}  // namespace

// -- states -----------------------------------------------------------------------------------------------------------

Facts GateModel::facts(const State& state) const {
  Facts facts;
  for (std::uint16_t i = 0; i < state.fleet.processes.size(); ++i) {
    const ProcessId id(i);
    const FleetContents::Process& process = state.fleet.processes[i];
    const std::string name = process_name(scope_.config, id);
    std::uint32_t inflight = 0;
    for (std::uint32_t tenant = 0; tenant < namespaces(); ++tenant) {
      inflight += state.fleet.tenant(id, NamespaceId(tenant)).inflight;
    }
    facts.push_back(
        {name, fmt::format("{} in flight, {}{}{}{}", of_limit(inflight, process.gate.limits.max_inflight),
                           process.known_ready ? "ready" : "not ready", process.gate.draining ? ", draining" : "",
                           process.gate.calm ? "" : ", above its marks", process.up ? "" : ", down")});
    add_queue_facts(state, id, facts);
    facts.push_back({fmt::format("last hand-over on {}", name),
                     process.gate.cursor.is_none() ? "none" : "to " + tenant_name(process.gate.cursor)});
    std::vector<std::string> changes;
    for (std::uint32_t change = 0; change < scope_.limit_changes.size(); ++change) {
      if ((state.changed[i] >> change & 1U) == 0) changes.push_back(fmt::format("{}", change + 1));
    }
    if (!scope_.limit_changes.empty())
      facts.push_back({fmt::format("limit changes to come on {}", name), joined(changes)});
  }
  std::vector<std::string> to_come;
  for (std::uint32_t i = 0; i < namespaces(); ++i) {
    if (state.requests[i].bounded()) {
      to_come.push_back(fmt::format("{} {}", tenant_name(NamespaceId(i)), state.requests[i].times()));
    }
  }
  if (!to_come.empty()) facts.push_back({"requests to come", joined(to_come)});
  for (std::size_t i = 0; i < kBudgets; ++i) {
    const Allowance& left = state.left[i];
    if (left.bounded() && initial_.left[i].any()) {
      facts.push_back({fmt::format("{} to come", kBudgetNames[i]), fmt::format("{}", left.times())});
    }
  }
  return facts;
}

void GateModel::add_queue_facts(const State& state, ProcessId process, Facts& facts) const {
  const std::string name = process_name(scope_.config, process);
  std::vector<std::string> waiting;
  std::vector<std::string> running;
  for (const FleetContents::Inside& request : state.fleet.requests) {
    if (request.process != process) continue;
    const std::string& tenant = tenant_name(request.tenant);
    if (request.stage == Stage::waiting) {
      waiting.push_back(fmt::format("{}{}", tenant, name_of(request.age)));
    } else {
      running.push_back(
          fmt::format("{}{}{}", tenant, name_of(request.stage), request.abandoned ? " (its client has left)" : ""));
    }
  }
  facts.push_back({fmt::format("queue of {}", name),
                   waiting.empty()
                       ? "empty"
                       : fmt::format("{} ({})", joined(waiting),
                                     of_limit(waiting.size(),
                                              state.fleet.processes[process.value()].gate.limits.max_queue_depth))});
  facts.push_back({fmt::format("handlers on {}", name), joined(running)});
  for (std::uint32_t i = 0; i < namespaces(); ++i) {
    const Gate::TenantStanding& tenant = state.fleet.tenant(process, NamespaceId(i));
    const std::string of = tenant_on(scope_.config, process, NamespaceId(i));
    facts.push_back({of, fmt::format("{} in flight", of_limit(tenant.inflight, tenant.limits.max_inflight))});
    if (tenant.limits.rate_limit) {
      facts.push_back({fmt::format("tokens of {}", of), of_limit(tenant.tokens, tenant.limits.rate_limit->burst)});
    }
  }
}

// -- steps ------------------------------------------------------------------------------------------------------------

std::string GateModel::text(const Step<GateModel>& step) const {
  std::vector<std::string> results;
  for (const Effect& effect : step.effects.list) {
    if (std::string result = effect_text(effect); !result.empty()) results.push_back(std::move(result));
  }
  const std::string action = action_text(step);
  return results.empty() ? action : fmt::format("{} -> {}", action, fmt::join(results, "; "));
}

std::string GateModel::action_text(const Step<GateModel>& step) const {
  const Action& action = step.action;
  const std::string process = process_name(scope_.config, action.process);
  const std::string node = fmt::format("n{}", blank_.node_of(action.process).value() + 1);
  const auto of_request = [&](std::string_view what) {
    return fmt::format(
        "{}: {} of {} {}", process,
        step.before.fleet.requests[action.request].stage == Stage::waiting ? "the waiter" : "the handler",
        tenant_name(action.tenant), what);
  };
  switch (action.kind) {
    case Kind::arrive:
      return fmt::format("{}: a request of {} arrives", process, tenant_name(action.tenant));
    case Kind::finish:
      return of_request("ends");
    case Kind::fail:
      return of_request("fails");
    case Kind::enter_downstream:
      return of_request("calls the next service");
    case Kind::expire:
      return of_request("has waited for too long");
    case Kind::pass_age:
      return of_request("gets older");
    case Kind::leave:
      return of_request("loses its client");
    case Kind::refill:
      return fmt::format("{}: a token of {} comes back", process, tenant_name(action.tenant));
    case Kind::change_limits: {
      const LimitChange& change = scope_.limit_changes[action.change];
      return fmt::format(
          "{}: limits change{}:{}{}", process, change.tenant.is_none() ? "" : " for " + tenant_name(change.tenant),
          limit_text("max_inflight", change.max_inflight), limit_text("max_queue_depth", change.max_queue_depth));
    }
    case Kind::drain:
      return process + ": begins to drain";
    case Kind::resume:
      return process + ": takes requests again";
    case Kind::crash:
      return node + ": crashes";
    case Kind::restart:
      return node + ": starts again";
  }
  return {};
}

// Empty: the action says it.
std::string GateModel::effect_text(const Effect& effect) const {
  switch (effect.kind) {
    case EffectKind::request_admitted:
      return effect.live ? "runs at once" : "the permit goes to a waiter of " + tenant_name(effect.name);
    case EffectKind::request_queued:
      return "waits";
    case EffectKind::request_refused: {
      const auto refusal = static_cast<Refusal>(effect.detail);
      const std::string who = effect.live ? "a waiter of " + tenant_name(effect.name) + " is " : std::string();
      return fmt::format("{}refused with {} ({})", who, status_of(refusal), headroom::name_of(refusal));
    }
    case EffectKind::request_gone:
      return fmt::format("a waiter of {} is gone", tenant_name(effect.name));
    case EffectKind::request_finished:
      return effect.detail == static_cast<std::uint8_t>(HandlerOutcome::crashed)
                 ? fmt::format("a handler of {} dies", tenant_name(effect.name))
                 : std::string();
    case EffectKind::resource_awaited:
      return effect.detail == static_cast<std::uint8_t>(Resource::database_pool) ? "waits for a connection"
                                                                                 : "waits for the next service";
    case EffectKind::resource_granted:
      if (!effect.live) return {};
      return fmt::format(
          "a handler of {} gets {}", tenant_name(effect.name),
          effect.detail == static_cast<std::uint8_t>(Resource::database_pool) ? "a connection" : "the next service");
    case EffectKind::became_ready:
      return process_name(scope_.config, effect.process) + " is ready";
    case EffectKind::became_unready:
      return process_name(scope_.config, effect.process) + " is not ready";
    default:
      return {};
  }
}

}  // namespace headroom::checker
