// States a second and bytes a state on the claim protocol of 2,800,834 states, without symmetry, beside the exact modes
// of SPIN in the same run. HEADROOM_PEERS names the folder in which claim_protocol/run.sh runs SPIN on the same
// transition system; without it, or without spin, only headroom is measured.
#include "tests/model/checker/claim_protocol.hpp"

#include <algorithm>
#include <array>
#include <benchmark/benchmark.h>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace headroom {
namespace {

constexpr double kStates = 2'800'834;

// Medians of what was measured so far, by the name of what did it; the benchmarks run in the order of their
// registration.
std::map<std::string, double>& states_per_second() {
  static std::map<std::string, double> measured;
  return measured;
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

std::optional<checker::CheckResult> search(benchmark::State& state, unsigned threads) {
  const test::ClaimProtocol model({3, 2, 2, 2, 2, 2, 1, 1});
  checker::CheckResult result = checker::check(model, {.threads = threads, .symmetry = false});
  if (static_cast<double>(result.states) != kStates || result.verdict() != checker::Verdict::pass) {
    state.SkipWithError("the protocol has 2,800,834 states and keeps its promises");
    return std::nullopt;
  }
  return result;
}

void tell_rate(benchmark::State& state, const std::string& name, double rate) {
  state.counters["states/s"] = states_per_second()[name] = rate;
  double best_spin = 0;
  for (const auto& [other, other_rate] : states_per_second()) {
    if (other.starts_with("spin")) best_spin = std::max(best_spin, other_rate);
  }
  if (best_spin > 0) state.counters["x_best_spin"] = rate / best_spin;
}

void one_thread(benchmark::State& state) {
  std::vector<double> rates;
  for (auto _ : state) {
    const std::optional<checker::CheckResult> result = search(state, 1);
    if (!result) return;
    state.SetIterationTime(result->search_seconds);
    rates.push_back(result->states_per_second());
    state.counters["bytes/state"] = result->bytes_per_state();
  }
  tell_rate(state, "headroom", median(rates));
}

// One search with one thread before each, so that whatever else the machine does slows down both.
void two_threads(benchmark::State& state) {
  std::vector<double> rates;
  std::vector<double> ratios;
  for (auto _ : state) {
    const std::optional<checker::CheckResult> alone = search(state, 1);
    const std::optional<checker::CheckResult> result = search(state, 2);
    if (!alone || !result) return;
    state.SetIterationTime(result->search_seconds);
    rates.push_back(result->states_per_second());
    ratios.push_back(result->states_per_second() / alone->states_per_second());
  }
  tell_rate(state, "headroom_2_threads", median(rates));
  state.counters["x_one_thread"] = median(ratios);
}

// What run.sh prints last: "spin-dfs   states 2800834  seconds 5.91  states/s 473914  bytes/state 114.5  errors: 0".
struct PeerFigures {
  double states = 0;
  double seconds = 0;
  double bytes_per_state = 0;
};

std::optional<PeerFigures> run_peer(const std::string& mode) {
  const std::string command = "\"$HEADROOM_PEERS/claim_protocol/run.sh\" " + mode + " 3 2 2 2 2 2 1 1 2>/dev/null";
  std::FILE* output = popen(command.c_str(), "r");
  if (output == nullptr) return std::nullopt;
  std::array<char, 400> line{};
  const bool has_line = std::fgets(line.data(), line.size(), output) != nullptr;
  PeerFigures figures;
  const bool succeeded = pclose(output) == 0;
  const int found = std::sscanf(line.data(), "%*s states %lf seconds %lf states/s %*f bytes/state %lf", &figures.states,
                                &figures.seconds, &figures.bytes_per_state);
  return has_line && succeeded && found == 3 && figures.seconds > 0 ? std::optional(figures) : std::nullopt;
}

void spin(benchmark::State& state, const std::string& mode) {
  std::vector<double> rates;
  for (auto _ : state) {
    const std::optional<PeerFigures> figures = run_peer(mode);
    if (!figures || figures->states != kStates) {
      state.SkipWithError("SPIN did not find 2,800,834 states");
      return;
    }
    state.SetIterationTime(figures->seconds);
    rates.push_back(figures->states / figures->seconds);
    state.counters["bytes/state"] = figures->bytes_per_state;
  }
  state.counters["states/s"] = states_per_second()[mode] = median(rates);
}

bool register_all() {
  const auto add = [](const std::string& name, const auto& run) {
    benchmark::RegisterBenchmark(("claim_protocol/" + name).c_str(), run)
        ->UseManualTime()
        ->Iterations(5)
        ->Unit(benchmark::kMillisecond);
  };
  if (std::getenv("HEADROOM_PEERS") != nullptr && std::system("command -v spin >/dev/null") == 0) {
    for (const std::string mode : {"spin-dfs", "spin-bfs"}) {
      add(mode, [mode](benchmark::State& state) { spin(state, mode); });
    }
  }
  add("headroom", one_thread);
  add("headroom_2_threads", two_threads);
  return true;
}

[[maybe_unused]] const bool kRegistered = register_all();

}  // namespace
}  // namespace headroom
