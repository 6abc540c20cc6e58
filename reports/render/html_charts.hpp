// Which charts report.html has, and of what: shared by their places (html_charts.cpp) and their data
// (html_chart_data.cpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/metrics/run_result.hpp"
#include "reports/render/ranking.hpp"

namespace headroom {

struct TenantChart {
  const RankedTenant* tenant = nullptr;
  const SubjectSeries* series = nullptr;
};

// Those with a series, in the order of the ranking, at most kMostCharts.
[[nodiscard]] std::vector<TenantChart> charts_of(const RunResult& result, const std::vector<RankedTenant>& ranked);

// Of these the ones that came closest to their quota, by their places, at most kMostQuotaCharts.
[[nodiscard]] std::vector<std::size_t> quota_charts_of(const std::vector<TenantChart>& charts);

// What all processes share; a level that never changes is a number.
struct FleetChart {
  std::string_view title;
  std::vector<std::pair<std::string_view, const std::vector<std::int64_t>*>> levels;
  std::pair<std::string_view, std::uint32_t> limit;
};
[[nodiscard]] std::vector<FleetChart> fleet_charts_of(const RunResult& result);

// So many windows of the series are one point of a chart, so that the page stays below three megabytes.
[[nodiscard]] std::size_t windows_in_a_point(const RunResult& result, std::size_t charts);

}  // namespace headroom
