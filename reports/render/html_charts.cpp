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

using Column = std::vector<std::int64_t>;

struct Chart {
  const RankedTenant* tenant = nullptr;
  const SubjectSeries* series = nullptr;
};

// Those with a series, in the order of the ranking, at most kMostCharts.
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

// What all processes share; a level that never changes is a number.
struct FleetChart {
  std::string_view title;
  std::vector<std::pair<std::string_view, const Column*>> levels;
  std::pair<std::string_view, std::uint32_t> limit;
};

std::vector<FleetChart> fleet_charts_of(const RunResult& result) {
  std::vector<FleetChart> charts;
  if (!result.cluster.fleet || result.series.windows == 0) {
    return charts;
  }
  const FleetFigures& fleet = *result.cluster.fleet;
  const FleetSeries& series = result.series.fleet;
  if (fleet.database_pool) {
    charts.push_back({"Database pool",
                      {{"in use", &series.database_in_use}, {"waiting", &series.database_waiting}},
                      {"size", fleet.database_pool->size}});
  }
  if (fleet.downstream) {
    charts.push_back({"Downstream",
                      {{"in use", &series.downstream_in_use}, {"waiting", &series.downstream_waiting}},
                      {"size", fleet.downstream->size}});
  }
  charts.push_back({"Processes that are not ready", {{"unready", &series.unready}}, {"processes", fleet.processes}});
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
      "<label><input type=\"radio\" name=\"show\" value=\"flows\"> {0}a second</label></fieldset>\n",
      what);
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

std::string figure(std::string_view group, std::size_t index, std::string_view title) {
  return fmt::format(
      "<figure class=\"timeline\"><figcaption><h3>{2}</h3><div class=\"legend\" id=\"legend-{0}-{1}\"></div>"
      "</figcaption><div class=\"chart\" id=\"chart-{0}-{1}\"></div></figure>\n",
      group, index, html_escaped(title));
}

std::string figures(std::string_view group, const std::vector<Chart>& charts) {
  if (charts.empty()) {
    return "";
  }
  std::string text = fmt::format("<div data-charts=\"{}\">\n", group);
  for (std::size_t i = 0; i < charts.size(); ++i) {
    text += figure(group, i, charts[i].tenant->label);
  }
  return text + "</div>\n";
}

std::string figures(const std::vector<FleetChart>& charts) {
  std::string text;
  for (std::size_t i = 0; i < charts.size(); ++i) {
    text += figure("fleet", i, charts[i].title);
  }
  return text;
}

void append_column(std::string& json, std::string_view name, const Column& values) {
  json += fmt::format(",\"{}\":[{}]", name, fmt::join(values, ","));
}

// A list of objects, each on a line of its own.
template <class Entries, class Write>
void append_list(std::string& json, std::string_view name, const Entries& entries, Write write) {
  json += fmt::format("\"{}\":[", name);
  std::string_view separator;
  for (const auto& entry : entries) {
    fmt::format_to(std::back_inserter(json), "{}\n{{", separator);
    write(entry);
    json += '}';
    separator = ",";
  }
  json += ']';
}

}  // namespace

std::string html_timelines(const RunResult& result, const std::vector<RankedTenant>& ranked,
                           const std::vector<RankedTenant>& senders) {
  const std::vector<Chart> rows = charts_of(result, ranked);
  const std::vector<Chart> requests = charts_of(result, senders);
  const std::vector<FleetChart> fleet = fleet_charts_of(result);
  if (rows.empty() && requests.empty() && fleet.empty()) {
    return "";
  }
  std::string text = "<section id=\"timelines\"><h2>Timelines</h2>\n<p class=\"note\">";
  text += fmt::format("Windows of {}; levels are the peak in the window. ",
                      html_escaped(worded_duration(result.series.window)));
  if (result.series.merged > 1) {
    text += fmt::format("Each holds {} windows of the scenario. ", result.series.merged);
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

std::string html_chart_data(const RunResult& result, const std::vector<RankedTenant>& ranked,
                            const std::vector<RankedTenant>& senders) {
  std::string json =
      fmt::format(R"({{"window_ms":{},"windows":{},"warmup_ms":{},"duration_ms":{},)",
                  exact_milliseconds(result.series.window.count()), result.series.windows,
                  exact_milliseconds(result.warmup.count()), exact_milliseconds(result.duration.count()));
  append_list(json, "rows", charts_of(result, ranked), [&](const Chart& chart) {
    json += "\"name\":" + json_quoted(chart.tenant->label);
    append_column(json, "pending", chart.series->pending);
    append_column(json, "claimed", chart.series->claimed);
    append_column(json, "executing", chart.series->executing);
    append_column(json, "ceiling", chart.series->ceiling);
    append_column(json, "appended", chart.series->appended);
    append_column(json, "claims", chart.series->claims);
    append_column(json, "completed", chart.series->completed);
  });
  json += ',';
  append_list(json, "requests", charts_of(result, senders), [&](const Chart& chart) {
    json += "\"name\":" + json_quoted(chart.tenant->label);
    append_column(json, "waiting", chart.series->waiting);
    append_column(json, "in flight", chart.series->inflight);
    append_column(json, "admitted", chart.series->admitted);
    append_column(json, "answered in time", chart.series->goodput);
    append_column(json, "refused 429", chart.series->refused_429);
    append_column(json, "refused 503", chart.series->refused_503);
  });
  json += ',';
  append_list(json, "fleet", fleet_charts_of(result), [&](const FleetChart& chart) {
    json += "\"name\":" + json_quoted(chart.title);
    for (const auto& [name, values] : chart.levels) {
      append_column(json, name, *values);
    }
    json += fmt::format(",\"{}\":{}", chart.limit.first, chart.limit.second);
  });
  json += ',';
  append_list(json, "marks", result.marks, [&](const Mark& mark) {
    fmt::format_to(std::back_inserter(json), "\"kind\":\"{}\",\"at_ms\":{},\"until_ms\":{},\"label\":{}",
                   name_of(mark.kind), exact_milliseconds(mark.at.nanoseconds()),
                   exact_milliseconds(mark.until.nanoseconds()), json_quoted(mark.label));
  });
  return json + '}';
}

}  // namespace headroom
