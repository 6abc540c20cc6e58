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

TEST_CASE("with an HTTP side report.md shows the worst success rates first, then the fleet") {
  check_golden("gate/report.md", render_markdown(sample_gate_result()));
}

TEST_CASE("where nobody has rows, report.md is of requests alone") {
  RunResult result = sample_gate_result();
  result.groups.clear();
  result.tenants = {result.tenants[2]};
  const std::string report = render_markdown(result);
  CHECK(report.find("Worst waits") == std::string::npos);
  CHECK(report.find("Jain") == std::string::npos);
  CHECK(report.find("\n- 147.6 requests/s answered in time\n\nRecovery: goodput was back 750 ms") != std::string::npos);
  CHECK(report.find("| web \\\\ \"1\"  | 0 |") != std::string::npos);
}

TEST_CASE("tenants beyond the most shown are counted") {
  const std::string report = render_markdown(sample_gate_result(), 1);
  CHECK(report.find("\n2 more have higher success rates.\n") != std::string::npos);
  CHECK(report.find("\n2 more have shorter waits.\n") != std::string::npos);
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
