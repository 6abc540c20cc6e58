#include "reports/render/html_charts.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/render/escape.hpp"
#include "reports/render/html_sections.hpp"
#include "reports/render/wording.hpp"

namespace headroom {
namespace {

std::string mark_list(const RunResult& result) {
  if (result.marks.empty()) {
    return "";
  }
  std::string text = fmt::format("<details class=\"marks\"{}><summary>{} faults and latency shifts</summary>\n<ul>\n",
                                 result.marks.size() <= 12 ? " open" : "", result.marks.size());
  for (const Mark& mark : result.marks) {
    std::string when = worded_duration(mark.at.since_start());
    if (mark.until > mark.at) {
      when += " to " + worded_duration(mark.until.since_start());
    }
    text += fmt::format("<li><span class=\"key mark-{}\"></span><b>{}</b> {}</li>\n", name_of(mark.kind), when,
                        html_escaped(mark.label));
  }
  return text + "</ul></details>\n";
}

// A choice between rows and requests where there are both.
std::string controls(bool rows, bool requests) {
  std::string text = "<div class=\"controls\" hidden>\n";
  if (rows && requests) {
    text +=
        "<fieldset><legend>Of</legend>\n"
        "<label><input type=\"radio\" name=\"of\" value=\"requests\" checked> requests</label>\n"
        "<label><input type=\"radio\" name=\"of\" value=\"rows\"> rows</label></fieldset>\n";
  }
  const std::string_view what = !requests ? "rows " : !rows ? "requests " : "";
  text += fmt::format(
      "<fieldset><legend>Show</legend>\n"
      "<label><input type=\"radio\" name=\"show\" value=\"levels\" checked> {0}at a time</label>\n"
      "<label><input type=\"radio\" name=\"show\" value=\"flows\"> {0}a second</label>\n{1}</fieldset>\n",
      what,
      rows ? "<label data-of=\"rows\"><input type=\"radio\" name=\"show\" value=\"waits\"> longest wait of rows</label>"
           : "");
  return text + R"(<fieldset><legend>Time</legend>
<button type="button" data-zoom="left" aria-label="earlier">&#9664;</button>
<button type="button" data-zoom="in" aria-label="zoom in">+</button>
<button type="button" data-zoom="out" aria-label="zoom out">&minus;</button>
<button type="button" data-zoom="right" aria-label="later">&#9654;</button>
<button type="button" data-zoom="all">whole run</button></fieldset>
</div>
<noscript><p>The charts need a script; series.csv holds what they show.</p></noscript>
)";
}

std::string figures(std::string_view group, const std::vector<TenantChart>& charts) {
  if (charts.empty()) {
    return "";
  }
  std::string text = fmt::format("<div data-charts=\"{}\">\n", group);
  for (std::size_t i = 0; i < charts.size(); ++i) {
    text += html_figure(group, i, charts[i].tenant->label);
  }
  return text + "</div>\n";
}

std::string figures(const std::vector<FleetChart>& charts) {
  std::string text;
  for (std::size_t i = 0; i < charts.size(); ++i) {
    text += html_figure("fleet", i, charts[i].title);
  }
  return text;
}

}  // namespace

std::string html_figure(std::string_view group, std::size_t index, std::string_view title) {
  return fmt::format(
      "<figure class=\"timeline\"><figcaption><h3>{2}</h3><div class=\"legend\" id=\"legend-{0}-{1}\"></div>"
      "</figcaption><div class=\"chart\" tabindex=\"0\" role=\"img\" aria-label=\"chart of {2}; plus, minus, arrows "
      "and 0 zoom\" id=\"chart-{0}-{1}\"></div></figure>\n",
      group, index, html_escaped(title));
}

std::string html_timelines(const RunResult& result, const std::vector<RankedTenant>& ranked,
                           const std::vector<RankedTenant>& senders) {
  const std::vector<TenantChart> rows = charts_of(result, ranked);
  const std::vector<TenantChart> requests = charts_of(result, senders);
  const std::vector<FleetChart> fleet = fleet_charts_of(result);
  if (rows.empty() && requests.empty() && fleet.empty()) {
    return "";
  }
  std::string text = "<section id=\"timelines\"><h2>Timelines</h2>\n<p class=\"note\">";
  const std::size_t merged = windows_in_a_point(result, rows.size() + requests.size());
  text += fmt::format("Windows of {}; levels are the peak in the window. ",
                      worded_duration(result.series.window * static_cast<std::int64_t>(merged)));
  if (result.series.merged * merged > 1) {
    text += fmt::format("Each holds {} windows of the scenario. ", result.series.merged * merged);
  }
  if (requests.size() == kMostCharts && requests.size() < senders.size()) {
    text += fmt::format("Of {} that send requests the {} with the worst success rates are drawn; series.csv has all. ",
                        senders.size(), requests.size());
  }
  if (rows.size() < ranked.size()) {
    text += fmt::format("The {} with the worst waits of {} are drawn; series.csv has all of them. ", rows.size(),
                        ranked.size());
  }
  text +=
      "Drag over a chart (or use the buttons) to zoom into all of them, double click for the whole run. The grey part "
      "is the "
      "warm-up.</p>\n";
  text += controls(!rows.empty(), !requests.empty()) + mark_list(result);
  return text + figures("requests", requests) + figures("rows", rows) + figures(fleet) + "</section>\n";
}

}  // namespace headroom
