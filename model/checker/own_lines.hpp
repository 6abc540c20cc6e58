// What several threads write to at a time, each to its own, must not lie in one cache line: every write would take the
// line from the others.
//
//   struct alignas(kCacheLines) Partition { ... };               // of an array that threads share out
//   std::vector<std::byte, OwnLines<std::byte>> room_;           // memory of one thread
#pragma once

#include <cstddef>
#include <new>

namespace headroom::checker {

// Two lines of 64 bytes: processors fetch them in pairs.
inline constexpr std::size_t kCacheLines = 128;

// An allocator that shares no line with anything else.
template <class T>
struct OwnLines {
  using value_type = T;

  OwnLines() = default;
  template <class U>
  explicit(false) OwnLines(const OwnLines<U>& /*of another type*/) {}

  [[nodiscard]] T* allocate(std::size_t n) {
    return static_cast<T*>(::operator new(whole_lines(n), std::align_val_t{kCacheLines}));
  }
  void deallocate(T* memory, std::size_t n) {
    ::operator delete(memory, whole_lines(n), std::align_val_t{kCacheLines});
  }
  friend bool operator==(const OwnLines&, const OwnLines&) { return true; }

 private:
  [[nodiscard]] static std::size_t whole_lines(std::size_t n) {
    return (n * sizeof(T) + kCacheLines - 1) / kCacheLines * kCacheLines;
  }
};

}  // namespace headroom::checker
