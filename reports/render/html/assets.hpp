// The files that the pages embed, as they stand at build time (cmake/ReportAssets.cmake makes the definitions).
#pragma once

#include <string_view>

namespace headroom {

extern const std::string_view kDygraphsStyle;
extern const std::string_view kDygraphsScript;
extern const std::string_view kSynchronizerScript;
extern const std::string_view kReportStyle;
extern const std::string_view kTablesScript;
extern const std::string_view kChartsScript;
extern const std::string_view kSweepsScript;
extern const std::string_view kStepsScript;

}  // namespace headroom
