#include "model/checker/gate/gate_model.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>
#include <variant>

#include "model/base/assert.hpp"
#include "model/checker/bits.hpp"

namespace headroom::checker {
namespace {

// Of a packed number (`number` in bits.hpp takes 44 bits for one of 32) and of a packed request.
constexpr std::size_t kMostBytesOfNumber = 8;

Allowance& budget(GateModel::State& state, Budget which) {
  return state.left[static_cast<std::size_t>(which)];
}
bool any_left(const GateModel::State& state, Budget which) {
  return state.left[static_cast<std::size_t>(which)].any();
}

std::vector<TenantLimits> tenant_limits(const ClusterConfig& config) {
  std::vector<TenantLimits> limits;
  limits.reserve(config.namespaces.size());
  for (const NamespaceConfig& each : config.namespaces) limits.push_back(each.limits);
  return limits;
}

std::uint64_t processes_of(const GateScope& scope) {
  return std::uint64_t{scope.config.nodes} * scope.config.admission->processes;
}

// The largest value that a limit has in the scope; nothing: it may be absent.
std::optional<std::uint64_t> largest(const LimitChange::Limit& configured, const GateScope& scope,
                                     std::optional<LimitChange::Limit> LimitChange::* member) {
  std::optional<std::uint64_t> most = configured;
  for (const LimitChange& change : scope.limit_changes) {
    if (!change.tenant.is_none() || !(change.*member)) continue;
    const LimitChange::Limit& limit = *(change.*member);
    most = most && limit ? std::optional<std::uint64_t>(std::max<std::uint64_t>(*most, *limit)) : std::nullopt;
  }
  return most;
}

GateModel::Action of_process(GateModel::Kind kind, ProcessId process) {
  return {.kind = kind, .process = process};
}

}  // namespace

std::optional<std::uint64_t> most_inside(const GateScope& scope) {
  if (scope.requests.bounded()) return std::uint64_t{scope.requests.times()} * scope.config.namespaces.size();
  const GateConfig& gate = scope.config.admission->gate;
  const auto running = largest(gate.limits.max_inflight, scope, &LimitChange::max_inflight);
  const auto waiting = gate.may_wait ? largest(gate.limits.max_queue_depth, scope, &LimitChange::max_queue_depth)
                                     : std::optional<std::uint64_t>(0);
  if (!running || !waiting) return std::nullopt;
  return processes_of(scope) * (*running + *waiting);
}

GateModel::GateModel(GateScope scope)
    : scope_(std::move(scope)),
      blank_(*scope_.config.admission, scope_.config.nodes, tenant_limits(scope_.config)),
      limits_change_(!scope_.limit_changes.empty()) {
  HEADROOM_ASSERT(scope_.limit_changes.size() <= kMaxLimitChanges, "{} limit changes", scope_.limit_changes.size());
  read_contents(blank_, initial_.fleet);
  initial_.requests.assign(namespaces(), scope_.requests);
  initial_.changed.assign(blank_.processes(), 0);
  budget(initial_, Budget::crash) = scope_.crashes;
  budget(initial_, Budget::restart) = scope_.restarts;
  budget(initial_, Budget::failure) = scope_.failures;
  budget(initial_, Budget::cancel) = scope_.cancels;
  budget(initial_, Budget::drain) = scope_.drains;
  budget(initial_, Budget::expiry) = scope_.expiries;
  budget(initial_, Budget::refill) = scope_.refills;
  const std::optional<std::uint64_t> inside = most_inside(scope_);
  HEADROOM_ASSERT(inside, "a scope without bound");
  const std::size_t numbers = 5 * blank_.processes() + 4 * blank_.processes() * namespaces() + namespaces() + kBudgets +
                              static_cast<std::size_t>(*inside);
  most_bytes_ = kMostBytesOfNumber * numbers;
}

// -- what can happen --------------------------------------------------------------------------------------------------

void GateModel::enabled(const State& state, std::vector<Action>& actions) const {
  for (std::uint32_t place = 0; place < state.fleet.requests.size(); ++place) {
    // Those at the end are sorted, and it does not matter which of several alike goes on.
    const FleetContents::Inside& request = state.fleet.requests[place];
    const bool works = request.stage == Stage::handler || request.stage == Stage::downstream;
    if (!works || place == 0 || state.fleet.requests[place - 1] != request) {
      enable_for_request(state, place, actions);
    }
  }
  for (std::uint16_t i = 0; i < state.fleet.processes.size(); ++i) {
    if (state.fleet.processes[i].up) enable_for_process(state, ProcessId(i), actions);
  }
  enable_for_nodes(state, actions);
}

void GateModel::enable_for_request(const State& state, std::uint32_t place, std::vector<Action>& actions) const {
  const FleetContents::Inside& request = state.fleet.requests[place];
  const auto add = [&](Kind kind, bool possible = true) {
    if (possible)
      actions.push_back({.kind = kind, .process = request.process, .tenant = request.tenant, .request = place});
  };
  const bool may_expire = any_left(state, Budget::expiry);
  const auto checkout_expires = [&](Resource which) {
    return may_expire && scope_.checkouts_expire[static_cast<std::size_t>(which)];
  };
  switch (request.stage) {
    case Stage::waiting: {
      const std::optional<ReadinessMarks>& marks = scope_.config.admission->gate.readiness;
      add(Kind::expire, may_expire && scope_.waits_expire);
      add(Kind::pass_age, marks && marks->lag_high && request.age != WaiterAge::too_old);
      break;
    }
    case Stage::database_checkout:
      add(Kind::expire, checkout_expires(Resource::database_pool));
      break;
    case Stage::downstream_checkout:
      add(Kind::expire, checkout_expires(Resource::downstream));
      break;
    case Stage::handler:
      add(Kind::enter_downstream, scope_.config.admission->downstream.has_value());
      [[fallthrough]];
    case Stage::downstream:
      add(Kind::finish);
      add(Kind::fail, any_left(state, Budget::failure));
      break;
  }
  add(Kind::leave, !request.abandoned && any_left(state, Budget::cancel));
}

void GateModel::enable_for_process(const State& state, ProcessId process, std::vector<Action>& actions) const {
  const Gate::Standing& gate = state.fleet.processes[process.value()].gate;
  for (std::uint32_t i = 0; i < namespaces(); ++i) {
    const NamespaceId name(i);
    if (state.requests[i].any()) {
      actions.push_back({.kind = Kind::arrive, .process = process, .tenant = name});
    }
    const Gate::TenantStanding& tenant = state.fleet.tenant(process, name);
    const bool refills = tenant.limits.rate_limit && tenant.tokens < tenant.limits.rate_limit->burst;
    if (refills && any_left(state, Budget::refill)) {
      actions.push_back({.kind = Kind::refill, .process = process, .tenant = name});
    }
  }
  for (std::uint32_t change = 0; change < scope_.limit_changes.size(); ++change) {
    if ((state.changed[process.value()] >> change & 1U) == 0) {
      actions.push_back({.kind = Kind::change_limits,
                         .process = process,
                         .tenant = scope_.limit_changes[change].tenant,
                         .change = change});
    }
  }
  if (gate.draining) {
    actions.push_back(of_process(Kind::resume, process));
  } else if (any_left(state, Budget::drain)) {
    actions.push_back(of_process(Kind::drain, process));
  }
}

void GateModel::enable_for_nodes(const State& state, std::vector<Action>& actions) const {
  const std::uint16_t per_node = scope_.config.admission->processes;
  for (std::uint16_t node = 0; node < scope_.config.nodes; ++node) {
    const ProcessId first(static_cast<std::uint16_t>(node * per_node));
    const bool up = state.fleet.processes[first.value()].up;
    if (up && any_left(state, Budget::crash)) actions.push_back(of_process(Kind::crash, first));
    if (!up && any_left(state, Budget::restart)) actions.push_back(of_process(Kind::restart, first));
  }
}

// -- steps ------------------------------------------------------------------------------------------------------------

void GateModel::use_up(State& state, const Action& action) const {
  switch (action.kind) {
    case Kind::arrive:
      state.requests[action.tenant.value()].use_one();
      break;
    case Kind::fail:
      budget(state, Budget::failure).use_one();
      break;
    case Kind::expire:
      budget(state, Budget::expiry).use_one();
      break;
    case Kind::leave:
      budget(state, Budget::cancel).use_one();
      break;
    case Kind::refill:
      budget(state, Budget::refill).use_one();
      break;
    case Kind::change_limits:
      state.changed[action.process.value()] |= 1U << action.change;
      break;
    case Kind::drain:
      budget(state, Budget::drain).use_one();
      break;
    case Kind::crash:
      budget(state, Budget::crash).use_one();
      break;
    case Kind::restart:
      budget(state, Budget::restart).use_one();
      break;
    case Kind::finish:
    case Kind::enter_downstream:
    case Kind::pass_age:
    case Kind::resume:
      break;
  }
}

headroom::Action GateModel::change_limits(const Action& action, const ApiFleet& fleet) const {
  const LimitChange& change = scope_.limit_changes[action.change];
  const auto changed = [&](auto limits) {
    if (change.max_inflight) limits.max_inflight = *change.max_inflight;
    if (change.max_queue_depth) limits.max_queue_depth = *change.max_queue_depth;
    return limits;
  };
  const Gate& gate = fleet.gate(action.process);
  if (change.tenant.is_none()) {
    return ChangeLimits{action.process, changed(gate.limits())};
  }
  return ChangeTenantLimits{action.process, change.tenant, changed(gate.tenant(change.tenant).limits)};
}

headroom::Action GateModel::step_of(const State& state, const Action& action, std::span<const RequestId> places,
                                    const ApiFleet& fleet) const {
  const bool of_request = action.request < places.size();
  const RequestId id = of_request ? places[action.request] : RequestId::none();
  const std::uint64_t serial = of_request ? fleet.requests()[id].serial : 0;
  switch (action.kind) {
    case Kind::arrive:
      return ArriveRequest{action.process, action.tenant};
    case Kind::finish:
      return FinishRequest{id, serial, true, {}};
    case Kind::fail:
      return FinishRequest{id, serial, false, {}};
    case Kind::enter_downstream:
      return EnterDownstream{id, serial};
    case Kind::expire: {
      const Stage stage = state.fleet.requests[action.request].stage;
      if (stage == Stage::waiting) return ExpireWait{id, serial};
      const Resource which = stage == Stage::database_checkout ? Resource::database_pool : Resource::downstream;
      const CheckoutId checkout = fleet.requests()[id].checkouts[static_cast<std::size_t>(which)];
      return ExpireCheckout{which, checkout, fleet.resource(which)->entry(checkout).use};
    }
    case Kind::pass_age:
      return PassAge{id, serial};
    case Kind::leave:
      return AbandonRequest{id, serial};
    case Kind::refill:
      return RefillToken{action.process, action.tenant, fleet.gate(action.process).tenant(action.tenant).bucket_life};
    case Kind::change_limits:
      return change_limits(action, fleet);
    case Kind::drain:
      return DrainProcess{action.process};
    case Kind::resume:
      return ResumeProcess{action.process};
    case Kind::crash:
      return Crash{fleet.node_of(action.process)};
    case Kind::restart:
      return Restart{fleet.node_of(action.process)};
  }
  HEADROOM_ASSERT(false, "unknown kind of step");
}

bool GateModel::is_fault(const Action& action) const {
  switch (action.kind) {
    case Kind::fail:
    case Kind::leave:
    case Kind::change_limits:
    case Kind::drain:
    case Kind::crash:
    case Kind::restart:
      return true;
    case Kind::arrive:
    case Kind::finish:
    case Kind::enter_downstream:
    case Kind::expire:
    case Kind::pass_age:
    case Kind::refill:
    case Kind::resume:
      return false;
  }
  return false;
}

// What a cluster does for its fleet, without the rest of the cluster.
void GateModel::apply(const State& state, const Action& action, std::span<const RequestId> places, ApiFleet& fleet,
                      headroom::Effects& effects) const {
  const Time now = Time::zero();  // payload, which no step reads
  const headroom::Action step = step_of(state, action, places, fleet);
  std::visit(
      [&](const auto& chosen) {
        using Chosen = std::decay_t<decltype(chosen)>;
        if constexpr (std::is_same_v<Chosen, FinishRequest>) {
          fleet.finish(chosen.request, chosen.succeeded ? HandlerOutcome::succeeded : HandlerOutcome::failed, now,
                       effects);
        } else if constexpr (std::is_same_v<Chosen, Crash>) {
          fleet.crash(chosen.node, now, effects);
        } else if constexpr (std::is_same_v<Chosen, Restart>) {
          fleet.restart(chosen.node, now, effects);
        } else if constexpr (requires { fleet.apply(chosen, now, effects); }) {
          static_cast<void>(fleet.apply(chosen, now, effects));
        } else {
          HEADROOM_ASSERT(false, "a step of rows in a model of gates");
        }
      },
      step);
}

void GateModel::step(State& state, const Action& action, Effects& effects) const {
  effects.list.clear();
  if (!effects.fleet) effects.fleet = blank_;
  effects.fleet->restore(state.fleet);
  effects.places.clear();
  for (std::uint32_t i = 0; i < state.fleet.requests.size(); ++i) effects.places.emplace_back(i);
  apply(state, action, effects.places, *effects.fleet, effects.list);
  read_contents(*effects.fleet, state.fleet);
  use_up(state, action);
}

// -- packing ----------------------------------------------------------------------------------------------------------

template <class Bits, class SomeState>
void GateModel::contents(Bits& bits, SomeState& state) const {
  auto& fleet = state.fleet;
  const unsigned process_bits = width_of(fleet.processes.size() - 1);
  const unsigned tenant_bits = width_of(namespaces());
  const auto limits = [&](auto& of) {
    if (!limits_change_) return;
    optional_number(bits, of.max_inflight);
    optional_number(bits, of.max_queue_depth);
  };
  for (auto& process : fleet.processes) {
    field(bits, process.up, 1);
    field(bits, process.known_ready, 1);
    field(bits, process.gate.calm, 1);
    field(bits, process.gate.draining, 1);
    id_or_none(bits, process.gate.cursor, namespaces(), tenant_bits);
    limits(process.gate.limits);
  }
  for (auto& changed : state.changed) {
    if (limits_change_) number(bits, changed);
  }
  for (auto& tenant : fleet.tenants) {
    number(bits, tenant.inflight);
    if (tenant.limits.rate_limit) number(bits, tenant.tokens);
    limits(tenant.limits);
  }
  for (auto& requests : state.requests) {
    Allowance::pack(bits, requests, scope_.requests);
  }
  for (std::size_t i = 0; i < kBudgets; ++i) {
    Allowance::pack(bits, state.left[i], initial_.left[i]);
  }
  list(bits, fleet.requests, [&](auto& request) {
    id(bits, request.process, process_bits);
    id(bits, request.tenant, tenant_bits);
    field(bits, request.stage, 3);
    field(bits, request.age, 2);
    field(bits, request.abandoned, 1);
  });
}

std::size_t GateModel::pack(const State& state, std::span<std::byte> room) const {
  BitWriter bits(room);
  contents(bits, state);
  return bits.end();
}

void GateModel::unpack(std::span<const std::byte> bytes, State& state) const {
  state = initial_;
  BitReader bits(bytes);
  contents(bits, state);
}

}  // namespace headroom::checker
