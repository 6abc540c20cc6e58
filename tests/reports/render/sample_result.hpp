// A small result written by hand: two tenants, a group, two nodes, three windows, names that try to break out.
#pragma once

#include "reports/metrics/run_result.hpp"

namespace headroom {

[[nodiscard]] RunResult sample_result();
[[nodiscard]] RunTiming sample_timing();

}  // namespace headroom
