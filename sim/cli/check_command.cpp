// check: every state of a scope, and what it proves.
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

#include "reports/render/file.hpp"
#include "sim/cli/check_progress.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/interrupt.hpp"
#include "sim/run/check_page.hpp"
#include "sim/run/check_render.hpp"
#include "sim/run/check_scenario.hpp"
#include "sim/run/counterexample.hpp"
#include "sim/scenario/read_scenario.hpp"

namespace headroom {
namespace {

// A picture of more is none.
constexpr std::uint64_t kMostDrawn = 10'000;

std::string command_line(const CheckArguments& arguments) {
  std::string line = "headroom check " + shell_word(arguments.scenario);
  for (const std::string& set : arguments.set) {
    line += " --set " + shell_word(set);
  }
  line += arguments.symmetry ? "" : " --no-symmetry";
  line += arguments.stop_at_first ? " --stop-at-first" : "";
  line += arguments.expect ? " --expect" : "";
  line += arguments.max_states ? fmt::format(" --max-states {}", *arguments.max_states) : "";
  line += arguments.max_memory.empty() ? "" : " --max-memory " + arguments.max_memory;
  line += arguments.max_seconds ? fmt::format(" --max-seconds {}", *arguments.max_seconds) : "";
  return line;
}

// Beyond it the machine would swap, or end the program without a word.
std::size_t most_of_the_memory() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page = sysconf(_SC_PAGESIZE);
  return pages > 0 && page > 0 ? static_cast<std::size_t>(pages) / 4 * 3 * static_cast<std::size_t>(page) : 0;
}

checker::Options options_of(const CheckArguments& arguments, CheckProgress& progress) {
  checker::Options options;
  options.threads = arguments.threads;
  options.symmetry = arguments.symmetry;
  options.stop_at_first = arguments.stop_at_first;
  options.max_states = arguments.max_states.value_or(0);
  options.max_memory =
      arguments.max_memory.empty() ? most_of_the_memory() : parse_size(arguments.max_memory).value_or(0);
  options.max_seconds = arguments.max_seconds.value_or(0);
  options.stop = interrupted;
  options.progress = [&progress](const checker::Progress& now) { progress.show(now); };
  options.fault_context = [command = command_line(arguments)] { return "reproduce with: " + command; };
  return options;
}

bool write_or_say(const std::filesystem::path& path, const std::string& text) {
  const Result<std::uint64_t> written = write_file_atomically(path, text);
  if (!written) {
    print_faults(written.faults());
  }
  return static_cast<bool>(written);
}

// Counterexamples of an earlier check of the folder would be taken for this one's.
void remove_former(const std::filesystem::path& folder) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(".json") && (name.starts_with("counterexample-") || name.starts_with("extreme-"))) {
      std::filesystem::remove(entry.path(), ignored);
    }
  }
}

bool write_files(const CheckArguments& arguments, CheckReport& report) {
  const Result<std::string> document = read_document(arguments.scenario, arguments.set);
  if (!document) {
    print_faults(document.faults());
    return false;
  }
  const std::filesystem::path folder(arguments.out);
  remove_former(folder);
  const std::vector<CounterexampleFile> files = counterexamples_of(report, arguments.scenario, document.value());
  for (const CounterexampleFile& file : files) {
    if (!write_or_say(folder / file.name, file.text)) {
      return false;
    }
  }
  for (CheckJudgement& judgement : report.judgements) {
    judgement.file = judgement.file.empty() ? "" : (folder / judgement.file).string();
  }
  return write_or_say(folder / "check.json", render_check_json(report)) &&
         write_or_say(folder / "report.html", render_check_html(page_of(report, files, command_line(arguments))));
}

bool draw(const CheckArguments& arguments, const Scenario& scenario) {
  checker::Options options;
  options.threads = arguments.threads;
  options.symmetry = arguments.symmetry;
  options.max_states = kMostDrawn;
  options.stop = interrupted;
  const std::optional<std::string> picture = draw_check(scenario, options);
  if (!picture) {
    print_faults(std::vector{
        Diagnostic{"--dot", "", "the scope has more states than can be drawn", fmt::format("at most {}", kMostDrawn)}});
    return false;
  }
  return write_or_say(arguments.dot, *picture);
}

ExitStatus status_of(const CheckReport& report) {
  if (report.result.ended == checker::Ended::stopped) {
    return ExitStatus::interrupted;
  }
  switch (report.verdict) {
    case checker::Verdict::pass:
      return ExitStatus::holds;
    case checker::Verdict::fail:
      return ExitStatus::violated;
    case checker::Verdict::undecided:
      return ExitStatus::undecided;
  }
  return ExitStatus::fault;
}

}  // namespace

ExitStatus check_command(const CheckArguments& arguments) {
  const Result<Scenario> scenario = read_scenario(arguments.scenario, arguments.set);
  if (!scenario) {
    print_faults(scenario.faults());
    return ExitStatus::bad_input;
  }
  if (!arguments.out.empty() && !make_folder(arguments.out)) {
    return ExitStatus::bad_input;
  }
  watch_interrupts();
  Result<CheckReport> checked = [&] {
    CheckProgress progress;
    return run_check(
        {.scenario = scenario.value(), .options = options_of(arguments, progress), .expect = arguments.expect});
  }();
  if (!checked) {
    print_faults(checked.faults());
    return ExitStatus::bad_input;
  }
  CheckReport& report = checked.value();
  if (!arguments.out.empty() && !write_files(arguments, report)) {
    return ExitStatus::bad_input;
  }
  if (!arguments.dot.empty() && !draw(arguments, scenario.value())) {
    return ExitStatus::bad_input;
  }
  fmt::print("{}", arguments.json ? render_check_json(report) : render_check_summary(report));
  if (!arguments.json) {
    fmt::print("{:.2f} s, {:.0f} states a second, {:.1f} bytes a state\n", report.result.seconds,
               report.result.states_per_second(), report.result.bytes_per_state());
  }
  std::fflush(stdout);
  const ExitStatus status = status_of(report);
  if (status != ExitStatus::holds) {
    fmt::print(stderr, "{}\n", command_line(arguments));
  }
  return status;
}

}  // namespace headroom
