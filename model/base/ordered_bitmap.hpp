// A set of indices below a fixed size that can be walked in order without passing over what is not in it.
//
//   OrderedBitmap active(1'000'000);
//   active.set(7);
//   for (std::uint32_t i = active.next(0); i < active.size(); i = active.next(i + 1)) visit(i);
//
// A tree of 64-bit words: a bit of an upper level says whether the word below it has a bit set. Each operation touches
// at most one word a level, of which there are at most four (64^4 = 2^24).
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "model/base/assert.hpp"

namespace headroom {

class OrderedBitmap {
 public:
  static constexpr std::uint32_t kMaxSize = 1U << 24U;

  OrderedBitmap() : OrderedBitmap(0) {}
  // All of the `size` indices are out. Needs size <= kMaxSize.
  explicit OrderedBitmap(std::uint32_t size) : size_(size) {
    HEADROOM_ASSERT(size <= kMaxSize, "a bitmap of {} indices is too large", size);
    std::uint32_t words = size;
    std::uint32_t total = 0;
    do {
      words = (words + kMask) >> kShift;
      level_begin_[levels_++] = total;
      total += words;
    } while (words > 1);
    words_.assign(total, 0);
  }

  [[nodiscard]] std::uint32_t size() const { return size_; }
  [[nodiscard]] std::uint32_t count() const { return count_; }
  [[nodiscard]] bool empty() const { return count_ == 0; }

  [[nodiscard]] bool test(std::uint32_t index) const {
    HEADROOM_ASSERT(index < size_, "index {} of a bitmap of {}", index, size_);
    return (words_[index >> kShift] & bit(index)) != 0;
  }

  // Puts the index in; true if it was out.
  bool set(std::uint32_t index) {
    if (test(index)) {
      return false;
    }
    ++count_;
    for (std::uint32_t level = 0; level < levels_; ++level, index >>= kShift) {
      std::uint64_t& word = words_[level_begin_[level] + (index >> kShift)];
      const bool is_marked_above = word != 0;
      word |= bit(index);
      if (is_marked_above) {
        break;
      }
    }
    return true;
  }

  // Takes the index out; true if it was in.
  bool reset(std::uint32_t index) {
    if (!test(index)) {
      return false;
    }
    --count_;
    for (std::uint32_t level = 0; level < levels_; ++level, index >>= kShift) {
      std::uint64_t& word = words_[level_begin_[level] + (index >> kShift)];
      word &= ~bit(index);
      if (word != 0) {
        break;
      }
    }
    return true;
  }

  void assign(std::uint32_t index, bool is_in) { is_in ? set(index) : reset(index); }

  // The first index in the set that is not before `from`; size() if there is none. Any `from` will do.
  [[nodiscard]] std::uint32_t next(std::uint32_t from) const {
    if (from >= size_) {
      return size_;
    }
    std::uint32_t position = from;
    for (std::uint32_t level = 0; level < levels_; ++level) {
      const std::uint32_t word_index = position >> kShift;
      if (word_index >= words_at(level)) {
        return size_;
      }
      const std::uint64_t word = words_[level_begin_[level] + word_index] & (~std::uint64_t{0} << (position & kMask));
      if (word != 0) {
        return descend(level, (word_index << kShift) + lowest(word));
      }
      position = word_index + 1;
    }
    return size_;
  }

  friend bool operator==(const OrderedBitmap& a, const OrderedBitmap& b) {
    return a.size_ == b.size_ && a.count_ == b.count_ && a.words_ == b.words_;
  }

 private:
  static constexpr std::uint32_t kShift = 6;
  static constexpr std::uint32_t kMask = 63;

  [[nodiscard]] static std::uint64_t bit(std::uint32_t index) { return std::uint64_t{1} << (index & kMask); }
  [[nodiscard]] static std::uint32_t lowest(std::uint64_t word) {
    return static_cast<std::uint32_t>(std::countr_zero(word));
  }
  [[nodiscard]] std::uint32_t words_at(std::uint32_t level) const {
    const std::uint32_t end = level + 1 < levels_ ? level_begin_[level + 1] : static_cast<std::uint32_t>(words_.size());
    return end - level_begin_[level];
  }
  // The lowest index of the set below bit `position` of `level`, which is set.
  [[nodiscard]] std::uint32_t descend(std::uint32_t level, std::uint32_t position) const {
    while (level > 0) {
      --level;
      position = (position << kShift) + lowest(words_[level_begin_[level] + position]);
    }
    return position;
  }

  std::uint32_t size_ = 0;
  std::uint32_t count_ = 0;
  std::uint32_t levels_ = 0;
  std::array<std::uint32_t, 4> level_begin_{};  // where a level starts in `words_`; the leaves come first
  std::vector<std::uint64_t> words_;
};

}  // namespace headroom
