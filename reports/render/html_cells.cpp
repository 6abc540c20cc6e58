#include "reports/render/html_cells.hpp"

#include <fmt/format.h>

#include "reports/render/escape.hpp"
#include "reports/render/wording.hpp"

namespace headroom {

HtmlCell count_cell(std::uint64_t count) {
  return HtmlCell::number(worded_count(count), static_cast<double>(count));
}
HtmlCell time_cell(std::int64_t nanoseconds) {
  return HtmlCell::number(worded_milliseconds(nanoseconds), static_cast<double>(nanoseconds));
}
HtmlCell percent_cell(const std::optional<double>& fraction) {
  return HtmlCell::number(worded_percent(fraction), fraction);
}
HtmlCell decimal_cell(const std::optional<double>& value, int decimals) {
  return HtmlCell::number(value ? fmt::format("{:.{}f}", *value, decimals) : "-", value);
}
HtmlCell sample_cell(const DistributionSummary& summary, std::int64_t nanoseconds) {
  return summary.count == 0 ? HtmlCell::number("-", std::nullopt) : time_cell(nanoseconds);
}

HtmlCell mean_cell(const DistributionSummary& summary) {
  if (summary.count == 0) {
    return HtmlCell::number("-", std::nullopt);
  }
  return HtmlCell::number(
      worded_milliseconds(static_cast<std::int64_t>(summary.sum / static_cast<Int128>(summary.count))),
      static_cast<double>(summary.sum) / static_cast<double>(summary.count));
}

std::string fact(std::string_view name, const std::string& value) {
  return fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", name, html_escaped(value));
}

}  // namespace headroom
