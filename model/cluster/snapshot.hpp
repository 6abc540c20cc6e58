// A cluster as a plain value in which equal means: the same can happen from here on.
//
//   ClusterSnapshot snapshot;
//   cluster.snapshot(roster, snapshot);
//   other.restore(roster, snapshot);      // other now does what cluster does
//
// Instants, epochs, and the names of fences, executions, slots and former rows are not in it; nor is what only counts
// the past (numbers of sweeps, settled rows by kind). Rows are called by their numbers in the roster. A vector whose
// order decides nothing is sorted.
#pragma once

#include <cstdint>
#include <vector>

#include "model/backpressure/planner.hpp"
#include "model/base/ids.hpp"
#include "model/cluster/row_roster.hpp"

namespace headroom {

// Whether a node reaches the store.
enum class Link : std::uint8_t {
  connected,
  cut,           // nothing arrives
  replies_lost,  // its writes are applied, and it does not learn of it
};

enum class RowFate : std::uint8_t {
  absent,  // not appended yet
  pending,
  claimed,
  ended,  // Done, Failed or Cancelled
};

struct RowSnapshot {
  RowFate fate = RowFate::absent;
  bool visible = false;
  bool stale = false;
  bool awaits_pass = false;  // stale, and no re-arm pass has seen it yet
  bool executing = false;    // under its present fence
  std::uint16_t attempt = 0;
  NodeId claimed_by;
  friend auto operator<=>(const RowSnapshot&, const RowSnapshot&) = default;
};

// What the fence of a piece of work is to the row that has its row's number now.
enum class FenceState : std::uint8_t {
  live,
  stale,   // another claim's of the same row
  former,  // of a row that is final
  none,    // Done when pushed
};

// A WorkItem.
struct ItemSnapshot {
  std::uint32_t row = 0;
  FenceState fence = FenceState::live;
  NodeId dispatcher;
  bool former_life = false;  // its dispatcher has crashed since; known only where a dispatcher waits for results
  friend auto operator<=>(const ItemSnapshot&, const ItemSnapshot&) = default;
};

struct ExecutionSnapshot {
  ItemSnapshot item;
  NodeId node;
  friend auto operator<=>(const ExecutionSnapshot&, const ExecutionSnapshot&) = default;
};

struct ResultSnapshot {
  ItemSnapshot item;
  bool succeeded = true;
  friend auto operator<=>(const ResultSnapshot&, const ResultSnapshot&) = default;
};

// A sweep in progress; empty if there is none.
struct SweepSnapshot {
  bool running = false;
  std::uint32_t active = 0;
  std::uint32_t rows_claimed = 0;
  std::uint32_t next_claim = 0;
  PlannerTurn turn_before;
  std::vector<Grant> grants;
  std::vector<std::uint32_t> claimed;  // by grant
  std::vector<ScopedClaim> claims;
  std::vector<ItemSnapshot> items;  // sorted unless the order of claims matters
  std::vector<std::uint32_t> kept_rows;
  friend bool operator==(const SweepSnapshot&, const SweepSnapshot&) = default;
};

struct NodeSnapshot {
  bool up = true;
  bool paused = false;
  bool expelled = false;
  bool wake_wanted = false;
  bool awaits_result = false;
  Link link = Link::connected;
  std::uint32_t boot_shards = 0;  // 0 unless beliefs hang on it
  PlannerMemory memory;
  SweepSnapshot sweep;
  std::vector<ItemSnapshot> queue;  // of its workers
  std::vector<ItemSnapshot> batch;
  std::vector<std::uint32_t> listed;  // rows; sorted
  std::vector<ResultSnapshot> unsent;
  std::vector<ShardId> kept;  // sorted
  friend bool operator==(const NodeSnapshot&, const NodeSnapshot&) = default;
};

struct ShardSnapshot {
  NodeId holder;  // none: ownerless
  NodeId owner;   // the last one
  friend auto operator<=>(const ShardSnapshot&, const ShardSnapshot&) = default;
};

// A shard whose share of a tenant's quota is still charged to a former owner.
struct ChargeSnapshot {
  NamespaceId name;
  ShardId shard;
  NodeId charged_to;
  friend auto operator<=>(const ChargeSnapshot&, const ChargeSnapshot&) = default;
};

struct ClusterSnapshot {
  std::vector<RowSnapshot> rows;
  std::vector<NodeSnapshot> nodes;
  std::vector<ShardSnapshot> shards;
  std::vector<ExecutionSnapshot> executions;  // sorted
  std::vector<ChargeSnapshot> charges;        // by namespace, then in the order of the handovers
  std::vector<std::uint32_t> quotas;
  std::vector<std::uint32_t> believed_quotas;  // by namespace, then node; empty unless quotas are cached
  std::vector<bool> paused;                    // by workflow
  friend bool operator==(const ClusterSnapshot&, const ClusterSnapshot&) = default;
};

}  // namespace headroom
