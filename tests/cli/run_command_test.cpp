// `headroom run` as a user sees it: exit statuses, what is printed, what is written.
#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/cli/program.hpp"

namespace headroom::test {
namespace {

using nlohmann::json;
using Names = std::vector<std::string>;

const Names kFiles{"junit.xml",   "metrics.txt", "report.html", "report.md",
                   "result.json", "series.csv",  "timing.json", "trace.json"};
const Names kFilesWithSweeps{"junit.xml",  "metrics.txt",  "report.html", "report.md", "result.json",
                             "series.csv", "sweeps.jsonl", "timing.json", "trace.json"};

// Two tenants whose arrivals, services and failures are drawn, some faults, and no expectation but `expect`.
json small_scenario(const json& expect = json::array()) {
  json scenario = json::parse(R"({
    "schema": 1, "name": "small", "seed": 3, "duration": "2s", "warmup": "200ms", "window": "100ms",
    "cluster": {"nodes": 2, "shards": 8, "workers": 4, "detection_delay": "50ms"},
    "tenants": [
      {"name": "b", "quota": 4, "rows": {"arrivals": {"kind": "poisson", "rate": "100/s"}, "failure": 0.1}},
      {"name": "a", "quota": 2, "rows": {"arrivals": {"kind": "poisson", "rate": "50/s"}, "workflows": 3}},
      {"name": "c", "count": 3, "quota": 2, "rows": {"arrivals": {"kind": "poisson", "rate": "9/s"}}}],
    "faults": [{"kind": "handoff", "shard": 1, "to": "n2", "every": "100ms"},
               {"kind": "crash", "node": "n1", "at": "1s"}]})");
  scenario["expect"] = expect;
  return scenario;
}
const json kImpossible = json::parse(R"([{"metric": "/tenants/a/completed", "at_least": 1000000}])");

// The same document with the keys of every object in falling order.
std::string backwards(const json& node) {
  std::string out;
  if (node.is_object()) {
    for (auto member = node.rbegin(); member != node.rend(); ++member) {
      out += (out.empty() ? "" : ", ") + json(member.key()).dump() + ": " + backwards(member.value());
    }
    return "{" + out + "}";
  }
  if (node.is_array()) {
    for (const json& entry : node) {
      out += (out.empty() ? "" : ", ") + backwards(entry);
    }
    return "[" + out + "]";
  }
  return node.dump();
}

}  // namespace

TEST_CASE("a run that holds exits 0, prints a summary and writes nothing") {
  const ProgramFolder folder;
  folder.write("x.json", small_scenario().dump());
  const Outcome outcome = folder.run({"run", "x.json"});
  CHECK(outcome.status == 0);
  CHECK_THAT(outcome.output, Catch::Contains("small"));
  CHECK(outcome.errors.empty());
  CHECK(folder.names() == Names{"x.json"});
}

TEST_CASE("an expectation that is violated exits 1 and ends with the command that shows it again") {
  const ProgramFolder folder;
  folder.write("it's.json", small_scenario(kImpossible).dump());
  const Outcome outcome = folder.run({"run", "it's.json", "--seed", "7", "--set", "/cluster/workers=2"});
  CHECK(outcome.status == 1);
  CHECK(outcome.last_error_line() == R"(headroom run 'it'\''s.json' --seed 7 --set /cluster/workers=2)");
  // What an expectation says is violated is as good as what it says holds.
  folder.write("x.json", small_scenario(json::parse(R"([{"property": "ledger", "broken": true}])")).dump());
  CHECK(folder.run({"run", "x.json"}).status == 1);
}

TEST_CASE("a twin run is compared with for each tenant but those left out, and is a phase of its own") {
  const ProgramFolder folder;
  folder.write("x.json", small_scenario().dump());
  REQUIRE(folder.run({"run", "x.json", "--twin", "b", "--twin", "c", "--out", "out"}).status == 0);
  const json result = json::parse(folder.read("out/result.json"));
  CHECK(result["tenants"]["a"]["noise_amplification"]["without"] == "b, c");
  CHECK(result["tenants"]["a"]["noise_amplification"]["p99_ms"] == result["tenants"]["a"]["wait_ms"]["p99"]);
  CHECK(result["tenants"]["b"]["noise_amplification"]["without"].is_null());
  CHECK(result["groups"]["c"]["noise_amplification"]["without"].is_null());
  CHECK(json::parse(folder.read("out/timing.json"))["phases"].contains("twin"));
}

TEST_CASE("tenants marked noisy have a twin of their own accord, unless it is declined") {
  const ProgramFolder folder;
  json scenario = small_scenario();
  scenario["tenants"][0]["noisy"] = true;
  folder.write("x.json", scenario.dump());
  const json result = json::parse(folder.run({"run", "x.json", "--json"}).output);
  CHECK(result["tenants"]["a"]["noise_amplification"]["without"] == "b");
  CHECK(result["groups"]["c"]["noise_amplification"]["without"] == "b");
  const json declined = json::parse(folder.run({"run", "x.json", "--json", "--no-twin"}).output);
  CHECK(declined["tenants"]["a"]["noise_amplification"]["without"].is_null());
}

TEST_CASE("a twin without a tenant that is not there is refused with the nearest name") {
  const ProgramFolder folder;
  json scenario = small_scenario();
  scenario["tenants"][1]["name"] = "quiet";
  folder.write("x.json", scenario.dump());
  const Outcome outcome = folder.run({"run", "x.json", "--twin", "quite", "--out", "out"});
  CHECK(outcome.status == 2);
  CHECK(outcome.last_error_line() == R"(--twin: /: there is no tenant or group "quite"; did you mean "quiet"?)");
  CHECK(folder.names() == Names{"x.json"});
}

TEST_CASE("bad input and bad usage exit 2 and write nothing") {
  const ProgramFolder folder;
  folder.write("x.json", small_scenario().dump());
  const std::vector<Names> bad{{},
                               {"run"},
                               {"frobnicate", "x.json"},
                               {"run", "missing.json", "--out", "out"},
                               {"run", "x.json", "--out", "out", "--unknown"},
                               {"run", "x.json", "--out", "out", "--seed", "many"},
                               {"run", "x.json", "--out", "out", "--set", "/cluster/nodes=0"},
                               {"run", "x.json", "--out", "out", "--set", "/cluster/noodles=3"},
                               {"run", "x.json", "--sweeps"},
                               {"run", "x.json", "--record", "1s..2s"},
                               {"run", "x.json", "--out", "out", "--record", "2s..1s"},
                               {"run", "x.json", "--out", "out", "--record", "soon"},
                               {"run", "x.json", "--out", "x.json"}};
  for (const Names& arguments : bad) {
    const Outcome outcome = folder.run(arguments);
    INFO(json(arguments).dump());
    CHECK(outcome.status == 2);
    CHECK(outcome.output.empty());
    CHECK_FALSE(outcome.errors.empty());
    CHECK(folder.names() == Names{"x.json"});
  }
  CHECK_THAT(folder.run({"run", "x.json", "--set", "/cluster/noodles=3"}).errors,
             Catch::Contains("/cluster/noodles") && Catch::Contains("nodes"));
}

TEST_CASE("a run that a limit ended exits 3, whatever was not reached by then") {
  const ProgramFolder folder;
  folder.write("x.json", small_scenario().dump());
  const Outcome outcome = folder.run({"run", "x.json", "--max-events", "100", "--json"});
  CHECK(outcome.status == 3);
  CHECK(json::parse(outcome.output)["verdict"] == "undecided");
  CHECK(json::parse(outcome.output)["events"] == 100);
  CHECK_THAT(outcome.last_error_line(), Catch::StartsWith("headroom run x.json --seed 3"));

  folder.write("y.json", small_scenario(json::parse(R"([{"sometimes": "retried"}])")).dump());
  CHECK(folder.run({"run", "y.json", "--max-events", "1"}).status == 3);
}

TEST_CASE("with --json the result is printed alone, the same that --out writes") {
  const ProgramFolder folder;
  folder.write("x.json", small_scenario(kImpossible).dump());
  const Outcome outcome = folder.run({"run", "x.json", "--json", "--out", "out"});
  CHECK(outcome.status == 1);
  const json result = json::parse(outcome.output);
  CHECK(result["schema"] == 1);
  CHECK(result["verdict"] == "fail");
  CHECK(result["seed"] == 3);
  CHECK((outcome.output == folder.read("out/result.json")));
}

TEST_CASE("with --out the files are left and nothing else, again and again") {
  const ProgramFolder folder;
  folder.write("x.json", small_scenario().dump());
  REQUIRE(folder.run({"run", "x.json", "--out", "deep/out"}).status == 0);
  CHECK(folder.names("deep/out") == kFiles);
  REQUIRE(folder.run({"run", "x.json", "--out", "deep/out", "--sweeps"}).status == 0);
  CHECK(folder.names("deep/out") == kFilesWithSweeps);
  CHECK(folder.names() == Names{"deep", "x.json"});
  for (const std::string& name : kFilesWithSweeps) {
    CHECK(!folder.read("deep/out/" + name).empty());
  }
}

TEST_CASE("a stretch that is asked for is in the page and in the trace, and changes nothing of the result") {
  const ProgramFolder folder;
  folder.write("x.json", small_scenario().dump());
  REQUIRE(folder.run({"run", "x.json", "--out", "plain"}).status == 0);
  REQUIRE(folder.run({"run", "x.json", "--out", "out", "--record", "1.5s..1.6s"}).status == 0);
  CHECK((folder.read("out/result.json") == folder.read("plain/result.json")));
  CHECK(folder.read("plain/report.html").find("as asked for") == std::string::npos);
  CHECK(folder.read("out/report.html").find("as asked for, 1.5s..1.6s") != std::string::npos);
}

TEST_CASE("the reports of the same run are the same bytes") {
  const ProgramFolder folder;
  folder.write("x.json", small_scenario(kImpossible).dump());
  for (const char* out : {"one", "two"}) {
    REQUIRE(folder.run({"run", "x.json", "--out", out}).status == 1);
  }
  for (const std::string& name : kFiles) {
    INFO(name);
    CHECK((name == "timing.json" || folder.read("one/" + name) == folder.read("two/" + name)));
  }
}

TEST_CASE("the same scenario and seed give the same bytes, another seed gives others") {
  const ProgramFolder folder;
  folder.write("x.json", small_scenario(kImpossible).dump());
  const auto result = [&](const Names& more) {
    Names arguments{"run", "x.json", "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return folder.run(arguments).output;
  };
  const std::string first = result({"--seed", "11"});
  CHECK((result({"--seed", "11"}) == first));
  CHECK((result({"--seed", "11", "--sweeps", "--out", "out"}) == first));
  CHECK((result({"--set", "/seed=11"}) == first));
  CHECK(json::parse(result({"--seed", "12"}))["event_digest"] != json::parse(first)["event_digest"]);
  CHECK(folder.run({"run", "x.json", "--verify-determinism"}).status == 1);  // the expectation, not the comparison
}

TEST_CASE("the order of keys and of tenants changes nothing in the result") {
  const ProgramFolder folder;
  const json scenario = small_scenario();
  for (const char* tie_break : {"sequence", "random"}) {
    INFO(tie_break);
    json in_order = scenario;
    in_order["tie_break"] = tie_break;
    folder.write("x.json", in_order.dump());
    const std::string result = folder.run({"run", "x.json", "--json"}).output;
    REQUIRE_FALSE(result.empty());

    folder.write("x.json", backwards(in_order));
    CHECK((folder.run({"run", "x.json", "--json"}).output == result));

    json reversed = in_order;
    std::reverse(reversed["tenants"].begin(), reversed["tenants"].end());
    folder.write("x.json", reversed.dump());
    CHECK((folder.run({"run", "x.json", "--json"}).output == result));
  }
}

}  // namespace headroom::test
