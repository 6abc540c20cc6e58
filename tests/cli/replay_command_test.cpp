// `headroom replay` as a user calls it: what a check found, as a run with its report.
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

// Checks the shipped scope and replays what it found of the property.
struct Replayed {
  ProgramFolder folder;
  std::string file;
  Outcome outcome;
  json result;  // result.json of --out

  Replayed(const std::string& name, const std::string& property) {
    static_cast<void>(folder.run({"check", shipped_scope(name), "--out", "found"}));
    file = "found/counterexample-" + property + ".json";
    REQUIRE(folder.exists(file));
    outcome = folder.run({"replay", file, "--out", "out", "--sweeps"});
    INFO(outcome.output << outcome.errors);
    REQUIRE(folder.exists("out/result.json"));
    result = json::parse(folder.read("out/result.json"));
  }
};

const json& only_expectation(const json& result) {
  REQUIRE(result["expectations"].size() == 1);
  return result["expectations"][0];
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("each counterexample of a shipped scope is a run that fails, by the property that it breaks") {
  const auto [name, property, reason] = GENERATE(table<std::string, std::string, std::string>({
      {"fixed_order_starves", "no_starvation", "tenant c on node n1: active for "},
      {"results_without_a_guard", "exactly_once", "tenant a, row "},
      {"stale_fraction", "quota_sum", "ceilings"},
      // Seen by the check only: no sweep, and no hand-over that would be out of order, tells of it in a run.
      {"lost_wakeup", "no_starvation", "by the check, in these steps: "},
      {"gate_lifo_starves", "gate_progress", "by the check, in these steps: "},
  }));
  CAPTURE(name);
  const Replayed replayed(name, property);
  CHECK(replayed.outcome.status == 1);
  CHECK(replayed.result["verdict"] == "fail");
  const json& expectation = only_expectation(replayed.result);
  CHECK(expectation["name"] == property);
  CHECK(expectation["verdict"] == "fail");
  CHECK_FALSE(expectation.contains("broken"));
  INFO(expectation["reason"]);
  CHECK(has(expectation["reason"].get<std::string>(), reason));
  for (const json& other : replayed.result["information"]) {
    if (other["name"] == "ledger") CHECK(other["verdict"] == "pass");
  }
}

TEST_CASE("a replay writes the usual files of a run, the same bytes twice") {
  const Replayed replayed("fixed_order_starves", "no_starvation");
  const Words files = {"metrics.txt", "report.html", "report.md", "result.json", "series.csv", "sweeps.jsonl"};
  CHECK(replayed.folder.run({"replay", replayed.file, "--out", "again", "--sweeps"}).status == 1);
  for (const std::string& file : files) {
    INFO(file);
    REQUIRE(replayed.folder.exists("out/" + file));
    CHECK(replayed.folder.read("out/" + file) == replayed.folder.read("again/" + file));
  }
  CHECK(replayed.folder.exists("out/timing.json"));
  CHECK(has(replayed.folder.read("out/report.md"), "headroom replay " + replayed.file));
}

// Fixed order with batch 4: every sweep grants a 2, b 2, c 0. By hand, the shortest loop is one sweep and the four
// completions that make room for the next.
TEST_CASE("the loop of a starvation is gone round forty times, a step every poll interval") {
  const Replayed replayed("fixed_order_starves", "no_starvation");
  const json found = json::parse(replayed.folder.read(replayed.file));
  const auto loop = found["loop"]["steps"].get<std::uint64_t>();
  const auto stem = found["loop"]["after_step"].get<std::uint64_t>();
  const std::uint64_t steps = stem + 40 * loop;
  CHECK(replayed.result["events"] == steps);
  CHECK(replayed.result["simulated_seconds"] == Approx(0.02 * static_cast<double>(steps + 1)));
  const json& tenants = replayed.result["tenants"];
  CHECK(tenants["c"]["claimed"] == 0);
  CHECK(tenants["c"]["longest_starvation"]["sweeps"].get<std::uint64_t>() >= 40);
  CHECK(tenants["a"]["completed"].get<std::uint64_t>() >= 80);
  CHECK(tenants["a"]["completed"] == tenants["b"]["completed"]);
  std::size_t sweeps = 0;
  const std::string log = replayed.folder.read("out/sweeps.jsonl");
  for (std::size_t at = 0; at < log.size(); ++sweeps) {
    const std::size_t end = log.find('\n', at);
    CHECK(json::parse(log.substr(at, end - at))["tenants"]["c"]["granted"] == 0);
    at = end + 1;
  }
  CHECK(sweeps >= 40);
}

// Two steps, of which the second breaks the property.
TEST_CASE("a replay stops after the step, or at the instant, that was asked for") {
  const Replayed replayed("stale_fraction", "quota_sum");
  const auto events = [&](const Words& more) {
    Words words = {"replay", replayed.file, "--json"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = replayed.folder.run(words);
    CHECK(outcome.status == 3);
    const json result = json::parse(outcome.output);
    CHECK(result["verdict"] == "undecided");
    return result["events"].get<int>();
  };
  CHECK(events({"--event", "1"}) == 1);
  CHECK(events({"--event", "0"}) == 0);
  CHECK(events({"--until", "20ms"}) == 1);
  CHECK(events({"--until", "39ms"}) == 1);
  CHECK(events({"--until", "0s"}) == 0);
  const Outcome first = replayed.folder.run({"replay", replayed.file, "--event", "1"});
  CHECK(has(first.output, "  1. "));
  CHECK_FALSE(has(first.output, "  2. "));
  CHECK(first.last_error_line() == "headroom replay " + replayed.file + " --event 1");
  // More than there are is all of them.
  CHECK(replayed.folder.run({"replay", replayed.file, "--event", "1000000"}).status == 1);
  CHECK(replayed.folder.run({"replay", replayed.file, "--until", "1h"}).status == 1);
}

TEST_CASE("what a replay cannot do is bad input") {
  const Replayed replayed("stale_fraction", "quota_sum");
  const auto refusal = [&](const Words& more) {
    Words words = {"replay", replayed.file};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = replayed.folder.run(words);
    CHECK(outcome.status == 2);
    CHECK(outcome.output.empty());
    return outcome.errors;
  };
  CHECK(has(refusal({"--until", "soon"}), "is no instant of the run"));
  CHECK(has(refusal({"--event", "-1"}), "is not a whole number"));
  CHECK(has(refusal({"--sweeps"}), "give --out DIR as well"));
  CHECK(replayed.folder.run({"replay", "none.json"}).status == 2);
}

TEST_CASE("the way to an extreme is a run that holds, with the extreme in its figures") {
  const ProgramFolder folder;
  static_cast<void>(folder.run({"check", shipped_scope("stale_fraction"), "--out", "found"}));
  int extremes = 0;
  for (const std::string& file : folder.names("found")) {
    if (!file.starts_with("extreme-")) {
      continue;
    }
    const Outcome outcome = folder.run({"replay", "found/" + file, "--json"});
    CHECK(outcome.status == 0);
    const json result = json::parse(outcome.output);
    CHECK(result["verdict"] == "pass");
    CHECK(result["expectations"].empty());
    if (result["counterexample"]["name"] == "executing_max/a") {
      const std::int64_t most = std::stoll(result["counterexample"]["shows"].get<std::string>());
      CHECK(result["cluster"]["quota"]["peak_executing_over"] == std::max<std::int64_t>(0, most - 4));
    }
    ++extremes;
  }
  CHECK(extremes > 0);
}

TEST_CASE("clients of a replayed gate try once, and what they are told adds up") {
  const Replayed replayed("gate_lifo_starves", "gate_progress");
  std::uint64_t arrived = 0;
  for (const auto& [name, tenant] : replayed.result["tenants"].items()) {
    const json& gate = tenant["gate"];
    CHECK(gate["arrived"] == gate["finished"].get<int>() + gate["rejected_429"].get<int>() +
                                 gate["rejected_503"].get<int>() + gate["gone"].get<int>() +
                                 gate["inside_at_end"].get<int>());
    CHECK(gate["calls"] == gate["arrived"]);
    CHECK(gate["retries"] == 0);
    CHECK(gate["goodput"] == gate["finished"]);
    arrived += gate["arrived"].get<std::uint64_t>();
  }
  CHECK(arrived >= 40);  // the loop has an arrival
}

}  // namespace headroom::test
