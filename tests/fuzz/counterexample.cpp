// Recorded schedules: the counterexample files that `check` writes and `replay` walks again.
#include "sim/run/counterexample.hpp"

#include "sim/run/check_render.hpp"
#include "sim/run/replay_run.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "sim/scenario/reading.hpp"
#include "tests/fuzz/input_file.hpp"
#include "tests/fuzz/json_mutator.hpp"
#include "tests/fuzz/target.hpp"

namespace headroom::fuzz {
namespace {

constexpr std::size_t kMostFaults = kMaxFaults + 1;

std::span<const std::uint8_t> bytes_of(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

// What was read, written and read again, is written the same.
void check_round_trip(const Counterexample& read) {
  static InputFile file("-again.json");
  const std::string written = render_counterexample(read);
  const Result<Counterexample> again = read_counterexample(file.holding(bytes_of(written)));
  HEADROOM_ASSERT(again, "what was written is refused: {}", again.faults().front().text());
  HEADROOM_ASSERT(render_counterexample(again.value()) == written, "it is written in another way the second time");
}

RunLimits few_steps() {
  RunLimits limits;
  limits.max_events = 1000;
  return limits;
}

}  // namespace
}  // namespace headroom::fuzz

FUZZ_TARGET(bytes) {
  using namespace headroom;
  using namespace headroom::fuzz;
  static InputFile file(".json");
  const std::string path = file.holding(bytes);
  const Result<Counterexample> read = read_counterexample(path);
  if (!read) {
    check_faults(read.faults(), kMostFaults);
    return;
  }
  check_round_trip(read.value());
  const Result<Replay> replayed = replay_counterexample(path);
  if (!replayed) {
    check_faults(replayed.faults(), kMostFaults);
    return;
  }
  HEADROOM_ASSERT(replayed.value().confirmed == !replayed.value().fault, "confirmed, and a fault");
  if (replayed.value().fault) {
    check_faults({*replayed.value().fault}, 1);
  }
  HEADROOM_ASSERT(!render_replay(replayed.value(), 1'000'000).empty(), "nothing to show");
  if (replayed.value().confirmed) {
    const RunReport report = run_counterexample({.replay = replayed.value(), .limits = few_steps(), .command = "fuzz"});
    HEADROOM_ASSERT(!render_replay_json(replayed.value(), report.result).empty(), "nothing to show");
  }
}
