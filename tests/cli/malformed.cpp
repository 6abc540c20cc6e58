// The program, given scenarios that are none: bad input is said in one line a fault, and nothing else happens.
#include <catch2/catch.hpp>

#include "tests/cli/program.hpp"
#include "tests/sim/scenario/malformed_cases.hpp"

namespace headroom::test {

TEST_CASE("the program refuses every malformed scenario with status 2 and writes nothing") {
  const ProgramFolder folder;
  for (const MalformedCase& malformed : malformed_cases()) {
    INFO(malformed.what);
    folder.write("x.json", malformed.text);
    const Outcome outcome = folder.run({"run", "x.json", "--out", "out"});
    CHECK(outcome.status == 2);
    CHECK(outcome.output.empty());
    CHECK_THAT(outcome.errors,
               Catch::Contains("x.json: " + (malformed.pointer.empty() ? "/" : malformed.pointer) + ": "));
    CHECK_FALSE(folder.exists("out"));
  }
}

}  // namespace headroom::test
