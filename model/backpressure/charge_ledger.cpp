#include "model/backpressure/charge_ledger.hpp"

#include <algorithm>

#include "model/base/assert.hpp"
#include "model/base/mutation.hpp"

namespace headroom {

ChargeLedger::ChargeLedger(CeilingGrowth growth, std::uint32_t namespaces, std::uint16_t nodes,
                           std::span<const NodeId> owners)
    : growth_(growth), owned_(nodes), unsettled_(namespaces) {
  restore(owners);
}

void ChargeLedger::restore(std::span<const NodeId> owners) {
  owners_.assign(owners.begin(), owners.end());
  std::ranges::fill(owned_, 0);
  owning_nodes_ = 0;
  for (const NodeId owner : owners_) {
    if (owned_[owner.value()]++ == 0) {
      ++owning_nodes_;
    }
  }
  for (std::vector<Unsettled>& entries : unsettled_) {
    entries.clear();
  }
  unsettled_shards_ = 0;
}

void ChargeLedger::put_unsettled(NamespaceId name, Unsettled entry) {
  unsettled_[name.value()].push_back(entry);
  ++unsettled_shards_;
}

void ChargeLedger::set_owner(ShardId shard, NodeId to) {
  NodeId& owner = owners_[shard.value()];
  if (!mutated(Mutation::shard_adopted_by_two) && --owned_[owner.value()] == 0) {
    --owning_nodes_;
  }
  owner = to;
  if (owned_[to.value()]++ == 0) {
    ++owning_nodes_;
  }
}

void ChargeLedger::hand_over(NamespaceId name, ShardId shard, NodeId from, NodeId to, std::uint32_t quota,
                             std::span<const std::uint32_t> started) {
  if (growth_ == CeilingGrowth::immediate || mutated(Mutation::settles_at_once)) {
    return;
  }
  std::vector<Unsettled>& entries = unsettled_[name.value()];
  const auto entry = std::ranges::find(entries, shard, &Unsettled::shard);
  if (entry == entries.end()) {
    entries.push_back({shard, from});
    ++unsettled_shards_;
  } else if (entry->charged_to == to &&
             !mutated(Mutation::handed_back_shard_stays_charged)) {  // back where it is charged
    entries.erase(entry);
    --unsettled_shards_;
  }
  settle(name, quota, started);
}

bool ChargeLedger::settle(NamespaceId name, std::uint32_t quota, std::span<const std::uint32_t> started) {
  std::vector<Unsettled>& entries = unsettled_[name.value()];
  bool moved = false;
  // A shard that settles raises what its owner is charged for, and may let an earlier one of the owner's settle.
  for (auto entry = entries.begin(); entry != entries.end();) {
    const NodeId holder = entry->charged_to;
    const std::uint32_t others = charged(name, holder) - 1;
    const std::uint32_t kept = mutated(Mutation::settling_ignores_what_runs) ? shard_count() : others;
    if (started[holder.value()] <= quota_share(quota, kept, shard_count())) {
      entries.erase(entry);
      --unsettled_shards_;
      moved = true;
      entry = entries.begin();
    } else {
      ++entry;
    }
  }
  return moved;
}

std::uint32_t ChargeLedger::owned_and_charged(NamespaceId name, NodeId node) const {
  std::uint32_t shards = owned_[node.value()];
  for (const Unsettled& entry : unsettled_[name.value()]) {
    shards -= owners_[entry.shard.value()] == node ? 1 : 0;
  }
  return shards;
}

std::uint32_t ChargeLedger::charged(NamespaceId name, NodeId node) const {
  std::uint32_t shards = owned_and_charged(name, node);
  for (const Unsettled& entry : unsettled_[name.value()]) {
    shards += entry.charged_to == node ? 1 : 0;
  }
  return shards;
}

std::uint32_t ChargeLedger::charged_nodes(NamespaceId name) const {
  if (!unsettled(name)) {
    return owning_nodes_;
  }
  std::uint32_t nodes = 0;
  for (std::uint16_t node = 0; node < owned_.size(); ++node) {
    nodes += charged(name, NodeId(node)) > 0 ? 1 : 0;
  }
  return nodes;
}

}  // namespace headroom
