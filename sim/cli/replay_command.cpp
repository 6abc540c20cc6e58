// replay: the steps of a counterexample taken again, one by one.
#include <cstdio>
#include <fmt/format.h>
#include <limits>

#include "sim/cli/commands.hpp"
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
  const std::uint64_t until = arguments.event.value_or(std::numeric_limits<std::uint64_t>::max());
  fmt::print("{}", arguments.json ? render_replay_json(replay) : render_replay(replay, until));
  std::fflush(stdout);
  const checker::ClaimKind kind = replay.counterexample.claim.kind;
  const bool violated = kind != checker::ClaimKind::extreme && kind != checker::ClaimKind::wait;
  if (violated) {
    fmt::print(stderr, "headroom replay {}\n", shell_word(arguments.file));
  }
  return violated ? ExitStatus::violated : ExitStatus::holds;
}

}  // namespace headroom
