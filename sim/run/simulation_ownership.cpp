// Simulation: faults, and shards that change hands.
#include <variant>

#include "sim/run/simulation.hpp"

namespace headroom {

bool Simulation::strike(std::uint32_t index) {
  const Fault& fault = faults_[index];
  if (arrivals_stopped_) {
    return false;
  }
  if (const std::optional<Time> next = fault.every  ? std::optional(now_ + *fault.every)
                                       : fault.rate ? next_strike(index)
                                                    : std::nullopt) {
    push(*next, Priority::faults_and_ownership, {.subject = index, .kind = EventKind::fault});
  }
  std::visit([&](const auto& kind) { cause(kind, index); }, fault.kind);
  return !effects_.empty();
}

// Survivors notice after `detection_delay` and have adopted the shards `adoption_delay` later.
void Simulation::crashed(NodeId node) {
  NodeClock& clock = clocks_[node.value()];
  ++clock.life;
  clock.sweep_held = false;  // the sweep is gone with it
  clock.store_error.reset();
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

// The member that owns the fewest shards, and is not about to leave; the first of them.
NodeId Simulation::adopter() const {
  NodeId chosen = NodeId::none();
  for (std::uint16_t i = 0; i < cluster_.nodes(); ++i) {
    const NodeId node(i);
    if (cluster_.member(node) && !has_left_[i] && (chosen.is_none() || cluster_.owned(node) < cluster_.owned(chosen))) {
      chosen = node;
    }
  }
  return chosen;
}

}  // namespace headroom
