// junit.xml: a test suite for the scenario, a test case for each expectation. A violated one is a failure, an undecided
// one an error: what proves nothing is not green. What nobody expects is no test case.
//
// There are no wall times in it: the same run gives the same bytes.
#pragma once

#include <string>

#include "reports/metrics/run_result.hpp"

namespace headroom {

[[nodiscard]] std::string render_junit(const RunResult& result);

}  // namespace headroom
