// Numbers in as few bits as they need, written and read by the same description.
//
//   template <class Bits>
//   void row(Bits& bits, RowSnapshot& row) { field(bits, row.attempt, attempt_bits); }   // says both ways
//   BitWriter writer(bytes);  row(writer, some_row);
//   BitReader reader(bytes);  row(reader, other_row);
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "model/base/assert.hpp"

namespace headroom::checker {

// Numbers one after another in a string of bits, the lowest bit first. The last byte is filled up with zeros.
class BitWriter {
 public:
  static constexpr bool kReads = false;
  explicit BitWriter(std::span<std::byte> bytes) : bytes_(bytes) {}

  void number(std::uint64_t value, unsigned width) {
    HEADROOM_ASSERT(width == 64 || value >> width == 0, "{} does not fit into {} bits", value, width);
    if (width == 0) {
      return;
    }
    word_ |= value << used_;
    const unsigned fits = 64 - used_;
    if (width < fits) {
      used_ += width;
      return;
    }
    used_ = 64;
    flush();
    if (width > fits) {
      word_ = value >> fits;
      used_ = width - fits;
    }
  }
  std::size_t end() {
    flush();
    return size_;
  }

 private:
  void flush() {
    const std::size_t whole = (used_ + 7) / 8;
    HEADROOM_ASSERT(size_ + whole <= bytes_.size(),
                    "a state of more than {} bytes: more work than a scope that can be "
                    "exhausted has",
                    bytes_.size());
    for (std::size_t i = 0; i < whole; ++i, word_ >>= 8U) {
      bytes_[size_++] = static_cast<std::byte>(word_ & 0xFFU);
    }
    word_ = 0;
    used_ = 0;
  }

  std::span<std::byte> bytes_;
  std::size_t size_ = 0;
  std::uint64_t word_ = 0;
  unsigned used_ = 0;
};

class BitReader {
 public:
  static constexpr bool kReads = true;
  explicit BitReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  std::uint64_t number(unsigned width) {
    std::uint64_t value = 0;
    for (unsigned got = 0; got < width;) {
      const unsigned offset = static_cast<unsigned>(place_ % 8);
      const unsigned taken = std::min(width - got, 8 - offset);
      const auto byte = std::to_integer<std::uint64_t>(bytes_[place_ / 8]);
      value |= (byte >> offset & ((std::uint64_t{1} << taken) - 1)) << got;
      got += taken;
      place_ += taken;
    }
    return value;
  }

 private:
  std::span<const std::byte> bytes_;
  std::size_t place_ = 0;
};

template <class Bits, class Number>
void field(Bits& bits, Number& value, unsigned width) {
  if constexpr (Bits::kReads) {
    value = static_cast<Number>(bits.number(width));
  } else {
    bits.number(static_cast<std::uint64_t>(value), width);
  }
}

// `none` is the number after the last one.
template <class Bits, class IdOfAKind>
void id_or_none(Bits& bits, IdOfAKind& id, std::size_t count, unsigned width) {
  using Rep = decltype(id.value());
  auto value = id.is_none() ? static_cast<Rep>(count) : id.value();
  field(bits, value, width);
  if constexpr (Bits::kReads) {
    id = value == count ? IdOfAKind::none() : IdOfAKind(value);
  }
}

template <class Bits, class IdOfAKind>
void id(Bits& bits, IdOfAKind& which, unsigned width) {
  auto value = which.value();
  field(bits, value, width);
  if constexpr (Bits::kReads) {
    which = IdOfAKind(value);
  }
}

// Small numbers in few bits: three at a time, 7 says that more follow.
template <class Bits>
void small(Bits& bits, std::uint32_t& value) {
  if constexpr (Bits::kReads) {
    value = 0;
    std::uint32_t part = 7;
    while (part == 7) {
      part = static_cast<std::uint32_t>(bits.number(3));
      value += part;
    }
  } else {
    std::uint32_t left = value;
    for (; left >= 7; left -= 7) {
      bits.number(7, 3);
    }
    bits.number(left, 3);
  }
}

// Numbers of any size: three bits at a time, the lowest first, each with a bit that says whether more follow.
template <class Bits, class Number>
void number(Bits& bits, Number& value) {
  if constexpr (Bits::kReads) {
    value = 0;
    bool more = true;
    for (unsigned shift = 0; more; shift += 3) {
      value |= static_cast<Number>(bits.number(3) << shift);
      more = bits.number(1) != 0;
    }
  } else {
    auto left = static_cast<std::uint64_t>(value);
    for (bool more = true; more; left >>= 3U) {
      more = left >= 8;
      bits.number(left & 7U, 3);
      bits.number(more ? 1 : 0, 1);
    }
  }
}

// A bit says whether it is there.
template <class Bits, class Optional>
void optional_number(Bits& bits, Optional& value) {
  bool present = value.has_value();
  field(bits, present, 1);
  if constexpr (Bits::kReads) {
    value.reset();
    if (present) value.emplace();
  }
  if (present) number(bits, *value);
}

template <class Bits, class Each>
void list(Bits& bits, auto& entries, Each each) {
  auto size = static_cast<std::uint32_t>(entries.size());
  small(bits, size);
  if constexpr (Bits::kReads) {
    entries.resize(size);
  }
  for (auto& entry : entries) {
    each(entry);
  }
}

// As many bits as all numbers up to `most` need.
inline unsigned width_of(std::uint64_t most) {
  return static_cast<unsigned>(std::bit_width(most));
}

}  // namespace headroom::checker
