// What `run` prints on a terminal: verdicts with their reasons first, then a row for each tenant or group, worst wait
// first. Fits 100 columns; plain text without colours.
#pragma once

#include <cstddef>
#include <string>

#include "reports/metrics/run_result.hpp"

namespace headroom {

// Rows beyond `most_rows` are counted, not shown.
[[nodiscard]] std::string render_summary(const RunResult& result, std::size_t most_rows = 30);

}  // namespace headroom
