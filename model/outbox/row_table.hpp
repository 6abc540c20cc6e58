// Storage of live rows: addressed by slot, in chunks, so that a million rows are never copied to make room for one.
#pragma once

#include <cstdint>
#include <vector>

#include "model/outbox/row.hpp"

namespace headroom {

class RowTable {
 public:
  [[nodiscard]] Row& operator[](std::uint32_t slot) { return chunks_[slot >> kChunkBits][slot & kChunkMask]; }
  [[nodiscard]] const Row& operator[](std::uint32_t slot) const {
    return chunks_[slot >> kChunkBits][slot & kChunkMask];
  }

  // Whether there ever was a row in this slot.
  [[nodiscard]] bool has(std::uint32_t slot) const {
    return (slot >> kChunkBits) < chunks_.size() && (slot & kChunkMask) < chunks_[slot >> kChunkBits].size();
  }
  // A fresh default row.
  std::uint32_t allocate();
  void release(std::uint32_t slot);
  // No slot is in use any more; the memory is kept.
  void clear();
  [[nodiscard]] std::size_t memory_bytes() const;

  friend bool operator==(const RowTable&, const RowTable&) = default;

 private:
  static constexpr unsigned kChunkBits = 10;
  static constexpr std::uint32_t kChunkMask = (1U << kChunkBits) - 1;

  std::vector<std::vector<Row>> chunks_;
  std::uint32_t free_ = kNoRow;  // free slots, linked by `next`
};

}  // namespace headroom
