#include "reports/render/perfetto.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/reports/render/golden.hpp"
#include "tests/reports/render/sample_result.hpp"

using namespace headroom;
using nlohmann::json;

namespace {

Time ms(std::int64_t milliseconds) {
  return Time::at(Duration::milliseconds(milliseconds));
}

std::vector<json> events(const json& trace, const std::string& phase) {
  std::vector<json> found;
  for (const json& event : trace["traceEvents"]) {
    if (event["ph"] == phase) {
      found.push_back(event);
    }
  }
  return found;
}

}  // namespace

TEST_CASE("trace.json has nodes as processes, tenants as tracks, rows as slices and faults as instants") {
  check_golden("trace.json", render_perfetto(sample_result()));
}

TEST_CASE("slices of one track do not overlap, unless one lies within the other") {
  RunResult result = sample_result();
  result.slices.slices.clear();
  for (int i = 0; i < 40; ++i) {
    const Time from = ms(i * 7 % 50);
    result.slices.slices.push_back({.row = "quiet/" + std::to_string(i),
                                    .node = static_cast<std::uint16_t>(i % 2),
                                    .due = from,
                                    .claimed = from,
                                    .started = from + Duration::milliseconds(i % 3),
                                    .ended = from + Duration::milliseconds(5 + i * 11 % 40)});
  }
  const json trace = json::parse(render_perfetto(result));
  std::map<std::pair<int, int>, std::vector<std::pair<double, double>>> tracks;
  for (const json& slice : events(trace, "X")) {
    if (slice["name"] != "waits for a worker") {
      tracks[{slice["pid"], slice["tid"]}].emplace_back(slice["ts"],
                                                        slice["ts"].get<double>() + slice["dur"].get<double>());
    }
  }
  std::size_t slices = 0;
  for (auto& [track, spans] : tracks) {
    std::sort(spans.begin(), spans.end());
    for (std::size_t i = 1; i < spans.size(); ++i) {
      CHECK(spans[i].first >= spans[i - 1].second);
    }
    slices += spans.size();
  }
  CHECK(slices == 41);  // and the latency shift
}

TEST_CASE("a slice begins with the claim, ends with the execution, and says how long the row had waited") {
  const json trace = json::parse(render_perfetto(sample_result()));
  const json slice = events(trace, "X").front();
  CHECK(slice["name"] == "quiet/17");
  CHECK(slice["ts"] == 1'000'000.5);  // microseconds
  CHECK(slice["dur"] == 50'000);
  CHECK(slice["args"]["waited_ms"] == 12.5);
  CHECK(slice["args"]["end"] == "completed");
}

TEST_CASE("every track of a slice has a name, and faults are instants over all of them") {
  const json trace = json::parse(render_perfetto(sample_result()));
  std::map<std::pair<int, int>, std::string> names;
  for (const json& named : events(trace, "M")) {
    if (named["name"] == "thread_name") {
      names[{named["pid"], named["tid"]}] = named["args"]["name"];
    }
  }
  for (const json& slice : events(trace, "X")) {
    CHECK(names.count({slice["pid"], slice["tid"]}) == 1);
  }
  REQUIRE(events(trace, "i").size() == 1);
  CHECK(events(trace, "i")[0]["s"] == "g");
  CHECK(events(trace, "i")[0]["ts"] == 1'500'000);
}

TEST_CASE("a trace says how many executions are left out of it") {
  const json trace = json::parse(render_perfetto(sample_result()));
  CHECK(trace["otherData"]["executions"] == 1'202);
  CHECK(trace["otherData"]["executions_shown"] == 3);
}
