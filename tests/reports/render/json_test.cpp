#include "reports/render/json.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/reports/render/golden.hpp"
#include "tests/reports/render/sample_result.hpp"

using namespace headroom;

TEST_CASE("result.json has the keys of the specification, in its order") {
  check_golden("result.json", render_result_json(sample_result()));
}

TEST_CASE("result.json has the gate's part where there is an HTTP side") {
  check_golden("gate/result.json", render_result_json(sample_gate_result()));
}

TEST_CASE("timing.json holds what may differ between two runs of the same scenario") {
  check_golden("timing.json", render_timing_json(sample_timing()));
}

TEST_CASE("a result is rendered to the same bytes every time") {
  CHECK(render_result_json(sample_result()) == render_result_json(sample_result()));
}

TEST_CASE("times are milliseconds, and figures without a sample are null") {
  const auto document = nlohmann::json::parse(render_result_json(sample_result()));
  CHECK(document["schema"] == 1);
  CHECK(document["simulated_seconds"] == 3.25);
  CHECK(document["tenants"]["quiet"]["wait_ms"]["p99"] == 230.125);
  CHECK(document["tenants"]["quiet"]["wait_ms"]["mean"] == 2.5);
  CHECK(document["tenants"]["quiet"]["wait_causes_ms"]["batch_budget"] == 450.5);
  const auto& unserved = document["tenants"]["<script>alert(1)</script>"]["wait_ms"];
  CHECK(unserved["count"] == 0);
  CHECK(unserved["p99"].is_null());
  CHECK(document["cluster"]["jain_worst_window"].is_null());
  CHECK(document["cluster"]["utilisation"] == 0.375);  // 30 of 80 worker seconds
}

TEST_CASE("noise amplification has no ratio below its floor, and no figures without a twin") {
  const auto document = nlohmann::json::parse(render_result_json(sample_result()));
  CHECK(document["tenants"]["quiet"]["noise_amplification"]["ratio"] == 11.50625);
  CHECK(document["tenants"]["quiet"]["noise_amplification"]["success_difference"] == -0.0625);
  CHECK(document["groups"]["a,b\"c\nd"]["noise_amplification"]["ratio"].is_null());
  CHECK(document["groups"]["a,b\"c\nd"]["noise_amplification"]["difference_ms"] == 11.1);
  CHECK(document["tenants"]["<script>alert(1)</script>"]["noise_amplification"]["p99_ms"].is_null());
}

TEST_CASE("a window names who got least of what could have been given") {
  const auto document = nlohmann::json::parse(render_result_json(sample_gate_result()));
  const auto& window = document["share_windows"][0];
  CHECK(window["demand"] == 415);
  CHECK(window["served"] == 400);
  CHECK(window["optimum"] == 410);
  CHECK(window["worst"] == nlohmann::json{{"name", "<script>alert(1)</script>"}, {"max_min_ratio", 0.0}});
  CHECK(document["share_windows"][1]["worst"].is_null());
}

TEST_CASE("a bound on one side is a number, on both an object, on none null") {
  const auto document = nlohmann::json::parse(render_result_json(sample_result()));
  CHECK(document["expectations"][1]["bound"] == 200);
  CHECK(document["expectations"][2]["bound"] == nlohmann::json{{"at_least", 0.9}, {"at_most", 1}});
  CHECK(document["information"][1]["bound"].is_null());
}

TEST_CASE("a group is an object with its members' spread, also when it is the only one") {
  const auto document = nlohmann::json::parse(render_result_json(sample_result()));
  const auto& group = document["groups"]["a,b\"c\nd"];
  CHECK(group["members"] == 40);
  CHECK(group["completed"] == 900);
  CHECK(group["across_members"]["wait_ms"]["p99"]["p99"] == 14.5);
  CHECK(group["across_members"]["longest_starvation"]["sweeps"]["max"] == 3);
  CHECK(group["across_members"]["wait_ms"]["max"]["median"].is_null());
}

TEST_CASE("a run that was stopped early says so") {
  RunResult result = sample_result();
  CHECK(render_result_json(result).find("stopped_early") == std::string::npos);
  result.stopped_early = "interrupted";
  CHECK(nlohmann::json::parse(render_result_json(result))["stopped_early"] == "interrupted");
}

TEST_CASE("a metric is found by its pointer into result.json") {
  const std::vector<std::string> pointers = {"/tenants/quiet/wait_ms/p99",
                                             "/tenants/<script>alert(1)<~1script>/wait_ms/p99",
                                             "/tenants/quiet/wait_ms/p98",
                                             "/tenants/quiet/wait_ms",
                                             "/drain/drained",
                                             "/cluster/quota/seconds_over",
                                             "no pointer",
                                             "/reached/adopted",
                                             "/verdict"};
  const std::vector<MetricValue> values = metric_values(sample_result(), pointers);
  REQUIRE(values.size() == pointers.size());
  CHECK(values[0].value == 230.125);
  CHECK(values[1].exists);
  CHECK_FALSE(values[1].value.has_value());
  CHECK_FALSE(values[2].exists);
  CHECK_FALSE(values[3].exists);
  CHECK(values[4].value == 1.0);
  CHECK(values[5].value == 0.125);
  CHECK_FALSE(values[6].exists);
  CHECK(values[7].value == 4.0);
  CHECK_FALSE(values[8].exists);
}

TEST_CASE("every metric has the value that result.json shows at its pointer") {
  const RunResult result = sample_result();
  const auto flat = nlohmann::json::parse(render_result_json(result)).flatten();
  std::vector<std::string> pointers;
  for (const auto& [pointer, value] : flat.items()) {
    if (value.is_number() && (pointer.rfind("/tenants", 0) == 0 || pointer.rfind("/groups", 0) == 0 ||
                              pointer.rfind("/nodes", 0) == 0 || pointer.rfind("/cluster", 0) == 0)) {
      pointers.push_back(pointer);
    }
  }
  const std::vector<MetricValue> values = metric_values(result, pointers);
  for (std::size_t i = 0; i < pointers.size(); ++i) {
    INFO(pointers[i]);
    CHECK(values[i].value == flat[pointers[i]].get<double>());
  }
  CHECK(pointers.size() > 100);
}
