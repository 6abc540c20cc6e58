// Future events in the order of spec 2.2: by time, then priority, then the order in which they were pushed. With
// `in_random_order` events of one instant come in an order drawn by the seed instead, across all priorities.
//
//   EventQueue<Event> queue = EventQueue<Event>::in_sequence();
//   queue.push(now + service, Priority::completions, Event{...});
//   const auto [at, event] = queue.pop();
//
// A cancelled event stays in; whoever pops it finds it void.
//
// A ladder (Tang, Goh and Thng, Ladder Queue: An O(1) Priority Queue Structure, 2005) over a small heap. The heap holds
// what comes before `near_end_` and alone decides the order; rungs of buckets hold what comes later, roughly sorted by
// time; what lies beyond them is one unsorted list. An event is touched a few times in all, however many are pending;
// should all of them fall into one instant, the heap takes them and costs what a heap costs.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include "model/base/assert.hpp"
#include "model/base/hash.hpp"
#include "model/base/time.hpp"
#include "sim/engine/event_heap.hpp"

namespace headroom {

// What comes first among events of one instant.
enum class Priority : std::uint8_t { faults_and_ownership, completions, timers, expiries, arrivals, sweeps };

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
    insert({static_cast<std::uint64_t>(at.nanoseconds()), order_of_next_push(priority), payload});
    peak_size_ = std::max(peak_size_, ++size_);
  }

  // The first event, taken out. Needs one.
  Event pop() {
    HEADROOM_ASSERT(size_ > 0, "no event is left to pop");
    const Entry first = near_.pop();
    --size_;
    if (near_.empty() && size_ > 0) refill();
    last_popped_ = first.time();
    return {first.time(), first.payload};
  }

  // The time of the first event. Needs one.
  [[nodiscard]] Time next_time() const {
    HEADROOM_ASSERT(size_ > 0, "no event is left");
    return near_.front().time();
  }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::size_t size() const { return size_; }
  // The most events that were ever pending at once.
  [[nodiscard]] std::size_t peak_size() const { return peak_size_; }

 private:
  __extension__ using Key = unsigned __int128;
  static constexpr unsigned kSequenceBits = 60;
  // So few events go into the heap at once instead of being spread over a rung.
  static constexpr std::size_t kFew = 16;
  static constexpr std::size_t kEventsPerBucket = 4;
  // A heap that pushes have grown to this size is spread over a rung.
  static constexpr std::size_t kMany = 256;
  // Each rung is at least twice as fine as the one above it; deeper down, the heap takes what is left.
  static constexpr std::size_t kMostRungs = 16;

  struct Entry {
    std::uint64_t nanoseconds;
    std::uint64_t order;
    Payload payload;

    [[nodiscard]] Key key() const { return (static_cast<Key>(nanoseconds) << 64U) | order; }
    [[nodiscard]] Time time() const { return Time::at(Duration::nanoseconds(static_cast<std::int64_t>(nanoseconds))); }
  };

  // Buckets of 2^shift ns from `start` to `end`; those before `current` are empty for good.
  struct Rung {
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    unsigned shift = 0;
    std::size_t current = 0;
    std::size_t width = 0;                    // buckets in use
    std::vector<std::vector<Entry>> buckets;  // kept for the next time, with the memory of each

    [[nodiscard]] std::vector<Entry>& bucket_of(const Entry& entry) {
      return buckets[static_cast<std::size_t>((entry.nanoseconds - start) >> shift)];
    }
    [[nodiscard]] std::uint64_t start_of(std::size_t bucket) const { return start + (std::uint64_t{bucket} << shift); }
  };

  EventQueue(bool random_order, std::uint64_t seed) : random_order_(random_order), seed_(seed) {}

  std::uint64_t order_of_next_push(Priority priority) {
    const std::uint64_t sequence = pushes_++;
    if (random_order_) return stable_hash(seed_, sequence);
    return (static_cast<std::uint64_t>(priority) << kSequenceBits) | sequence;
  }

  // Invariant: the heap is empty only if the whole queue is. It holds exactly the events before near_end_, each rung
  // those from the end of the next finer one to its own end, and far_ those from the end of the coarsest one on.
  void insert(const Entry& entry) {
    if (size_ == 0) {
      depth_ = 0;
      near_end_ = entry.nanoseconds + 1;
      most_near_ = kMany;
    }
    if (entry.nanoseconds < near_end_) {
      near_.push(entry);
      if (near_.size() > most_near_) spread_heap();
      return;
    }
    for (std::size_t rung = depth_; rung > 0; --rung) {
      if (entry.nanoseconds < rungs_[rung - 1].end) {
        rungs_[rung - 1].bucket_of(entry).push_back(entry);
        return;
      }
    }
    far_.push_back(entry);
  }

  // Moves the first events that are not in the heap into it. Needs an empty heap and an event elsewhere.
  void refill() {
    while (near_.empty()) {
      if (depth_ == 0) {
        spread_far();
        continue;
      }
      Rung& rung = rungs_[depth_ - 1];
      while (rung.current < rung.width && rung.buckets[rung.current].empty()) ++rung.current;
      if (rung.current == rung.width) {
        --depth_;
        continue;
      }
      std::vector<Entry>& bucket = rung.buckets[rung.current];
      const std::uint64_t start = rung.start_of(rung.current++);
      spread(bucket, start, std::min(rung.start_of(rung.current), rung.end));
      bucket.clear();
    }
  }

  void spread_far() {
    const auto [first, last] = std::ranges::minmax_element(far_, {}, &Entry::nanoseconds);
    spread(far_, first->nanoseconds, last->nanoseconds + 1);
    far_.clear();
  }

  // Puts events of [start, end) into the heap if they are few or cannot be told apart by time, else into a new rung.
  void spread(std::span<const Entry> entries, std::uint64_t start, std::uint64_t end) {
    if (entries.size() <= kFew || end - start == 1 || depth_ == kMostRungs) {
      for (const Entry& entry : entries) near_.push(entry);
      near_end_ = end;
      most_near_ = std::max(kMany, 2 * near_.size());
      return;
    }
    Rung& rung = rungs_[depth_++];
    rung.start = start;
    rung.end = end;
    const std::uint64_t nanoseconds_per_bucket = (end - start) / (entries.size() / kEventsPerBucket);
    rung.shift = static_cast<unsigned>(std::bit_width(nanoseconds_per_bucket));
    rung.current = 0;
    rung.width = static_cast<std::size_t>((end - 1 - start) >> rung.shift) + 1;
    if (rung.buckets.size() < rung.width) rung.buckets.resize(rung.width);
    for (const Entry& entry : entries) rung.bucket_of(entry).push_back(entry);
  }

  void spread_heap() {
    if (near_end_ - near_.front().nanoseconds == 1 || depth_ == kMostRungs) {
      most_near_ = 2 * near_.size();
      return;
    }
    const std::vector<Entry> entries(near_.entries().begin(), near_.entries().end());
    const std::uint64_t start = near_.front().nanoseconds;
    near_.clear();
    spread(entries, start, near_end_);
    refill();
  }

  EventHeap<Entry> near_;
  std::uint64_t near_end_ = 0;
  std::size_t most_near_ = kMany;
  std::array<Rung, kMostRungs> rungs_;  // the finest is the last in use
  std::size_t depth_ = 0;
  std::vector<Entry> far_;
  std::size_t size_ = 0;
  std::size_t peak_size_ = 0;
  std::uint64_t pushes_ = 0;
  bool random_order_;
  std::uint64_t seed_;
  Time last_popped_;
};

}  // namespace headroom
