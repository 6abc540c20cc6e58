// Small results written by hand: two tenants, a group, two nodes, three windows, names that try to break out.
#pragma once

#include "reports/metrics/run_result.hpp"

namespace headroom {

// Of rows alone.
[[nodiscard]] RunResult sample_result();
// The same with an HTTP side: one tenant is mostly refused, one always served, a third sends requests and has no rows.
// The ledgers of its requests close.
[[nodiscard]] RunResult sample_gate_result();
[[nodiscard]] RunTiming sample_timing();

}  // namespace headroom
