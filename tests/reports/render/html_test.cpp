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

TEST_CASE("names are text everywhere in the page, in its markup and in its scripts") {
  RunResult result = sample_result();
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
  const std::string page = without_assets(render_html(sample_result()));
  CHECK(page.find("default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:") !=
        std::string::npos);
  CHECK(page.find("http://") == std::string::npos);
  CHECK(page.find("https://") == std::string::npos);
  CHECK(page.find(" src=") == std::string::npos);
  CHECK(page.find("href=") == std::string::npos);
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
  REQUIRE(data["subjects"].size() == 3);
  CHECK(data["subjects"][0]["name"] == "<script>alert(1)</script>");  // the worst wait
  CHECK(data["subjects"][1]["name"] == "quiet");
  CHECK(data["subjects"][1]["pending"] == nlohmann::json{3, 9, 3});
  CHECK(data["subjects"][1]["ceiling"] == nlohmann::json{16, 16, 17});
  CHECK(data["marks"][0]["label"] == "tenant <script>alert(1)</script> x3");
  CHECK(data["marks"][0]["until_ms"] == 2000);
  CHECK(data["marks"][1]["at_ms"] == 1500);
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
  CHECK(chart_data(page)["subjects"][0]["name"] == "t999");
  CHECK(page.size() < 1'000'000);
}

TEST_CASE("a run without windows has no charts") {
  RunResult result = sample_result();
  result.series = RunSeries{};
  const std::string page = render_html(result);
  CHECK(page.find("Timelines") == std::string::npos);
  CHECK(chart_data(page)["subjects"].empty());
}
