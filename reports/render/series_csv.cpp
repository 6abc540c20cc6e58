#include "reports/render/series_csv.hpp"

#include <fmt/format.h>
#include <iterator>
#include <vector>

#include "model/base/assert.hpp"
#include "reports/render/escape.hpp"
#include "reports/render/wording.hpp"

namespace headroom {
namespace {

std::string start_of(const RunSeries& series, std::size_t window) {
  return exact_milliseconds(series.window.count() * static_cast<std::int64_t>(window));
}

}  // namespace

std::string render_series_csv(const RunSeries& series) {
  std::string csv =
      "window_start_ms,window_ms,name,pending_peak,claimed_peak,executing_peak,ceiling_peak,appended,claims,"
      "completed,quota_peak,longest_wait_ms";
  csv += series.has_gate ? ",waiting_peak,inflight_peak,admitted,refused_429,refused_503,goodput\n" : "\n";
  const std::string width = exact_milliseconds(series.window.count());
  std::vector<std::string> names;
  names.reserve(series.subjects.size());
  for (const SubjectSeries& subject : series.subjects) {
    names.push_back(csv_cell(subject.name));
  }
  for (std::size_t window = 0; window < series.windows; ++window) {
    const std::string start = start_of(series, window);
    for (std::size_t i = 0; i < names.size(); ++i) {
      const SubjectSeries& subject = series.subjects[i];
      fmt::format_to(std::back_inserter(csv), "{},{},{},{},{},{},{},{},{},{},{},{}", start, width, names[i],
                     subject.pending[window], subject.claimed[window], subject.executing[window],
                     subject.ceiling[window], subject.appended[window], subject.claims[window],
                     subject.completed[window], subject.quota[window],
                     exact_milliseconds(subject.longest_wait[window]));
      if (series.has_gate) {
        fmt::format_to(std::back_inserter(csv), ",{},{},{},{},{},{}", subject.waiting[window], subject.inflight[window],
                       subject.admitted[window], subject.refused_429[window], subject.refused_503[window],
                       subject.goodput[window]);
      }
      csv += '\n';
    }
  }
  return csv;
}

std::string render_fleet_series_csv(const RunSeries& series) {
  HEADROOM_ASSERT(series.has_gate, "{} windows without an HTTP side", series.windows);
  std::string csv =
      "window_start_ms,window_ms,database_in_use_peak,database_waiting_peak,downstream_in_use_peak,"
      "downstream_waiting_peak,unready_peak\n";
  const std::string width = exact_milliseconds(series.window.count());
  const FleetSeries& fleet = series.fleet;
  for (std::size_t window = 0; window < series.windows; ++window) {
    fmt::format_to(std::back_inserter(csv), "{},{},{},{},{},{},{}\n", start_of(series, window), width,
                   fleet.database_in_use[window], fleet.database_waiting[window], fleet.downstream_in_use[window],
                   fleet.downstream_waiting[window], fleet.unready[window]);
  }
  return csv;
}

}  // namespace headroom
