#include <fmt/format.h>
#include <optional>
#include <ostream>

#include "sim/run/run_scenario.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "tests/comparisons/comparisons.hpp"

namespace headroom::test {
namespace {

using Limit = std::optional<std::uint32_t>;

// A limit that a scenario may have, and where it stands in its file.
struct LimitPlace {
  std::string pointer;
  Limit value;
};

std::vector<LimitPlace> limits_of(const Scenario& scenario) {
  std::vector<LimitPlace> places;
  if (const auto& gate = scenario.admission) {
    places.push_back({"/admission/max_inflight", gate->max_inflight.value_or(std::nullopt)});
    places.push_back({"/admission/max_queue_depth", gate->max_queue_depth});
    places.push_back({"/admission/tenant/max_inflight", gate->tenant.max_inflight});
    places.push_back({"/admission/tenant/max_queue_depth", gate->tenant.max_queue_depth});
    const auto& rate = gate->tenant.rate_limit;
    places.push_back({"/admission/tenant/rate_limit/burst", rate ? Limit(rate->burst) : std::nullopt});
  }
  for (std::size_t i = 0; i < scenario.tenants.size(); ++i) {
    const auto quota = [&](std::uint32_t value) { places.push_back({fmt::format("/tenants/{}/quota", i), value}); };
    if (scenario.tenants[i].rows && scenario.tenants[i].quota < 1'000'000) {
      quota(scenario.tenants[i].quota);
    }
  }
  std::erase_if(places, [](const LimitPlace& place) { return !place.value || *place.value == 0; });
  return places;
}

// Requests that gates let in, and rows that were claimed, by the end of the measured part.
struct Admitted {
  std::uint64_t requests = 0;
  std::uint64_t rows = 0;
};

Admitted admitted_by(const Scenario& scenario) {
  const RunResult result = run_scenario({.scenario = scenario, .seed = scenario.seed, .properties = false}).result;
  Admitted sum;
  const auto add = [&sum](const TenantFigures& figures) {
    sum.requests += figures.gate ? figures.gate->counts.admitted : 0;
    sum.rows += figures.claimed;
  };
  for (const TenantResult& tenant : result.tenants) {
    add(tenant.figures);
  }
  for (const GroupResult& group : result.groups) {
    add(group.pooled);
  }
  return sum;
}

struct Tally {
  int more = 0;
  int same = 0;
  int less = 0;
};

void compare_file(const std::string& file, Tally& tally, std::ostream& out) {
  const Result<Scenario> plain = read_scenario(file);
  if (!plain) {
    out << "| " << file << " | cannot be read | | | |\n";
    return;
  }
  const std::vector<LimitPlace> places = limits_of(plain.value());
  if (places.empty()) {
    return;
  }
  const Admitted before = admitted_by(plain.value());
  for (const LimitPlace& place : places) {
    const std::vector<std::string> raised{fmt::format("{}={}", place.pointer, 2 * *place.value)};
    const Result<Scenario> other = read_scenario(file, raised);
    if (!other) {
      continue;  // it would be above another limit of the format
    }
    const Admitted after = admitted_by(other.value());
    const bool less = after.requests < before.requests || after.rows < before.rows;
    const bool same = after.requests == before.requests && after.rows == before.rows;
    (less ? tally.less : same ? tally.same : tally.more)++;
    if (!same) {
      out << fmt::format("| {} | {} | {} to {} | {} to {} | {} |\n", plain.value().name, raised.front(),
                         before.requests, after.requests, before.rows, after.rows, less ? "LESS" : "more");
    }
  }
}

}  // namespace

void compare_raised_limits(const std::vector<std::string>& scenario_files, std::ostream& out) {
  out << "## Raised limits: is less work admitted?\n\n"
         "| scenario | limit | requests admitted | rows claimed | |\n|---|---|---|---|---|\n";
  Tally tally;
  for (const std::string& file : scenario_files) {
    compare_file(file, tally, out);
    out.flush();
  }
  out << fmt::format("\n{} limits doubled: more work in {}, as much in {} (not listed), less of something in {}\n\n",
                     tally.more + tally.same + tally.less, tally.more, tally.same, tally.less);
}

}  // namespace headroom::test
