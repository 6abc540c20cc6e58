// The program, given scenarios that are none: bad input is said in one line a fault, and nothing else happens.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/wait.h>

#include "tests/sim/scenario/malformed_cases.hpp"

using headroom::test::malformed_cases;
using headroom::test::MalformedCase;

namespace {

std::string content(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

struct Outcome {
  int status = -1;
  std::string output;
  std::string errors;
};

// Runs the program on a scenario in `folder`.
Outcome run(const std::filesystem::path& folder, const std::string& text) {
  const char* program = std::getenv("HEADROOM_PROGRAM");
  REQUIRE(program != nullptr);
  std::ofstream(folder / "x.json", std::ios::binary) << text;
  const std::string command = "cd '" + folder.string() + "' && '" + program + "' run x.json --out out >output 2>errors";
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, content(folder / "output"), content(folder / "errors")};
}

}  // namespace

TEST_CASE("the program refuses every malformed scenario with status 2 and writes nothing") {
  std::string name = (std::filesystem::temp_directory_path() / "headroom_XXXXXX").string();
  REQUIRE(mkdtemp(name.data()) != nullptr);
  const std::filesystem::path folder = name;
  for (const MalformedCase& malformed : malformed_cases()) {
    INFO(malformed.what);
    const Outcome outcome = run(folder, malformed.text);
    CHECK(outcome.status == 2);
    CHECK(outcome.output.empty());
    CHECK_THAT(outcome.errors,
               Catch::Contains("x.json: " + (malformed.pointer.empty() ? "/" : malformed.pointer) + ": "));
    CHECK_FALSE(std::filesystem::exists(folder / "out"));
  }
  std::filesystem::remove_all(folder);
}
