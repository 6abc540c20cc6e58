// Simulation: logical requests, the clients behind them, and what they do about the answers.
#include <algorithm>

#include "model/base/assert.hpp"
#include "sim/run/simulation.hpp"

namespace headroom {

void Simulation::schedule_requests() {
  const ApiFleet& api = *cluster_.api();
  for (std::uint32_t i = 0; i < requests_.size(); ++i) {
    if (!requests_[i]) {
      continue;
    }
    schedule_request_arrival(NamespaceId(i));
    for (std::uint32_t client = 0; client < requests_[i]->clients(); ++client) {
      push(now_ + requests_[i]->think(), Priority::arrivals, {.subject = i, .kind = EventKind::client_ready});
    }
  }
  if (!scenario_.admission->health_check) {
    return;
  }
  // One after another within an interval, not in step.
  for (std::uint16_t i = 0; i < api.processes(); ++i) {
    push(Time::at(scenario_.admission->health_check->interval * i / api.processes()), Priority::timers,
         {.subject = i, .kind = EventKind::health_check});
  }
}

bool Simulation::handle_request_event(const Event& event) {
  switch (event.kind) {
    case EventKind::request_arrival:
      return requests_arrive(NamespaceId(event.subject));
    case EventKind::client_ready:
      if (!arrivals_stopped_) {
        call(NamespaceId(event.subject));
      }
      return !effects_.empty();
    case EventKind::client_timeout:
      return client_timed_out(event.subject, event.payload);
    case EventKind::client_leaves:
      return client_leaves(event.subject, event.payload);
    case EventKind::retry:
      if (calls_[event.subject].open && calls_[event.subject].serial == event.payload) {
        if (arrivals_stopped_) {  // or it would hang on other work in the drain whether it comes
          close_call(event.subject, ClientEvent::Kind::gave_up);
          return false;
        }
        ++calls_[event.subject].retries;
        tell(ClientEvent::Kind::retried, calls_[event.subject]);
        try_now(event.subject);
      }
      return !effects_.empty();
    case EventKind::waiter:
      return waiter_due(RequestId(event.subject), event.payload);
    case EventKind::handler:
      return stage_over(RequestId(event.subject), event.payload);
    case EventKind::checkout_expiry:
      step(ExpireCheckout{static_cast<Resource>(event.node.value()), CheckoutId(event.subject),
                          static_cast<std::uint32_t>(event.payload)});
      return !effects_.empty();
    case EventKind::refill:
      step(RefillToken{ProcessId(static_cast<std::uint16_t>(event.payload & 0xFFFFU)), NamespaceId(event.subject),
                       static_cast<std::uint32_t>(event.payload >> 16U)});
      return !effects_.empty();
    case EventKind::balancer:
      balancer_learns(event);
      return false;
    case EventKind::health_check:
      push(now_ + scenario_.admission->health_check->interval, Priority::timers, event);
      step(BeginHealthCheck{ProcessId(static_cast<std::uint16_t>(event.subject))});
      return !effects_.empty();
    case EventKind::health_check_over:
      step(EndHealthCheck{ProcessId(static_cast<std::uint16_t>(event.subject))});
      return !effects_.empty();
    case EventKind::drain_over:
      step(ResumeProcess{ProcessId(static_cast<std::uint16_t>(event.subject))});
      return !effects_.empty();
    default:
      HEADROOM_ASSERT(false, "event kind {} is handled nowhere", static_cast<int>(event.kind));
  }
}

void Simulation::schedule_request_arrival(NamespaceId name) {
  const std::optional<Arrival> next = requests_[name.value()]->next_arrival();
  if (next && next->at < end_of_measurement_) {
    next_requests_[name.value()] = *next;
    push(next->at, Priority::arrivals, {.subject = name.value(), .kind = EventKind::request_arrival});
  }
}

bool Simulation::requests_arrive(NamespaceId name) {
  if (arrivals_stopped_) {
    return false;
  }
  const std::uint64_t n = next_requests_[name.value()].n;
  schedule_request_arrival(name);
  for (std::uint64_t i = 0; i < n; ++i) {
    call(name);
  }
  return !effects_.empty();
}

// -- a logical request ------------------------------------------------------------------------------------------------

void Simulation::call(NamespaceId name) {
  if (free_calls_.empty()) {
    free_calls_.push_back(static_cast<std::uint32_t>(calls_.size()));
    calls_.emplace_back();
  }
  const std::uint32_t index = free_calls_.back();
  free_calls_.pop_back();
  RequestSource& source = *requests_[name.value()];
  const std::uint64_t tries = calls_[index].number_of_try;
  calls_[index] = {.tenant = name,
                   .serial = next_call_serial_++,
                   .logical = source.next_logical(),
                   .number_of_try = tries,
                   .open = true,
                   .began = now_};
  source.retries().first_try();
  if (const std::optional<Duration> patience = source.patience(calls_[index].logical)) {
    push(now_ + *patience, Priority::expiries,
         {.payload = calls_[index].serial, .subject = index, .kind = EventKind::client_leaves});
  }
  tell(ClientEvent::Kind::called, calls_[index]);
  try_now(index);
}

void Simulation::try_now(std::uint32_t index) {
  RequestSource& source = *requests_[calls_[index].tenant.value()];
  Call& call = calls_[index];
  ++call.number_of_try;
  call.waiting = true;
  call.request = RequestId::none();
  const ApiFleet& api = *cluster_.api();
  const ProcessId target = balancer_->pick(cluster_.layout().config(call.tenant).entity, [&](ProcessId process) {
    return api.gate(process).inflight() + api.gate(process).depth();
  });
  if (target.is_none() || !api.up(target)) {
    call.waiting = false;
    tell(ClientEvent::Kind::unreachable, call);
    try_failed(index, std::nullopt);
    return;
  }
  if (source.client().timeout) {
    push(now_ + *source.client().timeout, Priority::expiries,
         {.payload = call.number_of_try, .subject = index, .kind = EventKind::client_timeout});
  }
  trying_ = index;
  step(ArriveRequest{target, call.tenant, call.logical, source.draw()});
}

// The present try came to nothing, and the client knows.
void Simulation::try_failed(std::uint32_t index, std::optional<Duration> told) {
  Call& call = calls_[index];
  call.waiting = false;
  const std::optional<Duration> delay =
      arrivals_stopped_ ? std::nullopt : requests_[call.tenant.value()]->retries().next(call.retries, told);
  if (!delay) {
    close_call(index, ClientEvent::Kind::gave_up);
    return;
  }
  if (!requests_[call.tenant.value()]->client().idempotency_key) {
    call.logical = requests_[call.tenant.value()]->next_logical();
  }
  push(now_ + *delay, Priority::arrivals, {.payload = call.serial, .subject = index, .kind = EventKind::retry});
}

void Simulation::close_call(std::uint32_t index, ClientEvent::Kind how) {
  Call& call = calls_[index];
  tell(how, call);
  call.open = false;
  call.waiting = false;
  free_calls_.push_back(index);
  RequestSource& source = *requests_[call.tenant.value()];
  if (source.clients() > 0 && !arrivals_stopped_) {
    push(now_ + source.think(), Priority::arrivals, {.subject = call.tenant.value(), .kind = EventKind::client_ready});
  }
}

bool Simulation::client_timed_out(std::uint32_t index, std::uint64_t number_of_try) {
  if (!calls_[index].waiting || calls_[index].number_of_try != number_of_try) {
    return false;
  }
  const Call call = calls_[index];
  tell(ClientEvent::Kind::timed_out, call);
  handled_[call.request.value()].call = kNoCall;
  if (requests_[call.tenant.value()]->client().on_timeout == OnTimeout::disconnect) {
    step(AbandonRequest{call.request, call.request_serial});
  }
  try_failed(index, std::nullopt);
  return true;
}

// The client is tired of it: it leaves, and does not come back.
bool Simulation::client_leaves(std::uint32_t index, std::uint64_t serial) {
  if (!calls_[index].open || calls_[index].serial != serial) {
    return false;
  }
  const Call call = calls_[index];
  if (call.waiting) {
    handled_[call.request.value()].call = kNoCall;
    step(AbandonRequest{call.request, call.request_serial});
  }
  close_call(index, ClientEvent::Kind::gave_up);
  return true;
}

void Simulation::tell(ClientEvent::Kind kind, const Call& call) {
  for (RunObserver* observer : observers_) {
    observer->on_client({kind, call.tenant, call.logical, now_ - call.began}, now_);
  }
}

// -- what the system answers ------------------------------------------------------------------------------------------

void Simulation::react_to_requests(const Effect& effect) {
  switch (effect.kind) {
    case EffectKind::request_admitted:
      if (effect.live) {
        took_in(effect);
      }
      break;
    case EffectKind::request_queued:
      took_in(effect);
      arm_waiter(effect.request);
      break;
    case EffectKind::request_refused:
      refused(effect);
      break;
    case EffectKind::request_gone:
    case EffectKind::request_finished:
      ended(effect);
      break;
    case EffectKind::stage_begun:
      begin_stage(effect);
      break;
    case EffectKind::token_awaited: {
      const Gate::Tenant& tenant = cluster_.api()->gate(effect.process).tenant(effect.name);
      push(now_ + Duration::nanoseconds(effect.value), Priority::timers,
           {.payload = (static_cast<std::uint64_t>(tenant.bucket_life) << 16U) | effect.process.value(),
            .subject = effect.name.value(),
            .kind = EventKind::refill});
      break;
    }
    case EffectKind::resource_awaited:
      await_resource(effect);
      break;
    case EffectKind::resource_granted:
      resource_granted(effect);
      break;
    case EffectKind::resource_returned:
    case EffectKind::resource_timed_out:
    case EffectKind::became_ready:
    case EffectKind::became_unready:
    case EffectKind::process_up:
    case EffectKind::process_down:
      tell_balancer(effect);
      break;
    default:
      break;
  }
}

// The request of the try in progress has a place inside.
void Simulation::took_in(const Effect& effect) {
  Call& call = calls_[trying_];
  call.request = effect.request;
  call.request_serial = cluster_.api()->requests()[effect.request].serial;
  if (effect.request.value() >= handled_.size()) {
    handled_.resize(effect.request.value() + 1);
  }
  handled_[effect.request.value()] = {trying_, call.logical, call.retries};
}

void Simulation::refused(const Effect& effect) {
  const std::uint32_t call = effect.live ? handled_[effect.request.value()].call : trying_;
  if (call == kNoCall) {
    return;  // its client stopped waiting without a word
  }
  Duration told = Duration::seconds(effect.value);
  if (scenario_.admission->retry_after_form == RetryAfterForm::http_date) {
    // The date is in whole seconds, rounded up, by the clock of the server; the client waits until then.
    const std::int64_t second = Duration::seconds(1).count();
    const Time server_now = now_ + clocks_[effect.node.value()].skew;
    const std::int64_t date = ((server_now + told).nanoseconds() + second - 1) / second * second;
    told = std::max(Time::at(Duration::nanoseconds(date)) - now_, Duration::zero());  // a past date means now
  }
  try_failed(call, told);
}

// A request has left the system other than by a refusal.
void Simulation::ended(const Effect& effect) {
  const std::uint32_t index = handled_[effect.request.value()].call;
  const bool succeeded = effect.kind == EffectKind::request_finished &&
                         static_cast<HandlerOutcome>(effect.detail) == HandlerOutcome::succeeded;
  if (index == kNoCall) {
    if (succeeded) {
      tell(ClientEvent::Kind::dead_answer,
           {.tenant = effect.name, .logical = handled_[effect.request.value()].logical, .began = now_});
    }
    return;
  }
  handled_[effect.request.value()].call = kNoCall;
  if (succeeded) {
    close_call(index, ClientEvent::Kind::answered);
  } else {
    try_failed(index, std::nullopt);
  }
}

}  // namespace headroom
