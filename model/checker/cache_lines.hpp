// What several threads write to at a time, each to its own, must not lie in one cache line: every write would take the
// line from the others.
//
//   struct alignas(kCacheLines) Partition { ... };     // of an array that threads share out
//   std::vector<CacheLines> room(lines_for(size));     // memory of one thread
//   const std::span<std::byte> bytes = std::as_writable_bytes(std::span(room)).first(size);
#pragma once

#include <array>
#include <cstddef>

namespace headroom::checker {

// Two lines of 64 bytes: processors fetch them in pairs.
inline constexpr std::size_t kCacheLines = 128;

struct alignas(kCacheLines) CacheLines {
  std::array<std::byte, kCacheLines> bytes;
};

[[nodiscard]] constexpr std::size_t lines_for(std::size_t bytes) {
  return (bytes + kCacheLines - 1) / kCacheLines;
}

}  // namespace headroom::checker
