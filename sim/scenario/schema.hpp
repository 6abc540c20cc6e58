// The scenario format as JSON Schema (draft 2020-12), for editors and for checks outside of this program.
#pragma once

#include <string>

namespace headroom {

// Indented JSON. It states every key, type, name and range that the reader knows; what must hold between several
// values, and the size of durations and rates, only the reader checks.
[[nodiscard]] std::string scenario_schema();

}  // namespace headroom
