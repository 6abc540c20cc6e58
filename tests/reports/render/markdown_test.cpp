#include "reports/render/markdown.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "tests/reports/render/golden.hpp"
#include "tests/reports/render/sample_result.hpp"

using namespace headroom;

using Values = std::vector<std::int64_t>;

TEST_CASE("report.md shows the verdicts, then the tenants with the worst waits") {
  check_golden("report.md", render_markdown(sample_result()));
}

TEST_CASE("a command cannot leave its block") {
  RunResult result = sample_result();
  result.command = "run x\n# heading\n```";
  CHECK(render_markdown(result).find("\n    run x # heading ```\n") != std::string::npos);
}

TEST_CASE("a sparkline is as high as the greatest value of each stretch") {
  CHECK(sparkline(Values{0, 1, 4, 8}, 10) == " \u2581\u2584\u2588");
  CHECK(sparkline(Values{0, 8, 0, 4}, 2) == "\u2588\u2584");
  CHECK(sparkline(Values{0, 0}, 10) == "  ");
  CHECK(sparkline(Values{}, 10).empty());
}

TEST_CASE("what is above zero is seen however small it is") {
  CHECK(sparkline(Values{1, 1'000'000}, 10) == "\u2581\u2588");
}
