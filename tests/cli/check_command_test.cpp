// `headroom check` and `headroom replay`, as a user calls them.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/cli/program.hpp"

namespace headroom::test {
namespace {

using nlohmann::json;
using Words = std::vector<std::string>;

// One permit, a queue of `depth`, two tenants, last in first out.
std::string lifo(int depth) {
  const json document = {
      {"schema", 1},
      {"name", "lifo"},
      {"duration", "1s"},
      {"cluster", {{"nodes", 1}, {"shards", 1}}},
      {"admission", {{"max_inflight", 1}, {"max_queue_depth", depth}, {"queue_wait", "1s"}, {"queue_order", "lifo"}}},
      {"tenants", {{{"name", "a"}}, {{"name", "b"}}}},
      {"check", {{"requests_per_tenant", "unbounded"}, {"properties", {"gate_progress"}}}}};
  return document.dump();
}

json entry(const json& result, const std::string& name, const std::string& kind) {
  for (const json& property : result["properties"]) {
    if (property["name"] == name && property["kind"] == kind) {
      return property;
    }
  }
  FAIL("no " << kind << " property " << name);
  return {};
}

}  // namespace

TEST_CASE("every shipped scope is exhausted and is what it expects to be") {
  const ProgramFolder folder;
  int scopes = 0;
  for (const auto& file :
       std::filesystem::directory_iterator(std::filesystem::path(shipped_scope("x")).parent_path())) {
    const Outcome outcome = folder.run({"check", file.path().string(), "--expect", "--json"});
    INFO(file.path().filename().string() << "\n" << outcome.output << outcome.errors);
    CHECK(outcome.status == 0);
    const json result = json::parse(outcome.output);
    CHECK(result["exhausted"] == true);
    CHECK(result["verdict"] == "pass");
    CHECK(result["scenario"]["name"] == file.path().stem().string());
    ++scopes;
  }
  CHECK(scopes >= 4);
  CHECK(folder.names().empty());
}

// The shortest way by hand: one runs, one waits, a later one is handed the permit; then a third comes and goes for
// ever.
TEST_CASE("a violation exits 1 and is written as a file that replay walks to the same end") {
  const ProgramFolder folder;
  folder.write("x.json", lifo(2));
  const Outcome checked = folder.run({"check", "x.json", "--json", "--out", "out"});
  CHECK(checked.status == 1);
  CHECK(checked.last_error_line() == "headroom check x.json");
  const json result = json::parse(checked.output);
  CHECK(result["verdict"] == "fail");
  const json starves = entry(result, "gate_progress", "liveness");
  CHECK(starves["verdict"] == "fail");
  CHECK(starves["steps"] == 6);
  CHECK(starves["loop_steps"] == 2);
  CHECK(entry(result, "gate_safety", "safety")["decides"] == false);
  CHECK(result["extremes"]["worst_passed_over"]["a"] == "unbounded");
  CHECK(result["extremes"]["queue_depth_max"]["n1"] == 2);
  REQUIRE(starves["counterexample"] == "out/counterexample-gate_progress.json");

  const Outcome replayed = folder.run({"replay", starves["counterexample"].get<std::string>(), "--json"});
  CHECK(replayed.status == 1);
  const json replay = json::parse(replayed.output);
  CHECK(replay["counterexample"]["confirmed"] == true);
  CHECK(replay["counterexample"]["shows"] == starves["reason"]);
  CHECK(replay["counterexample"]["steps"].size() == 6);
  CHECK(folder.run({"replay", "out/counterexample-gate_progress.json"}).output.find("2 steps repeat for ever") !=
        std::string::npos);
}

TEST_CASE("what is expected to be broken passes only with --expect, and fails when it holds") {
  const ProgramFolder folder;
  json document = json::parse(lifo(2));
  document["expect"] = json::array({{{"property", "gate_progress"}, {"broken", true}}});
  folder.write("x.json", document.dump());
  CHECK(folder.run({"check", "x.json"}).status == 1);
  CHECK(folder.run({"check", "x.json", "--expect"}).status == 0);
  const Words holds = {"check", "x.json", "--set", "/admission/queue_order=fifo"};
  CHECK(folder.run(holds).status == 0);
  Words expected = holds;
  expected.emplace_back("--expect");
  CHECK(folder.run(expected).status == 1);
}

TEST_CASE("a wake that is lost starves a node's tenants where nobody polls, and nobody where all do") {
  const ProgramFolder folder;
  const Outcome alone = folder.run({"check", shipped_scope("lost_wakeup"), "--json"});
  CHECK(alone.status == 1);
  const json result = json::parse(alone.output);
  CHECK(result["exhausted"] == true);
  CHECK(result["scenario"]["scope"].get<std::string>().find("no polls; 1 lost wake") != std::string::npos);
  CHECK(entry(result, "no_starvation", "liveness")["verdict"] == "fail");
  CHECK(entry(result, "no_starvation", "liveness")["loop_steps"].get<int>() > 0);
  CHECK(folder.run({"check", shipped_scope("lost_wakeup"), "--set", "/check/polls=true"}).status == 0);
}

TEST_CASE("a scope that is cut short is undecided, unless something was violated in what was seen") {
  const ProgramFolder folder;
  const Outcome cut = folder.run({"check", shipped_scope("gate"), "--max-states", "100", "--json"});
  CHECK(cut.status == 3);
  const json result = json::parse(cut.output);
  CHECK(result["verdict"] == "undecided");
  CHECK(result["exhausted"] == false);
  CHECK(result["ended"] == "cut short by --max-states");
  CHECK(entry(result, "gate_safety", "safety")["verdict"] == "undecided");
}

TEST_CASE("threads do not change what is found") {
  const ProgramFolder folder;
  const auto counts = [&](const std::string& threads) {
    json result = json::parse(folder.run({"check", shipped_scope("drain"), "--json", "--threads", threads}).output);
    for (const char* measured : {"seconds", "states_per_second", "bytes_per_state"}) {
      result.erase(measured);
    }
    return result;
  };
  CHECK(counts("1") == counts("2"));
}

TEST_CASE("every extreme comes with a way to it that replay takes") {
  const ProgramFolder folder;
  for (const char* name : {"gate_nested_caps", "rotating_never_starves", "fixed_order_starves"}) {
    static_cast<void>(folder.run({"check", shipped_scope(name), "--out", "out"}));
    int files = 0;
    for (const std::string& file : folder.names("out")) {
      if (file != "check.json" && file != "report.html") {
        const Outcome outcome = folder.run({"replay", "out/" + file, "--json"});
        INFO(name << ": " << file << "\n" << outcome.errors);
        CHECK(outcome.status == (file.starts_with("counterexample") ? 1 : 0));
        CHECK(json::parse(outcome.output)["counterexample"]["confirmed"] == true);
        ++files;
      }
    }
    CHECK(files > 2);
  }
}

TEST_CASE("check and replay write a page with the steps of what was found") {
  const ProgramFolder folder;
  static_cast<void>(folder.run({"check", shipped_scope("fixed_order_starves"), "--out", "out"}));
  const json counterexample = json::parse(folder.read("out/counterexample-no_starvation.json"));
  REQUIRE(folder.run({"replay", "out/counterexample-no_starvation.json", "--out", "again"}).status == 1);
  for (const char* file : {"out/report.html", "again/counterexample.html"}) {
    INFO(file);
    const std::string page = folder.read(file);
    CHECK(page.find("steps repeat for ever") != std::string::npos);
    CHECK(page.find("state after step " + std::to_string(counterexample["steps"].size())) != std::string::npos);
  }
}

TEST_CASE("a counterexample that was changed is refused, with the step that is not the model's") {
  const ProgramFolder folder;
  folder.write("x.json", lifo(2));
  static_cast<void>(folder.run({"check", "x.json", "--out", "out"}));
  const json sound = json::parse(folder.read("out/counterexample-gate_progress.json"));
  const auto refusal = [&](const std::string& pointer, const json& value) {
    json changed = sound;
    changed[json::json_pointer(pointer)] = value;
    folder.write("changed.json", changed.dump());
    const Outcome outcome = folder.run({"replay", "changed.json"});
    CHECK(outcome.status == 2);
    CHECK(outcome.output.empty());
    return outcome.errors;
  };
  CHECK(refusal("/steps/1/choice", 100).starts_with("changed.json: /steps/1: the model does not take this step"));
  CHECK(refusal("/steps/2/state/0", "n1: up").starts_with("changed.json: /steps/2: "));
  CHECK(refusal("/initial/state/0", "n1: up").starts_with("changed.json: /initial: "));
  CHECK(refusal("/claim/shows", "all is well").starts_with("changed.json: /claim: the steps do not show it"));
  CHECK(refusal("/loop", nullptr).starts_with("changed.json: /claim: the steps do not show it"));
  CHECK(refusal("/loop/steps", 3).starts_with("changed.json: /loop: does not end with the last step"));
  CHECK(refusal("/kind", "counter").starts_with("changed.json: /kind: "));
  CHECK(refusal("/steps/0/more", 1).starts_with("changed.json: /steps/0/more: unknown key"));
  CHECK(refusal("/scenario/text", "{").starts_with("x.json: /: "));
}

TEST_CASE("a picture by --dot draws a small scope, and refuses a large one") {
  const ProgramFolder folder;
  folder.write("x.json", lifo(1));
  CHECK(folder.run({"check", "x.json", "--dot", "x.dot"}).status == 0);
  CHECK(folder.read("x.dot").starts_with("digraph states {"));
  const Outcome large = folder.run({"check", shipped_scope("gate"), "--dot", "large.dot"});
  CHECK(large.status == 2);
  CHECK_FALSE(folder.exists("large.dot"));
}

TEST_CASE("what cannot be checked is bad input") {
  const ProgramFolder folder;
  const auto faults = [&](const Words& more) {
    Words words = {"check", shipped_scope("gate")};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = folder.run(words);
    CHECK(outcome.status == 2);
    CHECK(outcome.output.empty());
    return outcome.errors;
  };
  CHECK(faults({"--set", "/check/rows_per_tenant=1"}).find("requests and rows together are not supported") !=
        std::string::npos);
  CHECK(faults({"--threads", "0"}).find("1 to 256") != std::string::npos);
  CHECK(faults({"--max-memory", "3 apples"}).find("is not a size") != std::string::npos);
  CHECK(faults({"--max-seconds", "-1"}).find("is not a time") != std::string::npos);
  const Outcome without = folder.run({"check", shipped("drain")});
  CHECK(without.status == 2);
  CHECK(without.errors.find("/check: is missing") != std::string::npos);
}

}  // namespace headroom::test
