#include "sim/scenario/ownership.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace headroom;

namespace {

std::vector<NodeId> owners_of(const Ownership& ownership, std::uint16_t nodes, std::uint32_t shards,
                              const std::vector<NodeId>& absent = {}) {
  Reading reading("x.json");
  std::vector<NodeId> owners = initial_owners(ownership, nodes, absent, shards, reading);
  REQUIRE_FALSE(reading.has_faults());
  REQUIRE(owners.size() == shards);
  return owners;
}

std::vector<std::int64_t> sizes(const std::vector<NodeId>& owners, std::uint16_t nodes) {
  std::vector<std::int64_t> counts;
  for (std::uint16_t node = 0; node < nodes; ++node) {
    counts.push_back(std::ranges::count(owners, NodeId(node)));
  }
  return counts;
}

Diagnostics faults_of(const Ownership& ownership, std::uint16_t nodes, std::uint32_t shards,
                      const std::vector<NodeId>& absent = {}) {
  Reading reading("x.json");
  (void)initial_owners(ownership, nodes, absent, shards, reading);
  return reading.take_faults();
}

using Sizes = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("even ownership gives blocks that differ by one shard, the larger ones first") {
  CHECK(sizes(owners_of(EvenOwnership{}, 3, 64), 3) == Sizes{22, 21, 21});
  CHECK(sizes(owners_of(EvenOwnership{}, 4, 64), 4) == Sizes{16, 16, 16, 16});
  CHECK(sizes(owners_of(EvenOwnership{}, 5, 3), 5) == Sizes{1, 1, 1, 0, 0});
  CHECK(std::ranges::is_sorted(owners_of(EvenOwnership{}, 3, 64)));
}

TEST_CASE("weighted ownership follows the largest remainders") {
  CHECK(sizes(owners_of(WeightedOwnership{{2, 1, 1}}, 3, 64), 3) == Sizes{32, 16, 16});
  CHECK(sizes(owners_of(WeightedOwnership{{1, 1, 1}}, 3, 64), 3) == Sizes{22, 21, 21});
  // 10 * 5/9 = 5.56, 10 * 3/9 = 3.33, 10 * 1/9 = 1.11: the unit left goes to the first.
  CHECK(sizes(owners_of(WeightedOwnership{{5, 3, 1}}, 3, 10), 3) == Sizes{6, 3, 1});
  CHECK(sizes(owners_of(WeightedOwnership{{0, 1}}, 2, 8), 2) == Sizes{0, 8});
  CHECK(sizes(owners_of(WeightedOwnership{{1'000'000, 1'000'000}}, 2, 1U << 20U), 2) == Sizes{524'288, 524'288});
}

TEST_CASE("explicit ownership is taken as it is") {
  const std::vector<NodeId> owners = owners_of(ExplicitOwnership{{{0, 3}, {2}, {1}}}, 3, 4);
  CHECK(owners == std::vector<NodeId>{NodeId(0), NodeId(2), NodeId(1), NodeId(0)});
}

TEST_CASE("ownership that does not give every shard one owner is refused") {
  CHECK(faults_of(ExplicitOwnership{{{0, 1}, {1, 2}}}, 2, 3).front().pointer == "/cluster/ownership/explicit/1/0");
  CHECK(faults_of(ExplicitOwnership{{{0}, {2}}}, 2, 3).front().pointer == "/cluster/ownership/explicit");
  CHECK(faults_of(ExplicitOwnership{{{0, 1, 2, 3}, {}}}, 2, 3).front().pointer == "/cluster/ownership/explicit/0/3");
  CHECK(faults_of(ExplicitOwnership{{{0, 1, 2}}}, 2, 3).front().pointer == "/cluster/ownership/explicit");
  CHECK(faults_of(WeightedOwnership{{1, 1, 1}}, 2, 3).front().pointer == "/cluster/ownership/weights");
  CHECK(faults_of(WeightedOwnership{{0, 0}}, 2, 3).front().pointer == "/cluster/ownership/weights");
}

TEST_CASE("nodes that join later own nothing at the start") {
  const std::vector<NodeId> absent = {NodeId(1)};
  CHECK(sizes(owners_of(EvenOwnership{}, 3, 64, absent), 3) == Sizes{32, 0, 32});
  CHECK(sizes(owners_of(WeightedOwnership{{3, 0, 1}}, 3, 64, absent), 3) == Sizes{48, 0, 16});
  CHECK(sizes(owners_of(ExplicitOwnership{{{1}, {}, {0}}}, 3, 2, absent), 3) == Sizes{1, 0, 1});
  CHECK(faults_of(WeightedOwnership{{3, 1, 1}}, 3, 64, absent).front().pointer == "/cluster/ownership/weights/1");
  CHECK(faults_of(ExplicitOwnership{{{1}, {0}, {}}}, 3, 2, absent).front().pointer == "/cluster/ownership/explicit/1");
  CHECK(faults_of(EvenOwnership{}, 2, 64, {NodeId(0), NodeId(1)}).front().pointer == "/faults");
}

TEST_CASE("a node is absent at the start if a join is the first that is planned for it") {
  const auto at = [](const FaultKind& kind, std::int64_t seconds) {
    return Fault{.kind = kind, .at = Time::at(Duration::seconds(seconds))};
  };
  using Nodes = std::vector<NodeId>;
  const auto absent = [](const std::vector<Fault>& faults) { return absent_nodes(faults, 3); };
  const NodeId n2(1);
  CHECK(absent({at(JoinFault{n2}, 5)}) == Nodes{n2});
  CHECK(absent({at(LeaveFault{n2}, 9), at(JoinFault{n2}, 5)}) == Nodes{n2});
  CHECK(absent({at(JoinFault{n2}, 9), at(LeaveFault{n2}, 5)}).empty());
  CHECK(absent({at(JoinFault{n2}, 9), at(CrashFault{n2}, 5)}).empty());
  CHECK(absent({at(JoinFault{n2}, 9), at(RestartFault{n2}, 5)}).empty());
  CHECK(absent({at(JoinFault{n2}, 5), at(CrashFault{NodeId(0)}, 1)}) == Nodes{n2});
  Fault at_random = at(JoinFault{n2}, 0);
  at_random.rate = Rate{1'000'000'000};
  CHECK(absent({at_random}).empty());
}
