// series.csv: a line for each window and each tenant or group, by time, then by name. RFC 4180, with a header line.
// (Lines end with \n alone.) Gauges are the peak within the window; counters are of the window alone. A run with an
// HTTP side has more columns, and fleet_series.csv beside it: a line for each window, of what all processes share. The
// two join on window_start_ms.
#pragma once

#include <string>

#include "reports/metrics/series.hpp"

namespace headroom {

[[nodiscard]] std::string render_series_csv(const RunSeries& series);

// Needs series.has_gate.
[[nodiscard]] std::string render_fleet_series_csv(const RunSeries& series);

}  // namespace headroom
