// The scenarios that the repository ships.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/scenario/read_scenario.hpp"

using namespace headroom;

namespace {

std::vector<std::filesystem::path> shipped_scenarios() {
  const char* folder = std::getenv("HEADROOM_SOURCE_DIR");
  REQUIRE(folder != nullptr);
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(folder) / "scenarios")) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(".json") && !name.ends_with(".schema.json")) {
      files.push_back(entry.path());
    }
  }
  return files;
}

}  // namespace

TEST_CASE("every shipped scenario is read without a fault and is named after its file") {
  for (const std::filesystem::path& file : shipped_scenarios()) {
    const Result<Scenario> scenario = read_scenario(file.string());
    INFO(file << (scenario ? "" : ": " + scenario.faults().front().text()));
    CHECK(scenario);
    CHECK((!scenario || scenario.value().name == file.stem().string()));
  }
}

TEST_CASE("no shipped scenario needs a reader that knows comments") {
  for (const std::filesystem::path& file : shipped_scenarios()) {
    INFO(file);
    std::ifstream stream(file, std::ios::binary);
    CHECK(nlohmann::json::accept(std::string(std::istreambuf_iterator<char>(stream), {})));
  }
}
