#include "sim/run/simulation.hpp"

#include <algorithm>
#include <utility>

#include "model/base/hash.hpp"
#include "sim/run/bind_shifts.hpp"
#include "sim/run/event_digest.hpp"
#include "sim/scenario/cluster_config.hpp"

namespace headroom {
namespace {

// How often `stop` and `progress` are asked, in events taken from the queue.
constexpr std::uint64_t kEventsBetweenChecks = 4096;

template <class Queue>
Queue make_queue(TieBreak tie_break, std::uint64_t seed) {
  return tie_break == TieBreak::random ? Queue::in_random_order(stable_hash(seed, 7)) : Queue::in_sequence();
}

}  // namespace

Simulation::Simulation(const Scenario& scenario, std::uint64_t seed)
    : scenario_(scenario),
      seed_(seed),
      tenants_(expand_tenants(scenario.tenants)),
      cluster_(cluster_config(scenario)),
      queue_(make_queue<EventQueue<Event>>(scenario.tie_break, seed)),
      sources_(tenants_.size()),
      next_arrivals_(tenants_.size()),
      requests_(tenants_.size()),
      next_requests_(tenants_.size()),
      drain_draws_(seed, 0, Purpose::retry_after),
      slowdown_(bind_shifts(scenario, tenants_, cluster_.layout())),
      clocks_(scenario.cluster.nodes),
      faults_(scenario.faults),
      slow_until_(scenario.faults.size()),
      has_left_(scenario.cluster.nodes, false),
      handed_from_(scenario.faults.size(), NodeId::none()),
      end_of_measurement_(Time::at(scenario.duration)) {
  for (const NodeId absent : scenario.cluster.absent) {
    has_left_[absent.value()] = true;
  }
  for (std::uint32_t i = 0; i < tenants_.size(); ++i) {
    const std::optional<RowsSpec>& rows = scenario.tenants[tenants_[i].spec_index].rows;
    if (rows) {
      sources_[i].emplace(*rows, NamespaceId(i), cluster_.layout(), seed);
    }
    const std::optional<RequestsSpec>& requests = scenario.tenants[tenants_[i].spec_index].requests;
    if (requests) {
      requests_[i].emplace(*requests, NamespaceId(i), cluster_.layout(), seed);
    }
  }
  if (scenario.admission) {
    balancer_.emplace(scenario.admission->load_balancer, cluster_.api()->processes());
    for (const NodeId absent : scenario.cluster.absent) {
      for (const ProcessId process : processes_of(absent, std::nullopt)) {
        balancer_->see_up(process, false);
      }
    }
  }
  schedule_start();
}

void Simulation::schedule_start() {
  next_window_ = Time::at(scenario_.window);
  for (std::uint32_t i = 0; i < faults_.size(); ++i) {
    fault_draws_.emplace_back(seed_, i, Purpose::fault);
  }
  if (scenario_.swarm) {
    draw_swarm();
  }
  for (std::uint32_t i = 0; i < faults_.size(); ++i) {
    if (const std::optional<Time> first = faults_[i].rate ? next_strike(i) : std::optional(faults_[i].at)) {
      push(*first, Priority::faults_and_ownership, {.subject = i, .kind = EventKind::fault});
    }
  }
  // Nodes poll and re-arm one after another within an interval, not in step.
  for (std::uint16_t i = 0; i < cluster_.nodes(); ++i) {
    const NodeId node(i);
    push(Time::at(scenario_.cluster.poll_interval * i / cluster_.nodes()), Priority::sweeps,
         {.node = node, .kind = EventKind::poll});
    push(Time::at(scenario_.cluster.reconcile_interval * (i + 1) / cluster_.nodes()), Priority::timers,
         {.node = node, .kind = EventKind::rearm});
    if (cluster_.config().quota_cached) {
      push(Time::at(scenario_.backpressure.quota_cache_ttl * (i + 1) / cluster_.nodes()), Priority::timers,
           {.node = node, .kind = EventKind::quota_read});
    }
  }
  for (std::uint32_t i = 0; i < sources_.size(); ++i) {
    if (!sources_[i]) {
      continue;
    }
    const NamespaceId name(i);
    schedule_arrival(name);
    if (sources_[i]->backlog() > 0) {
      next_arrivals_[i] = {Time::zero(), sources_[i]->backlog(), std::nullopt};
      push(Time::zero(), Priority::arrivals, {.subject = i, .kind = EventKind::arrival});
    }
    for (std::uint32_t client = 0; client < sources_[i]->clients(); ++client) {
      row_is_final(name);
    }
  }
  if (scenario_.admission) {
    schedule_requests();
  }
}

void Simulation::push(Time at, Priority priority, Event event) {
  queue_.push(at, priority, event);
}

void Simulation::run(const RunLimits& limits) {
  enter(scenario_.warmup > Duration::zero() ? Phase::warmup : Phase::measurement);
  std::uint64_t taken = 0;
  while (!over_) {
    if (mirror_ != nullptr && !mirror_->follows()) {
      totals_.stopped_early = "the store no longer follows";
      break;
    }
    if (limits.until && (queue_.empty() || std::min(queue_.next_time(), next_boundary()) > *limits.until)) {
      totals_.stopped_early = "the instant that was asked for was reached";
      break;
    }
    if (queue_.empty() || queue_.next_time() >= next_boundary()) {
      cross_boundary();
      continue;
    }
    if (++taken % kEventsBetweenChecks == 0) {
      if (limits.progress) {
        limits.progress(now_, totals_.events);
      }
      if (const std::optional<std::string> reason = limits.stop ? limits.stop() : std::nullopt) {
        totals_.stopped_early = *reason;
        break;
      }
    }
    if (limits.max_events && totals_.events >= *limits.max_events) {
      totals_.stopped_early = "the limit of events was reached";
      break;
    }
    const auto [at, event] = queue_.pop();
    now_ = at;
    effects_.clear();
    if (event_listener_) {
      event_listener_(totals_.events + 1, totals_.event_digest, now_);
    }
    totals_.events += handle(event) ? 1 : 0;
    finish_if_drained();
  }
  totals_.peak_pending_events = queue_.peak_size();
  totals_.ended = now_;
  for (RunObserver* observer : observers_) {
    observer->on_end(cluster_, now_);
  }
}

bool Simulation::handle(const Event& event) {
  switch (event.kind) {
    case EventKind::arrival:
      return arrive(NamespaceId(event.subject));
    case EventKind::think_over:
      if (arrivals_stopped_) {
        return false;
      }
      append(NamespaceId(event.subject), 1);
      return true;
    case EventKind::visible:
      step(BecomeVisible{RowSlot(event.subject), DispatchKey::from_word(event.payload)});
      return !effects_.empty();
    case EventKind::execution:
      return finish_execution(ExecutionId(event.subject), event.payload);
    case EventKind::stale:
      return go_stale();
    case EventKind::poll:
      return poll(event.node);
    case EventKind::wake:
      return woken(event.node);
    case EventKind::sweep_step:
      return clocks_[event.node.value()].life == event.subject && sweep_step(event.node);
    case EventKind::rearm:
      push(now_ + scenario_.cluster.reconcile_interval, Priority::timers, event);
      step(RearmPass{event.node});
      return !effects_.empty();
    case EventKind::fault:
      return strike(event.subject);
    case EventKind::adoption:
      return adopt();
    case EventKind::fault_over:
      return fault_over(event);
    case EventKind::expulsion:
      return expel(event.node, event.subject);
    case EventKind::rejoining:
      clocks_[event.node.value()].orphaned_at.reset();
      step(RejoinNode{event.node});
      return !effects_.empty();
    case EventKind::stale_act:
      step(ActOnStale{event.node});
      return !effects_.empty();
    case EventKind::quota_read:
      push(now_ + scenario_.backpressure.quota_cache_ttl, Priority::timers, event);
      step(ReadQuotas{event.node, clocks_[event.node.value()].quota_error_until <= now_});
      return !effects_.empty();
    case EventKind::departure:
      return depart(event.node);
    default:
      return handle_request_event(event);
  }
}

// One step of the model: its effects are digested, observed and answered with timers.
void Simulation::step(const Action& action) {
  const std::size_t first = effects_.size();
  if (mirror_ != nullptr) {
    mirror_->before_step(cluster_, action);
  }
  cluster_.step(action, now_, effects_);
  const std::span<const Effect> fresh = std::span(effects_).subspan(first);
  if (mirror_ != nullptr) {
    mirror_->after_step(cluster_, action, fresh, now_);
  }
  if (fresh.empty()) {
    return;
  }
  for (const Effect& effect : fresh) {
    totals_.event_digest = digest_with(totals_.event_digest, effect, now_);
  }
  for (RunObserver* observer : observers_) {
    observer->on_step(cluster_, fresh, now_);
  }
  react(first);
}

// What the effects of a step ask of the world. Reactions step again, so effects are read by index.
void Simulation::react(std::size_t first_effect) {
  const std::size_t end = effects_.size();
  for (std::size_t i = first_effect; i < end; ++i) {
    const Effect effect = effects_[i];
    switch (effect.kind) {
      case EffectKind::appended:
        if (effect.value > 0) {
          push(now_ + Duration::nanoseconds(effect.value), Priority::timers,
               {.payload = effect.key.word(), .subject = effect.row.value(), .kind = EventKind::visible});
        }
        break;
      case EffectKind::retried:
        push(now_ + Duration::nanoseconds(effect.value), Priority::timers,
             {.payload = effect.key.word(), .subject = effect.row.value(), .kind = EventKind::visible});
        break;
      case EffectKind::wake:
        if (std::exchange(clocks_[effect.node.value()].loses_wake, false)) {
          step(LoseWake{effect.node});
        } else {
          arm_wake(effect.node);
        }
        break;
      case EffectKind::stale_listed:
        push(now_ + scenario_.outbox.rearm_act_delay, Priority::timers,
             {.node = effect.node, .kind = EventKind::stale_act});
        break;
      case EffectKind::execution_died:
        ++execution_serial_[effect.execution.value()];
        break;
      case EffectKind::claimed:
        arm_stale_timer();
        break;
      case EffectKind::started:
        if (!cluster_.layout().config(effect.name).rows_use_database_pool) {
          start_service(effect);  // else once it has its connection
        }
        break;
      case EffectKind::recorded:
      case EffectKind::dead_lettered:
      case EffectKind::cancelled:
        if (effect.key.ordinal() < DispatchKey::kFirstOfRequests) {  // else no client of the tenant's rows waits for it
          row_is_final(effect.name);
        }
        break;
      case EffectKind::crashed:
        crashed(effect.node);
        break;
      case EffectKind::restarted:
        clocks_[effect.node.value()].orphaned_at.reset();
        push(now_ + scenario_.cluster.adoption_delay, Priority::faults_and_ownership, {.kind = EventKind::adoption});
        break;
      case EffectKind::finished:
        // A sequential dispatcher that had to wait for this result may sweep again.
        if (const NodeId node = cluster_.executions()[effect.execution].item.dispatcher; cluster_.wake_wanted(node)) {
          arm_wake(node);
        }
        break;
      default:
        react_to_requests(effect);
        break;
    }
  }
}

// -- the parts of the run ---------------------------------------------------------------------------------------------

void Simulation::enter(Phase phase) {
  phase_ = phase;
  for (RunObserver* observer : observers_) {
    observer->on_phase(phase, cluster_, now_);
  }
}

Time Simulation::next_boundary() const {
  if (phase_ == Phase::drain) {
    return end_of_drain_;
  }
  const Time warmed_up = phase_ == Phase::warmup ? Time::at(scenario_.warmup) : Time::max();
  return std::min({warmed_up, next_window_, end_of_measurement_});
}

void Simulation::cross_boundary() {
  now_ = next_boundary();
  if (phase_ == Phase::drain) {
    over_ = true;
    return;
  }
  if (now_ == next_window_) {
    for (RunObserver* observer : observers_) {
      observer->on_window(cluster_, now_);
    }
    next_window_ = now_ + scenario_.window;
  }
  if (now_ == end_of_measurement_) {
    stop_arrivals();
  } else if (phase_ == Phase::warmup && now_ == Time::at(scenario_.warmup)) {
    enter(Phase::measurement);
  }
}

void Simulation::stop_arrivals() {
  arrivals_stopped_ = true;
  enter(Phase::drain);
  if (scenario_.drain == Duration::zero()) {
    over_ = true;
    return;
  }
  end_of_drain_ = now_ + scenario_.drain;
  effects_.clear();
  for (std::uint16_t i = 0; i < cluster_.nodes(); ++i) {
    const NodeId node(i);
    if (!cluster_.up(node) && !has_left_[i]) {
      step(Restart{node});
    }
    go_on(node);
  }
  totals_.events += effects_.empty() ? 0 : 1;
  finish_if_drained();
}

void Simulation::finish_if_drained() {
  if (phase_ == Phase::drain && nothing_left()) {
    totals_.drained = true;
    over_ = true;
  }
}

bool Simulation::nothing_left() const {
  return cluster_.outbox().live_rows() == 0 && cluster_.executions().running_count() == 0 &&
         (cluster_.api() == nullptr || cluster_.api()->quiet());
}

}  // namespace headroom
