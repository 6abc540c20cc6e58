// Simulation: how long waiters wait and handlers work, what they share, and what the load balancer learns.
#include <algorithm>

#include "sim/run/simulation.hpp"

namespace headroom {
namespace {

// What the load balancer learns of a process, as the payload of an event.
enum class News : std::uint64_t { ready, unready, up, down };

}  // namespace

// -- waiters ----------------------------------------------------------------------------------------------------------

// The next thing that time does to a waiter: it passes an age that the readiness marks know, or its wait expires. One
// event at a time.
void Simulation::arm_waiter(RequestId id) {
  const Request& request = cluster_.api()->requests()[id];
  const AdmissionSection& admission = *scenario_.admission;
  Time next_age = Time::max();
  if (admission.readiness && admission.readiness->lag_high) {
    const WaiterAge age = cluster_.api()->gate(request.process).waiter(request.waiter).age;
    next_age = age == WaiterAge::young ? request.arrived_at + *admission.readiness->lag_low
               : age == WaiterAge::lagging
                   ? request.arrived_at + *admission.readiness->lag_high + Duration::nanoseconds(1)
                   : Time::max();
  }
  const Time expiry = admission.queue_wait ? request.arrived_at + *admission.queue_wait : Time::max();
  if (std::min(next_age, expiry) < Time::max()) {
    push(std::min(next_age, expiry), next_age <= expiry ? Priority::timers : Priority::expiries,
         {.payload = request.serial, .subject = id.value(), .kind = EventKind::waiter});
  }
}

bool Simulation::waiter_due(RequestId id, std::uint64_t serial) {
  const RequestTable& requests = cluster_.api()->requests();
  if (!requests.inside(id, serial) || requests[id].running()) {
    return false;
  }
  const Request& request = requests[id];
  const std::optional<Duration>& queue_wait = scenario_.admission->queue_wait;
  const std::optional<ReadinessMarks>& marks = scenario_.admission->readiness;
  if (marks && marks->lag_high) {
    const WaiterAge age = cluster_.api()->gate(request.process).waiter(request.waiter).age;
    const Duration waited = now_ - request.arrived_at;
    if ((age == WaiterAge::young && waited >= *marks->lag_low) ||
        (age == WaiterAge::lagging && waited > *marks->lag_high)) {
      step(PassAge{id, serial});
      arm_waiter(id);
      return true;
    }
  }
  if (queue_wait && request.arrived_at + *queue_wait <= now_) {
    step(ExpireWait{id, serial, requests_[request.tenant.value()]->draw()});
  }
  return !effects_.empty();
}

// -- handlers ---------------------------------------------------------------------------------------------------------

// With a next service, the handler works alone for the first part of its time.
void Simulation::begin_stage(const Effect& effect) {
  const Request& request = cluster_.api()->requests()[effect.request];
  const Handled& handled = handled_[effect.request.value()];
  const AdmissionSection& admission = *scenario_.admission;
  const bool downstream = static_cast<Stage>(effect.detail) == Stage::downstream;
  Duration work = requests_[request.tenant.value()]->service(handled.logical, handled.retries);
  if (admission.downstream) {
    const Duration last = scaled(work, admission.downstream->part);
    work = downstream ? last : work - last;
  }
  work = slowdown_.request(work, request.tenant, effect.node, now_, admission.database_pool.has_value(), downstream);
  push(now_ + work, Priority::completions,
       {.payload = request.serial, .subject = effect.request.value(), .kind = EventKind::handler});
}

bool Simulation::stage_over(RequestId id, std::uint64_t serial) {
  const RequestTable& requests = cluster_.api()->requests();
  if (!requests.inside(id, serial)) {
    return false;  // its process died
  }
  const Request& request = requests[id];
  if (request.stage == Stage::handler && scenario_.admission->downstream) {
    step(EnterDownstream{id, serial});
    return true;
  }
  const RequestSource& source = *requests_[request.tenant.value()];
  const Handled& handled = handled_[id.value()];
  const bool fails = handled.will_fail || source.fails(handled.logical, handled.retries);
  rows_.clear();
  if (!fails && source.fan_out() > 0) {
    sources_[request.tenant.value()]->make_rows_of_request(request.logical, source.fan_out(), now_, rows_);
  }
  step(FinishRequest{id, serial, !fails, rows_});
  return true;
}

// -- resources --------------------------------------------------------------------------------------------------------

void Simulation::await_resource(const Effect& effect) {
  const AdmissionSection& admission = *scenario_.admission;
  const ApiFleet& api = *cluster_.api();
  const auto which = static_cast<Resource>(effect.detail);
  std::optional<Duration> timeout = which == Resource::database_pool ? admission.database_pool->checkout_timeout
                                                                     : admission.downstream->checkout_timeout;
  CheckoutId checkout;
  if (!effect.request.is_none()) {
    checkout = api.requests()[effect.request].checkouts[effect.detail];
  } else if (!effect.execution.is_none()) {
    checkout = cluster_.executions()[effect.execution].connection;
  } else {
    checkout = api.health_check(effect.process);
    timeout = admission.health_check->timeout;
  }
  if (timeout) {
    push(now_ + *timeout, Priority::expiries,
         {.payload = api.resource(which)->entry(checkout).use,
          .subject = checkout.value(),
          .node = NodeId(effect.detail),
          .kind = EventKind::checkout_expiry});
  }
}

void Simulation::resource_granted(const Effect& effect) {
  if (!effect.execution.is_none()) {
    start_service(effect);
  } else if (effect.request.is_none()) {
    push(now_ + scenario_.admission->health_check->service, Priority::completions,
         {.subject = effect.process.value(), .kind = EventKind::health_check_over});
  }
}

// -- the load balancer ------------------------------------------------------------------------------------------------

// It learns of a process that died or changed its readiness after a delay, and of a health check at once.
void Simulation::tell_balancer(const Effect& effect) {
  const bool of_health_check = effect.request.is_none() && effect.execution.is_none();
  News news = News::ready;
  Duration delay = scenario_.admission->load_balancer.reaction_delay;
  switch (effect.kind) {
    case EffectKind::became_ready:
      break;
    case EffectKind::became_unready:
      news = News::unready;
      break;
    case EffectKind::process_up:
      news = News::up;
      break;
    case EffectKind::process_down:
      news = News::down;
      break;
    default:
      if (!of_health_check) {
        return;
      }
      news = effect.kind == EffectKind::resource_returned ? News::up : News::down;
      delay = Duration::zero();
      break;
  }
  push(now_ + delay, Priority::faults_and_ownership,
       {.payload = static_cast<std::uint64_t>(news), .subject = effect.process.value(), .kind = EventKind::balancer});
}

void Simulation::balancer_learns(const Event& event) {
  const ProcessId process(static_cast<std::uint16_t>(event.subject));
  switch (static_cast<News>(event.payload)) {
    case News::ready:
    case News::unready:
      balancer_->see_ready(process, static_cast<News>(event.payload) == News::ready);
      break;
    case News::up:
    case News::down:
      balancer_->see_up(process, static_cast<News>(event.payload) == News::up && cluster_.api()->up(process));
      break;
  }
}

std::vector<ProcessId> Simulation::processes_of(NodeId node, std::optional<std::uint16_t> process) const {
  std::vector<ProcessId> chosen;
  const std::uint16_t per_node = scenario_.cluster.processes;
  for (std::uint16_t i = 0; i < cluster_.api()->processes(); ++i) {
    const bool of_node = node.is_none() || cluster_.api()->node_of(ProcessId(i)) == node;
    if (of_node && (!process || i % per_node + 1 == *process)) {
      chosen.push_back(ProcessId(i));
    }
  }
  return chosen;
}

}  // namespace headroom
