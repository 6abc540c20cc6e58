// Everything that can happen to a cluster. Whoever runs it (simulator, checker, tests, replay) only decides which comes
// next; whether it is possible, and what it does, is Cluster's.
#pragma once

#include <cstdint>
#include <span>
#include <variant>

#include "model/base/ids.hpp"
#include "model/outbox/dispatch_key.hpp"
#include "model/outbox/outbox.hpp"

namespace headroom {

// One atomic append of any number of rows: at most one wake per node.
struct AppendRows {
  std::span<const NewRow> rows;
};
// The row's visible time (or the end of its backoff) has come. Void if the slot holds another row by now.
struct BecomeVisible {
  RowSlot row;
  DispatchKey key;
};
// A sweep: plan, then one ClaimNext for each scoped claim of the plan, then FinishSweep hands the rows to workers.
struct PlanSweep {
  NodeId node;
};
struct ClaimNext {
  NodeId node;
};
struct FinishSweep {
  NodeId node;
};
// A worker is done with a row.
struct FinishExecution {
  ExecutionId execution;
  bool succeeded = true;
};
// The claim was made `stale_after` ago. Void if its fence is stale.
struct GoStale {
  RowSlot row;
  Fence fence;
};
// The node re-arms what is marked stale on its shards.
struct RearmPass {
  NodeId node;
};
// The dispatcher stops; what it had claimed but not handed to a worker stays Claimed, its shards are ownerless.
struct Crash {
  NodeId node;
};
// The node is back, with those of its shards that nobody has adopted.
struct Restart {
  NodeId node;
};
// Planned change of owner. Void unless the shard has another owner and `to` is up.
struct Handoff {
  ShardId shard;
  NodeId to;
};
// An ownerless shard gets an owner. Void unless it is ownerless and `by` is up.
struct Adopt {
  ShardId shard;
  NodeId by;
};
struct PauseWorkflow {
  WorkflowId workflow;
  bool paused = true;
};
// The workflow ended: all its rows are cancelled.
struct EndWorkflow {
  WorkflowId workflow;
};

using Action = std::variant<AppendRows, BecomeVisible, PlanSweep, ClaimNext, FinishSweep, FinishExecution, GoStale,
                            RearmPass, Crash, Restart, Handoff, Adopt, PauseWorkflow, EndWorkflow>;

}  // namespace headroom
