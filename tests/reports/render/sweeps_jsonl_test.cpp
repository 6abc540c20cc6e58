#include "reports/render/sweeps_jsonl.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

using namespace headroom;

namespace {

const std::vector<SweepTenant> kTenants = {{"<script>", 16, 4, 12, 100, 2, 1, 2}, {"a,b\"c\nd", 1, 1, 0, 5, 0, 0, 0}};

SweepRecord record(std::uint64_t sweep) {
  return {Time::at(Duration::microseconds(1'500)), "n2", sweep, 4, 3, kTenants};
}

}  // namespace

TEST_CASE("a sweep is one line with what each namespace had and was given") {
  std::string line;
  render_sweep(record(7), line);
  CHECK(line.back() == '\n');
  CHECK(line.find('\n') == line.size() - 1);
  CHECK(nlohmann::ordered_json::parse(line).dump() ==
        R"({"t_ms":1.5,"node":"n2","sweep":7,"batch":4,"active":3,"tenants":{)"
        R"("<script>":{"ceiling":16,"claimed":4,"headroom":12,"claimable":100,"granted":2,"guaranteed":1,)"
        R"("claimed_now":2},)"
        R"("a,b\"c\nd":{"ceiling":1,"claimed":1,"headroom":0,"claimable":5,"granted":0,"guaranteed":0,)"
        R"("claimed_now":0}}})");
}

TEST_CASE("a sweep without namespaces has an empty object") {
  std::string line;
  render_sweep({Time::zero(), "n1", 1, 4, 0, {}}, line);
  CHECK(line == "{\"t_ms\":0,\"node\":\"n1\",\"sweep\":1,\"batch\":4,\"active\":0,\"tenants\":{}}\n");
}

TEST_CASE("a log of sweeps takes its name only when it is finished") {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "headroom_sweep_log_test";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  const std::filesystem::path path = folder / "sweeps.jsonl";
  {
    SweepLog abandoned(path);
    abandoned.append(record(1));
  }
  CHECK(std::filesystem::is_empty(folder));
  SweepLog log(path);
  for (std::uint64_t sweep = 1; sweep <= 3; ++sweep) {
    log.append(record(sweep));
  }
  CHECK_FALSE(std::filesystem::exists(path));
  const Result<std::uint64_t> written = log.finish();
  REQUIRE(written);
  CHECK(written.value() == std::filesystem::file_size(path));
  std::ifstream lines(path);
  std::uint64_t expected = 0;
  for (std::string line; std::getline(lines, line);) {
    CHECK(nlohmann::json::parse(line)["sweep"] == ++expected);
  }
  CHECK(expected == 3);
  std::filesystem::remove_all(folder);
}
