// Cells and facts of report.html in the wording of wording.hpp: what the sections with tables share.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "reports/metrics/distribution_summary.hpp"
#include "reports/render/html_table.hpp"

namespace headroom {

[[nodiscard]] HtmlCell count_cell(std::uint64_t count);
// In milliseconds.
[[nodiscard]] HtmlCell time_cell(std::int64_t nanoseconds);
[[nodiscard]] HtmlCell percent_cell(const std::optional<double>& fraction);
// With so many decimals; "-" when absent.
[[nodiscard]] HtmlCell decimal_cell(const std::optional<double>& value, int decimals);
// A figure of a distribution, which has none without a sample.
[[nodiscard]] HtmlCell sample_cell(const DistributionSummary& summary, std::int64_t nanoseconds);
[[nodiscard]] HtmlCell mean_cell(const DistributionSummary& summary);

// An entry of <dl class="facts">. `name` is markup; `value` is escaped here.
[[nodiscard]] std::string fact(std::string_view name, const std::string& value);

}  // namespace headroom
