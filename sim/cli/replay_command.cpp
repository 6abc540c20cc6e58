// replay: a counterexample again, step by step, and as a run with its report.
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <memory>

#include "reports/render/file.hpp"
#include "reports/render/summary.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/interrupt.hpp"
#include "sim/cli/written_run.hpp"
#include "sim/run/check_page.hpp"
#include "sim/run/check_render.hpp"
#include "sim/run/counterexample.hpp"
#include "sim/run/replay_run.hpp"

namespace headroom {
namespace {

std::string command_line(const ReplayArguments& arguments) {
  std::string line = "headroom replay " + shell_word(arguments.file);
  line += arguments.event ? fmt::format(" --event {}", *arguments.event) : "";
  line += arguments.until.empty() ? "" : " --until " + shell_word(arguments.until);
  return line;
}

void print(const ReplayArguments& arguments, const Replay& replay, const RunResult& result) {
  if (arguments.json) {
    fmt::print("{}", render_replay_json(replay, result));
  } else {
    fmt::print("{}\n{}", render_replay(replay, result.events), render_summary(result));
  }
  std::fflush(stdout);
}

// The steps, and the state after each.
bool write_page(const ReplayArguments& arguments, const Replay& replay, const std::string& command) {
  if (arguments.out.empty()) {
    return true;
  }
  const Result<std::uint64_t> written =
      write_file_atomically(std::filesystem::path(arguments.out) / "counterexample.html",
                            render_check_html(page_of(replay, arguments.file, command)));
  if (!written) {
    print_faults(written.faults());
  }
  return static_cast<bool>(written);
}

}  // namespace

ExitStatus replay_command(const ReplayArguments& arguments) {
  if (arguments.sweeps && arguments.out.empty()) {
    print_faults(std::vector{no_folder_for_sweeps()});
    return ExitStatus::bad_input;
  }
  RunLimits limits{.max_events = arguments.event, .stop = stop_if_interrupted()};
  if (!parse_instant("--until", arguments.until, limits.until)) {
    return ExitStatus::bad_input;
  }
  const Result<Replay> replayed = replay_counterexample(arguments.file);
  if (!replayed) {
    print_faults(replayed.faults());
    return ExitStatus::bad_input;
  }
  const Replay& replay = replayed.value();
  if (replay.fault) {
    print_faults(std::vector{*replay.fault});
    return ExitStatus::bad_input;
  }
  if (!arguments.out.empty() && !make_folder(arguments.out)) {
    return ExitStatus::bad_input;
  }
  watch_interrupts();
  const std::unique_ptr<SweepLog> sweeps = arguments.sweeps ? sweep_log_in(arguments.out) : nullptr;
  const std::string command = command_line(arguments);
  const RunReport report =
      run_counterexample({.replay = replay, .limits = limits, .sweeps = sweeps.get(), .command = command});
  if (!write_run(arguments.out, report, sweeps.get()) || !write_page(arguments, replay, command)) {
    return ExitStatus::bad_input;
  }
  print(arguments, replay, report.result);
  const ExitStatus status = status_of(report.result);
  if (status != ExitStatus::holds) {
    fmt::print(stderr, "{}\n", command);
  }
  return status;
}

}  // namespace headroom
