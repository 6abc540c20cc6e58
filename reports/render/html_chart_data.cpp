// The data that the script of report.html draws.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fmt/format.h>
#include <functional>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "reports/render/escape.hpp"
#include "reports/render/html_charts.hpp"
#include "reports/render/html_sections.hpp"
#include "reports/render/wording.hpp"

namespace headroom {

std::vector<TenantChart> charts_of(const RunResult& result, const std::vector<RankedTenant>& ranked) {
  std::vector<const SubjectSeries*> by_name;
  by_name.reserve(result.series.subjects.size());
  for (const SubjectSeries& subject : result.series.subjects) {
    by_name.push_back(&subject);
  }
  const auto earlier = [](const SubjectSeries* a, std::string_view name) { return a->name < name; };
  std::sort(by_name.begin(), by_name.end(),
            [](const SubjectSeries* a, const SubjectSeries* b) { return a->name < b->name; });
  std::vector<TenantChart> charts;
  for (const RankedTenant& tenant : ranked) {
    const auto found = std::lower_bound(by_name.begin(), by_name.end(), std::string_view(tenant.name), earlier);
    if (found != by_name.end() && (*found)->name == tenant.name && charts.size() < kMostCharts) {
      charts.push_back({&tenant, *found});
    }
  }
  return charts;
}

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

std::vector<std::size_t> quota_charts_of(const std::vector<TenantChart>& charts) {
  const auto use = [&](std::size_t i) {
    const SubjectSeries& series = *charts[i].series;
    double most = 0;
    for (std::size_t window = 0; window < series.executing.size(); ++window) {
      const auto quota = static_cast<double>(std::max<std::int64_t>(series.quota[window], 1));
      most = std::max(most, static_cast<double>(series.executing[window]) / quota);
    }
    return most;
  };
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < charts.size(); ++i) {
    if (use(i) > 0) {
      places.push_back(i);
    }
  }
  std::ranges::stable_sort(places, std::greater<>(), use);
  places.resize(std::min(places.size(), kMostQuotaCharts));
  return places;
}

std::size_t windows_in_a_point(const RunResult& result, std::size_t charts) {
  constexpr std::size_t most_points = 12'000;  // of all charts; a point has up to ten numbers
  const std::size_t points = std::max<std::size_t>(most_points / std::max<std::size_t>(charts, 1), 100);
  return std::max<std::size_t>((result.series.windows + points - 1) / points, 1);
}

namespace {

using Column = std::vector<std::int64_t>;

Column merged(const Column& values, std::size_t windows, bool add) {
  Column points;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i % windows == 0) {
      points.push_back(values[i]);
    } else {
      points.back() = add ? points.back() + values[i] : std::max(points.back(), values[i]);
    }
  }
  return points;
}

// Members of an object, each a list with a number for each point.
class Columns {
 public:
  Columns(std::string& json, std::size_t windows) : json_(json), windows_(windows) {}
  void level(std::string_view name, const Column& values) { append(name, merged(values, windows_, false)); }
  void flow(std::string_view name, const Column& values) { append(name, merged(values, windows_, true)); }
  // Nanoseconds, in milliseconds with three digits after the point.
  void time(std::string_view name, const Column& values) {
    std::string_view separator;
    json_ += fmt::format(",\"{}\":[", name);
    for (const std::int64_t value : merged(values, windows_, false)) {
      json_ += fmt::format("{}{}", separator, static_cast<double>((value + 500) / 1'000) / 1e3);
      separator = ",";
    }
    json_ += "]";
  }

 private:
  void append(std::string_view name, const Column& values) {
    json_ += fmt::format(",\"{}\":[{}]", name, fmt::join(values, ","));
  }

  std::string& json_;
  std::size_t windows_;
};

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

std::string html_chart_data(const RunResult& result, const std::vector<RankedTenant>& ranked,
                            const std::vector<RankedTenant>& senders) {
  const std::vector<TenantChart> rows = charts_of(result, ranked);
  const std::vector<TenantChart> requests = charts_of(result, senders);
  const std::size_t windows = windows_in_a_point(result, rows.size() + requests.size());
  std::string json =
      fmt::format(R"({{"window_ms":{},"windows":{},"warmup_ms":{},"duration_ms":{},)",
                  exact_milliseconds(result.series.window.count() * static_cast<std::int64_t>(windows)),
                  (result.series.windows + windows - 1) / windows, exact_milliseconds(result.warmup.count()),
                  exact_milliseconds(result.duration.count()));
  Columns columns(json, windows);
  append_list(json, "rows", rows, [&](const TenantChart& chart) {
    json += "\"name\":" + json_quoted(chart.tenant->label);
    columns.level("pending", chart.series->pending);
    columns.level("claimed", chart.series->claimed);
    columns.level("executing", chart.series->executing);
    columns.level("ceiling", chart.series->ceiling);
    columns.level("quota", chart.series->quota);
    columns.flow("appended", chart.series->appended);
    columns.flow("claims", chart.series->claims);
    columns.flow("completed", chart.series->completed);
    columns.time("longest wait", chart.series->longest_wait);
  });
  json += ',';
  append_list(json, "requests", requests, [&](const TenantChart& chart) {
    json += "\"name\":" + json_quoted(chart.tenant->label);
    columns.level("waiting", chart.series->waiting);
    columns.level("in flight", chart.series->inflight);
    columns.flow("admitted", chart.series->admitted);
    columns.flow("answered in time", chart.series->goodput);
    columns.flow("refused 429", chart.series->refused_429);
    columns.flow("refused 503", chart.series->refused_503);
  });
  json += ',';
  append_list(json, "fleet", fleet_charts_of(result), [&](const FleetChart& chart) {
    json += "\"name\":" + json_quoted(chart.title);
    for (const auto& [name, values] : chart.levels) {
      columns.level(name, *values);
    }
    json += fmt::format(",\"{}\":{}", chart.limit.first, chart.limit.second);
  });
  json += fmt::format(",\"quota\":[{}],", fmt::join(quota_charts_of(rows), ","));
  json += html_distribution_data(ranked, senders) + ",";
  append_list(json, "marks", result.marks, [&](const Mark& mark) {
    fmt::format_to(std::back_inserter(json), "\"kind\":\"{}\",\"at_ms\":{},\"until_ms\":{},\"label\":{}",
                   name_of(mark.kind), exact_milliseconds(mark.at.nanoseconds()),
                   exact_milliseconds(mark.until.nanoseconds()), json_quoted(mark.label));
  });
  return json + '}';
}

}  // namespace headroom
