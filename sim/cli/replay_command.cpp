// replay: the steps of a counterexample taken again, one by one.
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <limits>

#include "reports/render/file.hpp"
#include "sim/cli/commands.hpp"
#include "sim/run/check_page.hpp"
#include "sim/run/check_render.hpp"
#include "sim/run/counterexample.hpp"

namespace headroom {

ExitStatus replay_command(const ReplayArguments& arguments) {
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
  const std::string command = "headroom replay " + shell_word(arguments.file);
  if (!arguments.out.empty()) {
    if (!make_folder(arguments.out)) {
      return ExitStatus::bad_input;
    }
    const Result<std::uint64_t> written =
        write_file_atomically(std::filesystem::path(arguments.out) / "report.html",
                              render_check_html(page_of(replay, arguments.file, command)));
    if (!written) {
      print_faults(written.faults());
      return ExitStatus::bad_input;
    }
  }
  const std::uint64_t until = arguments.event.value_or(std::numeric_limits<std::uint64_t>::max());
  fmt::print("{}", arguments.json ? render_replay_json(replay) : render_replay(replay, until));
  std::fflush(stdout);
  const checker::ClaimKind kind = replay.counterexample.claim.kind;
  const bool violated = kind != checker::ClaimKind::extreme && kind != checker::ClaimKind::wait;
  if (violated) {
    fmt::print(stderr, "{}\n", command);
  }
  return violated ? ExitStatus::violated : ExitStatus::holds;
}

}  // namespace headroom
