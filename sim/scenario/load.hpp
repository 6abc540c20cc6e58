// How much work a scenario brings, as far as it can be told without running it.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/scenario/scenario.hpp"

namespace headroom {

// What an arrival process may bring at one instant: a backlog, the largest scheduled burst, or one row or request of
// each closed-loop client.
[[nodiscard]] std::uint64_t arrivals_at_once(const ArrivalSpec& arrivals);

// The longest duration that can be drawn; Duration::max() where there is none.
[[nodiscard]] Duration longest(const DistributionSpec& distribution);

[[nodiscard]] Duration mean(const DistributionSpec& distribution);

// Arrivals per second in the long run; nothing where the process answers to the system (backlog, closed_loop) or is
// given entry by entry.
[[nodiscard]] std::optional<double> mean_rate(const ArrivalSpec& arrivals);

// Rows of one member that come per second in the long run, by themselves and with requests, as far as that is known.
[[nodiscard]] double row_rate(const TenantSpec& tenant);

// Requests of one member that run at once on average if all are admitted, as far as that is known.
[[nodiscard]] double request_load(const TenantSpec& tenant);

// Whether the arrivals are a trace that gives the service times too.
[[nodiscard]] bool gives_service(const ArrivalSpec& arrivals);

}  // namespace headroom
