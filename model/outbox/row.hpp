// A live row of the outbox: one activity to execute. Rows that are Done, Failed or Cancelled are final and leave the
// table; their keys stay known (AppendedKeys), their numbers are counted (Outbox::counts).
#pragma once

#include <cstdint>

#include "model/base/ids.hpp"
#include "model/base/time.hpp"
#include "model/outbox/dispatch_key.hpp"

namespace headroom {

enum class RowStatus : std::uint8_t { pending, claimed };

inline constexpr std::uint32_t kNoRow = RowSlot::none().value();

struct Row {
  DispatchKey key;
  Time visible_after;  // payload for order: claims are oldest first by (visible_after, key)
  Time due_since;      // payload for reports: when it last became due
  Time claimed_at;     // payload for the engine's stale timer
  Fence fence;         // of the present claim; none while Pending

  // Links of the one ordered list that the row is in: a DueQueue while claimable, the order of claims while Claimed
  // and not stale, the free list while unused.
  std::uint32_t next = kNoRow;
  std::uint32_t previous = kNoRow;
  std::uint32_t child = kNoRow;
  // Live rows of its shard, and of its workflow.
  std::uint32_t shard_next = kNoRow;
  std::uint32_t shard_previous = kNoRow;
  std::uint32_t workflow_next = kNoRow;
  std::uint32_t workflow_previous = kNoRow;

  RouteId route;
  WorkflowId workflow;
  ShardId shard;
  NodeId claimed_by;          // the node that started it; none while Pending
  std::uint16_t attempt = 0;  // failed tries so far
  RowStatus status = RowStatus::pending;
  bool visible : 1 = false;    // its time has come
  bool stale : 1 = false;      // Claimed, and marked for the next re-arm pass
  bool executing : 1 = false;  // a worker executes it under the present fence
  bool in_heap : 1 = false;    // in the out-of-order part of its DueQueue

  [[nodiscard]] NamespaceId name() const { return key.name(); }
  [[nodiscard]] bool due() const { return status == RowStatus::pending && visible; }
  friend bool operator==(const Row&, const Row&) = default;
};

// Spec: at most 96 bytes a live row; the table itself adds less than a byte a row.
static_assert(sizeof(Row) <= 88);

}  // namespace headroom
