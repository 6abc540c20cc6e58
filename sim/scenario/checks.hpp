// What must hold between the parts of a scenario.
#pragma once

#include "sim/scenario/reading.hpp"
#include "sim/scenario/scenario.hpp"

namespace headroom {

// Reports what refers to something that is not there, contradicts another part, or asks for more than fits. Parts that
// were not read in full are passed over: their faults are known already.
void check_scenario(const Scenario& scenario, Reading& reading);

}  // namespace headroom
