// report.md: what a pull request shows. Verdicts first, then the tenants with the worst waits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "reports/metrics/run_result.hpp"

namespace headroom {

[[nodiscard]] std::string render_markdown(const RunResult& result, std::size_t most_rows = 10);

// A line of block characters, one for each of at most `columns` stretches of the series, as high as the stretch's
// greatest value; a blank for zero. Empty for no values.
[[nodiscard]] std::string sparkline(std::span<const std::int64_t> values, std::size_t columns);

}  // namespace headroom
