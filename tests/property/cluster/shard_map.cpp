// Shards that change hands while rows are claimed, executed and re-armed, nodes that die and come back: the cluster's
// shard map, epochs, counts and ceilings beside a map of its own, scans of all rows, and charging taken literally.
#include <fmt/format.h>

#include "tests/model/cluster/small_cluster.hpp"
#include "tests/property/backpressure/naive_charges.hpp"
#include "tests/property/check.hpp"
#include "tests/property/commands.hpp"

namespace headroom::test {
namespace {

constexpr std::uint16_t kNodes = 3;
constexpr std::uint32_t kShards = 6;
constexpr std::uint32_t kTenants = 2;
constexpr std::uint32_t kNobody = 0xFFFF;

// Who owns what, as told by the commands alone.
struct ShardMap {
  std::vector<std::uint32_t> holder = {};      // by shard; kNobody: ownerless
  std::vector<std::uint32_t> last_owner = {};  // by shard
  std::vector<std::uint32_t> epoch = {};       // by shard
  std::vector<bool> up = std::vector<bool>(kNodes, true);

  void give(std::uint32_t shard, std::uint32_t node) {
    holder[shard] = last_owner[shard] = node;
    ++epoch[shard];
  }
};

using Started = std::vector<std::uint32_t>;  // by node: rows that it started and whose fence lives

struct ShardSut {
  SmallCluster of;
  std::vector<NaiveCharges> charges;  // by tenant

  [[nodiscard]] const Cluster& cluster() const { return of.cluster; }
  [[nodiscard]] std::uint32_t quota(std::uint32_t tenant) const { return cluster().quota(NamespaceId(tenant)); }
  template <class F>
  void for_each_row(F f) const {
    for (std::uint32_t shard = 0; shard < kShards; ++shard) {
      cluster().outbox().for_each_in_shard(ShardId(shard), [&](RowSlot slot) { f(cluster().outbox().row(slot)); });
    }
  }
  [[nodiscard]] Started started(std::uint32_t tenant) const {
    Started found(kNodes, 0);
    for_each_row([&](const Row& row) {
      if (row.name() == NamespaceId(tenant) && row.status == RowStatus::claimed) {
        ++found[row.claimed_by.value()];
      }
    });
    return found;
  }
  void step(const Action& action) { of.step(action); }
  void settle() {
    for (std::uint32_t tenant = 0; tenant < kTenants; ++tenant) {
      charges[tenant].settle(quota(tenant), started(tenant));
    }
  }
};
using ShardCommand = BothCommand<ShardMap, ShardSut>;

NodeId node_id(std::uint32_t node) {
  return NodeId(static_cast<std::uint16_t>(node));
}

void compare_holdings(const ShardMap& map, const ShardSut& sut, std::uint32_t tenant, std::uint32_t node) {
  Holding expected;
  sut.for_each_row([&](const Row& row) {
    if (row.name() != NamespaceId(tenant)) {
      return;
    }
    const bool owned = map.holder[row.shard.value()] == node;
    const bool claimed = row.status == RowStatus::claimed;
    expected.due += owned && row.due() ? 1 : 0;
    expected.claimable += owned && row.due() ? 1 : 0;  // nothing is paused here
    expected.claimed_owned += owned && claimed ? 1 : 0;
    expected.started += claimed && row.claimed_by == node_id(node) ? 1 : 0;
    expected.started_elsewhere += claimed && row.claimed_by == node_id(node) && !owned ? 1 : 0;
  });
  expected.ceiling =
      map.up[node] ? static_cast<std::uint32_t>(sut.charges[tenant].ceiling(node, sut.quota(tenant))) : 0;
  RC_ASSERT((sut.cluster().holding(node_id(node), NamespaceId(tenant)) == expected));
}

void compare(const ShardMap& map, const ShardSut& sut) {
  const Cluster& cluster = sut.cluster();
  for (std::uint32_t shard = 0; shard < kShards; ++shard) {
    const NodeId holder = map.holder[shard] == kNobody ? NodeId::none() : node_id(map.holder[shard]);
    RC_ASSERT(cluster.outbox().holder(ShardId(shard)) == holder);
    RC_ASSERT(cluster.outbox().epoch(ShardId(shard)) == map.epoch[shard]);
    RC_ASSERT(std::uint32_t{cluster.charges().owner(ShardId(shard)).value()} == map.last_owner[shard]);
  }
  RC_ASSERT(cluster.every_shard_owned() == (std::ranges::count(map.holder, kNobody) == 0));
  for (std::uint32_t tenant = 0; tenant < kTenants; ++tenant) {
    const NaiveCharges& charges = sut.charges[tenant];
    const Started started = sut.started(tenant);
    std::uint64_t running = 0;
    for (std::uint32_t node = 0; node < kNodes; ++node) {
      compare_holdings(map, sut, tenant, node);
      RC_ASSERT(cluster.charges().charged(NamespaceId(tenant), node_id(node)) == charges.charged(node));
      running += started[node];
    }
    // Spec 1.3: what runs fits into the quota, but for the rounding.
    RC_ASSERT(running <= sut.quota(tenant) + charges.charged_nodes() - 1);
    RC_ASSERT(cluster.executing_live(NamespaceId(tenant)) <= running);
  }
}

// ---- rows; none of these changes an owner

class Append final : public ShardCommand {
 public:
  Append() : tenant_(below(kTenants)), shard_(below(kShards)), rows_(1 + below(4U)) {}
  void show(std::ostream& out) const override {
    out << fmt::format("{} rows of tenant {} on shard {}", rows_, tenant_, shard_);
  }

 private:
  void act(ShardMap& /*map*/, ShardSut* sut) const override {
    if (sut != nullptr) {
      sut->of.append(tenant_, shard_, rows_);
    }
  }
  std::uint32_t tenant_;
  std::uint32_t shard_;
  std::uint32_t rows_;
};

class SweepNode final : public ShardCommand {
 public:
  SweepNode() : node_(below<std::uint32_t>(kNodes)) {}
  void show(std::ostream& out) const override { out << "node " << node_ << " sweeps"; }

 private:
  void act(ShardMap& /*map*/, ShardSut* sut) const override {
    if (sut != nullptr && sut->cluster().can_sweep(node_id(node_))) {
      (void)sut->of.sweep(static_cast<std::uint16_t>(node_));
    }
  }
  std::uint32_t node_;
};

// The nth of those that run.
class FinishExecutionOf final : public ShardCommand {
 public:
  FinishExecutionOf() : which_(below(8U)), succeeds_(below(4) != 3) {}
  void show(std::ostream& out) const override {
    out << fmt::format("execution {} {}", which_, succeeds_ ? "succeeds" : "fails");
  }

 private:
  void act(ShardMap& /*map*/, ShardSut* sut) const override {
    if (sut == nullptr) {
      return;
    }
    std::vector<ExecutionId> running;
    for (std::uint32_t i = 0; i < 256; ++i) {
      if (sut->cluster().executions().running(ExecutionId(i))) {
        running.push_back(ExecutionId(i));
      }
    }
    if (!running.empty()) {
      sut->step(FinishExecution{running[which_ % running.size()], succeeds_});
      sut->settle();
    }
  }
  std::uint32_t which_;
  bool succeeds_;
};

// The oldest claim goes stale, and its shard's owner re-arms it.
class RearmOldest final : public ShardCommand {
 public:
  RearmOldest() = default;
  void show(std::ostream& out) const override { out << "the oldest claim goes stale and is re-armed"; }

 private:
  void act(ShardMap& map, ShardSut* sut) const override {
    if (sut == nullptr || sut->cluster().outbox().oldest_claim().is_none()) {
      return;
    }
    const Row row = sut->cluster().outbox().row(sut->cluster().outbox().oldest_claim());
    sut->step(GoStale{sut->cluster().outbox().oldest_claim(), row.fence});
    const std::uint32_t holder = map.holder[row.shard.value()];
    if (holder != kNobody) {
      sut->step(RearmPass{node_id(holder)});
      sut->settle();
    }
  }
};

// ---- owners

// A planned handover, or the adoption of an ownerless shard.
class GiveShard final : public ShardCommand {
 public:
  explicit GiveShard(const ShardMap& map) : shard_(below(kShards)), to_(below<std::uint32_t>(kNodes)) {
    checkPreconditions(map);
  }
  void checkPreconditions(const ShardMap& map) const override { RC_PRE(map.up[to_]); }
  void show(std::ostream& out) const override { out << fmt::format("shard {} to node {}", shard_, to_); }

 private:
  void act(ShardMap& map, ShardSut* sut) const override {
    const std::uint32_t from = map.holder[shard_];
    const std::uint32_t before = map.last_owner[shard_];
    if (from == to_) {
      return;
    }
    map.give(shard_, to_);
    if (sut == nullptr) {
      return;
    }
    if (from == kNobody) {
      sut->step(Adopt{ShardId(shard_), node_id(to_)});
    } else {
      sut->step(Handoff{ShardId(shard_), node_id(to_)});
    }
    for (std::uint32_t tenant = 0; tenant < kTenants && before != to_; ++tenant) {
      sut->charges[tenant].hand_over(shard_, to_, sut->quota(tenant), sut->started(tenant));
    }
  }
  std::uint32_t shard_;
  std::uint32_t to_;
};

// A node dies; or it is back, and has again what nobody has adopted.
class CrashOrRestart final : public ShardCommand {
 public:
  explicit CrashOrRestart(const ShardMap& /*map*/) : node_(below<std::uint32_t>(kNodes)) {}
  void show(std::ostream& out) const override { out << "node " << node_ << " crashes or is back"; }

 private:
  void act(ShardMap& map, ShardSut* sut) const override {
    const bool restarts = !map.up[node_];
    map.up[node_] = restarts;
    for (std::uint32_t shard = 0; shard < kShards; ++shard) {
      if (restarts && map.holder[shard] == kNobody && map.last_owner[shard] == node_) {
        map.give(shard, node_);
      } else if (!restarts && map.holder[shard] == node_) {
        map.holder[shard] = kNobody;
      }
    }
    if (sut != nullptr) {
      restarts ? sut->step(Restart{node_id(node_)}) : sut->step(Crash{node_id(node_)});
    }
  }
  std::uint32_t node_;
};

TEST_CASE("owners, epochs, counts and ceilings are those of a map and a scan", "[property]") {
  check_property("shards.against_naive", [] {
    const auto quota = [] { return below(9U); };
    ClusterConfig config = cluster_of(kNodes, kShards, {tenant("a", quota()), tenant("b", quota())});
    config.workers = below(3) == 0 ? std::nullopt : std::optional(1 + below(3U));
    config.batch_size = 1 + below(8U);
    config.backoff.max_attempts = 3;
    ShardMap map;
    for (const NodeId owner : config.initial_owner) {
      map.holder.push_back(owner.value());
    }
    map.last_owner = map.holder;
    ShardSut sut{.of = SmallCluster(config), .charges = {kTenants, NaiveCharges(true, map.last_owner)}};
    for (std::uint32_t shard = 0; shard < kShards; ++shard) {
      map.epoch.push_back(sut.cluster().outbox().epoch(ShardId(shard)));
    }
    walk<Append, Append, SweepNode, SweepNode, SweepNode, FinishExecutionOf, FinishExecutionOf, RearmOldest, GiveShard,
         GiveShard, CrashOrRestart>(map, std::move(sut));
  });
}

}  // namespace
}  // namespace headroom::test
