// headroom COMMAND ...: the arguments of every command, and nothing else.
#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdio>
#include <exception>
#include <fmt/format.h>
#include <string>

#include "sim/cli/commands.hpp"

namespace headroom {
namespace {

// What CLI11 would convert wrongly (-1, 10^20, nan) is refused before it does.
std::string check_whole(const std::string& text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = !text.empty() && error == std::errc() && end == text.data() + text.size();
  return whole ? std::string() : "\"" + text + "\" is not a whole number; 0 to 18446744073709551615 would be right";
}

std::string check_seconds(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool sound = error == std::errc() && end == text.data() + text.size() && value > 0 && value < 1e9;
  return sound ? std::string() : "\"" + text + "\" is not a time; seconds above 0 would be right";
}

std::string check_not_empty(const std::string& text) {
  return text.empty() ? std::string("is empty; the name of a folder would be right") : std::string();
}

void add_set(CLI::App& command, std::vector<std::string>& set) {
  command
      .add_option("--set", set,
                  "Put another value into the scenario: /json/pointer=VALUE (JSON, else a string); may be repeated")
      ->type_name("/POINTER=VALUE")
      ->expected(1)
      ->take_all();
}

void add_run(CLI::App& app, RunArguments& run) {
  CLI::App* command = app.add_subcommand("run", "Simulate a scenario once and judge what it expects");
  command->add_option("scenario", run.scenario, "Scenario file")->required()->type_name("SCENARIO.json");
  command->add_option("--seed", run.seed, "Seed of all random streams, in place of the scenario's")
      ->type_name("N")
      ->check(check_whole);
  command->add_option("--out", run.out, "Folder for result.json, report.html and the other files")
      ->type_name("DIR")
      ->check(check_not_empty);
  command->add_flag("--json", run.json, "Print result.json, alone, on stdout");
  command->add_flag("--sweeps", run.sweeps, "Write sweeps.jsonl, a line a sweep, as well");
  command->add_flag("!--no-properties", run.properties, "Do not evaluate properties");
  command->add_flag("--verify-determinism", run.verify_determinism, "Run twice more and compare event by event");
  command->add_option("--max-events", run.max_events, "End the run after this many events")
      ->type_name("N")
      ->check(check_whole);
  command->add_option("--max-seconds", run.max_seconds, "End the run after this much wall time")
      ->type_name("S")
      ->check(check_seconds);
  add_set(*command, run.set);
  command->footer(
      "Example:\n  headroom run scenarios/bursty_tenant.json --seed 7 --set /backpressure/planner=unscoped --out "
      "out\n\n"
      "Exit status: 0 every expectation holds, 1 one is violated, 2 bad input, 3 undecided, 4 a fault of the program,\n"
      "130 interrupted.");
}

void add_validate(CLI::App& app, ValidateArguments& validate) {
  CLI::App* command = app.add_subcommand("validate", "Check scenarios without running them");
  command->add_option("scenario", validate.scenarios, "Scenario files")->required()->type_name("SCENARIO.json...");
  command->add_flag("--json", validate.json, "Print the faults and warnings as JSON");
  add_set(*command, validate.set);
  command->footer("Example:\n  headroom validate scenarios/*.json");
}

void add_why(CLI::App& app, WhyArguments& why) {
  CLI::App* command = app.add_subcommand("why", "Say why a tenant, a row or a request waited");
  command->add_option("scenario", why.scenario, "Scenario file")->required()->type_name("SCENARIO.json");
  command->add_option("--tenant", why.tenant, "A tenant, or a group: every sweep that passed it over, and the causes")
      ->type_name("NAME");
  command->add_option("--row", why.row, "A row: TENANT/N, or TENANT/R.N for row N of its request R")->type_name("KEY");
  command->add_option("--request", why.request, "A logical request: TENANT/R")->type_name("ID");
  command->add_option("--at", why.at, "Up to this instant (default: the end of the measured part)")->type_name("T");
  command->add_option("--seed", why.seed, "Seed of all random streams, in place of the scenario's")
      ->type_name("N")
      ->check(check_whole);
  command->add_flag("--json", why.json, "Print the answer as JSON");
  add_set(*command, why.set);
  command->footer("Example:\n  headroom why scenarios/fixed_order_starves.json --tenant c --at 1s");
}

int run_program(int argc, const char* const* argv) {
  CLI::App app("Does my backpressure really protect the quiet tenant?", "headroom");
  app.set_version_flag("--version", std::string("headroom ") + HEADROOM_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Each command has --help with an example. Start with:\n  headroom run scenarios/bursty_tenant.json --out out");
  RunArguments run;
  ValidateArguments validate;
  WhyArguments why;
  bool list_as_json = false;
  add_run(app, run);
  add_validate(app, validate);
  add_why(app, why);
  CLI::App* list = app.add_subcommand("list", "Name every planner, arrival process, distribution, fault and property");
  list->add_flag("--json", list_as_json, "As JSON");
  list->footer("Example:\n  headroom list");
  CLI::App* schema = app.add_subcommand("schema", "Print the JSON Schema of scenario files");
  schema->footer("Example:\n  headroom schema > scenario.schema.json");
  bool schema_as_json = false;
  schema->add_flag("--json", schema_as_json, "The schema is JSON with and without it");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int status = app.exit(error);
    return status == 0 ? 0 : static_cast<int>(ExitStatus::bad_input);
  }
  ExitStatus status = ExitStatus::fault;
  if (app.got_subcommand("run")) {
    status = run_command(run);
  } else if (app.got_subcommand("validate")) {
    status = validate_command(validate);
  } else if (app.got_subcommand("why")) {
    status = why_command(why);
  } else if (app.got_subcommand("list")) {
    status = list_command(list_as_json);
  } else if (app.got_subcommand("schema")) {
    status = schema_command();
  }
  return static_cast<int>(status);
}

}  // namespace
}  // namespace headroom

int main(int argc, char** argv) {
  try {
    return headroom::run_program(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "headroom: fault of the program itself: {}\n", error.what());
    return static_cast<int>(headroom::ExitStatus::fault);
  }
}
