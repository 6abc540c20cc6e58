#include "reports/render/html.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "reports/render/html/assets.hpp"
#include "tests/reports/render/golden.hpp"
#include "tests/reports/render/html_assets.hpp"
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

nlohmann::json data_of(const std::string& page, const std::string& id) {
  const std::string start = "<script type=\"application/json\" id=\"" + id + "\">";
  const std::size_t from = page.find(start) + start.size();
  return nlohmann::json::parse(page.substr(from, page.find("</script>", from) - from));
}
nlohmann::json chart_data(const std::string& page) {
  return data_of(page, "chart-data");
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
  // Two blocks of data and five scripts, each ended once.
  CHECK(count_of(page, "<script") == 7);
  CHECK(count_of(page, "</script") == 7);
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
  for (const std::string_view asset :
       {kDygraphsStyle, kDygraphsScript, kReportStyle, kTablesScript, kChartsScript, kSweepsScript, kStepsScript}) {
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

TEST_CASE("the recorded sweeps are data of the page, the namespaces that were passed over most among them") {
  RunResult result = sample_result();
  const nlohmann::json data = data_of(render_html(result), "sweep-data");
  CHECK(data["names"][0] == "<script>alert(1)</script>");
  CHECK(data["stretches"][1] == nlohmann::json{"around the violation of slice at 0.02 s", 1, 2, 1});
  // Number, ms, node, sweep of the node, batch, active, left out; then nine figures for each namespace.
  CHECK(data["entries"][1] == nlohmann::json{2, 20.5, 1, 1, 4, 0, 7, {1, 16, 16, 0, 3, 0, 0, 0, 4}});
  CHECK(data["causes"][4] == "own_ceiling");
}

TEST_CASE("a page of very many recorded sweeps shows fewer namespaces of each and stays small") {
  RunResult result = sample_result();
  SweepEntry entry;
  for (std::uint32_t i = 0; i < SweepBook::kMostStandings; ++i) {
    // The last name is passed over most.
    entry.standings.push_back({i, 100, 0, 100, i, 0, 0, 0, WaitCause::batch_budget});
  }
  result.recorded_sweeps.entries.assign(SweepBook::kMostSweeps, entry);
  const std::string page = render_html(result);
  CHECK(page.size() < 3'000'000);
  const nlohmann::json shown = data_of(page, "sweep-data")["entries"][0];
  CHECK(shown[7].size() == 9 * 8);
  CHECK(shown[6] == 24);
  CHECK(shown[7][9 * 7 + 4] == 31);
}

TEST_CASE("a run that recorded nothing has no sweep browser") {
  RunResult result = sample_result();
  result.recorded_sweeps = {};
  const std::string page = render_html(result);
  CHECK(page.find("id=\"sweeps\"") == std::string::npos);
  CHECK(page.find("id=\"sweep-data\"") == std::string::npos);
}

TEST_CASE("points of charts hold several windows where a page would be too large, counts added, levels at their peak") {
  RunResult result = sample_result();
  result.series.windows = 24'000;
  result.series.window = Duration::milliseconds(1);
  for (SubjectSeries& subject : result.series.subjects) {
    for (auto* column : {&subject.pending, &subject.claimed, &subject.executing, &subject.ceiling, &subject.appended,
                         &subject.claims, &subject.completed, &subject.quota, &subject.longest_wait}) {
      column->assign(24'000, 0);
    }
    subject.pending[1] = 7;
    subject.completed[1] = 7;
    subject.completed[2] = 2;
  }
  const std::string page = render_html(result);
  const nlohmann::json data = chart_data(page);
  CHECK(data["window_ms"] == 6);  // 3 charts, 12,000 points
  CHECK(data["windows"] == 4'000);
  CHECK(data["rows"][0]["pending"][0] == 7);
  CHECK(data["rows"][0]["completed"][0] == 9);
  CHECK(page.find("Windows of 6 ms; levels are the peak in the window. Each holds 6 windows") != std::string::npos);
}

TEST_CASE("the windows held against the optimum come worst first") {
  RunResult result = sample_result();
  const auto at = [](std::int64_t seconds) { return Time::at(Duration::seconds(seconds)); };
  result.share_windows = {{at(1), at(2), 0.5, {{1, 100, 90, 100}, {2, 300, 150, 300}}},
                          {at(2), at(3), std::nullopt, {{0, 10, 1, 4}}}};
  const std::string page = render_html(result);
  const std::size_t table = page.find("Windows held against the max-min optimum");
  REQUIRE(table != std::string::npos);
  const std::size_t first = page.find("<tbody>", table);
  const std::size_t worst = page.find("25.0%", first);
  const std::size_t next = page.find("50.0%", first);
  CHECK(page.substr(first, 200).find("&lt;script&gt;alert(1)&lt;/script&gt;") != std::string::npos);
  CHECK(worst < next);
  CHECK(next < page.find("</table>", first));
}

TEST_CASE("a run without windows has no charts") {
  RunResult result = sample_result();
  result.series = RunSeries{};
  const std::string page = render_html(result);
  CHECK(page.find("Timelines") == std::string::npos);
  CHECK(chart_data(page)["rows"].empty());
}
