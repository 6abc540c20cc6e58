// The files that `run --out` leaves.
//
//   const auto written = write_run_files("out", result, timing);
#pragma once

#include <filesystem>
#include <vector>

#include "model/base/result.hpp"
#include "reports/metrics/run_result.hpp"

namespace headroom {

// Makes the folder where it is missing and writes result.json, timing.json, report.md, report.html, junit.xml,
// series.csv, metrics.txt and trace.json, and fleet_series.csv where the run has an HTTP side, each whole. Returns
// their paths.
[[nodiscard]] Result<std::vector<std::filesystem::path>> write_run_files(const std::filesystem::path& folder,
                                                                         const RunResult& result,
                                                                         const RunTiming& timing);

}  // namespace headroom
