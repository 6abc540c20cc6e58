// What `headroom validate` warns of: scenarios that can be run, but whose arithmetic cannot work out.
#pragma once

#include "model/base/result.hpp"
#include "sim/scenario/scenario.hpp"

namespace headroom {

// Figures in the messages are long-run means, latency shifts and faults left aside.
[[nodiscard]] Diagnostics warnings(const Scenario& scenario);
// Those of the gate, what it protects and whom it serves.
[[nodiscard]] Diagnostics admission_warnings(const Scenario& scenario);

}  // namespace headroom
