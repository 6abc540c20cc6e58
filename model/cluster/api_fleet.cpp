#include "model/cluster/api_fleet.hpp"

#include <algorithm>
#include <utility>

#include "model/base/assert.hpp"

namespace headroom {
namespace {

constexpr Stage checkout_stage(Resource which) {
  return which == Resource::database_pool ? Stage::database_checkout : Stage::downstream_checkout;
}
constexpr Stage working_stage(Resource which) {
  return which == Resource::database_pool ? Stage::handler : Stage::downstream;
}

}  // namespace

ApiFleet::ApiFleet(const AdmissionConfig& config, std::uint16_t nodes, std::vector<TenantLimits> limits)
    : gate_config_(config.gate), per_node_(config.processes), limits_(std::move(limits)), counts_(limits_.size()) {
  const std::size_t processes = std::size_t{nodes} * per_node_;
  HEADROOM_ASSERT(processes < ProcessId::none().value(), "{} processes", processes);
  processes_.assign(processes, Process{.gate = Gate(gate_config_, limits_)});
  if (config.database_pool) {
    pool(Resource::database_pool).emplace(*config.database_pool);
  }
  if (config.downstream) {
    pool(Resource::downstream).emplace(*config.downstream);
  }
}

Effect ApiFleet::about(EffectKind kind, RequestId id) const {
  const Request& request = requests_[id];
  return {.kind = kind,
          .node = node_of(request.process),
          .process = request.process,
          .name = request.tenant,
          .request = id};
}

// -- the gate ---------------------------------------------------------------------------------------------------------

void ApiFleet::apply(const ArriveRequest& action, Time at, Effects& effects) {
  Process& target = process(action.process);
  HEADROOM_ASSERT(target.up, "a request reached process {}, which is down", action.process.value());
  const RequestId id = requests_.add(action.tenant, action.process, action.logical, at);
  RequestCounts& counts = counts_[action.tenant.value()];
  ++counts.arrived;
  const Decision decision = target.gate.arrive(action.tenant, id, at);
  switch (decision.kind) {
    case Decision::Kind::run:
      start(id, false, effects);
      break;
    case Decision::Kind::wait:
      requests_.at(id).waiter = decision.waiter;
      ++counts.waiting;
      effects.push_back(about(EffectKind::request_queued, id));
      break;
    case Decision::Kind::refuse:
      refuse(id, decision.refusal, false, action.draw, effects);
      break;
  }
  if (decision.left_full) {
    await_token(action.process, action.tenant, at, effects);
  }
  note_readiness(action.process, effects);
}

void ApiFleet::refuse(RequestId id, Refusal refusal, bool waited, std::uint64_t draw, Effects& effects) {
  RequestCounts& counts = counts_[requests_[id].tenant.value()];
  counts.waiting -= waited ? 1 : 0;
  ++(of_tenant(refusal) ? counts.refused_429 : counts.refused_503);
  Effect effect = about(EffectKind::request_refused, id);
  effect.live = waited;
  effect.detail = static_cast<std::uint8_t>(refusal);
  effect.value = retry_after(gate_config_.retry_after, draw);
  effects.push_back(effect);
  requests_.remove(id);
}

// Permits are handed over in the step that frees them.
void ApiFleet::grant(ProcessId id, Effects& effects) {
  while (const std::optional<Waiter> granted = process(id).gate.grant_next()) {
    --counts_[granted->tenant.value()].waiting;
    start(granted->request, true, effects);
  }
}

void ApiFleet::apply(const ExpireWait& action, Time /*at*/, Effects& effects) {
  if (!requests_.inside(action.request, action.serial) || requests_[action.request].running()) {
    return;
  }
  const Request& request = requests_[action.request];
  const ProcessId id = request.process;
  refuse(action.request, process(id).gate.expire(request.waiter), true, action.draw, effects);
  grant(id, effects);
  note_readiness(id, effects);
}

void ApiFleet::apply(const PassAge& action, Time /*at*/, Effects& effects) {
  if (!requests_.inside(action.request, action.serial) || requests_[action.request].running()) {
    return;
  }
  const Request& request = requests_[action.request];
  process(request.process).gate.pass_age(request.waiter);
  effects.push_back(about(EffectKind::request_aged, action.request));
  note_readiness(request.process, effects);
}

void ApiFleet::apply(const AbandonRequest& action, Time /*at*/, Effects& effects) {
  if (!requests_.inside(action.request, action.serial) || requests_[action.request].abandoned) {
    return;
  }
  Request& request = requests_.at(action.request);
  if (request.running()) {
    request.abandoned = true;
    effects.push_back(about(EffectKind::request_abandoned, action.request));
    return;
  }
  const ProcessId id = request.process;
  process(id).gate.leave(request.waiter);
  RequestCounts& counts = counts_[request.tenant.value()];
  --counts.waiting;
  ++counts.gone;
  effects.push_back(about(EffectKind::request_gone, action.request));
  requests_.remove(action.request);
  grant(id, effects);
  note_readiness(id, effects);
}

void ApiFleet::apply(const RefillToken& action, Time at, Effects& effects) {
  const Gate::Tenant& tenant = process(action.process).gate.tenant(action.tenant);
  if (tenant.bucket_life != action.life || tenant.bucket.full()) {
    return;
  }
  process(action.process).gate.refill(action.tenant);
  if (tenant.bucket.full()) {
    effects.push_back({.kind = EffectKind::bucket_full,
                       .node = node_of(action.process),
                       .process = action.process,
                       .name = action.tenant});
  } else {
    await_token(action.process, action.tenant, at, effects);
  }
}

void ApiFleet::await_token(ProcessId id, NamespaceId tenant, Time at, Effects& effects) {
  effects.push_back({.kind = EffectKind::token_awaited,
                     .node = node_of(id),
                     .process = id,
                     .name = tenant,
                     .value = (process(id).gate.tenant(tenant).bucket.next_return() - at).count()});
}

void ApiFleet::note_readiness(ProcessId id, Effects& effects) {
  Process& noted = process(id);
  const bool ready = noted.up && noted.gate.ready();
  if (std::exchange(noted.known_ready, ready) != ready) {
    effects.push_back(
        {.kind = ready ? EffectKind::became_ready : EffectKind::became_unready, .node = node_of(id), .process = id});
  }
}

// -- handlers ---------------------------------------------------------------------------------------------------------

void ApiFleet::start(RequestId id, bool waited, Effects& effects) {
  Request& request = requests_.at(id);
  request.waiter = WaiterId::none();
  request.stage = Stage::handler;
  RequestCounts& counts = counts_[request.tenant.value()];
  ++counts.admitted;
  ++counts.running;
  Effect effect = about(EffectKind::request_admitted, id);
  effect.live = !waited;
  effects.push_back(effect);
  if (pool(Resource::database_pool)) {
    ask(id, Resource::database_pool, effects);
  } else {
    begin_stage(id, Stage::handler, effects);
  }
}

void ApiFleet::ask(RequestId id, Resource which, Effects& effects) {
  Request& request = requests_.at(id);
  const CheckoutId checkout = pool(which)->ask({Claimant::Kind::request, id.value()});
  request.checkouts[static_cast<std::size_t>(which)] = checkout;
  const bool granted = pool(which)->checked_out(checkout);
  Effect effect = about(granted ? EffectKind::resource_granted : EffectKind::resource_awaited, id);
  effect.detail = static_cast<std::uint8_t>(which);
  effects.push_back(effect);
  if (granted) {
    begin_stage(id, working_stage(which), effects);
  } else {
    request.stage = checkout_stage(which);
  }
}

void ApiFleet::begin_stage(RequestId id, Stage stage, Effects& effects) {
  requests_.at(id).stage = stage;
  Effect effect = about(EffectKind::stage_begun, id);
  effect.detail = static_cast<std::uint8_t>(stage);
  effects.push_back(effect);
}

void ApiFleet::apply(const EnterDownstream& action, Time /*at*/, Effects& effects) {
  if (requests_.inside(action.request, action.serial) && requests_[action.request].stage == Stage::handler) {
    HEADROOM_ASSERT(pool(Resource::downstream).has_value(), "there is no downstream");
    ask(action.request, Resource::downstream, effects);
  }
}

bool ApiFleet::may_finish(const FinishRequest& action) const {
  return requests_.inside(action.request, action.serial) &&
         (requests_[action.request].stage == Stage::handler || requests_[action.request].stage == Stage::downstream);
}

void ApiFleet::finish(RequestId id, HandlerOutcome outcome, Time /*at*/, Effects& effects) {
  const ProcessId where = requests_[id].process;
  const NamespaceId tenant = requests_[id].tenant;
  give_back(id, Resource::downstream, effects);
  give_back(id, Resource::database_pool, effects);
  RequestCounts& counts = counts_[tenant.value()];
  --counts.running;
  ++counts.finished;
  Effect effect = about(EffectKind::request_finished, id);
  effect.detail = static_cast<std::uint8_t>(outcome);
  effect.live = !requests_[id].abandoned;
  effects.push_back(effect);
  requests_.remove(id);
  process(where).gate.release(tenant);
  serve(Resource::downstream, effects);
  serve(Resource::database_pool, effects);
  grant(where, effects);
  note_readiness(where, effects);
}

void ApiFleet::give_back(RequestId id, Resource which, Effects& effects) {
  CheckoutId& checkout = requests_.at(id).checkouts[static_cast<std::size_t>(which)];
  if (checkout.is_none()) {
    return;
  }
  if (pool(which)->checked_out(checkout)) {
    Effect effect = about(EffectKind::resource_returned, id);
    effect.detail = static_cast<std::uint8_t>(which);
    effects.push_back(effect);
  }
  pool(which)->give_back(checkout);
  checkout = CheckoutId::none();
}

// -- resources --------------------------------------------------------------------------------------------------------

// Units that are free go to those who wait for them.
void ApiFleet::serve(Resource which, Effects& effects) {
  if (!pool(which)) {
    return;
  }
  while (const std::optional<ResourcePool::Entry> served = pool(which)->serve_next()) {
    const Claimant claimant = served->claimant;
    Effect effect{.kind = EffectKind::resource_granted, .live = true, .detail = static_cast<std::uint8_t>(which)};
    switch (claimant.kind) {
      case Claimant::Kind::request:
        effect = about(EffectKind::resource_granted, RequestId(claimant.id));
        effect.live = true;
        effect.detail = static_cast<std::uint8_t>(which);
        effects.push_back(effect);
        begin_stage(RequestId(claimant.id), working_stage(which), effects);
        break;
      case Claimant::Kind::execution:
        effect.execution = ExecutionId(claimant.id);
        effects.push_back(effect);
        break;
      case Claimant::Kind::health_check:
        effect.process = ProcessId(static_cast<std::uint16_t>(claimant.id));
        effects.push_back(effect);
        break;
    }
  }
}

ExecutionId ApiFleet::apply(const ExpireCheckout& action, Time at, Effects& effects) {
  if (!pool(action.resource) || !pool(action.resource)->waits(action.checkout, action.use)) {
    return ExecutionId::none();
  }
  const Claimant claimant = pool(action.resource)->entry(action.checkout).claimant;
  Effect effect{.kind = EffectKind::resource_timed_out, .detail = static_cast<std::uint8_t>(action.resource)};
  switch (claimant.kind) {
    case Claimant::Kind::request: {
      effect = about(EffectKind::resource_timed_out, RequestId(claimant.id));
      effect.detail = static_cast<std::uint8_t>(action.resource);
      effects.push_back(effect);
      finish(RequestId(claimant.id),
             action.resource == Resource::database_pool ? HandlerOutcome::database_timeout
                                                        : HandlerOutcome::downstream_timeout,
             at, effects);
      return ExecutionId::none();
    }
    case Claimant::Kind::execution:
      effect.execution = ExecutionId(claimant.id);
      effects.push_back(effect);
      return ExecutionId(claimant.id);
    case Claimant::Kind::health_check:
      effect.process = ProcessId(static_cast<std::uint16_t>(claimant.id));
      effects.push_back(effect);
      process(effect.process).health_check = CheckoutId::none();
      pool(action.resource)->give_back(action.checkout);
      return ExecutionId::none();
  }
  return ExecutionId::none();
}

CheckoutId ApiFleet::check_out(ExecutionId execution, NamespaceId name, NodeId node, Effects& effects) {
  std::optional<ResourcePool>& connections = pool(Resource::database_pool);
  HEADROOM_ASSERT(connections.has_value(), "there is no database pool");
  const CheckoutId checkout = connections->ask({Claimant::Kind::execution, execution.value()});
  const bool granted = connections->checked_out(checkout);
  effects.push_back({.kind = granted ? EffectKind::resource_granted : EffectKind::resource_awaited,
                     .detail = static_cast<std::uint8_t>(Resource::database_pool),
                     .node = node,
                     .name = name,
                     .execution = execution});
  return checkout;
}

void ApiFleet::check_in(CheckoutId checkout, ExecutionId execution, NamespaceId name, NodeId node, Effects& effects) {
  std::optional<ResourcePool>& connections = pool(Resource::database_pool);
  if (connections->checked_out(checkout)) {
    effects.push_back({.kind = EffectKind::resource_returned,
                       .detail = static_cast<std::uint8_t>(Resource::database_pool),
                       .node = node,
                       .name = name,
                       .execution = execution});
  }
  connections->give_back(checkout);
  serve(Resource::database_pool, effects);
}

void ApiFleet::apply(const BeginHealthCheck& action, Time /*at*/, Effects& effects) {
  std::optional<ResourcePool>& connections = pool(Resource::database_pool);
  Process& checked = process(action.process);
  if (!connections || !checked.up || !checked.health_check.is_none()) {
    return;
  }
  checked.health_check = connections->ask({Claimant::Kind::health_check, action.process.value()}, true);
  effects.push_back({.kind = connections->checked_out(checked.health_check) ? EffectKind::resource_granted
                                                                            : EffectKind::resource_awaited,
                     .node = node_of(action.process),
                     .process = action.process});
}

void ApiFleet::apply(const EndHealthCheck& action, Time /*at*/, Effects& effects) {
  const CheckoutId held = process(action.process).health_check;
  if (!held.is_none() && pool(Resource::database_pool)->checked_out(held)) {
    end_health_check(action.process, effects);
  }
}

// Its connection, or its wait for one, ends.
void ApiFleet::end_health_check(ProcessId id, Effects& effects) {
  const CheckoutId checkout = std::exchange(process(id).health_check, CheckoutId::none());
  if (checkout.is_none()) {
    return;
  }
  ResourcePool& connections = *pool(Resource::database_pool);
  if (connections.checked_out(checkout)) {
    effects.push_back({.kind = EffectKind::resource_returned, .node = node_of(id), .process = id});
  }
  connections.give_back(checkout);
  serve(Resource::database_pool, effects);
}

// -- changes ----------------------------------------------------------------------------------------------------------

void ApiFleet::apply(const ChangeLimits& action, Time /*at*/, Effects& effects) {
  process(action.process).gate.set_limits(action.limits);
  effects.push_back({.kind = EffectKind::limits_changed, .node = node_of(action.process), .process = action.process});
  grant(action.process, effects);
  note_readiness(action.process, effects);
}

void ApiFleet::apply(const ChangeTenantLimits& action, Time /*at*/, Effects& effects) {
  process(action.process).gate.set_limits(action.tenant, action.limits);
  effects.push_back({.kind = EffectKind::limits_changed,
                     .node = node_of(action.process),
                     .process = action.process,
                     .name = action.tenant});
  grant(action.process, effects);
  note_readiness(action.process, effects);
}

void ApiFleet::apply(const DrainProcess& action, Time /*at*/, Effects& effects) {
  Gate& gate = process(action.process).gate;
  if (!up(action.process) || gate.draining()) {
    return;
  }
  gate.set_draining(true);
  effects.push_back({.kind = EffectKind::drain_began, .node = node_of(action.process), .process = action.process});
  std::uint64_t draw = action.draw;
  for (std::uint32_t i = gate.next_waiting(0); i < gate.tenants(); i = gate.next_waiting(i)) {
    const WaiterId waiter = gate.tenant(NamespaceId(i)).first;
    const RequestId request = gate.waiter(waiter).request;
    gate.leave(waiter);
    refuse(request, Refusal::draining, true, draw, effects);
    draw = mix(draw);
  }
  note_readiness(action.process, effects);
}

void ApiFleet::apply(const ResumeProcess& action, Time /*at*/, Effects& effects) {
  if (!up(action.process) || !gate(action.process).draining()) {
    return;
  }
  process(action.process).gate.set_draining(false);
  effects.push_back({.kind = EffectKind::drain_ended, .node = node_of(action.process), .process = action.process});
  note_readiness(action.process, effects);
}

void ApiFleet::crash(NodeId node, Time at, Effects& effects) {
  std::vector<RequestId> running;
  std::vector<ProcessId> died;
  for (std::uint16_t i = 0; i < per_node_; ++i) {
    const ProcessId id(static_cast<std::uint16_t>(node.value() * per_node_ + i));
    if (std::exchange(process(id).up, false)) {
      died.push_back(id);
      effects.push_back({.kind = EffectKind::process_down, .node = node, .process = id});
    }
  }
  for (std::uint32_t place = 0; place < requests_.places(); ++place) {
    const RequestId request(place);
    if (!requests_[request].inside || std::ranges::find(died, requests_[request].process) == died.end()) {
      continue;
    }
    if (requests_[request].running()) {
      running.push_back(request);
    } else {
      apply(AbandonRequest{request, requests_[request].serial}, at, effects);
    }
  }
  // In the order of arrival, whatever their places; none of them gets a unit that another one leaves.
  std::ranges::sort(running, {}, [&](RequestId request) { return requests_[request].serial; });
  for (const RequestId request : running) {
    for (const Resource which : {Resource::database_pool, Resource::downstream}) {
      CheckoutId& checkout = requests_.at(request).checkouts[static_cast<std::size_t>(which)];
      if (!checkout.is_none() && !pool(which)->checked_out(checkout)) {
        pool(which)->give_back(std::exchange(checkout, CheckoutId::none()));
      }
    }
  }
  for (const RequestId request : running) {
    finish(request, HandlerOutcome::crashed, at, effects);
  }
  for (const ProcessId id : died) {
    end_health_check(id, effects);
    note_readiness(id, effects);
  }
}

// With its configured limits, an empty queue and full buckets.
void ApiFleet::restart(NodeId node, Time /*at*/, Effects& effects) {
  for (std::uint16_t i = 0; i < per_node_; ++i) {
    const ProcessId id(static_cast<std::uint16_t>(node.value() * per_node_ + i));
    Process& restarted = process(id);
    if (!restarted.up) {
      Gate fresh(gate_config_, limits_);
      fresh.continue_lives_of(restarted.gate);
      restarted.gate = std::move(fresh);
      restarted.up = true;
      effects.push_back({.kind = EffectKind::process_up, .node = node, .process = id});
      note_readiness(id, effects);
    }
  }
}

void ApiFleet::restore(const FleetContents& contents) {
  requests_.clear();
  for (std::optional<ResourcePool>& each : resources_) {
    if (each) {
      each->clear();
    }
  }
  const std::span<const Gate::TenantStanding> tenants(contents.tenants);
  for (std::size_t i = 0; i < processes_.size(); ++i) {
    const FleetContents::Process& from = contents.processes[i];
    processes_[i].gate.restore(from.gate, tenants.subspan(i * counts_.size(), counts_.size()));
    processes_[i].up = from.up;
    processes_[i].known_ready = from.known_ready;
  }
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    counts_[i] = contents.counts_inside(NamespaceId(static_cast<std::uint32_t>(i)));
  }
  for (const FleetContents::Inside& inside : contents.requests) {
    restore(inside);
  }
}

void ApiFleet::restore(const FleetContents::Inside& inside) {
  const RequestId id = requests_.add(inside.tenant, inside.process, 0, Time::zero());
  Request& request = requests_.at(id);
  request.stage = inside.stage;
  request.abandoned = inside.abandoned;
  if (inside.stage == Stage::waiting) {
    request.waiter = process(inside.process).gate.restore_waiter(inside.tenant, id, inside.age);
  }
  using State = ResourcePool::Entry::State;
  const auto take_place = [&](Resource which, State state) {
    request.checkouts[static_cast<std::size_t>(which)] =
        pool(which)->restore({Claimant::Kind::request, id.value()}, state);
  };
  if (inside.stage != Stage::waiting && pool(Resource::database_pool)) {
    take_place(Resource::database_pool, inside.stage == Stage::database_checkout ? State::waiting : State::held);
  }
  if (inside.stage == Stage::downstream_checkout || inside.stage == Stage::downstream) {
    take_place(Resource::downstream, inside.stage == Stage::downstream_checkout ? State::waiting : State::held);
  }
}

bool ApiFleet::quiet() const {
  for (const Process& each : processes_) {
    if (each.gate.inflight() != 0 || each.gate.depth() != 0) {
      return false;
    }
  }
  for (const std::optional<ResourcePool>& each : resources_) {
    if (each && !each->quiet()) {
      return false;
    }
  }
  return requests_.inside_count() == 0;
}

}  // namespace headroom
