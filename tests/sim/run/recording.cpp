// What a run records for its reports, held against the log of all sweeps and against the run's own counts.
#include "sim/run/recording.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <unistd.h>
#include <vector>

#include "sim/run/run_scenario.hpp"
#include "sim/scenario/read_scenario.hpp"

using namespace headroom;
using nlohmann::json;

namespace {

Scenario shipped(const std::string& name, const std::vector<std::string>& overrides) {
  const char* source = std::getenv("HEADROOM_SOURCE_DIR");
  REQUIRE(source != nullptr);
  Result<Scenario> scenario = read_scenario(std::string(source) + "/scenarios/" + name + ".json", overrides);
  REQUIRE(scenario);
  return std::move(scenario.value());
}

struct Logged {
  RunResult result;
  std::vector<json> sweeps;  // lines of sweeps.jsonl
};

Logged run_logged(const Scenario& scenario, const std::optional<RecordStretch>& stretch = std::nullopt) {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("headroom_recording_" + std::to_string(::getpid()) + ".jsonl");
  Logged logged;
  {
    SweepLog log(path);
    RunRequest request{.scenario = scenario, .limits = {}};
    request.sweeps = &log;
    request.record = true;
    request.stretch = stretch;
    logged.result = run_scenario(request).result;
    REQUIRE(log.finish());
  }
  std::ifstream lines(path);
  for (std::string line; std::getline(lines, line);) {
    logged.sweeps.push_back(json::parse(line));
  }
  std::filesystem::remove(path);
  return logged;
}

void check_against_log(const RecordedSweeps& recorded, const SweepEntry& entry, const json& line) {
  INFO("sweep " << entry.number << ": " << line.dump());
  CHECK(line["t_ms"].get<double>() * 1e6 == Approx(static_cast<double>(entry.at.nanoseconds())));
  CHECK(line["node"] == "n" + std::to_string(entry.node + 1));
  CHECK(line["sweep"] == entry.sweep);
  CHECK(line["batch"] == entry.batch);
  CHECK(line["active"] == entry.active);
  CHECK(line["tenants"].size() == entry.standings.size() + entry.left_out);
  for (const SweepStanding& standing : entry.standings) {
    const json& tenant = line["tenants"][recorded.names[standing.name]];
    CHECK(tenant["ceiling"] == standing.ceiling);
    CHECK(tenant["claimed"] == standing.claimed);
    CHECK(tenant["headroom"] == standing.headroom);
    CHECK(tenant["claimable"] == standing.claimable);
    CHECK(tenant["granted"] == standing.granted);
    CHECK(tenant["guaranteed"] == standing.guaranteed);
    CHECK(tenant["claimed_now"] == standing.claimed_now);
  }
}

bool has_label(const RecordedSweeps& recorded, const std::string& part) {
  return std::ranges::any_of(
      recorded.stretches, [&](const SweepStretch& stretch) { return stretch.label.find(part) != std::string::npos; });
}

}  // namespace

TEST_CASE("recorded sweeps are those of sweeps.jsonl, by number") {
  for (const char* name : {"bursty_tenant", "rebalancing", "ten_thousand_tenants"}) {
    const Logged logged = run_logged(
        shipped(name, {"/duration=3s", "/warmup=0s", "/drain=0s", "/expect=[]", "/faults=[]", "/latency_shifts=[]"}));
    const RecordedSweeps& recorded = logged.result.recorded_sweeps;
    REQUIRE(recorded.entries.size() >= std::min<std::size_t>(logged.sweeps.size(), 200));
    for (const SweepEntry& entry : recorded.entries) {
      REQUIRE(entry.number <= logged.sweeps.size());
      check_against_log(recorded, entry, logged.sweeps[entry.number - 1]);
    }
  }
}

TEST_CASE("who starves is found around the end of the starvation, and lost in order") {
  const Logged logged = run_logged(shipped("fixed_order_starves", {"/drain=0s"}));
  const RecordedSweeps& recorded = logged.result.recorded_sweeps;
  CHECK(has_label(recorded, "longest starvation: c on n"));
  CHECK(has_label(recorded, "violation of "));
  const auto last = std::ranges::find(recorded.entries, recorded.stretches.back().last, &SweepEntry::number);
  REQUIRE(last != recorded.entries.end());
  const auto starved = std::ranges::find(last->standings, "c",
                                         [&](const SweepStanding& standing) { return recorded.names[standing.name]; });
  REQUIRE(starved != last->standings.end());
  CHECK(starved->granted == 0);
  CHECK(starved->held_by == WaitCause::lost_in_order);
}

TEST_CASE("every sweep of the stretch that is asked for is recorded, by number and by time") {
  const Scenario scenario = shipped("bursty_tenant", {"/duration=20s", "/latency_shifts=[]", "/faults=[]"});
  const Logged by_number = run_logged(scenario, parse_stretch("1500..1510").value());
  for (std::uint64_t number = 1'500; number <= 1'510; ++number) {
    CHECK(std::ranges::count(by_number.result.recorded_sweeps.entries, number, &SweepEntry::number) == 1);
  }
  const Logged by_time = run_logged(scenario, parse_stretch("15s..15.1s").value());
  std::vector<std::uint64_t> wanted;
  for (std::size_t i = 0; i < by_time.sweeps.size(); ++i) {
    const double ms = by_time.sweeps[i]["t_ms"].get<double>();
    if (ms >= 15'000 && ms <= 15'100) {
      wanted.push_back(i + 1);
    }
  }
  REQUIRE(wanted.size() > 3);
  for (const std::uint64_t number : wanted) {
    CHECK(std::ranges::count(by_time.result.recorded_sweeps.entries, number, &SweepEntry::number) == 1);
  }
}

TEST_CASE("slices are the executions of the run, each claimed before it started and started before it ended") {
  const RunResult result = run_logged(shipped("bursty_tenant", {"/duration=4s", "/warmup=0s", "/latency_shifts=[]",
                                                                "/faults=[]", "/expect=[]"}))
                               .result;
  std::uint64_t completed = result.drain.completed;
  for (const TenantResult& tenant : result.tenants) {
    completed += tenant.figures.completed;
  }
  CHECK(result.slices.ended == completed);  // nothing fails, nothing is executed twice
  CHECK(result.slices.slices.size() == std::min<std::size_t>(completed, RowSliceBook::kMostSlices));
  for (const RowSlice& slice : result.slices.slices) {
    CHECK(slice.due <= slice.claimed);
    CHECK(slice.claimed <= slice.started);
    CHECK(slice.started <= slice.ended);
    CHECK(slice.row.starts_with(result.series.subjects[slice.subject].name + "/"));
  }
}

TEST_CASE("recording changes nothing else of a run") {
  const Scenario scenario =
      shipped("bursty_tenant", {"/duration=2s", "/warmup=0s", "/latency_shifts=[]", "/faults=[]"});
  const RunResult plain = run_scenario({.scenario = scenario, .seed = 5}).result;
  const RunResult recorded = run_scenario({.scenario = scenario, .seed = 5, .record = true}).result;
  CHECK(plain.event_digest == recorded.event_digest);
  CHECK(plain.events == recorded.events);
  CHECK(plain.recorded_sweeps.entries.empty());
  CHECK(plain.slices.slices.empty());
}

TEST_CASE("a stretch is two whole numbers or two instants, the lesser first") {
  CHECK(parse_stretch("3..3").value().by_number);
  CHECK(parse_stretch("1.5s..2m").value().until == Time::at(Duration::seconds(120)));
  for (const char* wrong : {"", "..", "3", "0..5", "5..3", "2s..1s", "1..2s", "1s..", "-1s..2s", "a..b", "1...2"}) {
    INFO(wrong);
    const Result<RecordStretch> parsed = parse_stretch(wrong);
    REQUIRE_FALSE(parsed);
    CHECK(parsed.faults()[0].file == "--record");
  }
}
