// Faults and planned changes of ownership that a scenario asks for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "model/admission/config.hpp"
#include "model/base/ids.hpp"
#include "model/base/time.hpp"

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
using FaultKind = std::variant<CrashFault, RestartFault, HandoffFault, DrainFault, LimitChangeFault>;

// Happens at `at`, then (if given) again every `every` until the end of the measured part. A fault with `every` alone
// happens first at `every`. Handoffs with `every` go to `to` and back to the owner that the shard had, in turn.
struct Fault {
  FaultKind kind;
  Time at;
  std::optional<Duration> every;
};

}  // namespace headroom
