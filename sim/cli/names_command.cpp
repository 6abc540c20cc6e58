// list, schema and validate: what a scenario may say, and whether one says it.
#include <cstdio>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/cli/commands.hpp"
#include "sim/scenario/names.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "sim/scenario/schema.hpp"
#include "sim/scenario/warnings.hpp"

namespace headroom {
namespace {

nlohmann::ordered_json as_json(const Diagnostics& diagnostics) {
  nlohmann::ordered_json lines = nlohmann::ordered_json::array();
  for (const Diagnostic& diagnostic : diagnostics) {
    lines.push_back({{"file", diagnostic.file},
                     {"pointer", diagnostic.pointer},
                     {"wrong", diagnostic.wrong},
                     {"right", diagnostic.right}});
  }
  return lines;
}

}  // namespace

ExitStatus list_command(bool json) {
  const std::vector<NameList> lists = all_names();
  if (json) {
    nlohmann::ordered_json document = nlohmann::ordered_json::object();
    for (const NameList& list : lists) {
      for (const NameList::Entry& entry : list.entries) {
        document[list.title][entry.name] = entry.summary;
      }
    }
    fmt::print("{}\n", document.dump(2));
    return ExitStatus::holds;
  }
  for (const NameList& list : lists) {
    fmt::print("{}\n", list.title);
    for (const NameList::Entry& entry : list.entries) {
      fmt::print("  {:<24} {}\n", entry.name, entry.summary);
    }
  }
  return ExitStatus::holds;
}

ExitStatus schema_command() {
  fmt::print("{}", scenario_schema());
  return ExitStatus::holds;
}

ExitStatus validate_command(const ValidateArguments& arguments) {
  bool valid = true;
  nlohmann::ordered_json document = nlohmann::ordered_json::array();
  for (const std::string& file : arguments.scenarios) {
    const Result<Scenario> scenario = read_scenario(file, arguments.set);
    const Diagnostics warned = scenario ? warnings(scenario.value()) : Diagnostics{};
    valid = valid && scenario;
    if (arguments.json) {
      document.push_back({{"file", file},
                          {"valid", static_cast<bool>(scenario)},
                          {"faults", as_json(scenario ? Diagnostics{} : scenario.faults())},
                          {"warnings", as_json(warned)}});
      continue;
    }
    if (!scenario) {
      print_faults(scenario.faults());
    }
    for (const Diagnostic& warning : warned) {
      fmt::print("warning: {}\n", warning.text());
    }
    if (scenario && warned.empty()) {
      fmt::print("{}: valid\n", file);
    }
  }
  if (arguments.json) {
    fmt::print("{}\n", document.dump(2));
  }
  return valid ? ExitStatus::holds : ExitStatus::bad_input;
}

}  // namespace headroom
