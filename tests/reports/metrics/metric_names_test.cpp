#include "reports/metrics/metric_names.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <set>

#include "reports/render/json.hpp"
#include "tests/reports/render/sample_result.hpp"

using namespace headroom;

namespace {

using Json = nlohmann::json;

// The pointers of all numbers, truth values and nulls, but for the parts that name no metric.
void collect(const Json& value, const std::string& pointer, std::vector<std::string>& out) {
  if (value.is_object()) {
    for (const auto& [key, member] : value.items()) {
      std::string step;
      for (const char c : key) {
        step += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
      }
      collect(member, pointer + "/" + step, out);
    }
  } else if (value.is_number() || value.is_boolean() || value.is_null()) {
    out.push_back(pointer);
  }
}

std::vector<std::string> figures_in(RunResult result) {
  Json document = Json::parse(render_result_json(result));
  for (const char* key : {"schema", "headroom_version", "scenario", "seed", "verdict", "event_digest", "expectations",
                          "information", "share_windows"}) {
    document.erase(key);
  }
  document["cluster"]["gate"].erase("max_inflight_from");
  for (const char* list : {"tenants", "groups"}) {
    for (auto& [name, figures] : document[list].items()) {
      figures["noise_amplification"].erase("without");
    }
  }
  std::vector<std::string> pointers;
  collect(document, "", pointers);
  return pointers;
}

}  // namespace

TEST_CASE("every figure of result.json is in the table of metrics") {
  for (const std::string& pointer : figures_in(sample_gate_result())) {
    INFO(pointer);
    const std::vector<std::string> steps = steps_of(pointer);
    CHECK(std::ranges::any_of(metric_names(), [&](const MetricName& name) { return matches(name.pattern, steps); }));
  }
}

TEST_CASE("every metric of the table is in result.json") {
  RunResult result = sample_gate_result();
  result.groups[0].pooled.gate = result.tenants[0].figures.gate;
  for (TenantFigures* figures : {&result.tenants[0].figures, &result.groups[0].pooled}) {
    for (const char* cause : {"no_owner", "store_error", "not_visible", "paused", "own_ceiling", "awaiting_sweep",
                              "batch_budget", "lost_in_order", "claimed_waiting", "executing"}) {
      figures->wait_causes[cause] = 1;  // a run has all of them
    }
  }
  std::vector<std::vector<std::string>> figures;
  for (const std::string& pointer : figures_in(result)) {
    figures.push_back(steps_of(pointer));
  }
  for (const MetricName& name : metric_names()) {
    INFO(name.pattern);
    CHECK(std::ranges::any_of(figures, [&](const auto& steps) { return matches(name.pattern, steps); }));
    CHECK_FALSE(name.summary.empty());
  }
}

TEST_CASE("no metric is listed twice") {
  std::set<std::string> seen;
  for (const MetricName& name : metric_names()) {
    INFO(name.pattern);
    CHECK(seen.insert(name.pattern).second);
  }
}

TEST_CASE("a pattern stands for any name in its place and for nothing longer or shorter") {
  const auto fits = [](std::string_view pointer) { return matches("/tenants/NAME/wait_ms/p99", steps_of(pointer)); };
  CHECK(fits("/tenants/a/wait_ms/p99"));
  CHECK(fits("/tenants/a~1b/wait_ms/p99"));
  CHECK_FALSE(fits("/tenants/a/b/wait_ms/p99"));
  CHECK_FALSE(fits("/tenants/a/wait_ms"));
  CHECK_FALSE(fits("/tenants/a/wait_ms/p99/x"));
  CHECK_FALSE(fits("/groups/a/wait_ms/p99"));
  CHECK(steps_of("/a~1b/~0c/") == std::vector<std::string>{"a/b", "~c", ""});
}
