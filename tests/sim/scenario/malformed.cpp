#include <algorithm>
#include <catch2/catch.hpp>

#include "sim/scenario/read_scenario.hpp"
#include "tests/sim/scenario/malformed_cases.hpp"

using namespace headroom;
using headroom::test::malformed_cases;
using headroom::test::MalformedCase;
using headroom::test::sound_scenario;

TEST_CASE("the scenario that the malformed ones are made from is sound") {
  const Result<Scenario> scenario = read_scenario_text(sound_scenario(), "sound.json");
  if (!scenario) {
    FAIL(scenario.faults().front().text());
  }
  SUCCEED();
}

TEST_CASE("there are at least 200 malformed scenarios") {
  CHECK(malformed_cases().size() >= 200);
}

TEST_CASE("every malformed scenario is refused where it is wrong, in one line that says what") {
  for (const MalformedCase& malformed : malformed_cases()) {
    INFO(malformed.what);
    const Result<Scenario> scenario = read_scenario_text(malformed.text, "x.json");
    CHECK_FALSE(scenario);
    if (scenario) {
      continue;
    }
    const std::string place = "x.json: " + (malformed.pointer.empty() ? "/" : malformed.pointer) + ": ";
    std::string lines;
    bool found = false;
    for (const Diagnostic& fault : scenario.faults()) {
      const std::string line = fault.text();
      CHECK(line.find('\n') == std::string::npos);
      found = found || (line.starts_with(place) && line.find(malformed.word) != std::string::npos);
      lines += line + "\n";
    }
    INFO("expected " << place << "... " << malformed.word << " ...; got:\n" << lines);
    CHECK(found);
    CHECK(scenario.faults().size() <= 3);
  }
}
