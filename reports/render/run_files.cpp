#include "reports/render/run_files.hpp"

#include <string>
#include <system_error>
#include <utility>

#include "reports/render/file.hpp"
#include "reports/render/html.hpp"
#include "reports/render/json.hpp"
#include "reports/render/junit.hpp"
#include "reports/render/markdown.hpp"
#include "reports/render/openmetrics.hpp"
#include "reports/render/perfetto.hpp"
#include "reports/render/series_csv.hpp"

namespace headroom {

Result<std::vector<std::filesystem::path>> write_run_files(const std::filesystem::path& folder, const RunResult& result,
                                                           const RunTiming& timing) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure) {
    return Diagnostic{folder.string(), "", "cannot be made (" + failure.message() + ")",
                      "a folder, or a path at which one can be made"};
  }
  std::vector<std::pair<std::string, std::string>> files = {
      {"result.json", render_result_json(result)},
      {"timing.json", render_timing_json(timing)},
      {"report.md", render_markdown(result)},
      {"report.html", render_html(result)},
      {"series.csv", render_series_csv(result.series)},
      {"metrics.txt", render_openmetrics(result)},
      {"junit.xml", render_junit(result)},
      {"trace.json", render_perfetto(result)},
  };
  if (result.series.has_gate) {
    files.emplace_back("fleet_series.csv", render_fleet_series_csv(result.series));
  }
  std::vector<std::filesystem::path> written;
  for (const auto& [name, text] : files) {
    const Result<std::uint64_t> bytes = write_file_atomically(folder / name, text);
    if (!bytes) {
      return bytes.faults();
    }
    written.push_back(folder / name);
  }
  return written;
}

}  // namespace headroom
