// How much work a scenario brings, as far as it can be told without running it.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/scenario/scenario.hpp"

namespace headroom {

// Rows that an arrival process may put into the outbox at one instant: a backlog, the largest scheduled burst, or one
// row of each closed-loop client.
[[nodiscard]] std::uint64_t rows_at_once(const ArrivalSpec& arrivals);

// The longest duration that can be drawn; Duration::max() where there is none.
[[nodiscard]] Duration longest(const DistributionSpec& distribution);

[[nodiscard]] Duration mean(const DistributionSpec& distribution);

// Rows per second in the long run; nothing where the process answers to the system (backlog, closed_loop) or is given
// entry by entry.
[[nodiscard]] std::optional<double> mean_rate(const ArrivalSpec& arrivals);

}  // namespace headroom
