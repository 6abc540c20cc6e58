// What a scenario has planned to go wrong, on the time axis.
#pragma once

#include <optional>
#include <vector>

#include "reports/metrics/run_result.hpp"
#include "sim/scenario/scenario.hpp"

namespace headroom {

// Latency shifts and faults in time order, as far as they lie in the measured part and are not left to the seed; of
// those that come again and again the first few hundred.
[[nodiscard]] std::vector<Mark> marks_of(const Scenario& scenario);

// From the first of them to the end of the last. Nothing if there is none, or one that goes on to the end of the run.
struct Trigger {
  Time start;
  Time end;
};
[[nodiscard]] std::optional<Trigger> trigger_of(const Scenario& scenario);

}  // namespace headroom
