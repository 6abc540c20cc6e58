// Numbers as bytes of a packed state: seven bits each, the lowest first, with the high bit on all but the last. Small
// numbers, which is nearly all of them, take one byte; a number has one form only, so equal states have equal bytes.
//
//   BytePacker packer(room);
//   packer.put(state.inflight);
//   return packer.size();
//
//   ByteUnpacker unpacker(bytes);
//   state.inflight = unpacker.take<std::uint32_t>();
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "model/base/assert.hpp"
#include "model/checker/allowance.hpp"

namespace headroom::checker {

inline constexpr std::size_t kMostBytesOfNumber = 10;

class BytePacker {
 public:
  explicit BytePacker(std::span<std::byte> room) : room_(room) {}

  void put(std::uint64_t number) {
    for (; number >= 0x80; number >>= 7U) put_byte((number & 0x7FU) | 0x80U);
    put_byte(number);
  }
  // None is 0, and what is there one more than it is.
  void put(const Allowance& number) { put(number ? std::uint64_t{*number} + 1 : 0); }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  void put_byte(std::uint64_t value) {
    HEADROOM_ASSERT(size_ < room_.size(), "a packed state needs more than {} bytes", room_.size());
    room_[size_++] = static_cast<std::byte>(value);
  }

  std::span<std::byte> room_;
  std::size_t size_ = 0;
};

class ByteUnpacker {
 public:
  explicit ByteUnpacker(std::span<const std::byte> bytes) : bytes_(bytes) {}

  template <class T>
  [[nodiscard]] T take() {
    std::uint64_t number = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto byte = std::to_integer<std::uint64_t>(bytes_[next_++]);
      number |= (byte & 0x7FU) << shift;
      if (byte < 0x80) return static_cast<T>(number);
    }
  }
  [[nodiscard]] Allowance take_allowance() {
    const auto number = take<std::uint64_t>();
    return number == 0 ? Allowance() : Allowance(static_cast<std::uint32_t>(number - 1));
  }

 private:
  std::span<const std::byte> bytes_;
  std::size_t next_ = 0;
};

}  // namespace headroom::checker
