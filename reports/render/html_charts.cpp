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

struct Chart {
  const RankedTenant* tenant = nullptr;
  const SubjectSeries* series = nullptr;
};

// Those with a series, worst wait first, at most kMostCharts.
std::vector<Chart> charts_of(const RunResult& result, const std::vector<RankedTenant>& ranked) {
  std::vector<const SubjectSeries*> by_name;
  by_name.reserve(result.series.subjects.size());
  for (const SubjectSeries& subject : result.series.subjects) {
    by_name.push_back(&subject);
  }
  const auto earlier = [](const SubjectSeries* a, std::string_view name) { return a->name < name; };
  std::sort(by_name.begin(), by_name.end(),
            [](const SubjectSeries* a, const SubjectSeries* b) { return a->name < b->name; });
  std::vector<Chart> charts;
  for (const RankedTenant& tenant : ranked) {
    const auto found = std::lower_bound(by_name.begin(), by_name.end(), std::string_view(tenant.name), earlier);
    if (found != by_name.end() && (*found)->name == tenant.name && charts.size() < kMostCharts) {
      charts.push_back({&tenant, *found});
    }
  }
  return charts;
}

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

constexpr std::string_view kControls = R"(<div class="controls" hidden>
<fieldset><legend>Show</legend>
<label><input type="radio" name="show" value="levels" checked> rows at a time</label>
<label><input type="radio" name="show" value="flows"> rows a second</label></fieldset>
<fieldset><legend>Time</legend>
<button type="button" data-zoom="left" aria-label="earlier">&#9664;</button>
<button type="button" data-zoom="in" aria-label="zoom in">+</button>
<button type="button" data-zoom="out" aria-label="zoom out">&minus;</button>
<button type="button" data-zoom="right" aria-label="later">&#9654;</button>
<button type="button" data-zoom="all">whole run</button></fieldset>
</div>
<noscript><p>The charts need a script; series.csv holds what they show.</p></noscript>
)";

void append_column(std::string& json, std::string_view name, const std::vector<std::int64_t>& values) {
  json += fmt::format(",\"{}\":[{}]", name, fmt::join(values, ","));
}

}  // namespace

std::string html_timelines(const RunResult& result, const std::vector<RankedTenant>& ranked) {
  const std::vector<Chart> charts = charts_of(result, ranked);
  if (charts.empty()) {
    return "";
  }
  std::string text = "<section id=\"timelines\"><h2>Timelines</h2>\n<p class=\"note\">";
  text += fmt::format("Windows of {}; levels are the peak in the window. ",
                      html_escaped(worded_duration(result.series.window)));
  if (result.series.merged > 1) {
    text += fmt::format("Each holds {} windows of the scenario. ", result.series.merged);
  }
  if (charts.size() < ranked.size()) {
    text += fmt::format("The {} with the worst waits of {} are drawn; series.csv has all of them. ", charts.size(),
                        ranked.size());
  }
  text +=
      "Drag over a chart (or use the buttons) to zoom into all of them, double click for the whole run. The grey part "
      "is the "
      "warm-up.</p>\n";
  text += std::string(kControls) + mark_list(result);
  for (std::size_t i = 0; i < charts.size(); ++i) {
    text += fmt::format(
        "<figure class=\"timeline\"><figcaption><h3>{}</h3><div class=\"legend\" id=\"legend-{}\"></div></figcaption>"
        "<div class=\"chart\" id=\"chart-{}\"></div></figure>\n",
        html_escaped(charts[i].tenant->label), i, i);
  }
  return text + "</section>\n";
}

std::string html_chart_data(const RunResult& result, const std::vector<RankedTenant>& ranked) {
  std::string json =
      fmt::format(R"({{"window_ms":{},"windows":{},"warmup_ms":{},"duration_ms":{},"subjects":[)",
                  exact_milliseconds(result.series.window.count()), result.series.windows,
                  exact_milliseconds(result.warmup.count()), exact_milliseconds(result.duration.count()));
  std::string_view separator;
  for (const Chart& chart : charts_of(result, ranked)) {
    fmt::format_to(std::back_inserter(json), "{}\n{{\"name\":{}", separator, json_quoted(chart.tenant->label));
    append_column(json, "pending", chart.series->pending);
    append_column(json, "claimed", chart.series->claimed);
    append_column(json, "executing", chart.series->executing);
    append_column(json, "ceiling", chart.series->ceiling);
    append_column(json, "appended", chart.series->appended);
    append_column(json, "claims", chart.series->claims);
    append_column(json, "completed", chart.series->completed);
    json += '}';
    separator = ",";
  }
  json += "],\"marks\":[";
  separator = {};
  for (const Mark& mark : result.marks) {
    fmt::format_to(std::back_inserter(json), "{}\n{{\"kind\":\"{}\",\"at_ms\":{},\"until_ms\":{},\"label\":{}}}",
                   separator, name_of(mark.kind), exact_milliseconds(mark.at.nanoseconds()),
                   exact_milliseconds(mark.until.nanoseconds()), json_quoted(mark.label));
    separator = ",";
  }
  return json + "]}";
}

}  // namespace headroom
