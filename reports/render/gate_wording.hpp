// How the processes, what they share and what they achieved are worded where people read it. Plain text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/metrics/run_result.hpp"

namespace headroom {

// What 429 and 503 have in common: those refused.
[[nodiscard]] inline std::uint64_t refused(const GateCounts& counts) {
  return counts.rejected_429 + counts.rejected_503;
}

// A line on the processes and one on each resource that they share; none without an HTTP side.
[[nodiscard]] std::vector<std::string> fleet_lines(const RunResult& result);

// "drained in 250 ms", or what was left after how long.
[[nodiscard]] std::string worded_drain(const RunResult& result);
// Of requests answered in time where anybody sends requests, else of rows completed.
[[nodiscard]] bool goodput_is_of_requests(const RunResult& result);
// "14.7 requests/s answered in time", or "480.0 rows/s completed".
[[nodiscard]] std::string worded_goodput(const RunResult& result);
// "goodput was back 2 s after the last disturbance"; empty where no recovery was measured.
[[nodiscard]] std::string worded_recovery(const RunResult& result);
// The reason of most refusals; empty where nothing was refused.
[[nodiscard]] std::string_view most_frequent_refusal(const GateFigures& gate);

}  // namespace headroom
