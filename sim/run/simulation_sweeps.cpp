// Simulation: when a node sweeps, and how long it takes.
#include <utility>

#include "model/base/assert.hpp"
#include "sim/run/simulation.hpp"

namespace headroom {

bool Simulation::poll(NodeId node) {
  push(now_ + scenario_.cluster.poll_interval, Priority::sweeps, {.node = node, .kind = EventKind::poll});
  return cluster_.can_sweep(node) && begin_sweep(node);
}

bool Simulation::woken(NodeId node) {
  clocks_[node.value()].wake_armed = false;
  if (!cluster_.wake_wanted(node) || !cluster_.can_sweep(node)) {
    return false;  // a poll was faster, or a sweep runs: what is still wanted is armed when it ends
  }
  const NodeClock& clock = clocks_[node.value()];
  if (clock.last_start && *clock.last_start + scenario_.cluster.min_sweep_gap > now_) {
    arm_wake(node);  // a poll swept since the wake was armed
    return false;
  }
  return begin_sweep(node);
}

// A wake during a sweep, or within the gap after the start of the last one, is kept until it may be served.
void Simulation::arm_wake(NodeId node) {
  NodeClock& clock = clocks_[node.value()];
  if (clock.wake_armed || !cluster_.can_sweep(node)) {
    return;
  }
  clock.wake_armed = true;
  const Time earliest = clock.last_start ? *clock.last_start + scenario_.cluster.min_sweep_gap : now_;
  push(earliest > now_ ? earliest : now_, Priority::sweeps, {.node = node, .kind = EventKind::wake});
}

bool Simulation::sweeps_take_time() const {
  return scenario_.cluster.sweep_cost > Duration::zero() || scenario_.cluster.claim_cost > Duration::zero();
}

// True if the sweep changed more than its own number.
bool Simulation::begin_sweep(NodeId node) {
  const std::uint64_t digest_before = totals_.event_digest;
  clocks_[node.value()].last_start = now_;
  step(PlanSweep{node});
  if (!sweeps_take_time()) {
    while (cluster_.claims_left(node) && !meets_store_error(node)) {
      make_claim(node);
    }
    if (!meets_store_error(node)) {
      step(FinishSweep{node});
    }
  } else {
    const Duration first_claim =
        cluster_.claims_left(node) ? slowdown_.store(scenario_.cluster.claim_cost, now_) : Duration::zero();
    push(now_ + slowdown_.store(scenario_.cluster.sweep_cost, now_) + first_claim, Priority::sweeps,
         {.subject = clocks_[node.value()].life, .node = node, .kind = EventKind::sweep_step});
    return true;
  }
  if (cluster_.wake_wanted(node)) {
    arm_wake(node);
  }
  return totals_.event_digest != digest_before;
}

// A sweep that takes time: the next claim takes effect at the end of its cost, and the last one ends the sweep.
bool Simulation::sweep_step(NodeId node) {
  HEADROOM_ASSERT(cluster_.sweep(node).running, "node {} has no sweep to go on with", node.value());
  if (cluster_.paused(node)) {
    clocks_[node.value()].sweep_held = true;
    return false;
  }
  if (cluster_.claims_left(node)) {
    make_claim(node);
  }
  if (meets_store_error(node)) {
    if (cluster_.wake_wanted(node)) {
      arm_wake(node);
    }
    return true;
  }
  if (cluster_.claims_left(node)) {
    push(now_ + slowdown_.store(scenario_.cluster.claim_cost, now_), Priority::sweeps,
         {.subject = clocks_[node.value()].life, .node = node, .kind = EventKind::sweep_step});
    return true;
  }
  step(FinishSweep{node});
  if (cluster_.wake_wanted(node)) {
    arm_wake(node);
  }
  return true;
}

// A store error strikes in the middle of the claims of a sweep, which it ends.
bool Simulation::meets_store_error(NodeId node) {
  NodeClock& clock = clocks_[node.value()];
  const Sweep& sweep = cluster_.sweep(node);
  if (!sweep.running) {
    return true;
  }
  if (!clock.store_error || sweep.plan.claims.empty() || sweep.next_claim * 2 < sweep.plan.claims.size()) {
    return false;
  }
  const bool release = *std::exchange(clock.store_error, std::nullopt);
  step(FailSweep{node, release});
  return true;
}

// A scoped claim; a backlog makes good what was claimed from it in the same instant.
void Simulation::make_claim(NodeId node) {
  const std::size_t first = effects_.size();
  step(ClaimNext{node});
  if (arrivals_stopped_) {
    return;
  }
  rows_.clear();
  const std::size_t end = effects_.size();
  for (std::size_t i = first; i < end; ++i) {
    const Effect& effect = effects_[i];
    if (effect.kind == EffectKind::claimed && sources_[effect.name.value()]->backlog() > 0) {
      sources_[effect.name.value()]->make_rows(1, now_, rows_);
    }
  }
  if (!rows_.empty()) {
    step(AppendRows{rows_});
  }
}

}  // namespace headroom
