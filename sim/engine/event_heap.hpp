// A heap of four children a node, for entries that have a total order by `key()`.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace headroom {

template <class Entry>
class EventHeap {
 public:
  [[nodiscard]] bool empty() const { return entries_.empty(); }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  // The least entry. Needs one.
  [[nodiscard]] const Entry& front() const { return entries_.front(); }
  // In no particular order.
  [[nodiscard]] std::span<const Entry> entries() const { return entries_; }

  void push(const Entry& entry) {
    entries_.push_back(entry);
    settle_up(entries_.size() - 1, entry);
  }

  // Takes the least entry out. Needs one.
  Entry pop() {
    const Entry first = entries_.front();
    const Entry last = entries_.back();
    entries_.pop_back();
    if (!entries_.empty()) settle_down(last);
    return first;
  }

  void clear() { entries_.clear(); }

 private:
  static constexpr std::size_t kChildren = 4;

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
};

}  // namespace headroom
