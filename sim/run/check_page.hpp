// What a check or a replay found, as the plain values of its page.
//
//   write(folder / "report.html", render_check_html(page_of(report, files, command)));
#pragma once

#include <string>
#include <vector>

#include "reports/render/html_check.hpp"
#include "sim/run/check_scenario.hpp"
#include "sim/run/counterexample.hpp"

namespace headroom {

// `files`: counterexamples_of's. The traces name the files of the report's judgements, so set their folder before.
[[nodiscard]] CheckedScope page_of(const CheckReport& report, const std::vector<CounterexampleFile>& files,
                                   const std::string& command);
[[nodiscard]] CheckedScope page_of(const Replay& replay, const std::string& file, const std::string& command);

}  // namespace headroom
