#include "sim/engine/event_queue.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <functional>
#include <numeric>
#include <set>
#include <tuple>
#include <vector>

#include "model/base/hash.hpp"
#include "sim/engine/stream.hpp"

namespace headroom {
namespace {

struct Label {
  std::uint64_t number = 0;
  std::uint64_t unused = 0;
};

using Queue = EventQueue<Label>;

constexpr Time at_ns(std::int64_t nanoseconds) {
  return Time::at(Duration::nanoseconds(nanoseconds));
}

std::vector<std::uint64_t> drain(Queue& queue) {
  std::vector<std::uint64_t> order;
  while (!queue.empty()) order.push_back(queue.pop().payload.number);
  return order;
}

TEST_CASE("events come by time, then priority, then the order of the pushes") {
  Queue queue = Queue::in_sequence();
  queue.push(at_ns(20), Priority::faults_and_ownership, {0});
  queue.push(at_ns(10), Priority::sweeps, {1});
  queue.push(at_ns(10), Priority::arrivals, {2});
  queue.push(at_ns(10), Priority::arrivals, {3});
  queue.push(at_ns(10), Priority::expiries, {4});
  queue.push(at_ns(10), Priority::timers, {5});
  queue.push(at_ns(10), Priority::completions, {6});
  queue.push(at_ns(10), Priority::faults_and_ownership, {7});
  REQUIRE(drain(queue) == std::vector<std::uint64_t>{7, 6, 5, 4, 2, 3, 1, 0});
}

TEST_CASE("an event of this instant that is pushed during it still comes by priority") {
  Queue queue = Queue::in_sequence();
  queue.push(at_ns(5), Priority::completions, {0});
  queue.push(at_ns(5), Priority::sweeps, {1});
  REQUIRE(queue.pop().payload.number == 0);
  queue.push(at_ns(5), Priority::faults_and_ownership, {2});
  REQUIRE(drain(queue) == std::vector<std::uint64_t>{2, 1});
}

TEST_CASE("the queue knows its size, its peak and its next time") {
  Queue queue = Queue::in_sequence();
  REQUIRE(queue.empty());
  queue.push(at_ns(3), Priority::timers, {0});
  queue.push(at_ns(2), Priority::timers, {1});
  REQUIRE(queue.size() == 2);
  REQUIRE(queue.next_time() == at_ns(2));
  REQUIRE(queue.pop().at == at_ns(2));
  queue.push(Time::max(), Priority::timers, {2});
  REQUIRE(queue.size() == 2);
  REQUIRE(queue.peak_size() == 2);
  REQUIRE(queue.pop().at == at_ns(3));
  REQUIRE(queue.pop().at == Time::max());
  REQUIRE(queue.empty());
  REQUIRE(queue.peak_size() == 2);
}

// A list that is searched for its first element in (time, priority, sequence): the definition, without a heap.
class NaiveQueue {
 public:
  void push(Time at, Priority priority, Label label) { events_.push_back({at, priority, sequence_++, label.number}); }
  std::pair<Time, std::uint64_t> pop() {
    const auto first = std::ranges::min_element(events_);
    const std::pair<Time, std::uint64_t> result{std::get<0>(*first), std::get<3>(*first)};
    events_.erase(first);
    return result;
  }
  [[nodiscard]] bool empty() const { return events_.empty(); }

 private:
  std::vector<std::tuple<Time, Priority, std::uint64_t, std::uint64_t>> events_;
  std::uint64_t sequence_ = 0;
};

TEST_CASE("any mix of pushes and pops gives the events of the naive list, ties included") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    INFO("seed " << seed);
    Stream random(seed, 0, Purpose::tie_break);
    const std::uint64_t spread = 1 + random.below(40);       // small: many ties
    const std::uint64_t push_share = 40 + random.below(30);  // of 100 steps
    Queue queue = Queue::in_sequence();
    NaiveQueue naive;
    std::int64_t now = 0;
    for (std::uint64_t step = 0; step < 400; ++step) {
      if (naive.empty() || random.below(100) < push_share) {
        const Time at = at_ns(now + static_cast<std::int64_t>(random.below(spread)));
        const auto priority = static_cast<Priority>(random.below(6));
        queue.push(at, priority, {step});
        naive.push(at, priority, {step});
      } else {
        const auto [at, number] = naive.pop();
        const Queue::Event event = queue.pop();
        REQUIRE(event.at == at);
        REQUIRE(event.payload.number == number);
        now = at.nanoseconds();
      }
    }
    while (!naive.empty()) REQUIRE(queue.pop().payload.number == naive.pop().second);
    REQUIRE(queue.empty());
  }
}

// Delays of every size, from one instant to centuries, as polls, services and far timers mix in a run.
std::int64_t any_delay(Stream& random) {
  return static_cast<std::int64_t>(random.next() >> (4 + random.below(60)));
}

// Grows to thousands of events, shrinks to none and grows again, against an ordered set.
void compare_with_an_ordered_set(Queue queue, std::uint64_t seed, bool random_order) {
  std::set<std::tuple<std::int64_t, std::uint64_t, std::uint64_t>> expected;  // time, order, number
  Stream random(seed, 1, Purpose::tie_break);
  const bool simultaneous = random.below(3) == 0;
  std::int64_t now = 0;
  std::uint64_t sequence = 0;
  const auto push = [&] {
    const std::int64_t delay = simultaneous && random.below(4) != 0 ? 0 : any_delay(random);
    const std::int64_t time = std::min(now, Time::max().nanoseconds() - delay) + delay;
    const std::uint64_t priority = random.below(6);
    queue.push(at_ns(time), static_cast<Priority>(priority), {sequence});
    expected.insert({time, random_order ? stable_hash(seed, sequence) : priority * 1'000'000 + sequence, sequence});
    ++sequence;
  };
  const auto pop = [&] {
    const auto [time, order, number] = *expected.begin();
    expected.erase(expected.begin());
    REQUIRE(queue.next_time() == at_ns(time));
    const Queue::Event event = queue.pop();
    REQUIRE(event.at == at_ns(time));
    REQUIRE(event.payload.number == number);
    REQUIRE(queue.size() == expected.size());
    now = time;
  };
  for (int cycle = 0; cycle < 3; ++cycle) {
    const std::size_t most = 1 + random.below(4000);
    while (expected.size() < most) random.below(4) == 0 && !expected.empty() ? pop() : push();
    for (int step = 0; step < 3000; ++step) random.below(2) == 0 && !expected.empty() ? pop() : push();
    while (!expected.empty()) pop();
    REQUIRE(queue.empty());
  }
}

TEST_CASE("thousands of events over all scales of time come in the order of an ordered set") {
  for (std::uint64_t seed = 0; seed < 25; ++seed) {
    INFO("seed " << seed);
    compare_with_an_ordered_set(Queue::in_sequence(), seed, false);
    compare_with_an_ordered_set(Queue::in_random_order(seed), seed, true);
  }
}

std::vector<std::uint64_t> random_order_of_ties(std::uint64_t seed, std::uint64_t n) {
  Queue queue = Queue::in_random_order(seed);
  for (std::uint64_t i = 0; i < n; ++i) queue.push(at_ns(7), static_cast<Priority>(i % 6), {i});
  return drain(queue);
}

TEST_CASE("random tie-breaking permutes the events of one instant across priorities, the same way for the same seed") {
  std::vector<std::uint64_t> order = random_order_of_ties(1, 60);
  REQUIRE(order == random_order_of_ties(1, 60));
  REQUIRE(order != random_order_of_ties(2, 60));
  std::vector<std::uint64_t> pushed(60);
  std::iota(pushed.begin(), pushed.end(), 0);
  REQUIRE(order != pushed);
  std::ranges::sort(order);
  REQUIRE(order == pushed);
}

TEST_CASE("random tie-breaking never reorders different instants") {
  Queue queue = Queue::in_random_order(3);
  for (std::uint64_t i = 0; i < 100; ++i) queue.push(at_ns(static_cast<std::int64_t>(100 - i)), Priority::timers, {i});
  std::vector<std::uint64_t> order = drain(queue);
  REQUIRE(std::ranges::is_sorted(order, std::greater<>()));
}

// Each of the six orders of three ties has probability 1/6: over 6000 seeds, five deviations.
TEST_CASE("over the seeds every order of three simultaneous events is as likely as any other") {
  std::vector<int> count(27);
  for (std::uint64_t seed = 0; seed < 6000; ++seed) {
    const std::vector<std::uint64_t> order = random_order_of_ties(seed, 3);
    ++count[order[0] * 9 + order[1] * 3 + order[2]];
  }
  for (const std::size_t permutation : {5U, 7U, 11U, 15U, 19U, 21U}) {
    REQUIRE(std::abs(count[permutation] - 1000.0) < 5.0 * 28.87);
  }
}

}  // namespace
}  // namespace headroom
