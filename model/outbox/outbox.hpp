// The outbox: a durable table of rows to execute, with the life cycle of spec 1.1 and an index of what is due where.
//
//   Outbox outbox(config);
//   outbox.assign_shard(shard, node, epoch);
//   const std::optional<RowSlot> row = outbox.append(new_row, now);   // nullopt: the key was there already
//   const Fence fence = *outbox.claim(*row, node, epoch, now);        // nullopt: refused
//   outbox.complete(*row, key, fence);                                // recorded, or stale
//
// Every transition has its guard here and nowhere else. No path scans the table: claims look at the oldest row of a
// lane (node and route), ownership walks the rows of one shard, pausing and cancelling the rows of one workflow.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/base/ids.hpp"
#include "model/base/time.hpp"
#include "model/outbox/appended_keys.hpp"
#include "model/outbox/backoff.hpp"
#include "model/outbox/due_queue.hpp"
#include "model/outbox/row_table.hpp"

namespace headroom {

// Which results the store takes (spec 1.1: by the fence; the others are weaker).
enum class SettleGuard : std::uint8_t {
  fence,   // of the present claim
  status,  // of any claim, while the row is Claimed
  none,    // every one
};

struct OutboxConfig {
  std::uint16_t nodes = 1;
  std::uint32_t shards = 1;
  std::uint32_t namespaces = 1;
  std::uint32_t routes = 1;     // cluster-wide
  std::uint32_t workflows = 1;  // cluster-wide
  SettleGuard settle_guard = SettleGuard::fence;
  bool rearm_counts_attempt = false;
  bool one_lane_per_node = false;  // due rows in one order per node, whatever their route (planner `unscoped`)
  Backoff backoff;
};

struct NewRow {
  DispatchKey key;
  WorkflowId workflow;
  RouteId route;
  ShardId shard;
  Time visible_after;
  bool visible = true;  // false: `become_visible` has to come first
};

enum class Settled : std::uint8_t {
  recorded,        // the result counts; the row is Done
  retried,         // Pending again, invisible for its backoff
  dead_lettered,   // the last try failed; the row is Failed
  stale,           // the fence is not that of the row's present claim: ignored and counted
  recorded_again,  // a second result for a row that is final; only without a guard
};

// How many rows of a namespace are where, and what was ignored. Statuses sum to `appended`.
struct RowCounts {
  std::uint64_t appended = 0;
  std::uint64_t duplicates_ignored = 0;
  std::uint64_t pending = 0;
  std::uint64_t claimed = 0;
  std::uint64_t done = 0;
  std::uint64_t failed = 0;
  std::uint64_t cancelled = 0;
  std::uint64_t results_recorded = 0;
  std::uint64_t stale_settlements = 0;
  std::uint64_t claims = 0;
  std::uint64_t retries = 0;
  std::uint64_t rearms = 0;
  friend bool operator==(const RowCounts&, const RowCounts&) = default;
};

class Outbox {
 public:
  explicit Outbox(const OutboxConfig& config);

  // -- ownership: which node's lanes hold a shard's due rows, and the epoch that guards claims ----------------------

  // `holder` none: ownerless. Epochs of a shard only grow. O(rows of the shard).
  void assign_shard(ShardId shard, NodeId holder, Epoch epoch);
  [[nodiscard]] NodeId holder(ShardId shard) const { return shards_[shard.value()].holder; }
  [[nodiscard]] Epoch epoch(ShardId shard) const { return shards_[shard.value()].epoch; }

  // -- life cycle ---------------------------------------------------------------------------------------------------

  // (absent) -> Pending; nullopt, and counted, if the key was ever appended.
  std::optional<RowSlot> append(const NewRow& added, Time at);
  // The row's time has come. Needs a Pending row that is not visible yet.
  void become_visible(RowSlot slot, Time at);
  // Pending -> Claimed; nullopt unless the row is claimable by the node at the shard's present epoch.
  std::optional<Fence> claim(RowSlot slot, NodeId node, Epoch epoch, Time at);
  // Claimed -> Done.
  Settled complete(RowSlot slot, DispatchKey key, Fence fence);
  // Claimed -> Pending with a backoff, or Failed at the last try. After `retried` the row is due `retry_delay` later.
  Settled fail(RowSlot slot, DispatchKey key, Fence fence, Time at);
  [[nodiscard]] Duration retry_delay(std::uint16_t attempt) const { return backoff_.delay(attempt); }
  // A worker starts on the row under this fence; false if the fence is stale.
  bool begin_execution(RowSlot slot, DispatchKey key, Fence fence);
  // The claim was made `stale_after` ago: the next re-arm pass takes it. False if the fence is stale.
  bool go_stale(RowSlot slot, Fence fence);
  // Claimed -> Pending; its fence becomes stale. False unless the claim is marked stale (or whatever it is, if
  // `unchecked`) and the epoch is present.
  bool rearm(RowSlot slot, Epoch epoch, Time at, bool unchecked = false);
  // Claimed -> Failed: a re-arm counts as a try, and this was the last one.
  [[nodiscard]] bool rearm_is_last_try(RowSlot slot) const {
    return rearm_counts_attempt_ && row(slot).attempt + 1 >= backoff_.max_attempts;
  }
  void bury(RowSlot slot);
  // Claimed -> Pending at once, as if it had not been claimed: its claimer gives it back.
  void release(RowSlot slot);
  // The claim's age counts from now on. Needs a claim that is not marked stale.
  void renew(RowSlot slot, Time at);
  // Its worker is gone: under this fence nobody executes the row any more.
  void end_execution(RowSlot slot);
  // Pending, Claimed -> Cancelled.
  void cancel(RowSlot slot);
  // A paused workflow's rows stay exactly Pending and are not claimable. Idempotent. O(rows of the workflow).
  void set_paused(WorkflowId workflow, bool paused);

  // -- what is where ------------------------------------------------------------------------------------------------

  [[nodiscard]] const Row& row(RowSlot slot) const { return rows_[slot.value()]; }
  // Whether the slot holds this key's row: a live one.
  [[nodiscard]] bool holds(RowSlot slot, DispatchKey key) const {
    return rows_.has(slot.value()) && rows_[slot.value()].key == key;
  }
  // Whether a result under this fence would settle the row's present claim.
  [[nodiscard]] bool accepts(RowSlot slot, DispatchKey key, Fence fence) const;
  // Whether the fence is that of the row's present claim.
  [[nodiscard]] bool live(RowSlot slot, DispatchKey key, Fence fence) const;
  [[nodiscard]] bool paused(WorkflowId workflow) const { return workflows_[workflow.value()].paused; }
  // The oldest claimable row of a lane; none if it is empty. With one lane per node the route does not matter.
  [[nodiscard]] RowSlot oldest(NodeId node, RouteId route) const;
  // Claimable rows of a lane, and the due rows of it whose workflow is paused.
  [[nodiscard]] std::uint32_t claimable(NodeId node, RouteId route) const {
    return lanes_[lane(node, route)].due.size();
  }
  [[nodiscard]] std::uint32_t held(NodeId node, RouteId route) const { return lanes_[lane(node, route)].held; }
  // The oldest claim that is not marked stale (engines arm one timer for all); none if there is none.
  [[nodiscard]] RowSlot oldest_claim() const { return RowSlot(claims_.head); }
  // Claims of a shard that are marked stale, in the order in which they went stale. Some may have settled since, and
  // their slots may be other rows' by now, of any shard.
  [[nodiscard]] const std::vector<RowSlot>& stale_claims(ShardId shard) const { return shards_[shard.value()].stale; }
  void forget_stale_claims(ShardId shard) { shards_[shard.value()].stale.clear(); }
  // A claim that is marked stale is listed again: whoever took it off the list has not re-armed it.
  void list_stale_claim(RowSlot slot) { shards_[row(slot).shard.value()].stale.push_back(slot); }

  [[nodiscard]] const RowCounts& counts(NamespaceId name) const { return counts_[name.value()]; }
  [[nodiscard]] std::uint64_t live_rows() const { return live_rows_; }
  // Keys of Failed rows, in the order of failing.
  [[nodiscard]] const std::vector<DispatchKey>& dead_letters() const { return dead_letters_; }
  [[nodiscard]] bool ever_appended(DispatchKey key) const { return keys_.contains(key); }

  // -- putting an outbox together from what is known of it (Cluster::restore) ---------------------------------------

  // As it was constructed.
  void clear();
  // The next slot from 0 on gets a row. Of `row` its key, place, status, visibility, attempt and, if it is Claimed, who
  // claimed it and whether it is stale or executing count. A claim gets a new fence; `awaits_pass`: it is among its
  // shard's stale claims. Shards need their holders, and workflows must be paused, before.
  RowSlot put(const Row& row, bool awaits_pass);
  // The next slot is nobody's; needs `free_slot` before the outbox is used.
  RowSlot put_nothing() { return RowSlot(rows_.allocate()); }
  void free_slot(RowSlot slot) { rows_.release(slot.value()); }
  // The key was appended, and its row is Done; `counted`: by now, in the counts.
  void put_former(DispatchKey key, bool counted);

  // Calls f(RowSlot) for every live row of the shard (workflow). f must not change which rows are live.
  template <class F>
  void for_each_in_shard(ShardId shard, F f) const {
    for (std::uint32_t slot = shards_[shard.value()].first; slot != kNoRow; slot = rows_[slot].shard_next) {
      f(RowSlot(slot));
    }
  }
  template <class F>
  void for_each_in_workflow(WorkflowId workflow, F f) const {
    for (std::uint32_t slot = workflows_[workflow.value()].first; slot != kNoRow; slot = rows_[slot].workflow_next) {
      f(RowSlot(slot));
    }
  }

  // Bytes on the heap for live rows, and for the keys ever appended.
  [[nodiscard]] std::size_t row_memory_bytes() const { return rows_.memory_bytes(); }
  [[nodiscard]] std::size_t key_memory_bytes() const {
    return keys_.memory_bytes() + dead_letters_.capacity() * sizeof(DispatchKey);
  }

  friend bool operator==(const Outbox&, const Outbox&) = default;

 private:
  struct Lane {
    DueQueue due;
    std::uint32_t held = 0;
    friend bool operator==(const Lane&, const Lane&) = default;
  };
  struct Shard {
    NodeId holder;
    Epoch epoch = 0;
    std::uint32_t first = kNoRow;
    std::vector<RowSlot> stale;
    friend bool operator==(const Shard&, const Shard&) = default;
  };
  struct Workflow {
    std::uint32_t first = kNoRow;
    bool paused = false;
    friend bool operator==(const Workflow&, const Workflow&) = default;
  };
  struct List {
    std::uint32_t head = kNoRow;
    std::uint32_t tail = kNoRow;
    friend bool operator==(const List&, const List&) = default;
  };

  [[nodiscard]] std::size_t lane(NodeId node, RouteId route) const {
    return static_cast<std::size_t>(node.value()) * lanes_per_node_ + (lanes_per_node_ == 1 ? 0 : route.value());
  }
  void enter_lane(std::uint32_t slot);
  void leave_lane(std::uint32_t slot);
  void link_claim(std::uint32_t slot);
  void unlink_claim(std::uint32_t slot);
  void link_groups(std::uint32_t slot);
  void unlink_groups(std::uint32_t slot);
  void unclaim(std::uint32_t slot);  // leaves the order of claims and gives the fence back
  void retire(std::uint32_t slot);   // final: leaves the table

  RowTable rows_;
  AppendedKeys keys_;
  std::vector<Lane> lanes_;
  std::uint32_t lanes_per_node_;
  std::vector<Shard> shards_;
  std::vector<Workflow> workflows_;
  List claims_;
  std::vector<RowCounts> counts_;
  std::vector<DispatchKey> dead_letters_;
  Backoff backoff_;
  SettleGuard settle_guard_;
  bool rearm_counts_attempt_;
  std::uint64_t next_fence_ = 1;
  std::uint64_t live_rows_ = 0;
};

}  // namespace headroom
