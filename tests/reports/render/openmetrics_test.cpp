#include "reports/render/openmetrics.hpp"

#include <catch2/catch.hpp>
#include <set>
#include <sstream>
#include <string>

#include "tests/reports/render/golden.hpp"
#include "tests/reports/render/sample_result.hpp"

using namespace headroom;

namespace {

bool has_line(const std::string& text, const std::string& line) {
  return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
}

}  // namespace

TEST_CASE("metrics.txt holds the figures of rows, and of requests where there are any") {
  check_golden("metrics.txt", render_openmetrics(sample_result()));
  check_golden("gate/metrics.txt", render_openmetrics(sample_gate_result()));
}

TEST_CASE("the gate's metrics have the names and labels of the specification") {
  const std::string text = render_openmetrics(sample_gate_result());
  for (const char* line :
       {"queue_depth{process=\"n1/p2\"} 7", "inflight{process=\"n1/p1\"} 4",
        // A saturated process is not ready and live; one that is down is neither.
        "ready{process=\"n1/p2\"} 0", "live{process=\"n1/p2\"} 1", "live{process=\"n2/p2\"} 0",
        "admission_admitted_total{tenant=\"quiet\"} 301",
        "admission_rejected_total{tenant=\"<script>alert(1)</"
        "script>\",status=\"429\",scope=\"tenant\",reason=\"rate_limit\"} 350",
        "admission_rejected_total{tenant=\"<script>alert(1)</script>\",status=\"503\",scope=\"process\",reason="
        "\"draining\"} 5",
        "admission_wait_seconds{tenant=\"<script>alert(1)</script>\",quantile=\"0.9\"} 0.0905",
        "admission_wait_seconds_sum{tenant=\"<script>alert(1)</script>\"} 3",
        "admission_wait_seconds_count{tenant=\"<script>alert(1)</script>\"} 150", "database_pool_in_use 6",
        "database_pool_wait_seconds{quantile=\"0.99\"} 0.0032", "database_pool_wait_seconds_sum 0.1",
        "database_pool_wait_seconds_count 400"}) {
    INFO(line);
    CHECK(has_line(text, line));
  }
}

TEST_CASE("rows are counted by tenant and state, those of a group together") {
  const std::string text = render_openmetrics(sample_result());
  CHECK(has_line(text, "outbox_rows{tenant=\"quiet\",state=\"done\"} 300"));
  CHECK(has_line(text, "outbox_rows{tenant=\"a,b\\\"c\\nd\",state=\"done\"} 900"));
  CHECK(has_line(text, "outbox_wait_seconds{tenant=\"quiet\",quantile=\"0.99\"} 0.230125"));
  CHECK(has_line(text, "outbox_wait_cause_seconds_total{tenant=\"quiet\",cause=\"batch_budget\"} 0.4505"));
}

TEST_CASE("names are escaped in labels, and each sample stays on its line") {
  const std::string text = render_openmetrics(sample_gate_result());
  CHECK(has_line(text, "admission_gone_total{tenant=\"web \\\\ \\\"1\\\"\\n\"} 0"));
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    INFO(line);
    const bool comment = line.rfind("# ", 0) == 0;
    const std::size_t space = line.rfind(' ');
    CHECK((comment || line.find_first_not_of("0123456789.e-", space + 1) == std::string::npos));
  }
}

TEST_CASE("a distribution without a sample has no quantiles") {
  const std::string text = render_openmetrics(sample_result());
  CHECK(text.find("outbox_wait_seconds{tenant=\"<script>alert(1)</script>\",quantile") == std::string::npos);
  CHECK(has_line(text, "outbox_wait_seconds_count{tenant=\"<script>alert(1)</script>\"} 0"));
}

TEST_CASE("a run of rows alone has no metric of the gate") {
  const std::string text = render_openmetrics(sample_result());
  for (const char* name : {"admission", "queue_depth", "inflight", "ready", "live", "database_pool"}) {
    CHECK(text.find(std::string("\n# TYPE ") + name) == std::string::npos);
  }
}

TEST_CASE("an empty result is a text with an end") {
  const std::string text = render_openmetrics(RunResult{});
  CHECK(text.substr(text.size() - 6) == "# EOF\n");
  CHECK(text.find("# EOF") == text.size() - 6);
}

TEST_CASE("each family is described once, and its samples stand below it") {
  std::istringstream lines(render_openmetrics(sample_gate_result()));
  std::set<std::string> families;
  std::string family;
  for (std::string line; std::getline(lines, line);) {
    INFO(line);
    if (line.rfind("# TYPE ", 0) == 0) {
      family = line.substr(7, line.rfind(' ') - 7);
      CHECK(families.insert(family).second);
    } else if (line[0] != '#') {
      CHECK(line.rfind(family, 0) == 0);
    }
  }
  CHECK(families.size() > 30);
}
