#include "reports/render/series_csv.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "reports/render/wording.hpp"
#include "tests/reports/render/golden.hpp"
#include "tests/reports/render/sample_result.hpp"

using namespace headroom;

TEST_CASE("series.csv has a line for each window and name") {
  check_golden("series.csv", render_series_csv(sample_result().series));
}

TEST_CASE("a name with a comma, a quote and a newline is one cell") {
  CHECK(render_series_csv(sample_result().series).find("\n0,1000,\"a,b\"\"c\nd\",0,5,5,40,300,300,300\n") !=
        std::string::npos);
}

TEST_CASE("milliseconds keep every digit and no more") {
  CHECK(exact_milliseconds(0) == "0");
  CHECK(exact_milliseconds(1) == "0.000001");
  CHECK(exact_milliseconds(1'500'000) == "1.5");
  CHECK(exact_milliseconds(20'000'000) == "20");
}
