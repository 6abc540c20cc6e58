#include "sim/scenario/schema.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "sim/scenario/names.hpp"

using namespace headroom;

namespace {

std::string shipped_schema() {
  const char* folder = std::getenv("HEADROOM_SOURCE_DIR");
  REQUIRE(folder != nullptr);
  std::ifstream stream(std::string(folder) + "/scenarios/schema/scenario.schema.json", std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

// `headroom schema >scenarios/schema/scenario.schema.json` brings it up to date.
TEST_CASE("the shipped schema is the one that the reader's tables state") {
  CHECK(shipped_schema() == scenario_schema());
}

TEST_CASE("the schema states names, ranges, defaults and required keys") {
  const nlohmann::json schema = nlohmann::json::parse(scenario_schema());
  const nlohmann::json& cluster = schema["properties"]["cluster"]["properties"];
  CHECK(schema["required"] == nlohmann::json({"schema", "name", "duration", "cluster", "tenants"}));
  CHECK(schema["additionalProperties"] == false);
  CHECK(cluster["nodes"]["minimum"] == 1);
  CHECK(cluster["nodes"]["maximum"] == 1024);
  CHECK(cluster["nodes"]["default"] == 3);
  CHECK(cluster["poll_interval"]["default"] == "20ms");
  CHECK(schema["properties"]["backpressure"]["properties"]["planner"]["enum"] ==
        nlohmann::json({"unscoped", "fixed_order", "rotating", "deficit_round_robin"}));
  CHECK(schema["properties"]["tenants"]["items"]["$ref"] == "#/$defs/tenant");
  CHECK(schema["$defs"]["arrivals"]["oneOf"].size() == 8);
  CHECK(schema["$defs"]["distribution"]["oneOf"].size() == 7);
}

TEST_CASE("every list of names says what each name means") {
  for (const NameList& list : all_names()) {
    INFO(list.title);
    CHECK_FALSE(list.entries.empty());
    for (const NameList::Entry& entry : list.entries) {
      INFO(entry.name);
      CHECK_FALSE(entry.summary.empty());
    }
  }
}
