#include <cstdio>
#include <fmt/format.h>

#include "sim/cli/commands.hpp"
#include "sim/run/why.hpp"
#include "sim/scenario/read_scenario.hpp"

namespace headroom {

ExitStatus why_command(const WhyArguments& arguments) {
  const int asked =
      (arguments.tenant.empty() ? 0 : 1) + (arguments.row.empty() ? 0 : 1) + (arguments.request.empty() ? 0 : 1);
  if (asked != 1) {
    print_faults(std::vector{Diagnostic{"why", "", "is about one thing", "one of --tenant, --row and --request"}});
    return ExitStatus::bad_input;
  }
  const Result<Scenario> scenario = read_scenario(arguments.scenario, arguments.set);
  if (!scenario) {
    print_faults(scenario.faults());
    return ExitStatus::bad_input;
  }
  std::optional<Time> at;
  if (!parse_instant("--at", arguments.at, at)) {
    return ExitStatus::bad_input;
  }
  const Result<WhyReport> report = why({.scenario = scenario.value(),
                                        .seed = arguments.seed.value_or(scenario.value().seed),
                                        .tenant = arguments.tenant,
                                        .row = arguments.row,
                                        .request = arguments.request,
                                        .at = at});
  if (!report) {
    print_faults(report.faults());
    return ExitStatus::bad_input;
  }
  fmt::print("{}", arguments.json ? why_json(report.value()) : why_text(report.value()));
  return ExitStatus::holds;
}

}  // namespace headroom
