// M6 of the metamorphic properties: the same shards on more or fewer nodes change the sum of a tenant's ceilings by at
// most the number of owning nodes - 1.
#include <set>

#include "model/backpressure/charge_ledger.hpp"
#include "tests/property/check.hpp"
#include "tests/property/cluster/generated_scenario.hpp"

namespace headroom::test {
namespace {

using Owners = std::vector<NodeId>;  // by shard

constexpr std::uint16_t kNodes = 40;

std::uint64_t sum_of_ceilings(const Owners& owners, std::uint32_t quota) {
  const ChargeLedger charges(CeilingGrowth::settled, 1, kNodes, owners);
  std::uint64_t sum = 0;
  for (std::uint16_t node = 0; node < kNodes; ++node) {
    sum += charges.ceiling(NamespaceId(0), NodeId(node), quota);
  }
  return sum;
}

std::uint64_t owning_nodes(const Owners& owners) {
  return std::set<NodeId>(owners.begin(), owners.end()).size();
}

NodeId any_node() {
  return NodeId(static_cast<std::uint16_t>(any(0, kNodes - 1)));
}

std::uint32_t any_quota() {
  return any(0, 2) == 2 ? *rc::gen::inRange<std::uint32_t>(0xFFFF'0000, 0xFFFF'FFFF)
                        : static_cast<std::uint32_t>(any(0, 300));
}

Owners any_owners() {
  Owners owners(static_cast<std::size_t>(any(1, 64)));
  for (NodeId& owner : owners) {
    owner = any_node();
  }
  return owners;
}

void require_close(const Owners& before, const Owners& after, std::uint32_t quota) {
  const std::uint64_t one = sum_of_ceilings(before, quota);
  const std::uint64_t other = sum_of_ceilings(after, quota);
  const std::uint64_t owners = std::max(owning_nodes(before), owning_nodes(after));
  RC_ASSERT(std::max(one, other) - std::min(one, other) <= owners - 1);
  // Since each is within [quota, quota + owning nodes - 1].
  RC_ASSERT(one >= quota);
  RC_ASSERT(one <= quota + owning_nodes(before) - 1);
}

TEST_CASE("nodes that merge change the sum of ceilings by at most the owners - 1", "[property]") {
  check_property("nodes.merge", [] {
    const Owners before = any_owners();
    const NodeId from = any_node();
    const NodeId into = any_node();
    Owners after = before;
    std::ranges::replace(after, from, into);
    require_close(before, after, any_quota());
  });
}

TEST_CASE("a node that splits changes the sum of ceilings by at most the owners - 1", "[property]") {
  check_property("nodes.split", [] {
    const Owners before = any_owners();
    Owners after = before;
    const NodeId half = any_node();
    const NodeId split = before[static_cast<std::size_t>(any(0, static_cast<int>(before.size()) - 1))];
    for (NodeId& owner : after) {
      owner = owner == split && any(0, 1) == 1 ? half : owner;
    }
    require_close(before, after, any_quota());
  });
}

TEST_CASE("some merge is seen to change the sum of ceilings", "[property]") {
  check_broken("nodes.unchanged", [] {
    const Owners before = any_owners();
    Owners after = before;
    std::ranges::replace(after, any_node(), any_node());
    const std::uint32_t quota = any_quota();
    RC_ASSERT(sum_of_ceilings(before, quota) == sum_of_ceilings(after, quota));
  });
}

}  // namespace
}  // namespace headroom::test
