// Ceilings of reference/fixed-order.md B1, reference/oracles.md D.8 and reference/cases.md DS7.
#include "model/backpressure/quota.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <vector>

namespace headroom {
namespace {

std::uint64_t ceiling_sum(std::uint32_t quota, const std::vector<std::uint32_t>& owned) {
  const std::uint32_t shards = std::accumulate(owned.begin(), owned.end(), 0U);
  std::uint64_t sum = 0;
  for (const std::uint32_t part : owned) {
    sum += quota_share(quota, part, shards);
  }
  return sum;
}

std::vector<std::uint32_t> times(std::size_t nodes, std::uint32_t shards) {
  return std::vector<std::uint32_t>(nodes, shards);
}

TEST_CASE("B1: small quotas on many nodes sum to more than the quota", "[quota]") {
  CHECK(ceiling_sum(1, times(4, 16)) == 4);
  CHECK(ceiling_sum(10, times(4, 16)) == 12);
  CHECK(ceiling_sum(5, times(8, 1)) == 8);
  CHECK(ceiling_sum(1, times(64, 1)) == 64);
  CHECK(ceiling_sum(7, {22, 21, 21}) == 9);
  CHECK(ceiling_sum(100, {22, 21, 21}) == 101);
  CHECK(ceiling_sum(100, times(4, 16)) == 100);
}

TEST_CASE("D.8: sums of ceilings", "[quota]") {
  CHECK(ceiling_sum(10, times(4, 2)) == 12);
  CHECK(ceiling_sum(1, times(4, 2)) == 4);
  CHECK(ceiling_sum(3, times(8, 1)) == 8);
  CHECK(ceiling_sum(100, {3, 3, 2}) == 101);
  CHECK(ceiling_sum(7, {3, 3, 2}) == 8);
  CHECK(ceiling_sum(65, times(64, 1)) == 128);
  CHECK(ceiling_sum(10, times(64, 1)) == 64);
  CHECK(ceiling_sum(5, {13, 13, 13, 13, 12}) == 9);
}

TEST_CASE("DS7: two survivors that adopt all shards may use the whole quota again", "[quota]") {
  CHECK(2 * quota_share(100, 2, 8) == 50);
  CHECK(ceiling_sum(100, {4, 4}) == 100);
}

TEST_CASE("ceilings sum to at least the quota and at most quota + owning nodes - 1", "[quota]") {
  for (const std::uint32_t quota : {0U, 1U, 2U, 7U, 64U, 1000U, 0xFFFF'FFFFU}) {
    for (std::uint32_t first = 0; first <= 12; ++first) {
      for (std::uint32_t second = 0; first + second <= 12; ++second) {
        const std::vector<std::uint32_t> owned{first, second, 13 - first - second};
        const auto owners =
            static_cast<std::uint64_t>(std::ranges::count_if(owned, [](std::uint32_t part) { return part > 0; }));
        CAPTURE(quota, owned);
        REQUIRE(ceiling_sum(quota, owned) >= quota);
        REQUIRE(ceiling_sum(quota, owned) <= std::uint64_t{quota} + (quota == 0 ? 0 : owners - 1));
      }
    }
  }
}

TEST_CASE("the largest quota on the most shards does not overflow", "[quota]") {
  constexpr auto quota = static_cast<std::uint32_t>(kMaxQuota);
  constexpr auto shards = static_cast<std::uint32_t>(kMaxShards);
  CHECK(quota_share(quota, shards, shards) == quota);
  CHECK(quota_share(quota, shards - 1, shards) == 0xFFFF'F000);  // 2^32 - 1 - (2^32 - 1) / 2^20, rounded up
  CHECK(quota_share(quota, 1, shards) == 4096);
  CHECK(quota_share(quota, 0, shards) == 0);
}

TEST_CASE("headroom is what claimed rows leave of the ceiling, never below 0", "[quota]") {
  CHECK(headroom_of(5, 3) == 2);
  CHECK(headroom_of(5, 5) == 0);
  CHECK(headroom_of(5, 9) == 0);
  CHECK(headroom_of(0, 0) == 0);
}

}  // namespace
}  // namespace headroom
