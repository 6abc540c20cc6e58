// Compares what a renderer wrote with the approved file in tests/golden.
//
//   check_golden("result.json", render_result_json(sample_result()));
//
// With HEADROOM_APPROVE=1 in the environment the approved file is rewritten instead: read the difference before it is
// committed.
#pragma once

#include <string>

namespace headroom {

void check_golden(const std::string& file, const std::string& rendered);

}  // namespace headroom
