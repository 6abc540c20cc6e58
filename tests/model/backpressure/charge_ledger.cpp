#include "model/backpressure/charge_ledger.hpp"

#include <catch2/catch.hpp>

namespace headroom {
namespace {

constexpr NamespaceId kTenant(0);
constexpr NodeId kFirst(0);
constexpr NodeId kSecond(1);

// Two nodes with two of four shards each.
ChargeLedger ledger(CeilingGrowth growth) {
  const std::vector<NodeId> owners{kFirst, kFirst, kSecond, kSecond};
  return ChargeLedger(growth, 1, 2, owners);
}

void move(ChargeLedger& charges, std::uint32_t shard, NodeId from, NodeId to, std::uint32_t quota,
          std::vector<std::uint32_t> started) {
  charges.set_owner(ShardId(shard), to);
  charges.hand_over(kTenant, ShardId(shard), from, to, quota, started);
}

TEST_CASE("sums of ceilings: the published examples") {
  const auto sum = [](std::uint32_t quota, const std::vector<std::uint32_t>& owned, std::uint32_t shards) {
    std::uint64_t total = 0;
    for (const std::uint32_t count : owned) {
      total += quota_share(quota, count, shards);
    }
    return total;
  };
  CHECK(sum(10, {2, 2, 2, 2}, 8) == 12);
  CHECK(sum(1, {2, 2, 2, 2}, 8) == 4);
  CHECK(sum(3, {1, 1, 1, 1, 1, 1, 1, 1}, 8) == 8);
  CHECK(sum(100, {3, 3, 2}, 8) == 101);
  CHECK(sum(7, {3, 3, 2}, 8) == 8);
  CHECK(sum(5, {13, 13, 13, 13, 12}, 64) == 9);
  CHECK(sum(7, {22, 21, 21}, 64) == 9);
  CHECK(sum(0, {4, 4}, 8) == 0);
}

TEST_CASE("the largest quota and shard count do not overflow") {
  CHECK(quota_share(0xFFFF'FFFF, 1U << 20U, 1U << 20U) == 0xFFFF'FFFF);
  CHECK(quota_share(0xFFFF'FFFF, 1, 1U << 20U) == 4096);
}

TEST_CASE("immediate: a shard is charged to its owner at once") {
  ChargeLedger charges = ledger(CeilingGrowth::immediate);
  move(charges, 0, kFirst, kSecond, 4, {2, 2});
  CHECK(charges.ceiling(kTenant, kFirst, 4) == 1);
  CHECK(charges.ceiling(kTenant, kSecond, 4) == 3);
  CHECK(charges.all_settled());
}

TEST_CASE("settled: a shard stays charged to its former owner while that one's rows need it") {
  ChargeLedger charges = ledger(CeilingGrowth::settled);
  move(charges, 0, kFirst, kSecond, 4, {2, 2});
  CHECK(charges.unsettled(kTenant));
  CHECK(charges.ceiling(kTenant, kFirst, 4) == 1);   // it can claim nothing on what it handed over
  CHECK(charges.ceiling(kTenant, kSecond, 4) == 2);  // and the new owner nothing more yet
  CHECK(charges.charged(kTenant, kFirst) == 2);
  CHECK(charges.charged_nodes(kTenant) == 2);
  // One of the two rows ends: what is left fits into the ceiling of the other shard.
  const std::vector<std::uint32_t> started = {1, 2};
  CHECK(charges.settle(kTenant, 4, started));
  CHECK(charges.ceiling(kTenant, kSecond, 4) == 3);
  CHECK(charges.all_settled());
}

TEST_CASE("settled: what is not in use moves at once") {
  ChargeLedger charges = ledger(CeilingGrowth::settled);
  move(charges, 0, kFirst, kSecond, 4, {1, 2});
  CHECK(charges.all_settled());
  CHECK(charges.ceiling(kTenant, kSecond, 4) == 3);
}

TEST_CASE("settled: shards settle one by one, in the order in which they were handed over") {
  ChargeLedger charges = ledger(CeilingGrowth::settled);
  move(charges, 1, kFirst, kSecond, 4, {2, 2});
  move(charges, 0, kFirst, kSecond, 4, {2, 2});
  CHECK(charges.charged(kTenant, kFirst) == 2);
  CHECK(charges.ceiling(kTenant, kFirst, 4) == 0);
  const std::vector<std::uint32_t> one_left = {1, 2};
  charges.settle(kTenant, 4, one_left);
  CHECK(charges.charged(kTenant, kFirst) == 1);
  const std::vector<std::uint32_t> none_left = {0, 2};
  charges.settle(kTenant, 4, none_left);
  CHECK(charges.charged(kTenant, kFirst) == 0);
  CHECK(charges.charged_nodes(kTenant) == 1);
  CHECK(charges.ceiling(kTenant, kSecond, 4) == 4);
}

TEST_CASE("settled: a shard that comes back to the node that it is charged to is settled") {
  ChargeLedger charges = ledger(CeilingGrowth::settled);
  move(charges, 0, kFirst, kSecond, 4, {2, 2});
  move(charges, 0, kSecond, kFirst, 4, {2, 2});
  CHECK(charges.all_settled());
  CHECK(charges.ceiling(kTenant, kFirst, 4) == 2);
  CHECK(charges.ceiling(kTenant, kSecond, 4) == 2);
}

}  // namespace
}  // namespace headroom
