// Everything that can happen to a cluster. Whoever runs it (simulator, checker, tests, replay) only decides which comes
// next; whether it is possible, and what it does, is Cluster's.
#pragma once

#include <cstdint>
#include <span>
#include <variant>

#include "model/admission/config.hpp"
#include "model/admission/resource_pool.hpp"
#include "model/base/ids.hpp"
#include "model/cluster/requests.hpp"
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
// `choice`: which rows the claim takes, as many as it may; rows that it may not take are passed over. Empty: the
// oldest.
struct ClaimNext {
  NodeId node;
  std::span<const RowSlot> choice = {};
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

// -- faults -----------------------------------------------------------------------------------------------------------

// The node stands still: no plans, claims, hand-overs or re-arm passes until it goes on. Workers go on.
struct PauseNode {
  NodeId node;
};
struct ResumeNode {
  NodeId node;
};
// The others take a node that is paused or cut off for dead: its shards are ownerless. It does not know.
struct ExpelNode {
  NodeId node;
};
// It is a member again, with those of its shards that nobody has adopted.
struct RejoinNode {
  NodeId node;
};
// The node cannot reach the store. One way: its writes are applied and the replies lost.
struct CutOff {
  NodeId node;
  bool one_way = false;
};
// It can again; the results that it could not report arrive.
struct Reconnect {
  NodeId node;
};
// A store error ends the sweep in progress. What it has claimed goes back to Pending, or stays Claimed with nobody to
// run it. Void if there is none.
struct FailSweep {
  NodeId node;
  bool release = true;
};
// The worker dies with its work; another takes its place.
struct KillExecution {
  ExecutionId execution;
};
// The wake that the node wants is lost.
struct LoseWake {
  NodeId node;
};
struct ChangeQuota {
  NamespaceId name;
  std::uint32_t quota = 0;
};
// A node that caches quotas reads them, or fails to.
struct ReadQuotas {
  NodeId node;
  bool succeeded = true;
};
// Re-arm what the node has listed (RearmPassKind::list_and_act).
struct ActOnStale {
  NodeId node;
};
// The node goes as planned: it owns no shard any more, and what it has claimed goes on. Void while it owns one or
// sweeps.
struct Leave {
  NodeId node;
};

// -- the HTTP side: needs ClusterConfig::admission --------------------------------------------------------------------

// A request reaches a process that is up. `draw`: 64 uniform bits, for the jitter of a Retry-After.
struct ArriveRequest {
  ProcessId process;
  NamespaceId tenant;
  std::uint64_t logical = 0;  // number of the logical request within its tenant; a client's retry keeps it
  std::uint64_t draw = 0;
};
// What follows is void if the place is another request's by now (`serial`), or the request is past that stage.
struct ExpireWait {
  RequestId request;
  std::uint64_t serial = 0;
  std::uint64_t draw = 0;
};
// A waiter becomes as old as lag_low, or older than lag_high.
struct PassAge {
  RequestId request;
  std::uint64_t serial = 0;
};
// The client leaves: a waiter is gone, a running handler goes on.
struct AbandonRequest {
  RequestId request;
  std::uint64_t serial = 0;
};
// The handler needs the next service from here on.
struct EnterDownstream {
  RequestId request;
  std::uint64_t serial = 0;
};
// The handler is over. If it succeeded, `rows` (the fan-out) are appended in the same write as its own effect.
struct FinishRequest {
  RequestId request;
  std::uint64_t serial = 0;
  bool succeeded = true;
  std::span<const NewRow> rows;
};
// Whoever waits at this place of the pool has done so for too long. Void if it has a unit, or is another claimant.
struct ExpireCheckout {
  Resource resource = Resource::database_pool;
  CheckoutId checkout;
  std::uint32_t use = 0;
};
// A token of the tenant comes back. Void if the bucket is full, or another one (`life`) by now.
struct RefillToken {
  ProcessId process;
  NamespaceId tenant;
  std::uint32_t life = 0;
};
// The process asks for a connection, reserve included, and gives it back.
struct BeginHealthCheck {
  ProcessId process;
};
struct EndHealthCheck {
  ProcessId process;
};
struct ChangeLimits {
  ProcessId process;
  GateLimits limits;
};
struct ChangeTenantLimits {
  ProcessId process;
  NamespaceId tenant;
  TenantLimits limits;
};
// Shutdown begins: waiters are refused, what runs finishes. Void if the process drains already.
struct DrainProcess {
  ProcessId process;
  std::uint64_t draw = 0;
};
// The process takes requests again.
struct ResumeProcess {
  ProcessId process;
};

using Action = std::variant<AppendRows, BecomeVisible, PlanSweep, ClaimNext, FinishSweep, FinishExecution, GoStale,
                            RearmPass, Crash, Restart, Handoff, Adopt, PauseWorkflow, EndWorkflow, ArriveRequest,
                            ExpireWait, PassAge, AbandonRequest, EnterDownstream, FinishRequest, ExpireCheckout,
                            RefillToken, BeginHealthCheck, EndHealthCheck, ChangeLimits, ChangeTenantLimits,
                            DrainProcess, ResumeProcess, PauseNode, ResumeNode, ExpelNode, RejoinNode, CutOff,
                            Reconnect, FailSweep, KillExecution, LoseWake, ChangeQuota, ReadQuotas, ActOnStale, Leave>;

}  // namespace headroom
