// Quotas and the share of one that a node may use.
#pragma once

#include <cstdint>

#include "model/base/arithmetic.hpp"

namespace headroom {

// What a node counts against its ceiling.
enum class ClaimedCounts : std::uint8_t {
  owned_shards,      // Claimed rows on the shards that it owns
  started,           // rows that it started and whose fence lives
  owned_or_started,  // either, each row once
};

// When a node's ceiling follows the shards that it is given.
enum class CeilingGrowth : std::uint8_t {
  immediate,  // at once
  settled,    // once what the former owner still has running fits into what the former owner keeps
};

// Largest accepted values; the product fits into 64 bits.
inline constexpr std::uint64_t kMaxQuota = 0xFFFF'FFFF;
inline constexpr std::uint64_t kMaxShards = 1U << 20U;

// ceil(quota * shards / shard_count): a node's part of a quota that is cluster-wide. Needs shards <= shard_count and
// shard_count >= 1. With every shard counted once, the parts sum to at least `quota` and at most `quota` + nodes that
// count a shard - 1.
[[nodiscard]] constexpr std::uint32_t quota_share(std::uint32_t quota, std::uint32_t shards,
                                                  std::uint32_t shard_count) {
  const std::uint64_t product = static_cast<std::uint64_t>(quota) * shards;
  return static_cast<std::uint32_t>(div_ceil<std::uint64_t>(product, shard_count));
}

// max(0, ceiling - claimed).
[[nodiscard]] constexpr std::uint32_t headroom_of(std::uint32_t ceiling, std::uint64_t claimed) {
  return claimed >= ceiling ? 0 : static_cast<std::uint32_t>(ceiling - claimed);
}

}  // namespace headroom
