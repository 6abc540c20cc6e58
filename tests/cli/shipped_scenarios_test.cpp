// What the shipped scenarios show, read from the files that the program writes.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/cli/program.hpp"

namespace headroom::test {
namespace {

using nlohmann::json;
using Words = std::vector<std::string>;

Words with_sets(Words arguments, const Words& sets) {
  for (const std::string& set : sets) {
    arguments.insert(arguments.end(), {"--set", set});
  }
  return arguments;
}

json result_of(const std::string& scenario, const Words& sets = {}) {
  const ProgramFolder folder;
  const Outcome outcome = folder.run(with_sets({"run", shipped(scenario), "--json"}, sets));
  INFO(outcome.errors);
  REQUIRE_FALSE(outcome.output.empty());
  return json::parse(outcome.output);
}

// Lines of sweeps.jsonl before the drain, at whose start the backlogs cease to be refilled.
std::vector<json> sweeps_of(const std::string& scenario, const Words& sets = {}) {
  const ProgramFolder folder;
  static_cast<void>(folder.run(with_sets({"run", shipped(scenario), "--out", "out", "--sweeps"}, sets)));
  const double end = json::parse(folder.read("out/result.json"))["simulated_seconds"].get<double>() -
                     json::parse(folder.read("out/result.json"))["drain"]["seconds"].get<double>();
  std::istringstream lines(folder.read("out/sweeps.jsonl"));
  std::vector<json> sweeps;
  for (std::string line; std::getline(lines, line);) {
    json sweep = json::parse(line);
    if (sweep["t_ms"].get<double>() < 1000 * end) {
      sweeps.push_back(std::move(sweep));
    }
  }
  REQUIRE(sweeps.size() > 1000);
  return sweeps;
}

// Grants by tenant, in the order of names; 0 for those that the line does not have.
std::vector<int> grants(const json& sweep, const Words& names) {
  std::vector<int> granted;
  for (const std::string& name : names) {
    const auto tenant = sweep["tenants"].find(name);
    granted.push_back(tenant == sweep["tenants"].end() ? 0 : (*tenant)["granted"].get<int>());
  }
  return granted;
}

// A backlogged tenant as `fixed_order_starves` has them.
json backlogged(const std::string& name) {
  return {{"name", name},
          {"quota", 1'000'000},
          {"rows",
           {{"arrivals", {{"kind", "backlog"}, {"n", 1000}}}, {"service", {{"kind", "constant"}, {"value", "10ms"}}}}}};
}

std::vector<std::filesystem::path> scenario_files() {
  std::vector<std::filesystem::path> files;
  for (const char* place : {"x", "cases/x"}) {
    for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(shipped(place)).parent_path())) {
      if (entry.path().extension() == ".json") {
        files.push_back(entry.path());
      }
    }
  }
  std::ranges::sort(files);
  return files;
}

// The settings under which nothing of spec 1 may break; a planner that keeps its promises stays.
Words safe_switches(const json& scenario) {
  Words sets{"/backpressure/claimed_counts=owned_or_started",
             "/backpressure/ceiling_growth=settled",
             "/backpressure/fraction_refresh=live",
             "/backpressure/on_quota_error=last_known",
             "/backpressure/scope_on_loss=narrow",
             "/backpressure/zero_owned=zero",
             "/outbox/settle_guard=fence",
             "/outbox/rearm_pass=one_step"};
  const json planner = scenario.value(json::json_pointer("/backpressure/planner"), json("rotating"));
  if (planner == "fixed_order" || planner == "unscoped") {
    sets.push_back("/backpressure/planner=rotating");
  }
  return sets;
}

const json& judgement(const json& result, const std::string& name) {
  for (const char* list : {"expectations", "information"}) {
    for (const json& entry : result[list]) {
      if (entry["name"] == name) {
        return entry;
      }
    }
  }
  FAIL("no judgement of " << name);
  return result;
}

}  // namespace

TEST_CASE("every shipped scenario holds what it expects") {
  const ProgramFolder folder;
  for (const std::filesystem::path& file : scenario_files()) {
    const Outcome outcome = folder.run({"run", file.string()});
    INFO(file.filename().string() << "\n" << outcome.output << outcome.errors);
    CHECK(outcome.status == 0);
  }
  CHECK(scenario_files().size() >= 51);
  CHECK(folder.names().empty());
}

// A scenario that shows what a switch breaks must not be broken by something else.
TEST_CASE("a property that a shipped scenario expects to be broken holds once every switch has its safe value") {
  std::size_t broken = 0;
  for (const std::filesystem::path& file : scenario_files()) {
    std::ifstream stream(file, std::ios::binary);
    const json scenario = json::parse(stream);
    const auto expects_broken = [](const json& expectation) { return expectation.value("broken", false); };
    if (std::ranges::none_of(scenario["expect"], expects_broken)) {
      continue;
    }
    const std::string folder = file.parent_path().filename() == "cases" ? "cases/" : "";
    const json result = result_of(folder + file.stem().string(), safe_switches(scenario));
    for (std::size_t i = 0; i < scenario["expect"].size(); ++i) {
      if (expects_broken(scenario["expect"][i])) {
        INFO(file.filename().string() << ": " << result["expectations"][i].dump());
        CHECK(result["expectations"][i]["verdict"] == "fail");  // not broken
        ++broken;
      }
    }
  }
  CHECK(broken >= 15);
}

TEST_CASE("fixed_order grants 2, 2, 0 in every sweep for ever") {
  for (const json& sweep : sweeps_of("fixed_order_starves")) {
    REQUIRE(grants(sweep, {"a", "b", "c"}) == std::vector{2, 2, 0});
  }
  const json result = result_of("fixed_order_starves");
  CHECK(result["tenants"]["a"]["completed"] > 2000);
  CHECK(result["tenants"]["b"]["completed"] > 2000);
  CHECK(result["tenants"]["c"]["completed"] == 0);
}

TEST_CASE("rotating grants the same three tenants the same, within a row a node") {
  const Words names{"a", "b", "c"};
  std::map<std::string, std::vector<int>> totals;  // by node
  for (const json& sweep : sweeps_of("fixed_order_starves", {"/backpressure/planner=rotating"})) {
    std::vector<int>& total = totals.try_emplace(sweep["node"].get<std::string>(), names.size(), 0).first->second;
    const std::vector<int> granted = grants(sweep, names);
    for (std::size_t i = 0; i < names.size(); ++i) {
      total[i] += granted[i];
    }
    const auto [least, most] = std::ranges::minmax(total);
    REQUIRE(most - least <= 1);
  }
  CHECK(totals.size() == 2);
}

// (tenants, batch) of spec 1.3: whoever is last by name starves.
TEST_CASE("fixed_order starves the last name for other batches and numbers of tenants") {
  for (const auto& [tenants, batch] : {std::pair{2, 1}, {3, 2}, {4, 5}, {4, 6}, {5, 11}, {6, 9}}) {
    INFO(tenants << " tenants, batch " << batch);
    json list = json::array();
    for (int i = 0; i < tenants; ++i) {
      list.push_back(backlogged(std::string(1, static_cast<char>('a' + i))));
    }
    const std::string last = list.back()["name"];
    const Words sets{"/tenants=" + list.dump(), "/backpressure/batch_size=" + std::to_string(batch), "/expect=[]"};
    CHECK(result_of("fixed_order_starves", sets)["tenants"][last]["completed"] == 0);
    Words rotating = sets;
    rotating.push_back("/backpressure/planner=rotating");
    CHECK(result_of("fixed_order_starves", rotating)["tenants"][last]["completed"] > 500);
  }
}

TEST_CASE("a batch of 16 among five is 4, 4, 4, 4, 0 in fixed order and 4, 3, 3, 3, 3 in turn when rotating") {
  const Words names{"a", "b", "c", "d", "e"};
  for (const json& sweep : sweeps_of("slices", {"/backpressure/planner=fixed_order"})) {
    REQUIRE(grants(sweep, names) == std::vector{4, 4, 4, 4, 0});
  }
  std::size_t turn = 0;
  for (const json& sweep : sweeps_of("slices")) {
    std::vector<int> expected(names.size(), 3);
    expected[turn++ % names.size()] = 4;
    REQUIRE(grants(sweep, names) == expected);
  }
}

TEST_CASE("backpressure shortens every quiet tenant's p99 wait tenfold") {
  const json scoped = result_of("bursty_tenant");
  const json unscoped = result_of("bursty_tenant_unscoped");
  for (int i = 1; i <= 5; ++i) {
    const std::string name = "quiet_" + std::to_string(i);
    INFO(name);
    CHECK(scoped["tenants"][name]["appended"] == unscoped["tenants"][name]["appended"]);
    CHECK(unscoped["tenants"][name]["wait_ms"]["p99"].get<double>() >=
          10 * scoped["tenants"][name]["wait_ms"]["p99"].get<double>());
  }
  CHECK(scoped["tenants"]["noisy"]["appended"] == unscoped["tenants"]["noisy"]["appended"]);
}

TEST_CASE("a quota of 1 is a ceiling of 1 on each of 4 nodes, and no more than 4 rows at once") {
  std::map<std::string, int> ceilings;
  for (const json& sweep : sweeps_of("small_quotas")) {
    if (const auto one = sweep["tenants"].find("one"); one != sweep["tenants"].end()) {
      ceilings[sweep["node"]] = (*one)["ceiling"];
    }
  }
  CHECK(ceilings == std::map<std::string, int>{{"n1", 1}, {"n2", 1}, {"n3", 1}, {"n4", 1}});
  CHECK(judgement(result_of("small_quotas"), "quota_sum")["verdict"] == "pass");
}

TEST_CASE("handoffs push long work past the quota under the four weaker combinations only") {
  for (const std::string counts : {"owned_shards", "started", "owned_or_started"}) {
    for (const std::string growth : {"immediate", "settled"}) {
      INFO(counts << ", " << growth);
      const json result = result_of(
          "rebalancing", {"/backpressure/claimed_counts=" + counts, "/backpressure/ceiling_growth=" + growth});
      const bool strict = growth == "settled" && counts != "owned_shards";
      CHECK(judgement(result, "quota_sum")["verdict"] == (strict ? "pass" : "fail"));
      CHECK(judgement(result, "ceiling")["verdict"] == "pass");
      if (strict) {  // at most quota + 2 nodes - 1
        CHECK(result["cluster"]["quota"]["peak_executing_over"] <= 1);
      }
    }
  }
}

}  // namespace headroom::test
