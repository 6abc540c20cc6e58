// Claimable rows, oldest first by (visible_after, key), linked through the rows themselves.
//
// Rows nearly always come in order and go from the front: those form a list. A row that comes out of order (re-armed,
// resumed, or moved with its shard) goes into a pairing heap (Fredman, Sedgewick, Sleator, Tarjan, Algorithmica 1986).
// The oldest row is the older of the two fronts. Push is O(1); taking a row out is O(1) in the list, O(log n) amortized
// in the heap.
#pragma once

#include <cstdint>

#include "model/outbox/row_table.hpp"

namespace headroom {

class DueQueue {
 public:
  [[nodiscard]] std::uint32_t size() const { return size_; }
  // The oldest row; kNoRow if there is none.
  [[nodiscard]] std::uint32_t oldest(const RowTable& rows) const;
  void push(RowTable& rows, std::uint32_t slot);
  // Needs the row to be in this queue.
  void remove(RowTable& rows, std::uint32_t slot);

  friend bool operator==(const DueQueue&, const DueQueue&) = default;

 private:
  void remove_from_heap(RowTable& rows, std::uint32_t slot);

  std::uint32_t head_ = kNoRow;
  std::uint32_t tail_ = kNoRow;
  std::uint32_t root_ = kNoRow;
  std::uint32_t size_ = 0;
};

// The order of claims.
[[nodiscard]] inline bool claimed_before(const Row& a, const Row& b) {
  return a.visible_after != b.visible_after ? a.visible_after < b.visible_after : a.key < b.key;
}

}  // namespace headroom
