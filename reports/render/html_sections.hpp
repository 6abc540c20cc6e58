// The parts of report.html, in the order in which they stand on the page. Each returns a <section>.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "reports/metrics/run_result.hpp"
#include "reports/render/ranking.hpp"

namespace headroom {

// Tables show the tenants with the worst waits, charts fewer of them; both say how many are left out.
inline constexpr std::size_t kMostTableRows = 200;
inline constexpr std::size_t kMostCharts = 24;
inline constexpr std::size_t kMostQuotaCharts = 6;

[[nodiscard]] std::string html_verdicts(const RunResult& result);
// Empty without an HTTP side. `senders`: ranked_by_success().
[[nodiscard]] std::string html_gate(const RunResult& result, const std::vector<RankedTenant>& senders);
// These four are empty where nobody has rows. `by_share`: ranked_by_share().
[[nodiscard]] std::string html_shares(const RunResult& result, const std::vector<RankedTenant>& by_share);
// The windows for which the max-min optimum is known; empty where there is none.
[[nodiscard]] std::string html_share_windows(const RunResult& result);
[[nodiscard]] std::string html_waits(const std::vector<RankedTenant>& ranked);
[[nodiscard]] std::string html_quota(const RunResult& result, const std::vector<RankedTenant>& ranked);
[[nodiscard]] std::string html_causes(const std::vector<RankedTenant>& ranked);
// The browser of the recorded sweeps, and the data that its script shows; empty where none was recorded.
[[nodiscard]] std::string html_sweeps(const RunResult& result);
[[nodiscard]] std::string html_sweep_data(const RunResult& result);
[[nodiscard]] std::string html_cluster(const RunResult& result);

// The place of the curves, with the choice of what they are of, and members of the charts' data.
[[nodiscard]] std::string html_distributions(const std::vector<RankedTenant>& ranked,
                                             const std::vector<RankedTenant>& senders);
[[nodiscard]] std::string html_distribution_data(const std::vector<RankedTenant>& ranked,
                                                 const std::vector<RankedTenant>& senders);

// The empty place of a chart.
[[nodiscard]] std::string html_figure(std::string_view group, std::size_t index, std::string_view title);

// The empty places of the charts with the list of marks, and the data that the script draws in them: what is in
// `RunResult::series` for the tenants with the worst waits (`ranked`) and those with the worst success rates
// (`senders`), and for what all processes share.
[[nodiscard]] std::string html_timelines(const RunResult& result, const std::vector<RankedTenant>& ranked,
                                         const std::vector<RankedTenant>& senders);
[[nodiscard]] std::string html_chart_data(const RunResult& result, const std::vector<RankedTenant>& ranked,
                                          const std::vector<RankedTenant>& senders);

}  // namespace headroom
