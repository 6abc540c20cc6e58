// The hold model (Vaucher and Duval 1975): n events pending; each step takes the first and pushes one an exponential
// time later. std::priority_queue with the same order and payload beside it, for the ratio.
#include "sim/engine/event_queue.hpp"

#include <array>
#include <benchmark/benchmark.h>
#include <cstddef>
#include <cstdint>
#include <queue>
#include <tuple>
#include <vector>

#include "sim/engine/distribution.hpp"

namespace headroom {
namespace {

struct Work {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
};

// Increments drawn beforehand, so that only the queue is measured.
class Increments {
 public:
  Increments() {
    const Distribution exponential(ExponentialSpec{Duration::seconds(1)});
    Stream stream(1, 0, Purpose::arrivals);
    for (Duration& increment : increments_) increment = exponential.draw(stream);
  }
  Duration next() { return increments_[position_++ % increments_.size()]; }

 private:
  std::array<Duration, 65'536> increments_;
  std::size_t position_ = 0;
};

void hold(benchmark::State& state, EventQueue<Work> queue) {
  Increments increments;
  const auto pending = static_cast<std::uint64_t>(state.range(0));
  for (std::uint64_t i = 0; i < pending; ++i) {
    queue.push(Time::zero() + increments.next(), Priority::timers, {i, 0});
  }
  const auto step = [&] {
    const auto [at, work] = queue.pop();
    queue.push(at + increments.next(), Priority::timers, work);
  };
  for (std::uint64_t i = 0; i < 3 * pending; ++i) step();
  for (auto _ : state) step();
  state.SetItemsProcessed(state.iterations());
}

void hold_in_sequence(benchmark::State& state) {
  hold(state, EventQueue<Work>::in_sequence());
}
void hold_in_random_order(benchmark::State& state) {
  hold(state, EventQueue<Work>::in_random_order(1));
}

struct StandardEntry {
  Time at;
  std::uint64_t order;
  Work work;
  bool operator<(const StandardEntry& other) const { return std::tie(other.at, other.order) < std::tie(at, order); }
};

void hold_in_standard_queue(benchmark::State& state) {
  Increments increments;
  const auto pending = static_cast<std::uint64_t>(state.range(0));
  std::priority_queue<StandardEntry> queue;
  std::uint64_t sequence = 0;
  for (std::uint64_t i = 0; i < pending; ++i) queue.push({Time::zero() + increments.next(), sequence++, {i, 0}});
  const auto step = [&] {
    const StandardEntry first = queue.top();
    queue.pop();
    queue.push({first.at + increments.next(), sequence++, first.work});
  };
  for (std::uint64_t i = 0; i < 3 * pending; ++i) step();
  for (auto _ : state) step();
  state.SetItemsProcessed(state.iterations());
}

BENCHMARK(hold_in_sequence)->Arg(100)->Arg(10'000)->Arg(1'000'000);
BENCHMARK(hold_in_random_order)->Arg(100)->Arg(10'000)->Arg(1'000'000);
BENCHMARK(hold_in_standard_queue)->Arg(100)->Arg(10'000)->Arg(1'000'000);

}  // namespace
}  // namespace headroom
