// series.csv: a line for each window and each tenant or group, by time, then by name. RFC 4180, with a header line.
// (Lines end with \n alone.) Gauges are the peak within the window; counters are of the window alone.
#pragma once

#include <string>

#include "reports/metrics/series.hpp"

namespace headroom {

[[nodiscard]] std::string render_series_csv(const RunSeries& series);

}  // namespace headroom
