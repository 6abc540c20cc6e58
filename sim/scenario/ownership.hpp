// Which node owns which shards when a run starts.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/base/ids.hpp"
#include "sim/scenario/reading.hpp"
#include "sim/scenario/scenario.hpp"

namespace headroom {

// Nodes that are not there at the start, in order: the first planned crash, restart, join or leave of each is a join.
[[nodiscard]] std::vector<NodeId> absent_nodes(std::span<const Fault> faults, std::uint16_t nodes);

// By shard; absent nodes own none. Reports at "/cluster/ownership" what makes it impossible, and gives nothing then.
[[nodiscard]] std::vector<NodeId> initial_owners(const Ownership& ownership, std::uint16_t nodes,
                                                 std::span<const NodeId> absent, std::uint32_t shards,
                                                 Reading& reading);

}  // namespace headroom
