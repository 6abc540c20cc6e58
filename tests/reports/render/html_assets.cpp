#include "tests/reports/render/html_assets.hpp"

#include <string_view>
#include <utility>

#include "reports/render/html/assets.hpp"

namespace headroom {

std::string without_assets(std::string page) {
  const std::pair<std::string_view, std::string_view> assets[] = {
      {kDygraphsStyle, "[dygraphs style]"}, {kDygraphsScript, "[dygraphs]"}, {kSynchronizerScript, "[synchronizer]"},
      {kReportStyle, "[report.css]"},       {kTablesScript, "[tables.js]"},  {kChartsScript, "[charts.js]"},
      {kSweepsScript, "[sweeps.js]"},       {kStepsScript, "[steps.js]"}};
  for (const auto& [text, name] : assets) {
    if (const std::size_t at = page.find(text); at != std::string::npos) {
      page.replace(at, text.size(), name);
    }
  }
  return page;
}

}  // namespace headroom
