#include "model/outbox/row_table.hpp"

#include <algorithm>

#include "model/base/assert.hpp"

namespace headroom {

std::uint32_t RowTable::allocate() {
  if (free_ != kNoRow) {
    const std::uint32_t slot = free_;
    Row& row = (*this)[slot];
    free_ = row.next;
    row = Row{};
    return slot;
  }
  if (chunks_.empty() || chunks_.back().size() > kChunkMask) {
    HEADROOM_ASSERT(chunks_.size() < (std::size_t{1} << (32U - kChunkBits)) - 1, "more than 2^32 live rows");
    chunks_.emplace_back();
    if (chunks_.size() > 1) {
      chunks_.back().reserve(kChunkMask + 1);
    }
  }
  chunks_.back().emplace_back();
  return static_cast<std::uint32_t>(((chunks_.size() - 1) << kChunkBits) + chunks_.back().size() - 1);
}

void RowTable::release(std::uint32_t slot) {
  Row& row = (*this)[slot];
  row = Row{};
  row.next = free_;
  free_ = slot;
}

void RowTable::clear() {
  chunks_.resize(std::min<std::size_t>(chunks_.size(), 1));
  for (std::vector<Row>& chunk : chunks_) {
    chunk.clear();
  }
  free_ = kNoRow;
}

std::size_t RowTable::memory_bytes() const {
  std::size_t bytes = chunks_.capacity() * sizeof(std::vector<Row>);
  for (const std::vector<Row>& chunk : chunks_) {
    bytes += chunk.capacity() * sizeof(Row);
  }
  return bytes;
}

}  // namespace headroom
