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

TEST_CASE("text is cut at code points") {
  CHECK(cut_to_columns("quiet", 5) == "quiet");
  CHECK(cut_to_columns("quieter", 5) == "quie\u2026");
  CHECK(cut_to_columns("\u00e9\u00e9\u00e9", 2) == "\u00e9\u2026");
}
