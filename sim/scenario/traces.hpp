// The recorded arrivals and durations that a scenario names.
#pragma once

#include <string>
#include <vector>

#include "sim/scenario/reading.hpp"
#include "sim/scenario/scenario.hpp"

namespace headroom {

// Fills the entries of every trace arrival process from its file; files are read once, relative to the scenario's
// folder. Reports what is wrong with them where the scenario names them.
void load_traces(Scenario& scenario, Reading& reading);

// One column of a file, for an empirical distribution. Empty, with a fault where the reader stands, if it cannot be
// read.
[[nodiscard]] std::vector<Duration> load_durations(const std::string& file, const std::string& column,
                                                   Reading& reading);

}  // namespace headroom
