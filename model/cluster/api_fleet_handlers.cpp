// ApiFleet: handlers, and the resources that they share.
#include <utility>

#include "model/base/assert.hpp"
#include "model/base/mutation.hpp"
#include "model/cluster/api_fleet.hpp"

namespace headroom {
namespace {

constexpr Stage checkout_stage(Resource which) {
  return which == Resource::database_pool ? Stage::database_checkout : Stage::downstream_checkout;
}
constexpr Stage working_stage(Resource which) {
  return which == Resource::database_pool ? Stage::handler : Stage::downstream;
}

}  // namespace

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
  if (!mutated(Mutation::connection_leaked_by_failure) || outcome != HandlerOutcome::failed) {
    give_back(id, Resource::database_pool, effects);
  }
  RequestCounts& counts = counts_[tenant.value()];
  --counts.running;
  ++counts.finished;
  Effect effect = about(EffectKind::request_finished, id);
  effect.detail = static_cast<std::uint8_t>(outcome);
  effect.live = !requests_[id].abandoned;
  effects.push_back(effect);
  const bool leaked = (mutated(Mutation::permit_leaked_when_client_left) && requests_[id].abandoned) ||
                      (mutated(Mutation::permit_leaked_on_timeout) && outcome == HandlerOutcome::database_timeout);
  requests_.remove(id);
  if (!leaked) {
    process(where).gate.release(tenant);
  }
  if (mutated(Mutation::permit_released_twice) && process(where).gate.tenant(tenant).inflight > 0) {
    process(where).gate.release(tenant);
  }
  serve(Resource::downstream, effects);
  serve(Resource::database_pool, effects);
  if (!mutated(Mutation::permit_raced_for) && !mutated(Mutation::barging)) {
    grant(where, effects);
  }
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

}  // namespace headroom
