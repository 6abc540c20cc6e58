#include "sim/run/twin.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "reports/render/json.hpp"
#include "sim/run/run_scenario.hpp"
#include "sim/scenario/read_scenario.hpp"

using namespace headroom;

namespace {

using Names = std::vector<std::string>;

Scenario shipped(const std::string& name, const std::vector<std::string>& overrides = {}) {
  const char* source = std::getenv("HEADROOM_SOURCE_DIR");
  REQUIRE(source != nullptr);
  Result<Scenario> scenario = read_scenario(std::string(source) + "/scenarios/" + name + ".json", overrides);
  REQUIRE(scenario);
  return std::move(scenario.value());
}

Scenario short_burst(const std::string& planner) {
  return shipped("bursty_tenant", {"/duration=15s", "/warmup=2s", "/latency_shifts/0/at=6s", "/latency_shifts/0/for=3s",
                                   "/faults/0/at=8s", "/backpressure/planner=" + planner});
}

const TenantFigures& figures_of(const RunResult& result, const std::string& name) {
  for (const TenantResult& tenant : result.tenants) {
    if (tenant.name == name) {
      return tenant.figures;
    }
  }
  FAIL("no tenant " << name);
  return result.tenants[0].figures;
}

RunResult run(const Scenario& scenario, const Names& without = {}) {
  return run_scenario({.scenario = scenario, .seed = 7, .twin_without = without}).result;
}

}  // namespace

TEST_CASE("noise amplification compares with a run of the scenario in which the noisy tenant is not written") {
  for (const std::string planner : {"rotating", "unscoped"}) {
    INFO(planner);
    const Scenario scenario = short_burst(planner);
    Scenario removed = scenario;
    std::erase_if(removed.tenants, [](const TenantSpec& tenant) { return tenant.name == "noisy"; });
    removed.latency_shifts.clear();  // the one there is slows the noisy tenant
    const RunResult with = run(scenario, {"noisy"});
    const RunResult without = run(removed);
    for (const TenantResult& quiet : without.tenants) {
      INFO(quiet.name);
      const TenantFigures& beside = figures_of(with, quiet.name);
      REQUIRE(beside.noise);
      CHECK(beside.noise->without == "noisy");
      CHECK(beside.noise->p99.count() == beside.wait.p99);
      CHECK(beside.noise->twin_p99.count() == quiet.figures.wait.p99);
      CHECK(beside.noise->difference.count() == beside.wait.p99 - quiet.figures.wait.p99);
      CHECK(beside.noise->success_difference ==
            Approx(*beside.gate->success_rate - *quiet.figures.gate->success_rate).margin(1e-12));
      CHECK(beside.appended == quiet.figures.appended);  // common random numbers
    }
    CHECK_FALSE(figures_of(with, "noisy").noise);
  }
}

TEST_CASE("the twin changes nothing in the run that it is compared with") {
  const Scenario scenario = short_burst("rotating");
  auto with = nlohmann::json::parse(render_result_json(run(scenario, {"noisy"})));
  auto alone = nlohmann::json::parse(render_result_json(run(scenario)));
  for (auto* document : {&with, &alone}) {
    for (auto& [name, figures] : (*document)["tenants"].items()) {
      figures.erase("noise_amplification");
    }
    // Judged of the twin.
    document->erase("expectations");
    document->erase("verdict");
  }
  CHECK(with == alone);
}

TEST_CASE("a ratio exists from a p99 of 1 ms in the twin on") {
  const auto noise_with = [](std::int64_t twin_p99) {
    RunResult result;
    result.tenants = {{"quiet", {}}};
    result.tenants[0].figures.wait = {10, 0, 1, 1, 5'000'000, 5'000'000};
    RunResult twin = result;
    twin.tenants[0].figures.wait.p99 = twin_p99;
    compare_with_twin(Names{"noisy", "loud"}, twin, result);
    return *result.tenants[0].figures.noise;
  };
  CHECK(noise_with(1'000'000).ratio == 5.0);
  CHECK_FALSE(noise_with(999'999).ratio);
  CHECK(noise_with(999'999).difference == Duration::nanoseconds(4'000'001));
  CHECK(noise_with(1'000'000).without == "noisy, loud");
}

TEST_CASE("who waits in one of the two runs only has no noise amplification") {
  RunResult result;
  result.tenants = {{"quiet", {}}};
  result.tenants[0].figures.wait = {10, 0, 1, 1, 5'000'000, 5'000'000};
  RunResult twin = result;
  twin.tenants[0].figures.wait = {};
  compare_with_twin(Names{"noisy"}, twin, result);
  CHECK_FALSE(result.tenants[0].figures.noise);
}

TEST_CASE("the success of a tenant without requests is the part of its demand that was served") {
  RunResult result;
  result.tenants = {{"quiet", {}}};
  TenantFigures& figures = result.tenants[0].figures;
  figures.wait = {10, 0, 1, 1, 5'000'000, 5'000'000};
  figures.demand = 40;
  figures.served = 10;
  RunResult twin = result;
  twin.tenants[0].figures.served = 30;
  compare_with_twin(Names{"noisy"}, twin, result);
  CHECK(result.tenants[0].figures.noise->success_difference == -0.5);
}

TEST_CASE("all tenants marked noisy are left out, unless nobody would be left") {
  Scenario scenario;
  scenario.tenants = {{.name = "a"}, {.name = "b", .noisy = true}, {.name = "c", .count = 3, .noisy = true}};
  CHECK(noisy_tenants(scenario) == Names{"b", "c"});
  scenario.tenants[0].noisy = true;
  CHECK(noisy_tenants(scenario).empty());
}

TEST_CASE("a twin that is cut short counts as the run's early end, and nothing is compared") {
  const Scenario scenario = short_burst("rotating");
  const auto cut_after = [&](std::uint64_t times_asked) {
    std::uint64_t asked = 0;
    RunLimits limits;
    limits.stop = [&]() -> std::optional<std::string> {
      return ++asked > times_asked ? std::optional<std::string>("enough") : std::nullopt;
    };
    const RunResult whole = run_scenario({.scenario = scenario, .seed = 7, .limits = limits}).result;
    REQUIRE(whole.stopped_early.empty());
    const std::uint64_t by_run = asked;
    limits.stop = [&, left = by_run]() mutable -> std::optional<std::string> {
      return left-- == 0 ? std::optional<std::string>("enough") : std::nullopt;
    };
    return run_scenario({.scenario = scenario, .seed = 7, .limits = limits, .twin_without = {"noisy"}}).result;
  };
  const RunResult result = cut_after(1'000'000'000);
  CHECK(result.stopped_early == "enough");
  CHECK(result.verdict == Verdict::undecided);
  CHECK_FALSE(result.tenants[0].figures.noise);
}
