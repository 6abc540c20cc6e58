#include "sim/store/memory_store.hpp"

#include <algorithm>
#include <utility>

#include "model/base/assert.hpp"

namespace headroom {

StoredRow stored_row(const Outbox& outbox, RowSlot slot) {
  const Row& row = outbox.row(slot);
  const bool claimed = row.status == RowStatus::claimed;
  return {.key = row.key,
          .workflow = row.workflow,
          .route = row.route,
          .shard = row.shard,
          .status = claimed ? StoredStatus::claimed : StoredStatus::pending,
          .attempt = row.attempt,
          .visible_after = row.visible_after,
          .visible = row.visible,
          .stale = row.stale,
          .fence = row.fence,
          .claimed_by = row.claimed_by,
          .claimed_at = claimed ? row.claimed_at : Time::zero()};
}

namespace {

// The oldest row that the claim may take, by the lanes of the outbox.
RowSlot oldest(const Outbox& outbox, const OutboxConfig& config, const StoreClaim& claim) {
  if (config.one_lane_per_node) {
    return outbox.oldest(claim.node, RouteId(0));
  }
  RowSlot first = RowSlot::none();
  for (std::uint32_t i = 0; i < config.routes; ++i) {
    const RouteId route(i);
    if (!claim.route.is_none() && route != claim.route && route != claim.unpinned) {
      continue;
    }
    const RowSlot slot = outbox.oldest(claim.node, route);
    if (!slot.is_none() && (first.is_none() || claimed_before(outbox.row(slot), outbox.row(first)))) {
      first = slot;
    }
  }
  return first;
}

}  // namespace

// -- transactions -----------------------------------------------------------------------------------------------------

void MemoryStore::begin() {
  before_ = state_;
}

void MemoryStore::commit() {
  before_.reset();
}

void MemoryStore::rollback() {
  state_ = std::move(before_);
}

// -- the cluster ------------------------------------------------------------------------------------------------------

void MemoryStore::reset(const StoreSetup& setup) {
  config_ = setup.outbox;
  state_.emplace(State{Outbox(setup.outbox), {}, {}, {}});
  for (std::uint32_t shard = 0; shard < setup.holders.size(); ++shard) {
    state_->outbox.assign_shard(ShardId(shard), setup.holders[shard], 1);
  }
}

Epoch MemoryStore::assign_shard(ShardId shard, NodeId holder) {
  const Epoch epoch = state_->outbox.epoch(shard) + (holder.is_none() ? 0 : 1);
  state_->outbox.assign_shard(shard, holder, epoch);
  return epoch;
}

void MemoryStore::learn_ownership(NodeId node) {
  std::map<ShardId, Epoch>& beliefs = state_->beliefs[node];
  beliefs.clear();
  for (std::uint32_t i = 0; i < config_.shards; ++i) {
    const ShardId shard(i);
    if (state_->outbox.holder(shard) == node) {
      beliefs[shard] = state_->outbox.epoch(shard);
    }
  }
}

std::optional<Epoch> MemoryStore::believed(NodeId node, ShardId shard) const {
  const auto beliefs = state_->beliefs.find(node);
  if (beliefs == state_->beliefs.end()) {
    return std::nullopt;
  }
  const auto belief = beliefs->second.find(shard);
  return belief == beliefs->second.end() ? std::nullopt : std::optional(belief->second);
}

void MemoryStore::set_paused(WorkflowId workflow, bool paused) {
  state_->outbox.set_paused(workflow, paused);
}

// -- rows -------------------------------------------------------------------------------------------------------------

RowSlot MemoryStore::slot_of(DispatchKey key) const {
  const auto found = state_->slots.find(key);
  HEADROOM_ASSERT(found != state_->slots.end(), "a result for row {} of namespace {}, which was never appended",
                  key.ordinal(), key.name().value());
  return found->second;
}

std::optional<RowSlot> MemoryStore::live_slot(DispatchKey key) const {
  const auto found = state_->slots.find(key);
  const bool live = found != state_->slots.end() && state_->outbox.holds(found->second, key);
  return live ? std::optional(found->second) : std::nullopt;
}

std::vector<RowSlot> MemoryStore::live() const {
  std::vector<RowSlot> slots;
  for (std::uint32_t shard = 0; shard < config_.shards; ++shard) {
    state_->outbox.for_each_in_shard(ShardId(shard), [&](RowSlot slot) { slots.push_back(slot); });
  }
  std::ranges::sort(slots, {}, [&](RowSlot slot) { return state_->outbox.row(slot).key; });
  return slots;
}

template <class Change>
RowChange MemoryStore::changed(RowSlot slot, Change change) {
  Outbox& outbox = state_->outbox;
  StoredRow row = stored_row(outbox, slot);
  const StoredStatus was = row.status;
  const RowCounts counts = outbox.counts(row.key.name());
  change(outbox);
  if (outbox.holds(slot, row.key)) {
    return {was, stored_row(outbox, slot)};
  }
  // What the row has become shows in what the outbox counts.
  const RowCounts& now = outbox.counts(row.key.name());
  row.status = now.done > counts.done       ? StoredStatus::done
               : now.failed > counts.failed ? StoredStatus::failed
                                            : StoredStatus::cancelled;
  row.results = static_cast<std::uint32_t>(now.results_recorded - counts.results_recorded);
  row.fence = Fence::none();
  row.claimed_by = NodeId::none();
  row.claimed_at = Time::zero();
  row.stale = false;
  state_->finals[row.key] = row;
  return {was, row};
}

std::optional<StoredRow> MemoryStore::append(const NewRow& added) {
  const std::optional<RowSlot> slot = state_->outbox.append(added, added.visible_after);
  if (!slot) {
    return std::nullopt;
  }
  state_->slots[added.key] = *slot;
  return stored_row(state_->outbox, *slot);
}

std::optional<RowChange> MemoryStore::become_visible(DispatchKey key, Time at) {
  const std::optional<RowSlot> slot = live_slot(key);
  if (!slot) {
    return std::nullopt;
  }
  const Row& row = state_->outbox.row(*slot);
  if (row.status != RowStatus::pending || row.visible || row.visible_after > at) {
    return std::nullopt;
  }
  return changed(*slot, [&](Outbox& outbox) { outbox.become_visible(*slot, at); });
}

// Rows whose shard the node takes for its own at an old epoch are refused, and passed over.
std::vector<RowChange> MemoryStore::claim(const StoreClaim& claim) {
  std::vector<RowChange> changes;
  Outbox in_order = state_->outbox;
  while (changes.size() < claim.limit) {
    const RowSlot slot = oldest(in_order, config_, claim);
    if (slot.is_none()) {
      break;
    }
    const ShardId shard = in_order.row(slot).shard;
    const RouteId route = in_order.row(slot).route;
    in_order.claim(slot, claim.node, in_order.epoch(shard), claim.at);
    const std::optional<Epoch> epoch = believed(claim.node, shard);
    if (!epoch || *epoch != state_->outbox.epoch(shard) ||
        !(claim.route.is_none() || route == claim.route || route == claim.unpinned)) {
      continue;
    }
    changes.push_back(changed(slot, [&](Outbox& outbox) {
      HEADROOM_ASSERT(outbox.claim(slot, claim.node, *epoch, claim.at).has_value(), "a row that is due is refused");
    }));
  }
  return changes;
}

Settlement MemoryStore::complete(DispatchKey key, Fence fence) {
  return settled(key, fence, true, Time::zero());
}

Settlement MemoryStore::fail(DispatchKey key, Fence fence, Time at) {
  return settled(key, fence, false, at);
}

Settlement MemoryStore::settled(DispatchKey key, Fence fence, bool succeeded, Time at) {
  const RowSlot slot = slot_of(key);
  Settlement settlement;
  const auto settle = [&](Outbox& outbox) {
    settlement.outcome = succeeded ? outbox.complete(slot, key, fence) : outbox.fail(slot, key, fence, at);
  };
  if (!state_->outbox.holds(slot, key)) {
    settle(state_->outbox);
    state_->finals.at(key).results += settlement.outcome == Settled::recorded_again ? 1 : 0;
    return settlement;
  }
  RowChange change = changed(slot, settle);
  if (settlement.outcome != Settled::stale) {
    settlement.change = std::move(change);
  }
  return settlement;
}

std::optional<RowChange> MemoryStore::mark_stale(DispatchKey key, Fence fence) {
  const std::optional<RowSlot> slot = live_slot(key);
  if (!slot || !state_->outbox.live(*slot, key, fence) || state_->outbox.row(*slot).stale) {
    return std::nullopt;
  }
  return changed(*slot, [&](Outbox& outbox) { outbox.go_stale(*slot, fence); });
}

std::optional<RowChange> MemoryStore::renew(DispatchKey key, Fence fence, Time at) {
  const std::optional<RowSlot> slot = live_slot(key);
  if (!slot || !state_->outbox.live(*slot, key, fence) || state_->outbox.row(*slot).stale) {
    return std::nullopt;
  }
  return changed(*slot, [&](Outbox& outbox) { outbox.renew(*slot, at); });
}

std::optional<RowChange> MemoryStore::release(DispatchKey key, Fence fence) {
  const std::optional<RowSlot> slot = live_slot(key);
  if (!slot || !state_->outbox.live(*slot, key, fence)) {
    return std::nullopt;
  }
  return changed(*slot, [&](Outbox& outbox) { outbox.release(*slot); });
}

RowChange MemoryStore::rearm_slot(RowSlot slot, bool unchecked) {
  return changed(slot, [&](Outbox& outbox) {
    if (outbox.rearm_is_last_try(slot)) {
      outbox.bury(slot);
      return;
    }
    const Row& row = outbox.row(slot);
    HEADROOM_ASSERT(outbox.rearm(slot, outbox.epoch(row.shard), row.due_since, unchecked), "a re-arm is refused");
  });
}

std::vector<RowChange> MemoryStore::rearm(NodeId node) {
  std::vector<RowChange> changes;
  for (const RowSlot slot : live()) {
    const Row& row = state_->outbox.row(slot);
    if (row.stale && state_->outbox.holder(row.shard) == node &&
        believed(node, row.shard) == state_->outbox.epoch(row.shard)) {
      changes.push_back(rearm_slot(slot, false));
    }
  }
  return changes;
}

std::optional<RowChange> MemoryStore::rearm_unchecked(NodeId node, DispatchKey key) {
  const std::optional<RowSlot> slot = live_slot(key);
  if (!slot) {
    return std::nullopt;
  }
  const Row& row = state_->outbox.row(*slot);
  if (row.status != RowStatus::claimed || state_->outbox.holder(row.shard) != node ||
      believed(node, row.shard) != state_->outbox.epoch(row.shard)) {
    return std::nullopt;
  }
  return rearm_slot(*slot, true);
}

std::vector<RowChange> MemoryStore::cancel(WorkflowId workflow) {
  std::vector<RowChange> changes;
  for (const RowSlot slot : live()) {
    if (state_->outbox.row(slot).workflow == workflow) {
      changes.push_back(changed(slot, [&](Outbox& outbox) { outbox.cancel(slot); }));
    }
  }
  return changes;
}

// -- reading back -----------------------------------------------------------------------------------------------------

std::vector<StoredRow> MemoryStore::live_rows() {
  std::vector<StoredRow> rows;
  for (const RowSlot slot : live()) {
    rows.push_back(stored_row(state_->outbox, slot));
  }
  return rows;
}

std::vector<StoredRow> MemoryStore::all_rows() {
  std::vector<StoredRow> rows = live_rows();
  for (const auto& [key, row] : state_->finals) {
    rows.push_back(row);
  }
  std::ranges::sort(rows, {}, &StoredRow::key);
  return rows;
}

std::vector<RowCounts> MemoryStore::counts() {
  std::vector<RowCounts> counts;
  for (std::uint32_t name = 0; name < config_.namespaces; ++name) {
    counts.push_back(state_->outbox.counts(NamespaceId(name)));
  }
  return counts;
}

std::vector<DispatchKey> MemoryStore::claim_order(const StoreClaim& claim) {
  const State kept = *state_;
  std::vector<DispatchKey> keys;
  for (const RowChange& change : this->claim(claim)) {
    keys.push_back(change.row.key);
  }
  state_ = kept;
  return keys;
}

}  // namespace headroom
