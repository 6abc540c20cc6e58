// Strong identifiers: a NodeId cannot be passed where a ShardId is meant.
//
//   const NodeId node{2};
//   nodes[node.value()]
#pragma once

#include <compare>
#include <cstdint>
#include <limits>

namespace headroom {

// An index of a kind. `none()` is the value that stands for "no such thing"; it sorts after every other.
template <class Tag, class Rep>
class Id {
 public:
  constexpr Id() = default;
  constexpr explicit Id(Rep value) : value_(value) {}

  [[nodiscard]] static constexpr Id none() { return Id(std::numeric_limits<Rep>::max()); }
  [[nodiscard]] constexpr Rep value() const { return value_; }
  [[nodiscard]] constexpr bool is_none() const { return *this == none(); }

  friend constexpr auto operator<=>(const Id&, const Id&) = default;

 private:
  Rep value_ = std::numeric_limits<Rep>::max();
};

using NodeId = Id<struct NodeTag, std::uint16_t>;
using ShardId = Id<struct ShardTag, std::uint32_t>;
// Namespaces (tenants) are numbered in the byte order of their names, so that id order is name order.
using NamespaceId = Id<struct NamespaceTag, std::uint32_t>;
// Routes are numbered cluster-wide; those of one namespace are consecutive, sorted by (queue, pool), no pool first.
using RouteId = Id<struct RouteTag, std::uint32_t>;
using PoolId = Id<struct PoolTag, std::uint16_t>;
using WorkflowId = Id<struct WorkflowTag, std::uint32_t>;

// The place of a live row in the outbox; reused once the row is final.
using RowSlot = Id<struct RowSlotTag, std::uint32_t>;
// Names one claim of one row; never used twice.
using Fence = Id<struct FenceTag, std::uint64_t>;
// API processes, cluster-wide: those of one node follow each other.
using ProcessId = Id<struct ProcessTag, std::uint16_t>;
// The place of a request inside the system; reused once it is answered, refused or gone.
using RequestId = Id<struct RequestTag, std::uint32_t>;
// The place of a request in the queue of its gate.
using WaiterId = Id<struct WaiterTag, std::uint32_t>;

// Grows by one at each change of owner of a shard.
using Epoch = std::uint32_t;
// One run of a row's work on a worker.
using ExecutionId = Id<struct ExecutionTag, std::uint32_t>;

}  // namespace headroom
