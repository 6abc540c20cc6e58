// Faults and planned changes of ownership that a scenario asks for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "model/admission/config.hpp"
#include "model/base/ids.hpp"
#include "model/base/time.hpp"
#include "sim/engine/decimal.hpp"

namespace headroom {

// The node's dispatcher stops; its shards are ownerless until survivors adopt them. Work that has started goes on.
struct CrashFault {
  NodeId node;
};
// A crashed node comes back, with the shards that nobody has adopted meanwhile.
struct RestartFault {
  NodeId node;
};
// Planned change of owner.
struct HandoffFault {
  ShardId shard;
  NodeId to;
};
// Processes shut down: of one node (all if none is given), or one of them (from 1). After `duration`, if given, they
// are back.
struct DrainFault {
  NodeId node = NodeId::none();
  std::optional<std::uint16_t> process;
  std::optional<Duration> duration;
};
// Limits of the same processes change, or those of one tenant in them. Absent limits stay as they are; one that is
// there and empty is lifted.
struct LimitChangeFault {
  NodeId node = NodeId::none();
  std::optional<std::uint16_t> process;
  std::string tenant;  // empty: the processes' own limits. A group stands for all its members
  std::optional<std::optional<std::uint32_t>> max_inflight;
  std::optional<std::optional<std::uint32_t>> max_queue_depth;
  std::optional<std::optional<RateLimit>> rate_limit;  // only of a tenant
};
// The node stands still and wakes up with what it believed (a zombie).
struct PauseFault {
  NodeId node;
  Duration duration;
};
// The node cannot reach the store; one way: its writes arrive, the replies do not.
struct PartitionFault {
  NodeId node;
  Duration duration;
  bool one_way = false;
};
// Nodes come and go as planned; shards are dealt out evenly afterwards. A node whose first such fault is a join is not
// there at the start.
struct JoinFault {
  NodeId node;
};
struct LeaveFault {
  NodeId node;
};
// The next sweep (of each node if none is given) ends in the middle with an error of the store.
struct StoreErrorFault {
  NodeId node = NodeId::none();
  bool release = true;  // what it has claimed goes back; else it stays Claimed with nobody to run it
};
// Sweeps and claims cost `factor` times as much.
struct StoreSlownessFault {
  Decimal factor = Decimal::whole(1);
  Duration duration;
};
// One running execution of the node (of any, if none is given) comes to nothing, or takes longer by `duration`.
struct WorkerDeathFault {
  NodeId node = NodeId::none();
};
struct WorkerHangFault {
  NodeId node = NodeId::none();
  Duration duration;
};
// The node's wall clock is ahead (or behind) by so much from here on. Nothing but dates in its answers hangs on it.
struct ClockSkewFault {
  NodeId node;
  Duration offset;  // may be negative
};
// The node's next wake is lost.
struct LostWakeUpFault {
  NodeId node;
};
// `n` rows that the tenant has appended before are appended again.
struct DuplicateAppendFault {
  std::string tenant;
  std::uint32_t n = 1;
};
// Of a tenant: one of its workflows (from 1), or all.
struct WorkflowFault {
  enum class What : std::uint8_t { pause, resume, end };
  What what = What::pause;
  std::string tenant;
  std::optional<std::uint32_t> workflow;
  std::optional<Duration> duration;  // of a pause; absent: until it is resumed
};
struct QuotaChangeFault {
  std::string tenant;
  std::uint32_t quota = 0;
};
// Nodes (all if none is given) that cache quotas cannot read them.
struct QuotaErrorFault {
  NodeId node = NodeId::none();
  Duration duration;
};
// A client of the tenant leaves for good, wherever its try is.
struct ClientDisconnectFault {
  enum class Stage : std::uint8_t { any, waiting, running };
  std::string tenant;
  Stage stage = Stage::any;
};
// A running handler of the tenant will fail.
struct HandlerFailureFault {
  std::string tenant;
};
using FaultKind =
    std::variant<CrashFault, RestartFault, HandoffFault, DrainFault, LimitChangeFault, PauseFault, PartitionFault,
                 JoinFault, LeaveFault, StoreErrorFault, StoreSlownessFault, WorkerDeathFault, WorkerHangFault,
                 ClockSkewFault, LostWakeUpFault, DuplicateAppendFault, WorkflowFault, QuotaChangeFault,
                 QuotaErrorFault, ClientDisconnectFault, HandlerFailureFault>;

// Happens at `at`, then (if given) again every `every` until the end of the measured part. A fault with `every` alone
// happens first at `every`. Handoffs with `every` go to `to` and back to the owner that the shard had, in turn.
// With `rate` it comes at random instants from `at` on (a Poisson stream), never sooner than `dwell` after the last.
struct Fault {
  FaultKind kind;
  Time at;
  std::optional<Duration> every;
  std::optional<Rate> rate;
  Duration dwell = Duration::zero();
};

}  // namespace headroom
