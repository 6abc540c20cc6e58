// Scenario files, with `--set` options behind them: a document, then any number of lines "--set /pointer=VALUE".
//
// What is refused is refused in words. What is accepted is the same scenario again in canonical form, can be warned
// of, and where it is small its first events can be simulated: a sound scenario never leads to a fault of the program.
#include <vector>

#include "sim/run/run_scenario.hpp"
#include "sim/scenario/load.hpp"
#include "sim/scenario/overrides.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "sim/scenario/tenants.hpp"
#include "sim/scenario/warnings.hpp"
#include "tests/fuzz/json_mutator.hpp"
#include "tests/fuzz/target.hpp"

namespace headroom::fuzz {
namespace {

constexpr std::size_t kMostFaults = kMaxFaults + 1;
constexpr std::string_view kFile = "scenario.json";

struct Input {
  std::string document;
  std::vector<std::string> overrides;
};

Input input_of(const std::string& text) {
  constexpr std::string_view option = "\n--set ";
  Input input;
  std::size_t end = text.find(option);
  input.document = text.substr(0, end);
  while (end != std::string::npos) {
    const std::size_t begin = end + option.size();
    end = text.find(option, begin);
    input.overrides.push_back(text.substr(begin, end == std::string::npos ? end : end - begin));
  }
  return input;
}

// Of the size of which thousands can be run in a second.
bool is_small(const Scenario& scenario) {
  const auto few_at_once = [](const auto& source) { return !source || arrivals_at_once(source->arrivals) <= 200; };
  for (const TenantSpec& tenant : scenario.tenants) {
    const bool few_rows = !tenant.rows || !tenant.rows->arrivals || arrivals_at_once(*tenant.rows->arrivals) <= 200;
    const std::uint64_t workflows = tenant.rows ? tenant.rows->workflows : 1;
    if (!few_rows || !few_at_once(tenant.requests) || tenant.routes.size() > 50 || workflows > 1'000) {
      return false;
    }
  }
  return count_tenants(scenario.tenants) <= 50 && scenario.cluster.nodes <= 8 && scenario.cluster.shards <= 256 &&
         scenario.cluster.processes <= 4 && scenario.faults.size() <= 50 &&
         scenario.duration.count() / scenario.window.count() <= 10'000;
}

void simulate(const Scenario& scenario) {
  static_cast<void>(run_scenario({.scenario = scenario, .seed = scenario.seed, .limits = {.max_events = 300}}));
}

void check_canonical(const Scenario& scenario, const Input& input) {
  Reading reading{std::string(kFile)};
  std::optional<JsonNode> document = parse_json(input.document, reading);
  HEADROOM_ASSERT(document, "a document that was read does not parse");
  apply_overrides(*document, input.overrides, reading);
  const Result<Scenario> again = read_scenario_text(canonical_text(*document), std::string(kFile));
  HEADROOM_ASSERT(again, "its canonical form is refused: {}", again.faults().front().text());
  HEADROOM_ASSERT(again.value().digest == scenario.digest, "its canonical form is another scenario");
}

}  // namespace
}  // namespace headroom::fuzz

FUZZ_TARGET(bytes) {
  using namespace headroom;
  using namespace headroom::fuzz;
  const Input input = input_of(text_of(bytes));
  const Result<Scenario> scenario = read_scenario_text(input.document, std::string(kFile), input.overrides);
  if (!scenario) {
    check_faults(scenario.faults(), kMostFaults);
    return;
  }
  check_canonical(scenario.value(), input);
  const Diagnostics warned = warnings(scenario.value());
  if (!warned.empty()) {
    check_faults(warned, kMostFaults);
  }
  if (is_small(scenario.value())) {
    simulate(scenario.value());
  }
}
