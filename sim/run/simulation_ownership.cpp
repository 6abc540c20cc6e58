// Simulation: faults, and shards that change hands.
#include <variant>

#include "sim/run/simulation.hpp"

namespace headroom {

bool Simulation::strike(std::uint32_t index) {
  const Fault& fault = scenario_.faults[index];
  if (arrivals_stopped_) {
    return false;
  }
  if (fault.every) {
    push(now_ + *fault.every, Priority::faults_and_ownership, {.subject = index, .kind = EventKind::fault});
  }
  if (const auto* crash = std::get_if<CrashFault>(&fault.kind)) {
    step(Crash{crash->node});
  } else if (const auto* restart = std::get_if<RestartFault>(&fault.kind)) {
    step(Restart{restart->node});
  } else if (const auto* handoff = std::get_if<HandoffFault>(&fault.kind)) {
    const NodeId owner = cluster_.outbox().holder(handoff->shard);
    // Repeated handoffs go to and fro.
    const bool back = fault.every && owner == handoff->to && !handed_from_[index].is_none();
    const NodeId to = back ? handed_from_[index] : handoff->to;
    if (!back) {
      handed_from_[index] = owner;
    }
    step(Handoff{handoff->shard, to});
  } else if (const auto* drained = std::get_if<DrainFault>(&fault.kind)) {
    drain(*drained);
  } else if (const auto* change = std::get_if<LimitChangeFault>(&fault.kind)) {
    change_limits(*change);
  }
  return !effects_.empty();
}

// Survivors notice after `detection_delay` and have adopted the shards `adoption_delay` later.
void Simulation::crashed(NodeId node) {
  NodeClock& clock = clocks_[node.value()];
  ++clock.life;
  clock.orphaned_at = now_ + scenario_.cluster.detection_delay + scenario_.cluster.adoption_delay;
  push(*clock.orphaned_at, Priority::faults_and_ownership, {.kind = EventKind::adoption});
}

bool Simulation::adopt() {
  for (std::uint32_t i = 0; i < cluster_.config().shards; ++i) {
    const ShardId shard(i);
    if (!cluster_.outbox().holder(shard).is_none()) {
      continue;
    }
    const std::optional<Time>& due = clocks_[cluster_.charges().owner(shard).value()].orphaned_at;
    const NodeId by = adopter();
    if (due && *due <= now_ && !by.is_none()) {
      step(Adopt{shard, by});
    }
  }
  return !effects_.empty();
}

// The node that is up and owns the fewest shards; the first of them.
NodeId Simulation::adopter() const {
  NodeId chosen = NodeId::none();
  for (std::uint16_t i = 0; i < cluster_.nodes(); ++i) {
    const NodeId node(i);
    if (cluster_.up(node) && (chosen.is_none() || cluster_.owned(node) < cluster_.owned(chosen))) {
      chosen = node;
    }
  }
  return chosen;
}

}  // namespace headroom
