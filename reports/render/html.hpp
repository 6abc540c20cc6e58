// report.html: one self-contained page. It needs no network and allows none (its Content-Security-Policy refuses
// everything that is not in the file), reads on paper, in the dark and on a phone, and without a script still shows
// every figure; the script adds sorting and the charts.
#pragma once

#include <string>

#include "reports/metrics/run_result.hpp"

namespace headroom {

[[nodiscard]] std::string render_html(const RunResult& result);

}  // namespace headroom
