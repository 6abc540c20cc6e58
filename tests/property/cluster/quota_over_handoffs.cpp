// Executing rows with a live fence while shards move (spec 1.3, "Quota while shards move"), over generated histories: 2
// nodes, 4 shards, quota 4, one tenant whose rows may be anywhere, sweeps that handoffs may fall into.
#include "tests/model/properties/watched_cluster.hpp"
#include "tests/property/check.hpp"

namespace headroom::test {
namespace {

constexpr std::uint32_t kShards = 4;
constexpr std::uint32_t kQuota = 4;

struct Combination {
  ClaimedCounts counts;
  CeilingGrowth growth;
};

void take_any_step(WatchedCluster& cluster) {
  const auto shard = *rc::gen::inRange<std::uint32_t>(0, kShards);
  const auto node = *rc::gen::element<std::uint16_t>(0, 1);
  const NodeId id(node);
  switch (*rc::gen::weightedElement<int>({{3, 0}, {3, 1}, {2, 2}, {2, 3}, {4, 4}, {1, 5}})) {
    case 0:
      cluster.append(0, 5, shard);
      break;
    case 1:
      if (cluster.cluster().can_sweep(id)) {
        cluster.sweep(node);
      }
      break;
    case 2:
      if (cluster.cluster().can_sweep(id)) {
        cluster.plan(node);
      }
      break;
    case 3:
      if (cluster.cluster().sweep(id).running) {
        cluster.claim_and_finish(node);
      }
      break;
    case 4:
      cluster.hand_off(shard, node);
      break;
    default:
      if (cluster.running() > 0) {
        cluster.finish_one(*rc::gen::arbitrary<bool>());
      }
      break;
  }
}

// A history of up to 40 steps under a combination, watched by the properties that quotas and rows hang on.
WatchedCluster any_history_of(Combination combination) {
  ClusterConfig config = two_nodes(kShards, kQuota);
  config.claimed_counts = combination.counts;
  config.ceiling_growth = combination.growth;
  WatchedCluster cluster(config);
  for (const auto property : {"quota_sum", "ceiling", "exactly_once", "ledger"}) {
    cluster.watch(property);
  }
  const auto steps = *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(1, 41));
  for (int i = 0; i < steps; ++i) {
    take_any_step(cluster);
  }
  cluster.end();
  return cluster;
}

void require_held(const WatchedCluster& cluster, std::string_view property) {
  const PropertyOutcome outcome = cluster.outcome(property);
  if (outcome.held == Held::no) {
    RC_FAIL(outcome.reason);
  }
}

TEST_CASE("settled growth keeps executing rows within quota + charged nodes - 1", "[property]") {
  for (const ClaimedCounts counts : {ClaimedCounts::started, ClaimedCounts::owned_or_started}) {
    check_property("quota.settled." + std::to_string(static_cast<int>(counts)),
                   [counts] { require_held(any_history_of({counts, CeilingGrowth::settled}), "quota_sum"); });
  }
}

TEST_CASE("the other combinations are seen to break the bound", "[property]") {
  for (const Combination weak : {Combination{ClaimedCounts::owned_shards, CeilingGrowth::immediate},
                                 Combination{ClaimedCounts::owned_shards, CeilingGrowth::settled},
                                 Combination{ClaimedCounts::started, CeilingGrowth::immediate},
                                 Combination{ClaimedCounts::owned_or_started, CeilingGrowth::immediate}}) {
    check_broken("quota.weak." + std::to_string(static_cast<int>(weak.counts)) + "." +
                     std::to_string(static_cast<int>(weak.growth)),
                 [weak] { require_held(any_history_of(weak), "quota_sum"); });
  }
}

TEST_CASE("executing rows never pass 10, 8 and 7 under the weaker combinations", "[property]") {
  const auto never_beyond = [](const std::string& id, Combination combination, std::uint32_t most) {
    check_property(id, [combination, most] {
      RC_ASSERT(any_history_of(combination).cluster().executing_live(NamespaceId(0)) <= most);
    });
  };
  never_beyond("quota.most.owned.immediate", {ClaimedCounts::owned_shards, CeilingGrowth::immediate}, 10);
  never_beyond("quota.most.owned.settled", {ClaimedCounts::owned_shards, CeilingGrowth::settled}, 10);
  never_beyond("quota.most.started.immediate", {ClaimedCounts::started, CeilingGrowth::immediate}, 8);
  never_beyond("quota.most.either.immediate", {ClaimedCounts::owned_or_started, CeilingGrowth::immediate}, 7);
}

TEST_CASE("ceilings, keys and ledger hold through handoffs in the middle of sweeps", "[property]") {
  for (const CeilingGrowth growth : {CeilingGrowth::immediate, CeilingGrowth::settled}) {
    check_property("quota.others." + std::to_string(static_cast<int>(growth)), [growth] {
      const WatchedCluster cluster = any_history_of({ClaimedCounts::owned_or_started, growth});
      for (const auto property : {"ceiling", "exactly_once", "ledger"}) {
        require_held(cluster, property);
      }
    });
  }
}

}  // namespace
}  // namespace headroom::test
