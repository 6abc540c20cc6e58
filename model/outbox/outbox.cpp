#include "model/outbox/outbox.hpp"

#include <algorithm>

#include "model/base/assert.hpp"
#include "model/base/mutation.hpp"

namespace headroom {
namespace {

// Mutation::backoff_overflows: the product is taken in 64 bits before it is held against the longest delay.
[[maybe_unused]] Duration overflowing_delay(const Backoff& backoff, std::uint16_t attempt) {
  auto delay = static_cast<std::uint64_t>(backoff.base.count());
  for (std::uint16_t i = 0; i < attempt; ++i) {
    delay *= backoff.multiplier;
  }
  return std::min(Duration::nanoseconds(static_cast<std::int64_t>(delay)), backoff.max);
}

}  // namespace

Outbox::Outbox(const OutboxConfig& config)
    : keys_(config.namespaces),
      lanes_per_node_(config.one_lane_per_node ? 1 : config.routes),
      shards_(config.shards),
      workflows_(config.workflows),
      counts_(config.namespaces),
      backoff_(config.backoff),
      settle_guard_(config.settle_guard),
      rearm_counts_attempt_(config.rearm_counts_attempt) {
  lanes_.resize(static_cast<std::size_t>(config.nodes) * lanes_per_node_);
}

void Outbox::assign_shard(ShardId shard, NodeId holder, Epoch epoch) {
  Shard& entry = shards_[shard.value()];
  HEADROOM_ASSERT(epoch >= entry.epoch, "epoch {} of shard {} after {}", epoch, shard.value(), entry.epoch);
  if (entry.holder != holder) {
    for_each_in_shard(shard, [&](RowSlot slot) { leave_lane(slot.value()); });
    entry.holder = holder;
    for_each_in_shard(shard, [&](RowSlot slot) { enter_lane(slot.value()); });
  }
  entry.epoch = epoch;
}

std::optional<RowSlot> Outbox::append(const NewRow& added, Time at) {
  RowCounts& counts = counts_[added.key.name().value()];
  if (!keys_.insert(added.key) && !mutated(Mutation::duplicate_append_inserts)) {
    ++counts.duplicates_ignored;
    return std::nullopt;
  }
  const std::uint32_t slot = rows_.allocate();
  Row& row = rows_[slot];
  row.key = added.key;
  row.workflow = added.workflow;
  row.route = added.route;
  row.shard = added.shard;
  row.visible_after = added.visible_after;
  row.visible = added.visible || mutated(Mutation::visibility_ignored);
  row.due_since = at;
  link_groups(slot);
  enter_lane(slot);
  ++counts.appended;
  ++counts.pending;
  ++live_rows_;
  return RowSlot(slot);
}

void Outbox::become_visible(RowSlot slot, Time at) {
  Row& row = rows_[slot.value()];
  HEADROOM_ASSERT(row.status == RowStatus::pending && !row.visible, "row {} cannot become visible", slot.value());
  row.visible = true;
  row.due_since = at;
  enter_lane(slot.value());
}

std::optional<Fence> Outbox::claim(RowSlot slot, NodeId node, Epoch epoch, Time at) {
  Row& row = rows_[slot.value()];
  const Shard& shard = shards_[row.shard.value()];
  const bool present = shard.epoch == epoch || mutated(Mutation::epoch_unchecked);
  const bool held = paused(row.workflow) && !mutated(Mutation::paused_row_claimed);
  if (!row.due() || held || node.is_none() || shard.holder != node || !present) {
    return std::nullopt;
  }
  leave_lane(slot.value());
  row.status = RowStatus::claimed;
  if (!mutated(Mutation::rearm_keeps_fence) || row.fence.is_none()) {
    row.fence = Fence(next_fence_++);
  }
  row.claimed_by = node;
  row.claimed_at = at;
  link_claim(slot.value());
  RowCounts& counts = counts_[row.name().value()];
  --counts.pending;
  ++counts.claimed;
  ++counts.claims;
  return row.fence;
}

bool Outbox::live(RowSlot slot, DispatchKey key, Fence fence) const {
  const Row& row = rows_[slot.value()];
  const bool present = row.fence == fence || mutated(Mutation::fence_unchecked);
  return !fence.is_none() && row.key == key && row.status == RowStatus::claimed && present;
}

bool Outbox::accepts(RowSlot slot, DispatchKey key, Fence fence) const {
  if (settle_guard_ == SettleGuard::fence || fence.is_none()) {
    return live(slot, key, fence);
  }
  return row(slot).key == key && row(slot).status == RowStatus::claimed;
}

Settled Outbox::complete(RowSlot slot, DispatchKey key, Fence fence) {
  RowCounts& counts = counts_[key.name().value()];
  if (accepts(slot, key, fence)) {
    unclaim(slot.value());
    --counts.claimed;
  } else if (settle_guard_ != SettleGuard::none || fence.is_none()) {
    ++counts.stale_settlements;
    return Settled::stale;
  } else if (row(slot).key == key) {  // Pending again, and Done all the same
    leave_lane(slot.value());
    --counts.pending;
  } else {
    ++counts.results_recorded;
    return Settled::recorded_again;
  }
  retire(slot.value());
  counts.done += mutated(Mutation::done_not_counted) ? 0 : 1;
  ++counts.results_recorded;
  return Settled::recorded;
}

Settled Outbox::fail(RowSlot slot, DispatchKey key, Fence fence, Time at) {
  RowCounts& counts = counts_[key.name().value()];
  if (!accepts(slot, key, fence)) {
    ++counts.stale_settlements;
    return Settled::stale;
  }
  unclaim(slot.value());
  --counts.claimed;
  Row& row = rows_[slot.value()];
  if (row.attempt + 1 >= backoff_.max_attempts) {
    if (!mutated(Mutation::dead_letter_dropped)) {
      dead_letters_.push_back(key);
      ++counts.failed;
    }
    retire(slot.value());
    return Settled::dead_lettered;
  }
  row.visible_after = at + (mutated(Mutation::backoff_overflows) ? overflowing_delay(backoff_, row.attempt)
                                                                 : backoff_.delay(row.attempt));
  row.visible = false;
  if (!mutated(Mutation::attempt_not_counted)) {
    ++row.attempt;
  }
  ++counts.pending;
  ++counts.retries;
  return Settled::retried;
}

bool Outbox::begin_execution(RowSlot slot, DispatchKey key, Fence fence) {
  if (!live(slot, key, fence)) {
    return false;
  }
  rows_[slot.value()].executing = true;
  return true;
}

bool Outbox::go_stale(RowSlot slot, Fence fence) {
  Row& row = rows_[slot.value()];
  if (row.status != RowStatus::claimed || row.fence != fence || row.stale) {
    return false;
  }
  unlink_claim(slot.value());
  row.stale = true;
  shards_[row.shard.value()].stale.push_back(slot);
  return true;
}

bool Outbox::rearm(RowSlot slot, Epoch epoch, Time at, bool unchecked) {
  Row& row = rows_[slot.value()];
  const bool overdue = row.stale || unchecked || mutated(Mutation::fresh_claim_rearmed);
  if (row.status != RowStatus::claimed || !overdue || shards_[row.shard.value()].epoch != epoch) {
    return false;
  }
  unclaim(slot.value());
  if (rearm_counts_attempt_) {
    ++row.attempt;
  }
  row.due_since = at;
  enter_lane(slot.value());
  RowCounts& counts = counts_[row.name().value()];
  --counts.claimed;
  ++counts.pending;
  ++counts.rearms;
  return true;
}

void Outbox::bury(RowSlot slot) {
  RowCounts& counts = counts_[row(slot).name().value()];
  dead_letters_.push_back(row(slot).key);
  unclaim(slot.value());
  retire(slot.value());
  --counts.claimed;
  ++counts.failed;
}

void Outbox::release(RowSlot slot) {
  RowCounts& counts = counts_[row(slot).name().value()];
  unclaim(slot.value());
  enter_lane(slot.value());
  --counts.claimed;
  ++counts.pending;
}

void Outbox::renew(RowSlot slot, Time at) {
  HEADROOM_ASSERT(row(slot).status == RowStatus::claimed && !row(slot).stale, "row {} has no claim to renew",
                  slot.value());
  unlink_claim(slot.value());
  rows_[slot.value()].claimed_at = at;
  link_claim(slot.value());
}

void Outbox::end_execution(RowSlot slot) {
  rows_[slot.value()].executing = false;
}

void Outbox::cancel(RowSlot slot) {
  Row& row = rows_[slot.value()];
  RowCounts& counts = counts_[row.name().value()];
  if (row.status == RowStatus::claimed) {
    unclaim(slot.value());
    --counts.claimed;
  } else {
    leave_lane(slot.value());
    --counts.pending;
  }
  ++counts.cancelled;
  retire(slot.value());
}

void Outbox::set_paused(WorkflowId workflow, bool paused) {
  Workflow& entry = workflows_[workflow.value()];
  if (entry.paused == paused) {
    return;
  }
  for_each_in_workflow(workflow, [&](RowSlot slot) { leave_lane(slot.value()); });
  entry.paused = paused;
  for_each_in_workflow(workflow, [&](RowSlot slot) { enter_lane(slot.value()); });
}

void Outbox::clear() {
  rows_.clear();
  keys_.clear();
  std::ranges::fill(lanes_, Lane{});
  for (Shard& shard : shards_) {
    shard.holder = NodeId::none();
    shard.epoch = 0;
    shard.first = kNoRow;
    shard.stale.clear();
  }
  std::ranges::fill(workflows_, Workflow{});
  claims_ = {};
  std::ranges::fill(counts_, RowCounts{});
  dead_letters_.clear();
  next_fence_ = 1;
  live_rows_ = 0;
}

RowSlot Outbox::put(const Row& row, bool awaits_pass) {
  const bool is_new = keys_.insert(row.key);
  HEADROOM_ASSERT(is_new, "row {} of namespace {} is put twice", row.key.ordinal(), row.name().value());
  const std::uint32_t slot = rows_.allocate();
  Row& put = rows_[slot];
  put = row;
  put.in_heap = false;
  put.next = put.previous = put.child = kNoRow;
  put.shard_next = put.shard_previous = put.workflow_next = put.workflow_previous = kNoRow;
  link_groups(slot);
  RowCounts& counts = counts_[row.name().value()];
  ++counts.appended;
  ++live_rows_;
  if (row.status == RowStatus::pending) {
    ++counts.pending;
    enter_lane(slot);
    return RowSlot(slot);
  }
  put.fence = Fence(next_fence_++);
  ++counts.claimed;
  if (!put.stale) {
    link_claim(slot);
  } else if (awaits_pass) {
    shards_[put.shard.value()].stale.push_back(RowSlot(slot));
  }
  return RowSlot(slot);
}

void Outbox::put_former(DispatchKey key, bool counted) {
  const bool is_new = keys_.insert(key);
  HEADROOM_ASSERT(is_new, "row {} of namespace {} is put twice", key.ordinal(), key.name().value());
  if (counted) {
    ++counts_[key.name().value()].appended;
    ++counts_[key.name().value()].done;
  }
}

RowSlot Outbox::oldest(NodeId node, RouteId route) const {
  return RowSlot(lanes_[lane(node, route)].due.oldest(rows_));
}

void Outbox::enter_lane(std::uint32_t slot) {
  const Row& row = rows_[slot];
  const NodeId node = shards_[row.shard.value()].holder;
  if (!row.due() || node.is_none()) {
    return;
  }
  Lane& entered = lanes_[lane(node, row.route)];
  if (paused(row.workflow) && !mutated(Mutation::paused_row_claimed)) {
    ++entered.held;
  } else {
    entered.due.push(rows_, slot);
  }
}

void Outbox::leave_lane(std::uint32_t slot) {
  const Row& row = rows_[slot];
  const NodeId node = shards_[row.shard.value()].holder;
  if (!row.due() || node.is_none()) {
    return;
  }
  Lane& left = lanes_[lane(node, row.route)];
  if (paused(row.workflow) && !mutated(Mutation::paused_row_claimed)) {
    --left.held;
  } else {
    left.due.remove(rows_, slot);
  }
}

void Outbox::link_claim(std::uint32_t slot) {
  Row& row = rows_[slot];
  row.previous = claims_.tail;
  row.next = kNoRow;
  (claims_.tail == kNoRow ? claims_.head : rows_[claims_.tail].next) = slot;
  claims_.tail = slot;
}

void Outbox::unlink_claim(std::uint32_t slot) {
  Row& row = rows_[slot];
  (row.previous == kNoRow ? claims_.head : rows_[row.previous].next) = row.next;
  (row.next == kNoRow ? claims_.tail : rows_[row.next].previous) = row.previous;
  row.next = row.previous = kNoRow;
}

void Outbox::link_groups(std::uint32_t slot) {
  Row& row = rows_[slot];
  std::uint32_t& shard_first = shards_[row.shard.value()].first;
  row.shard_next = shard_first;
  if (shard_first != kNoRow) {
    rows_[shard_first].shard_previous = slot;
  }
  shard_first = slot;
  std::uint32_t& workflow_first = workflows_[row.workflow.value()].first;
  row.workflow_next = workflow_first;
  if (workflow_first != kNoRow) {
    rows_[workflow_first].workflow_previous = slot;
  }
  workflow_first = slot;
}

void Outbox::unlink_groups(std::uint32_t slot) {
  const Row& row = rows_[slot];
  (row.shard_previous == kNoRow ? shards_[row.shard.value()].first : rows_[row.shard_previous].shard_next) =
      row.shard_next;
  if (row.shard_next != kNoRow) {
    rows_[row.shard_next].shard_previous = row.shard_previous;
  }
  (row.workflow_previous == kNoRow ? workflows_[row.workflow.value()].first
                                   : rows_[row.workflow_previous].workflow_next) = row.workflow_next;
  if (row.workflow_next != kNoRow) {
    rows_[row.workflow_next].workflow_previous = row.workflow_previous;
  }
}

void Outbox::unclaim(std::uint32_t slot) {
  Row& row = rows_[slot];
  if (!row.stale) {
    unlink_claim(slot);
  }
  row.status = RowStatus::pending;
  if (!mutated(Mutation::rearm_keeps_fence)) {
    row.fence = Fence::none();
  }
  row.claimed_by = NodeId::none();
  row.stale = false;
  row.executing = false;
}

void Outbox::retire(std::uint32_t slot) {
  unlink_groups(slot);
  rows_.release(slot);
  --live_rows_;
}

}  // namespace headroom
