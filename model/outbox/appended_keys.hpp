// Every dispatch key that was ever appended, exactly: what insert-or-ignore asks.
//
// Keys of a namespace mostly come in order, so all below a watermark are known by one number; only keys ahead of it
// are kept one by one, in a flat table of at most 16 bytes a key. Keys of a tenant's own rows and of those that its
// requests append have a watermark each.
#pragma once

#include <cstdint>
#include <vector>

#include "model/outbox/dispatch_key.hpp"

namespace headroom {

class AppendedKeys {
 public:
  explicit AppendedKeys(std::uint32_t namespaces);

  // Remembers the key; false if it was there already. Amortized O(1).
  bool insert(DispatchKey key);
  [[nodiscard]] bool contains(DispatchKey key) const;
  void clear();
  // Bytes held on the heap.
  [[nodiscard]] std::size_t memory_bytes() const {
    return watermarks_.capacity() * sizeof(std::uint64_t) + table_.capacity() * sizeof(DispatchKey);
  }

  friend bool operator==(const AppendedKeys&, const AppendedKeys&) = default;

 private:
  // Which of the watermarks the key is held against.
  [[nodiscard]] static std::size_t line(DispatchKey key) {
    return std::size_t{2} * key.name().value() + (key.ordinal() >= DispatchKey::kFirstOfRequests ? 1 : 0);
  }
  [[nodiscard]] std::size_t home(DispatchKey key) const;
  [[nodiscard]] std::size_t find(DispatchKey key) const;  // its place, or the empty place where the search ended
  void insert_ahead(DispatchKey key);
  bool erase_ahead(DispatchKey key);
  void grow();

  std::vector<std::uint64_t> watermarks_;  // by line: all of its ordinals below were appended
  std::vector<DispatchKey> table_;         // open addressing, linear probing; a default key marks an empty place
  std::size_t ahead_ = 0;                  // keys in the table
};

}  // namespace headroom
