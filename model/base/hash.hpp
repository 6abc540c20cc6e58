// Hashes that are the same on every machine and in every version: shard placement and digests depend on them.
#pragma once

#include <cstdint>
#include <string_view>

namespace headroom {

// A bijection of 64-bit words in which every input bit moves about half of the output bits.
// Source: the finalizer of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014, variant 13 of Stafford's mixers).
[[nodiscard]] constexpr std::uint64_t mix(std::uint64_t word) {
  word = (word ^ (word >> 30U)) * 0xBF58476D1CE4E5B9ULL;
  word = (word ^ (word >> 27U)) * 0x94D049BB133111EBULL;
  return word ^ (word >> 31U);
}

// Hash of a pair of words in order.
[[nodiscard]] constexpr std::uint64_t stable_hash(std::uint64_t first, std::uint64_t second) {
  return mix(mix(first + 0x9E3779B97F4A7C15ULL) ^ (second + 0x9E3779B97F4A7C15ULL));
}

// Hash of a text: FNV-1a over its bytes, then mixed.
[[nodiscard]] constexpr std::uint64_t stable_hash(std::string_view text) {
  std::uint64_t hash = 0xCBF29CE484222325ULL;
  for (const char c : text) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
  }
  return mix(hash);
}

}  // namespace headroom
