// Faults and planned changes of ownership that a scenario asks for.
#pragma once

#include <optional>
#include <variant>

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
using FaultKind = std::variant<CrashFault, RestartFault, HandoffFault>;

// Happens at `at`, then (if given) again every `every` until the end of the measured part. A fault with `every` alone
// happens first at `every`. Handoffs with `every` go to `to` and back to the owner that the shard had, in turn.
struct Fault {
  FaultKind kind;
  Time at;
  std::optional<Duration> every;
};

}  // namespace headroom
