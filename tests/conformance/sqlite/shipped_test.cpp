// Every scenario that the repository ships, with all of its faults and switches, mirrored in SQLite for its first
// events.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>

#include "sim/run/run_scenario.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "sim/store/open_store.hpp"

namespace headroom::test {
namespace {

constexpr std::uint64_t kEvents = 4000;

std::vector<std::string> shipped_scenarios() {
  const char* const source = std::getenv("HEADROOM_SOURCE_DIR");
  INFO("HEADROOM_SOURCE_DIR is set by ctest");
  REQUIRE(source != nullptr);
  std::vector<std::string> files;
  for (const char* const folder : {"/scenarios", "/scenarios/cases"}) {
    for (const auto& entry : std::filesystem::directory_iterator(std::string(source) + folder)) {
      if (entry.path().extension() == ".json") {
        files.push_back(entry.path().string());
      }
    }
  }
  std::ranges::sort(files);
  return files;
}

}  // namespace

TEST_CASE("SQLite says what the model says in every shipped scenario") {
  const Result<std::unique_ptr<Store>> store = open_store("sqlite::memory:", StoreUse::alone);
  REQUIRE(store);
  std::uint64_t transactions = 0;
  for (const std::string& file : shipped_scenarios()) {
    INFO(file);
    const Result<Scenario> scenario = read_scenario(file, {});
    REQUIRE(scenario);
    RunRequest request{.scenario = scenario.value(), .seed = scenario.value().seed, .properties = false, .limits = {}};
    request.limits.max_events = kEvents;
    request.store = store.value().get();
    const RunReport report = run_scenario(request);
    CHECK(report.store_difference == "");
    CHECK(report.store_failure == "");
    transactions += report.store_transactions;
  }
  CHECK(transactions > 10 * kEvents);
}

}  // namespace headroom::test
