// Scenarios that must be refused: one sound document, and what each case changes in it.
#pragma once

#include <string>
#include <vector>

namespace headroom::test {

struct MalformedCase {
  std::string what;     // the change, for messages
  std::string text;     // of the scenario
  std::string pointer;  // where a fault must be reported
  std::string word;     // what its line must say
};

// Sound as it is; every case differs from it in one place.
[[nodiscard]] const std::string& sound_scenario();

[[nodiscard]] std::vector<MalformedCase> malformed_cases();

}  // namespace headroom::test
