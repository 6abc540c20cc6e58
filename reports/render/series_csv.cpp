#include "reports/render/series_csv.hpp"

#include <fmt/format.h>
#include <iterator>
#include <vector>

#include "reports/render/escape.hpp"
#include "reports/render/wording.hpp"

namespace headroom {

std::string render_series_csv(const RunSeries& series) {
  std::string csv =
      "window_start_ms,window_ms,name,pending_peak,claimed_peak,executing_peak,ceiling_peak,appended,claims,"
      "completed\n";
  const std::string width = exact_milliseconds(series.window.count());
  std::vector<std::string> names;
  names.reserve(series.subjects.size());
  for (const SubjectSeries& subject : series.subjects) {
    names.push_back(csv_cell(subject.name));
  }
  for (std::size_t window = 0; window < series.windows; ++window) {
    const std::string start = exact_milliseconds(series.window.count() * static_cast<std::int64_t>(window));
    for (std::size_t i = 0; i < names.size(); ++i) {
      const SubjectSeries& subject = series.subjects[i];
      fmt::format_to(std::back_inserter(csv), "{},{},{},{},{},{},{},{},{},{}\n", start, width, names[i],
                     subject.pending[window], subject.claimed[window], subject.executing[window],
                     subject.ceiling[window], subject.appended[window], subject.claims[window],
                     subject.completed[window]);
    }
  }
  return csv;
}

}  // namespace headroom
