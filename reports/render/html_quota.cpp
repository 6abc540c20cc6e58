// A tenant's quota against the ceilings that nodes allowed and the rows that executed.
#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <tuple>
#include <vector>

#include "reports/render/html_cells.hpp"
#include "reports/render/html_charts.hpp"
#include "reports/render/html_sections.hpp"
#include "reports/render/html_table.hpp"
#include "reports/render/wording.hpp"

namespace headroom {
namespace {

auto badness(const RankedTenant& tenant) {
  const QuotaExcess& use = tenant.figures->quota_use;
  return std::tuple(use.over_integral, use.peak_executing_over, use.under_integral, use.peak_under);
}

HtmlCell rows_cell(std::int64_t rows) {
  return HtmlCell::number(fmt::format("{}", rows), static_cast<double>(rows));
}

// Row-seconds.
HtmlCell integral_cell(Int128 row_nanoseconds) {
  const double row_seconds = static_cast<double>(row_nanoseconds) / 1e9;
  return HtmlCell::number(fmt::format("{:.4g}", row_seconds), row_seconds);
}

std::string table_of(std::vector<RankedTenant> ranked) {
  std::ranges::stable_sort(ranked,
                           [](const RankedTenant& a, const RankedTenant& b) { return badness(a) > badness(b); });
  HtmlTable table("Quota, the worst excess first",
                  {{"tenant", ""},
                   {"quota", "rows that may execute at once, of each member"},
                   {"ceilings over", "sum of the nodes' ceilings above the quota, at most"},
                   {"executing over", "executing rows above the quota, at most"},
                   {"over for ms", "time in which more rows executed than the quota allows"},
                   {"row-s over", "integral of executing rows above the quota over time"},
                   {"not admitted", "rows that the quota had room for and that waited, at most"},
                   {"for ms", "time in which there were such rows"},
                   {"row-s not admitted", "integral of them over time"},
                   {"stranded", "of those, on nodes where the tenant stood at its ceiling, at most"},
                   {"row-s stranded", "integral of them over time"}});
  for (std::size_t i = 0; i < std::min(ranked.size(), kMostTableRows); ++i) {
    const QuotaExcess& use = ranked[i].figures->quota_use;
    table.row({HtmlCell::words(ranked[i].label), count_cell(ranked[i].figures->quota),
               rows_cell(use.peak_ceiling_sum_over), rows_cell(use.peak_executing_over),
               time_cell(use.time_over.count()), integral_cell(use.over_integral), rows_cell(use.peak_under),
               time_cell(use.time_under.count()), integral_cell(use.under_integral), rows_cell(use.peak_stranded),
               integral_cell(use.stranded_integral)});
  }
  return table.text();
}

}  // namespace

std::string html_quota(const RunResult& result, const std::vector<RankedTenant>& ranked) {
  if (ranked.empty()) {
    return "";
  }
  std::string text =
      "<section id=\"quota\"><h2>Quota</h2>\n<p class=\"note\">A tenant&#39;s quota bounds the rows of it that execute "
      "at "
      "once in the whole cluster. Each node keeps to its part, the ceiling; the ceilings together may exceed the quota "
      "by "
      "one row less than there are nodes. The charts show the tenants that came closest to it.</p>\n";
  const std::vector<TenantChart> charts = charts_of(result, ranked);
  const std::vector<std::size_t> drawn = quota_charts_of(charts);
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    text += html_figure("quota", i, charts[drawn[i]].tenant->label);
  }
  return text + table_of(ranked) + "</section>\n";
}

}  // namespace headroom
