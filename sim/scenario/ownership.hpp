// Which node owns which shards when a run starts.
#pragma once

#include <cstdint>
#include <vector>

#include "model/base/ids.hpp"
#include "sim/scenario/reading.hpp"
#include "sim/scenario/scenario.hpp"

namespace headroom {

// By shard. Reports at "/cluster/ownership" what makes it impossible, and gives nothing then.
[[nodiscard]] std::vector<NodeId> initial_owners(const Ownership& ownership, std::uint16_t nodes, std::uint32_t shards,
                                                 Reading& reading);

}  // namespace headroom
