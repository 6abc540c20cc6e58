// headroom COMMAND ...: the arguments of every command, and nothing else.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <exception>
#include <fmt/format.h>
#include <string>
#include <thread>

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

std::string check_store(const std::string& text) {
  return text.empty() ? std::string("is empty; sqlite:FILE or postgres:URL would be right") : std::string();
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
  command
      ->add_option("--record", run.record,
                   "Show this stretch too, sweep by sweep in report.html and row by row in trace.json: sweeps by "
                   "number (100..250) or simulated time (60s..70s)")
      ->type_name("A..B")
      ->check([](const std::string& text) { return text.empty() ? std::string("is empty") : std::string(); });
  command
      ->add_option("--twin", run.twin,
                   "Compare with a run without this tenant or group (default: without those marked noisy)")
      ->type_name("TENANT")
      ->expected(1)
      ->take_all();
  command->add_flag("!--no-twin", run.run_twin, "No such second run");
  command->add_flag("!--no-properties", run.properties, "Do not evaluate properties");
  command->add_flag("--verify-determinism", run.verify_determinism, "Run twice more and compare event by event");
  command->add_option("--max-events", run.max_events, "End the run after this many events")
      ->type_name("N")
      ->check(check_whole);
  command->add_option("--max-seconds", run.max_seconds, "End the run after this much wall time")
      ->type_name("S")
      ->check(check_seconds);
  command
      ->add_option("--store", run.store,
                   "Do every append, claim and result in a database too, and end at the first difference: "
                   "sqlite:FILE or postgres:URL")
      ->type_name("URL")
      ->check(check_store);
  add_set(*command, run.set);
  command->footer(
      "Example:\n  headroom run scenarios/bursty_tenant.json --seed 7 --set /backpressure/planner=unscoped --out "
      "out\n  headroom run scenarios/bursty_tenant.json --store sqlite:run.db\n\n"
      "Exit status: 0 every expectation holds, 1 one is violated, 2 bad input, 3 undecided, 4 a fault of the program,\n"
      "or a store that differs from the model, 130 interrupted.");
}

std::string check_threads(const std::string& text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool sound = error == std::errc() && end == text.data() + text.size() && value >= 1 && value <= 256;
  return sound ? std::string() : "\"" + text + "\" is not a number of threads; 1 to 256 would be right";
}

std::string check_size(const std::string& text) {
  return parse_size(text) ? std::string() : "\"" + text + "\" is not a size; 4GiB or 500MB would be right";
}

std::string check_file(const std::string& text) {
  return text.empty() ? std::string("is empty; the name of a file would be right") : std::string();
}

void add_check(CLI::App& app, CheckArguments& check) {
  CLI::App* command = app.add_subcommand("check", "Explore every state of a small scope and say what is proved");
  command->add_option("scenario", check.scenario, "Scenario file with a section \"check\"")
      ->required()
      ->type_name("SCENARIO.json");
  command->add_option("--threads", check.threads, "Threads to explore with (default: one for each core)")
      ->type_name("N")
      ->check(check_threads);
  command->add_option("--max-states", check.max_states, "End after this many states")
      ->type_name("N")
      ->check(check_whole);
  command->add_option("--max-memory", check.max_memory, "End beyond this much memory (default: three quarters)")
      ->type_name("SIZE")
      ->check(check_size);
  command->add_option("--max-seconds", check.max_seconds, "End after this much wall time")
      ->type_name("S")
      ->check(check_seconds);
  command->add_flag("!--no-symmetry", check.symmetry, "Tell apart what is interchangeable");
  command->add_flag("--stop-at-first", check.stop_at_first, "End at the first violation");
  command->add_flag("--expect", check.expect, "Judge against what the scenario expects to be broken");
  command->add_option("--dot", check.dot, "Write the states and steps as a graph for Graphviz")
      ->type_name("FILE")
      ->check(check_file);
  command->add_flag("--json", check.json, "Print the result as JSON, alone, on stdout");
  command->add_option("--out", check.out, "Folder for check.json, report.html and the counterexamples")
      ->type_name("DIR")
      ->check(check_not_empty);
  add_set(*command, check.set);
  command->footer(
      "Example:\n  headroom check scenarios/check/gate.json --set /check/cancels=0 --out out\n\n"
      "Exit status: 0 all is proved, 1 something is violated, 2 bad input, 3 undecided: the scope was not exhausted,\n"
      "4 a fault of the program, 130 interrupted.");
}

void add_replay(CLI::App& app, ReplayArguments& replay) {
  CLI::App* command = app.add_subcommand("replay", "Take the steps of a counterexample again, one by one");
  command->add_option("file", replay.file, "Counterexample that `headroom check --out` wrote")
      ->required()
      ->type_name("FILE");
  command->add_option("--event", replay.event, "Stop after this step")->type_name("N")->check(check_whole);
  command->add_option("--until", replay.until, "Stop at this instant; step N is at N poll intervals")->type_name("T");
  command->add_option("--out", replay.out, "Write the usual files of a run to this folder")
      ->type_name("DIR")
      ->check(check_not_empty);
  command->add_flag("--sweeps", replay.sweeps, "With --out: also a line for every sweep, to sweeps.jsonl");
  command->add_flag("--json", replay.json, "Print the result as JSON, alone, on stdout");
  command->footer(
      "Example:\n  headroom replay out/counterexample-no_starvation.json --out out/replay\n\n"
      "One step every poll interval of the scenario; a loop is gone round 40 times.\n"
      "Exit status: 1 the violation is there again, 0 the extreme is reached again, 2 bad input, or other steps,\n"
      "3 stopped before anything was violated.");
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
  CheckArguments check{.threads = std::max(1U, std::thread::hardware_concurrency())};
  ReplayArguments replay;
  bool list_as_json = false;
  add_run(app, run);
  add_check(app, check);
  add_replay(app, replay);
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
  } else if (app.got_subcommand("check")) {
    status = check_command(check);
  } else if (app.got_subcommand("replay")) {
    status = replay_command(replay);
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
