#include "model/cluster/api_fleet.hpp"

#include <algorithm>
#include <utility>

#include "model/base/assert.hpp"
#include "model/base/mutation.hpp"

namespace headroom {
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
  if (!mutated(Mutation::refusal_not_counted)) {
    ++(of_tenant(refusal) ? counts.refused_429 : counts.refused_503);
  }
  if (mutated(Mutation::refused_request_touches_the_pool) && pool(Resource::database_pool)) {
    ask(id, Resource::database_pool, effects);
    give_back(id, Resource::database_pool, effects);
  }
  Effect effect = about(EffectKind::request_refused, id);
  effect.live = waited;
  effect.detail = static_cast<std::uint8_t>(refusal);
  effect.value = mutated(Mutation::retry_after_missing) ? 0 : retry_after(gate_config_.retry_after, draw);
  if (mutated(Mutation::retry_after_one_too_long) && gate_config_.retry_after.jitter > 0) {
    ++effect.value;
  }
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
  if (mutated(Mutation::expiry_and_grant_both_win) && requests_.inside(action.request, action.serial) &&
      requests_[action.request].running()) {
    refuse(action.request, Refusal::process_wait_expired, true, action.draw, effects);
    return;
  }
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
  if (!mutated(Mutation::gone_waiter_granted)) {
    process(id).gate.leave(request.waiter);
  }
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
                     .value = (process(id).gate.tenant(tenant).bucket.next_return() - at).count() /
                              (mutated(Mutation::token_comes_back_early) ? 2 : 1)});
}

void ApiFleet::note_readiness(ProcessId id, Effects& effects) {
  Process& noted = process(id);
  const bool ready =
      noted.up && (noted.gate.ready() || (mutated(Mutation::ready_while_draining) && noted.gate.draining()));
  if (std::exchange(noted.known_ready, ready) != ready) {
    effects.push_back(
        {.kind = ready ? EffectKind::became_ready : EffectKind::became_unready, .node = node_of(id), .process = id});
  }
}

// -- changes ----------------------------------------------------------------------------------------------------------

void ApiFleet::apply(const ChangeLimits& action, Time /*at*/, Effects& effects) {
  process(action.process).gate.set_limits(action.limits);
  effects.push_back({.kind = EffectKind::limits_changed, .node = node_of(action.process), .process = action.process});
  if (!mutated(Mutation::raised_limit_wakes_nobody)) {
    grant(action.process, effects);
  }
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
  const std::uint32_t all = mutated(Mutation::drained_waiter_granted) ? 0 : gate.tenants();
  for (std::uint32_t i = gate.next_waiting(0); i < all; i = gate.next_waiting(i)) {
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
