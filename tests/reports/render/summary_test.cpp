#include "reports/render/summary.hpp"

#include <catch2/catch.hpp>
#include <sstream>
#include <string>

#include "reports/render/ranking.hpp"
#include "reports/render/wording.hpp"
#include "tests/reports/render/golden.hpp"
#include "tests/reports/render/sample_result.hpp"

using namespace headroom;

TEST_CASE("the summary shows verdicts with reasons first, then tenants, worst wait first") {
  check_golden("summary.txt", render_summary(sample_result()));
}

TEST_CASE("with an HTTP side the summary has a table of requests, worst success rate first, and the fleet") {
  check_golden("gate/summary.txt", render_summary(sample_gate_result()));
}

TEST_CASE("where nobody has rows, the summary is of requests alone") {
  RunResult result = sample_gate_result();
  result.groups.clear();
  for (TenantResult& tenant : result.tenants) {
    tenant.figures.appended = 0;
    tenant.figures.gate = sample_gate_result().tenants[0].figures.gate;
  }
  const std::string summary = render_summary(result);
  CHECK(summary.find("completed") == std::string::npos);
  CHECK(summary.find("Jain") == std::string::npos);
  CHECK(summary.find("\ngoodput was back 750 ms after the last disturbance\n147.6 requests/s answered in time\n") !=
        std::string::npos);
}

TEST_CASE("where nobody sends requests, goodput is of rows and there is no table of requests") {
  RunResult result = sample_result();
  result.cluster.fleet = sample_gate_result().cluster.fleet;  // processes that nobody uses
  const std::string summary = render_summary(result);
  CHECK(summary.find("success") == std::string::npos);
  CHECK(summary.find("4 processes, max_inflight 24 each (from the database pool)") != std::string::npos);
  CHECK(summary.find("480.0 rows/s completed\n") != std::string::npos);
}

TEST_CASE("max_inflight is said to follow from the pool only where it does") {
  RunResult result = sample_gate_result();
  result.cluster.fleet->derived_from_pool = false;
  CHECK(render_summary(result).find("max_inflight 24 each; peaks") != std::string::npos);
  result.cluster.fleet->max_inflight.reset();
  CHECK(render_summary(result).find("4 processes, no max_inflight; peaks") != std::string::npos);
  result.cluster.fleet->processes = 1;
  result.cluster.fleet->readiness_changes = 0;
  result.cluster.fleet->unready_time = 0;
  result.cluster.fleet->database_pool.reset();
  const std::string summary = render_summary(result);
  CHECK(summary.find("1 process, no max_inflight; peaks in one: 24 in flight, 64 waiting; always ready\n") !=
        std::string::npos);
  CHECK(summary.find("database pool") == std::string::npos);
}

TEST_CASE("properties that had nothing to judge are not counted as holding") {
  RunResult result = sample_result();
  const Judgement holds = result.information[0];
  Judgement undefined = holds;
  undefined.verdict = Verdict::undecided;
  result.information = {holds, undefined, holds, undefined, holds};
  CHECK(render_summary(result).find(
            "of 5 properties that the scenario does not judge, 3 hold, 2 had nothing to judge\n") != std::string::npos);
  result.information = {holds};
  CHECK(render_summary(result).find("of 1 properties that the scenario does not judge, 1 holds\n") !=
        std::string::npos);
  result.stopped_early = "interrupted";
  result.information = {undefined};
  CHECK(render_summary(result).find("0 hold, 1 was not decided\n") != std::string::npos);
}

TEST_CASE("requests that are left after the drain are said") {
  RunResult result = sample_gate_result();
  result.drain = {Duration::seconds(30), false, 0, 0, 1, 2, 3, 4};
  CHECK(render_summary(result).find("not drained after 30 s: 1 pending, 2 claimed, 3 requests waiting, 4 running\n") !=
        std::string::npos);
}

TEST_CASE("no line of the summary is wider than 100 columns") {
  RunResult result = sample_result();
  result.expectations[0].reason = std::string(350, 'x') + " \u00e9\u00e9" + std::string(150, 'y');
  result.tenants[1].name = std::string(90, 'n');
  result.tenants[1].figures.completed = 123'456'789;
  std::istringstream lines(render_summary(result));
  for (std::string line; std::getline(lines, line);) {
    INFO(line);
    CHECK(columns_of(line) <= 100);
  }
}

TEST_CASE("no line on requests is wider than 100 columns, however great the figures") {
  RunResult result = sample_gate_result();
  result.tenants[0].name = std::string(90, 'n');
  constexpr std::uint64_t many = 123'456'789'012;
  constexpr std::int64_t day = 86'400'000'000'000;
  GateFigures& gate = *result.tenants[0].figures.gate;
  gate.counts = {many, many, many, many, many};
  gate.gone = gate.dead_work = gate.retries = many;
  gate.wait = gate.response = {many, 0, day, day, day, day};
  gate.success_rate = 1;
  result.cluster.fleet->database_pool->timeouts = many;
  result.cluster.fleet->database_pool->wait.p99 = day;
  std::istringstream lines(render_summary(result));
  for (std::string line; std::getline(lines, line);) {
    INFO(line);
    CHECK(columns_of(line) <= 100);
  }
}

TEST_CASE("names cannot send control sequences to the terminal") {
  RunResult result = sample_result();
  result.tenants[1].name = "\x1b[31mred\x07\xc2\x9b";
  result.expectations[0].reason = "line\rback";
  const std::string summary = render_summary(result);
  CHECK(summary.find('\x1b') == std::string::npos);
  CHECK(summary.find('\r') == std::string::npos);
  CHECK(summary.find("\xc2\x9b") == std::string::npos);
  CHECK(summary.find("\\x1b[31mred\\x07\\x9b") != std::string::npos);
}

TEST_CASE("rows beyond the most shown are counted") {
  const std::string summary = render_summary(sample_result(), 1);
  CHECK(summary.find("and 2 more with shorter waits") != std::string::npos);
  CHECK(summary.find("quiet  ") == std::string::npos);
}

TEST_CASE("a tenant that was never served ranks by how long its oldest row waits") {
  const RunResult result = sample_result();
  const auto ranked = ranked_worst_first(result);
  REQUIRE(ranked.size() == 3);
  CHECK(ranked[0].name == "<script>alert(1)</script>");  // 3 s without a claim
  CHECK(ranked[1].name == "quiet");                      // p99 230 ms
  CHECK(ranked[2].group == &result.groups[0]);           // oldest 40 ms, p99 12 ms
}

TEST_CASE("those that send requests rank by success, a tenant none of whose requests ended as the worst") {
  RunResult result = sample_gate_result();
  auto ranked = ranked_by_success(result);
  REQUIRE(ranked.size() == 3);
  CHECK(ranked[0].name == "<script>alert(1)</script>");  // 40 %
  CHECK(ranked[1].name == "quiet");                      // 100 %
  CHECK(ranked[2].figures->gate->counts.arrived == 0);   // nothing is known of it
  result.tenants[1].figures.gate->success_rate.reset();
  CHECK(ranked_by_success(result)[0].name == "quiet");  // 302 arrived, none ended
  CHECK(ranked_by_success(sample_result()).empty());
}

TEST_CASE("equal success rates rank by the response, then by name") {
  RunResult result = sample_gate_result();
  for (TenantResult& tenant : result.tenants) {
    tenant.figures.gate->success_rate = 0.5;
    tenant.figures.gate->response.p99 = 7;
  }
  result.tenants[2].figures.gate->response.p99 = 8;
  const auto ranked = ranked_by_success(result);
  CHECK(ranked[0].name == result.tenants[2].name);
  CHECK(ranked[1].name == result.tenants[0].name);
  CHECK(ranked[2].name == result.tenants[1].name);
}

TEST_CASE("a tenant that sends requests and never had a row is not ranked by its waits") {
  RunResult result = sample_gate_result();
  CHECK(ranked_worst_first(result).size() == 3);
  result.tenants[2].figures.appended = 1;
  CHECK(ranked_worst_first(result).size() == 4);
}

TEST_CASE("milliseconds are worded with three significant digits") {
  CHECK(worded_milliseconds(0) == "0");
  CHECK(worded_milliseconds(1) == "<0.01");
  CHECK(worded_milliseconds(1'234'567) == "1.23");
  CHECK(worded_milliseconds(45'600'000) == "45.6");
  CHECK(worded_milliseconds(230'125'000) == "230");
  CHECK(worded_milliseconds(12'345'678'000) == "12346");
}

TEST_CASE("counts, spans and shares are worded for people") {
  CHECK(worded_count(0) == "0");
  CHECK(worded_count(999) == "999");
  CHECK(worded_count(1'000) == "1,000");
  CHECK(worded_count(1'234'567) == "1,234,567");
  CHECK(worded_duration(Duration::milliseconds(250)) == "250 ms");
  CHECK(worded_duration(Duration::milliseconds(1'500)) == "1.5 s");
  CHECK(worded_duration(Duration::seconds(120)) == "120 s");
  CHECK(worded_percent(0.3333) == "33.3%");
  CHECK(worded_percent(std::nullopt) == "-");
  CHECK(worded_index(std::nullopt) == "undefined");
}

TEST_CASE("a short count has at most seven columns") {
  CHECK(short_count(0) == "0");
  CHECK(short_count(999'999) == "999,999");
  CHECK(short_count(1'000'000) == "1.00M");
  CHECK(short_count(45'649'999) == "45.6M");
  CHECK(short_count(999'499'999) == "999M");
  CHECK(short_count(999'500'000) == "1.00G");
  CHECK(short_count(123'456'789'012) == "123G");
}

TEST_CASE("text is cut at code points") {
  CHECK(cut_to_columns("quiet", 5) == "quiet");
  CHECK(cut_to_columns("quieter", 5) == "quie\u2026");
  CHECK(cut_to_columns("\u00e9\u00e9\u00e9", 2) == "\u00e9\u2026");
}
