// Future events in the order of spec 2.2: by time, then priority, then the order in which they were pushed. With
// `TieBreak::random` events of one instant come in an order drawn by the seed instead, across all priorities.
//
//   EventQueue<Event> queue = EventQueue<Event>::in_sequence();
//   queue.push(now + service, Priority::completions, Event{...});
//   const auto [at, event] = queue.pop();
//
// A cancelled event stays in; whoever pops it finds it void.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "model/base/assert.hpp"
#include "model/base/hash.hpp"
#include "model/base/time.hpp"

namespace headroom {

// What comes first among events of one instant.
enum class Priority : std::uint8_t { faults_and_ownership, completions, timers, expiries, arrivals, sweeps };

// A heap of four children a node, 128 bytes of children at a time with a 16-byte payload. Time and order of an entry
// compare as one 128-bit number, which leaves no branch to mispredict in the search for the least child.
template <class Payload>
class EventQueue {
  static_assert(std::is_trivially_copyable_v<Payload>, "entries are moved as plain bytes");

 public:
  struct Event {
    Time at;
    Payload payload;
  };

  [[nodiscard]] static EventQueue in_sequence() { return EventQueue(false, 0); }
  // Ties are broken by a hash of the seed and the number of the push: a bijection, so no two are equal.
  [[nodiscard]] static EventQueue in_random_order(std::uint64_t seed) { return EventQueue(true, seed); }

  // Needs at >= the time of the last event popped: nothing happens in the past.
  void push(Time at, Priority priority, Payload payload) {
    HEADROOM_ASSERT(at >= last_popped_, "an event at {} ns is pushed at {} ns", at.nanoseconds(),
                    last_popped_.nanoseconds());
    const Entry entry{static_cast<std::uint64_t>(at.nanoseconds()), order_of_next_push(priority), payload};
    entries_.push_back(entry);
    peak_size_ = std::max(peak_size_, entries_.size());
    settle_up(entries_.size() - 1, entry);
  }

  // The first event, taken out. Needs one.
  Event pop() {
    HEADROOM_ASSERT(!entries_.empty(), "no event is left to pop");
    const Entry first = entries_.front();
    const Entry last = entries_.back();
    entries_.pop_back();
    if (!entries_.empty()) settle_down(last);
    last_popped_ = first.time();
    return {first.time(), first.payload};
  }

  // The time of the first event. Needs one.
  [[nodiscard]] Time next_time() const {
    HEADROOM_ASSERT(!entries_.empty(), "no event is left");
    return entries_.front().time();
  }
  [[nodiscard]] bool empty() const { return entries_.empty(); }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  // The most events that were ever pending at once.
  [[nodiscard]] std::size_t peak_size() const { return peak_size_; }

 private:
  __extension__ using Key = unsigned __int128;
  static constexpr std::size_t kChildren = 4;
  static constexpr unsigned kSequenceBits = 60;

  struct Entry {
    std::uint64_t nanoseconds;
    std::uint64_t order;
    Payload payload;

    [[nodiscard]] Key key() const { return (static_cast<Key>(nanoseconds) << 64U) | order; }
    [[nodiscard]] Time time() const { return Time::at(Duration::nanoseconds(static_cast<std::int64_t>(nanoseconds))); }
  };

  EventQueue(bool random_order, std::uint64_t seed) : random_order_(random_order), seed_(seed) {}

  std::uint64_t order_of_next_push(Priority priority) {
    const std::uint64_t sequence = pushes_++;
    if (random_order_) return stable_hash(seed_, sequence);
    return (static_cast<std::uint64_t>(priority) << kSequenceBits) | sequence;
  }

  void settle_up(std::size_t hole, const Entry& entry) {
    while (hole > 0) {
      const std::size_t parent = (hole - 1) / kChildren;
      if (entries_[parent].key() < entry.key()) break;
      entries_[hole] = entries_[parent];
      hole = parent;
    }
    entries_[hole] = entry;
  }

  // Moves the least child up into each hole from the root on, until `entry` fits.
  void settle_down(const Entry& entry) {
    const std::size_t size = entries_.size();
    std::size_t hole = 0;
    while (true) {
      const std::size_t first = kChildren * hole + 1;
      if (first >= size) break;
      const std::size_t least = first + kChildren <= size ? least_of_four(first) : least_of(first, size);
      if (entry.key() < entries_[least].key()) break;
      entries_[hole] = entries_[least];
      hole = least;
    }
    entries_[hole] = entry;
  }

  [[nodiscard]] std::size_t least_of_four(std::size_t first) const {
    const Entry* child = &entries_[first];
    const std::size_t left = child[1].key() < child[0].key() ? 1 : 0;
    const std::size_t right = child[3].key() < child[2].key() ? 3 : 2;
    return first + (child[right].key() < child[left].key() ? right : left);
  }

  [[nodiscard]] std::size_t least_of(std::size_t first, std::size_t end) const {
    std::size_t least = first;
    for (std::size_t other = first + 1; other < end; ++other) {
      if (entries_[other].key() < entries_[least].key()) least = other;
    }
    return least;
  }

  std::vector<Entry> entries_;
  std::size_t peak_size_ = 0;
  std::uint64_t pushes_ = 0;
  bool random_order_;
  std::uint64_t seed_;
  Time last_popped_;
};

}  // namespace headroom
