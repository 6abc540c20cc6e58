#include "reports/render/series_csv.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <sstream>
#include <string>
#include <string_view>

#include "reports/render/wording.hpp"
#include "tests/reports/render/golden.hpp"
#include "tests/reports/render/sample_result.hpp"

using namespace headroom;

TEST_CASE("series.csv has a line for each window and name") {
  check_golden("series.csv", render_series_csv(sample_result().series));
}

TEST_CASE("with an HTTP side series.csv has more columns, and the fleet a file of its own") {
  check_golden("gate/series.csv", render_series_csv(sample_gate_result().series));
  check_golden("gate/fleet_series.csv", render_fleet_series_csv(sample_gate_result().series));
}

TEST_CASE("each line has as many cells as the header") {
  const auto commas = [](std::string_view line) { return std::count(line.begin(), line.end(), ','); };
  RunSeries series = sample_gate_result().series;
  for (SubjectSeries& subject : series.subjects) {
    subject.name = "name";
  }
  for (const std::string& csv : {render_series_csv(series), render_fleet_series_csv(series)}) {
    std::istringstream lines(csv);
    std::string header;
    std::getline(lines, header);
    std::size_t count = 0;
    for (std::string line; std::getline(lines, line); ++count) {
      CHECK(commas(line) == commas(header));
    }
    CHECK(count % series.windows == 0);
  }
}

TEST_CASE("a name with a comma, a quote and a newline is one cell") {
  CHECK(render_series_csv(sample_result().series).find("\n0,1000,\"a,b\"\"c\nd\",0,5,5,40,300,300,300,640,15\n") !=
        std::string::npos);
}

TEST_CASE("milliseconds keep every digit and no more") {
  CHECK(exact_milliseconds(0) == "0");
  CHECK(exact_milliseconds(1) == "0.000001");
  CHECK(exact_milliseconds(1'500'000) == "1.5");
  CHECK(exact_milliseconds(20'000'000) == "20");
}

TEST_CASE("seconds keep every digit and no more") {
  CHECK(exact_seconds(0) == "0");
  CHECK(exact_seconds(1) == "0.000000001");
  CHECK(exact_seconds(90'500'000) == "0.0905");
  CHECK(exact_seconds(Int128{20'000'000'000} * 1'000'000'000'000) == "20000000000000");
}
