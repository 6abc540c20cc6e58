#include "reports/render/html.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "reports/render/html/assets.hpp"
#include "tests/reports/render/golden.hpp"
#include "tests/reports/render/sample_result.hpp"

using namespace headroom;

namespace {

std::size_t count_of(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

// The page without the files that are embedded whole.
std::string without_assets(std::string page) {
  const std::pair<std::string_view, std::string_view> assets[] = {{kDygraphsStyle, "[dygraphs style]"},
                                                                  {kDygraphsScript, "[dygraphs]"},
                                                                  {kSynchronizerScript, "[synchronizer]"},
                                                                  {kReportStyle, "[report.css]"},
                                                                  {kReportScript, "[report.js]"}};
  for (const auto& [text, name] : assets) {
    const std::size_t at = page.find(text);
    REQUIRE(at != std::string::npos);
    page.replace(at, text.size(), name);
  }
  return page;
}

nlohmann::json chart_data(const std::string& page) {
  constexpr std::string_view start = "<script type=\"application/json\" id=\"chart-data\">";
  const std::size_t from = page.find(start) + start.size();
  return nlohmann::json::parse(page.substr(from, page.find("</script>", from) - from));
}

}  // namespace

TEST_CASE("report.html shows verdicts first, then timelines, shares, waits and causes") {
  check_golden("report.html", without_assets(render_html(sample_result())));
}

TEST_CASE("with an HTTP side report.html shows requests, refusals, processes and pools as well") {
  check_golden("gate/report.html", without_assets(render_html(sample_gate_result())));
}

TEST_CASE("names are text everywhere in the page, in its markup and in its scripts") {
  RunResult result = GENERATE(sample_result(), sample_gate_result());
  result.scenario_name = "</title><img src=x onerror=alert(1)>";
  result.command = "run '</code><b>'";
  const std::string page = render_html(result);
  CHECK(page.find("<script>alert") == std::string::npos);
  CHECK(page.find("<img") == std::string::npos);
  CHECK(page.find("</code><b>") == std::string::npos);
  // The data block and three scripts, each ended once.
  CHECK(count_of(page, "<script") == 4);
  CHECK(count_of(page, "</script") == 4);
  CHECK(count_of(page, "<style") == 2);
  CHECK(count_of(page, "</style") == 2);
}

TEST_CASE("the page refuses everything from outside and asks for nothing") {
  const std::string page = without_assets(render_html(sample_gate_result()));
  CHECK(page.find("default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:") !=
        std::string::npos);
  CHECK(page.find("http://") == std::string::npos);
  CHECK(page.find("https://") == std::string::npos);
  CHECK(page.find(" src=") == std::string::npos);
  CHECK(page.find("href=") == std::string::npos);
  for (const std::string_view handler : {" onclick=", " onload=", " onchange=", " onerror="}) {
    CHECK(page.find(handler) == std::string::npos);
  }
  for (const std::string_view asset : {kDygraphsStyle, kDygraphsScript, kReportStyle, kReportScript}) {
    CHECK_FALSE(asset.empty());
    CHECK(asset.find("sourceMappingURL") == std::string_view::npos);
    CHECK(asset.find("@import") == std::string_view::npos);
  }
}

TEST_CASE("the data of the charts is what the series hold") {
  const nlohmann::json data = chart_data(render_html(sample_result()));
  CHECK(data["window_ms"] == 1000);
  CHECK(data["windows"] == 3);
  CHECK(data["warmup_ms"] == 500);
  REQUIRE(data["rows"].size() == 3);
  CHECK(data["rows"][0]["name"] == "<script>alert(1)</script>");  // the worst wait
  CHECK(data["rows"][1]["name"] == "quiet");
  CHECK(data["rows"][1]["pending"] == nlohmann::json{3, 9, 3});
  CHECK(data["rows"][1]["ceiling"] == nlohmann::json{16, 16, 17});
  CHECK(data["marks"][0]["label"] == "tenant <script>alert(1)</script> x3");
  CHECK(data["marks"][0]["until_ms"] == 2000);
  CHECK(data["marks"][1]["at_ms"] == 1500);
}

TEST_CASE("the data of the charts has requests by success and what all share") {
  const nlohmann::json data = chart_data(render_html(sample_gate_result()));
  REQUIRE(data["requests"].size() == 3);
  CHECK(data["requests"][0]["name"] == "<script>alert(1)</script>");
  CHECK(data["requests"][0]["waiting"] == nlohmann::json{2, 6, 6});
  CHECK(data["requests"][0]["refused 503"] == nlohmann::json{0, 150, 50});
  CHECK(data["requests"][1]["answered in time"] == nlohmann::json{100, 100, 100});
  CHECK(data["rows"].size() == 3);
  REQUIRE(data["fleet"].size() == 3);
  CHECK(data["fleet"][0]["name"] == "Database pool");
  CHECK(data["fleet"][0]["in use"] == nlohmann::json{10, 96, 60});
  CHECK(data["fleet"][0]["size"] == 100);
  CHECK(data["fleet"][1]["name"] == "Downstream");
  CHECK(data["fleet"][2]["unready"] == nlohmann::json{0, 2, 2});
}

TEST_CASE("every chart has a place, and rows and requests a switch where there are both") {
  RunResult result = sample_gate_result();
  std::string page = without_assets(render_html(result));
  for (const char* place : {"chart-rows-2", "chart-requests-2", "chart-fleet-2", "legend-fleet-0"}) {
    CHECK(count_of(page, "id=\"" + std::string(place) + "\"") == 1);
  }
  CHECK(count_of(page, "name=\"of\"") == 2);
  result.groups.clear();
  result.tenants = {result.tenants[2]};
  page = without_assets(render_html(result));
  CHECK(count_of(page, "name=\"of\"") == 0);
  CHECK(count_of(page, "> requests a second<") == 1);
  CHECK(page.find("chart-rows") == std::string::npos);
  CHECK(page.find("id=\"shares\"") == std::string::npos);
  CHECK(page.find("id=\"waits\"") == std::string::npos);
}

TEST_CASE("a page of rows alone has nothing of requests") {
  const std::string page = without_assets(render_html(sample_result()));
  CHECK(page.find("id=\"gate\"") == std::string::npos);
  CHECK(page.find("name=\"of\"") == std::string::npos);
  CHECK(page.find("chart-fleet") == std::string::npos);
  CHECK(chart_data(page)["requests"].empty());
  CHECK(chart_data(page)["fleet"].empty());
}

TEST_CASE("a fleet without pools has its processes alone, and nobody refused no table of reasons") {
  RunResult result = sample_gate_result();
  result.cluster.fleet->database_pool.reset();
  result.cluster.fleet->downstream.reset();
  result.tenants.erase(result.tenants.begin());
  const std::string page = without_assets(render_html(result));
  CHECK(chart_data(page)["fleet"].size() == 1);
  CHECK(page.find("Refusals by reason") == std::string::npos);
  CHECK(page.find("<h3>Database pool</h3>") == std::string::npos);
  CHECK(page.find("<h3>Processes</h3>") != std::string::npos);
}

TEST_CASE("a page of very many tenants shows the worst of them and says so") {
  RunResult result = sample_result();
  const TenantResult model = result.tenants[1];
  result.tenants.clear();
  result.series.subjects.clear();
  for (int i = 0; i < 1'000; ++i) {
    TenantResult tenant = model;
    tenant.name = "t" + std::to_string(i);
    tenant.figures.wait.p99 = (i + 1) * 1'000'000;
    result.tenants.push_back(tenant);
    result.series.subjects.push_back(sample_result().series.subjects[0]);
    result.series.subjects.back().name = tenant.name;
  }
  const std::string page = render_html(result);
  CHECK(page.find("The 24 with the worst waits of 1001 are drawn") != std::string::npos);
  CHECK(page.find("801 more have shorter waits") != std::string::npos);
  CHECK(chart_data(page)["rows"][0]["name"] == "t999");
  CHECK(page.size() < 1'000'000);
}

TEST_CASE("a page of very many that send requests shows the worst of them and says so") {
  RunResult result = sample_gate_result();
  const TenantResult model = result.tenants[2];
  const SubjectSeries series = result.series.subjects.back();
  result.groups.clear();
  result.tenants.clear();
  result.series.subjects.clear();
  for (int i = 0; i < 300; ++i) {
    result.tenants.push_back(model);
    result.tenants.back().name = "t" + std::to_string(i);
    result.tenants.back().figures.gate->success_rate = 1 - i / 1'000.0;
    result.series.subjects.push_back(series);
    result.series.subjects.back().name = result.tenants.back().name;
  }
  const std::string page = render_html(result);
  CHECK(page.find("Of 300 that send requests the 24 with the worst success rates are drawn") != std::string::npos);
  CHECK(page.find("100 more have higher success rates") != std::string::npos);
  CHECK(chart_data(page)["requests"][0]["name"] == "t299");
}

TEST_CASE("a run without windows has no charts") {
  RunResult result = sample_result();
  result.series = RunSeries{};
  const std::string page = render_html(result);
  CHECK(page.find("Timelines") == std::string::npos);
  CHECK(chart_data(page)["rows"].empty());
}
