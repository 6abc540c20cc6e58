// Simulation: rows that come, execute and go stale.
#include "sim/run/simulation.hpp"

namespace headroom {

void Simulation::schedule_arrival(NamespaceId name) {
  const std::optional<Arrival> next = sources_[name.value()]->next_arrival();
  if (next && next->at < end_of_measurement_) {
    next_arrivals_[name.value()] = *next;
    push(next->at, Priority::arrivals, {.subject = name.value(), .kind = EventKind::arrival});
  }
}

bool Simulation::arrive(NamespaceId name) {
  if (arrivals_stopped_) {
    return false;
  }
  const std::uint64_t n = next_arrivals_[name.value()].n;
  schedule_arrival(name);
  append(name, n);
  return true;
}

void Simulation::append(NamespaceId name, std::uint64_t n) {
  rows_.clear();
  sources_[name.value()]->make_rows(n, now_, rows_);
  step(AppendRows{rows_});
}

void Simulation::row_is_final(NamespaceId name) {
  if (sources_[name.value()]->clients() > 0 && !arrivals_stopped_) {
    push(now_ + sources_[name.value()]->think(), Priority::arrivals,
         {.subject = name.value(), .kind = EventKind::think_over});
  }
}

void Simulation::start_service(const Effect& effect) {
  const Execution& execution = cluster_.executions()[effect.execution];
  const WorkItem& item = execution.item;
  const Duration work = sources_[item.name().value()]->service(item.key, item.attempt);
  const bool holds_connection = !execution.connection.is_none();
  end_at(effect.execution,
         now_ + slowdown_.service(work, item.name(), item.route, execution.node, now_, holds_connection));
}

void Simulation::end_at(ExecutionId execution, Time at) {
  if (execution.value() >= execution_serial_.size()) {
    execution_serial_.resize(execution.value() + 1);
    execution_ends_.resize(execution.value() + 1);
  }
  execution_ends_[execution.value()] = at;
  push(at, Priority::completions,
       {.payload = ++execution_serial_[execution.value()], .subject = execution.value(), .kind = EventKind::execution});
}

bool Simulation::finish_execution(ExecutionId execution, std::uint64_t serial) {
  if (execution_serial_[execution.value()] != serial) {
    return false;  // its worker hangs, or died
  }
  const WorkItem& item = cluster_.executions()[execution].item;
  const bool fails = sources_[item.name().value()]->fails(item.key, item.attempt);
  step(FinishExecution{execution, !fails});
  return true;
}

// One timer serves all claims: they go stale in the order in which they were made.
void Simulation::arm_stale_timer() {
  const RowSlot oldest = cluster_.outbox().oldest_claim();
  if (!stale_armed_ && !oldest.is_none()) {
    stale_armed_ = true;
    push(cluster_.outbox().row(oldest).claimed_at + scenario_.cluster.stale_after, Priority::timers,
         {.kind = EventKind::stale});
  }
}

bool Simulation::go_stale() {
  stale_armed_ = false;
  const Outbox& outbox = cluster_.outbox();
  while (!outbox.oldest_claim().is_none()) {
    const RowSlot slot = outbox.oldest_claim();
    if (outbox.row(slot).claimed_at + scenario_.cluster.stale_after > now_) {
      break;
    }
    step(GoStale{slot, outbox.row(slot).fence});
  }
  arm_stale_timer();
  return !effects_.empty();
}

}  // namespace headroom
