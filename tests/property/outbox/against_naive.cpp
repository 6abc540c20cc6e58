// The outbox and a naive table carry out the same random commands, and are compared in full after every one.
#include <fmt/format.h>

#include "tests/property/check.hpp"
#include "tests/property/commands.hpp"
#include "tests/property/outbox/both_outboxes.hpp"

namespace headroom::test {
namespace {

constexpr std::uint32_t kRoutesEach = 2;

OutboxConfig config_with(bool one_lane_per_node) {
  return {.nodes = 3,
          .shards = 4,
          .namespaces = 2,
          .routes = 2 * kRoutesEach,
          .workflows = 4,
          .one_lane_per_node = one_lane_per_node,
          .backoff = {
              .base = Duration::nanoseconds(3), .multiplier = 2, .max = Duration::nanoseconds(10), .max_attempts = 4}};
}

using OutboxCommand = BothCommand<NaiveWalk, OutboxSut>;

std::string text(DispatchKey key) {
  return fmt::format("row {}/{}", key.name().value(), key.ordinal());
}

// ---- rows come

NewRow any_row(const NaiveWalk& walk) {
  const auto name = below<std::uint32_t>(walk.config.namespaces);
  return {.key = DispatchKey(NamespaceId(name), walk.next_ordinal[name]),
          .workflow = WorkflowId(2 * name + below<std::uint32_t>(2)),
          .route = RouteId(kRoutesEach * name + below(kRoutesEach)),
          .shard = ShardId(below(walk.config.shards)),
          .visible_after = Time::at(Duration::nanoseconds(below<std::int64_t>(20))),
          .visible = below(4) != 3};
}

// A new key, one that is there already, or one ahead of its turn. Has no precondition.
class Append final : public OutboxCommand {
 public:
  explicit Append(const NaiveWalk& walk) : added_(any_row(walk)) {
    if (below(7) == 6) {
      added_.key = DispatchKey(added_.key.name(), below<std::uint64_t>(added_.key.ordinal() + 3));
    }
  }
  void show(std::ostream& out) const override {
    out << fmt::format("append {}: route {}, shard {}, workflow {}, time {}{}", text(added_.key), added_.route.value(),
                       added_.shard.value(), added_.workflow.value(), added_.visible_after.nanoseconds(),
                       added_.visible ? "" : ", not visible yet");
  }

 private:
  void act(NaiveWalk& walk, OutboxSut* sut) const override {
    std::uint64_t& next = walk.next_ordinal[added_.key.name().value()];
    next = std::max(next, added_.key.ordinal() + 1);
    const bool appended = walk.table.append(added_, walk.now);
    if (sut != nullptr) {
      const std::optional<RowSlot> slot = sut->outbox.append(added_, walk.now);
      RC_ASSERT(slot.has_value() == appended);
      if (slot) {
        sut->slots[added_.key] = *slot;
      }
    }
  }
  NewRow added_;
};

// ---- one row of the table

// A command on one of the rows that suit it.
class OfRow : public OutboxCommand {
 public:
  void checkPreconditions(const NaiveWalk& walk) const override {
    const auto found = walk.table.rows().find(key_);
    RC_PRE(found != walk.table.rows().end() && suits_(found->second));
  }
  void show(std::ostream& out) const override { out << verb() << ' ' << text(key_); }

 protected:
  using Suits = bool (*)(const NaiveRow&);
  OfRow(const NaiveWalk& walk, Suits suited) : suits_(suited) {
    const std::vector<DispatchKey> keys = walk.table.keys_where(suited);
    RC_PRE(!keys.empty());
    key_ = keys[below(keys.size())];
  }
  [[nodiscard]] DispatchKey key() const { return key_; }
  [[nodiscard]] virtual std::string verb() const = 0;

 private:
  Suits suits_;
  DispatchKey key_;
};

class BecomeVisible final : public OfRow {
 public:
  explicit BecomeVisible(const NaiveWalk& walk)
      : OfRow(walk, [](const NaiveRow& row) { return row.status == NaiveStatus::pending && !row.visible; }) {}

 private:
  [[nodiscard]] std::string verb() const override { return "make visible"; }
  void act(NaiveWalk& walk, OutboxSut* sut) const override {
    walk.table.become_visible(key(), walk.now);
    if (sut != nullptr) {
      sut->outbox.become_visible(sut->slots.at(key()), walk.now);
    }
  }
};

class Cancel final : public OfRow {
 public:
  explicit Cancel(const NaiveWalk& walk) : OfRow(walk, [](const NaiveRow& row) { return row.live(); }) {}

 private:
  [[nodiscard]] std::string verb() const override { return "cancel"; }
  void act(NaiveWalk& walk, OutboxSut* sut) const override {
    walk.table.cancel(key());
    if (sut != nullptr) {
      sut->outbox.cancel(sut->slots.at(key()));
    }
  }
};

// ---- claims

// Both take the row for the node if it may have it.
void claim(NaiveWalk& walk, OutboxSut* sut, DispatchKey key, NodeId node, Epoch epoch) {
  const bool claimable = walk.table.claimable_by(key, node, epoch);
  if (sut != nullptr) {
    const RowSlot slot = sut->slots.at(key);
    const std::optional<Fence> fence = sut->outbox.claim(slot, node, epoch, walk.now);
    RC_ASSERT(fence.has_value() == claimable);
    if (fence) {
      RC_ASSERT(sut->fences.insert(*fence).second);
      sut->claims.push_back({slot, *fence});
    }
  }
  if (claimable) {
    walk.table.claim(key, node, Fence(walk.claims.size()), walk.now);
    walk.claims.push_back(key);
  }
}

// The oldest row of a lane, as a dispatcher does it.
class ClaimOldest final : public OutboxCommand {
 public:
  explicit ClaimOldest(const NaiveWalk& walk) : node_(below(walk.config.nodes)), route_(below(walk.config.routes)) {
    RC_PRE(!walk.table.lane(node_, route_, false).empty());
  }
  void show(std::ostream& out) const override {
    out << fmt::format("node {} claims the oldest of route {}", node_.value(), route_.value());
  }

 private:
  void act(NaiveWalk& walk, OutboxSut* sut) const override {
    const std::vector<DispatchKey> lane = walk.table.lane(node_, route_, false);
    if (!lane.empty()) {
      claim(walk, sut, lane.front(), node_, walk.table.epoch(walk.table.rows().at(lane.front()).added.shard));
    }
  }
  NodeId node_;
  RouteId route_;
};

// An epoch that may be one too old.
struct AnyEpoch {
  bool old = below(3) == 2;
  [[nodiscard]] Epoch of(const NaiveWalk& walk, DispatchKey key) const {
    const Epoch present = walk.table.epoch(walk.table.rows().at(key).added.shard);
    return old ? present - 1 : present;
  }
};

// By any node, at the present or an old epoch.
class ClaimAny final : public OfRow {
 public:
  explicit ClaimAny(const NaiveWalk& walk)
      : OfRow(walk, [](const NaiveRow& row) { return row.live(); }), node_(below(walk.config.nodes)) {}

 private:
  [[nodiscard]] std::string verb() const override {
    return fmt::format("node {} at {} epoch claims", node_.value(), epoch_.old ? "an old" : "its");
  }
  void act(NaiveWalk& walk, OutboxSut* sut) const override { claim(walk, sut, key(), node_, epoch_.of(walk, key())); }
  NodeId node_;
  AnyEpoch epoch_;
};

// Something happens to a claim that was made at some time, now and then under the fence of another one.
class OfClaim final : public OutboxCommand {
 public:
  explicit OfClaim(const NaiveWalk& walk) : kind_(below(5)) {
    RC_PRE(!walk.claims.empty());
    claim_ = any_claim(walk);
    fence_ = below(6) == 5 && kind_ != kGoStale ? any_claim(walk) : claim_;
  }
  void checkPreconditions(const NaiveWalk& walk) const override {
    RC_PRE(claim_ < walk.claims.size() && fence_ < walk.claims.size());
  }
  void show(std::ostream& out) const override {
    constexpr std::array<const char*, 5> verbs{"complete", "fail", "begin", "fail", "mark stale"};
    out << verbs.at(static_cast<std::size_t>(kind_)) << " claim " << claim_;
    if (fence_ != claim_) {
      out << " under the fence of claim " << fence_;
    }
  }

 private:
  static constexpr int kGoStale = 4;
  // The youngest claims are the likeliest to be live.
  static std::size_t any_claim(const NaiveWalk& walk) {
    const std::size_t count = walk.claims.size();
    return count - 1 - below(below(2) == 0 ? count : std::min<std::size_t>(count, 4));
  }

  void act(NaiveWalk& walk, OutboxSut* sut) const override {
    const DispatchKey key = walk.claims[claim_];
    const Fence naive(fence_);
    const RowSlot slot = sut == nullptr ? RowSlot::none() : sut->claims[claim_].slot;
    const Fence fence = sut == nullptr ? Fence::none() : sut->claims[fence_].fence;
    switch (kind_) {
      case 0: {
        const Settled expected = walk.table.complete(key, naive);
        RC_ASSERT((sut == nullptr || sut->outbox.complete(slot, key, fence) == expected));
        break;
      }
      case 2: {
        const bool expected = walk.table.begin_execution(key, naive);
        RC_ASSERT((sut == nullptr || sut->outbox.begin_execution(slot, key, fence) == expected));
        break;
      }
      case kGoStale: {
        const bool expected = walk.table.go_stale(key, naive);
        RC_ASSERT((sut == nullptr || sut->outbox.go_stale(slot, fence) == expected));
        break;
      }
      default: {
        const Settled expected = walk.table.fail(key, naive, walk.now);
        RC_ASSERT((sut == nullptr || sut->outbox.fail(slot, key, fence, walk.now) == expected));
        break;
      }
    }
  }
  int kind_;
  std::size_t claim_ = 0;
  std::size_t fence_ = 0;
};

// ---- claims that went stale

class RearmAny final : public OfRow {
 public:
  explicit RearmAny(const NaiveWalk& walk)
      : OfRow(walk, [](const NaiveRow& row) { return row.status == NaiveStatus::claimed; }) {}

 private:
  [[nodiscard]] std::string verb() const override { return epoch_.old ? "re-arm at an old epoch" : "re-arm"; }
  void act(NaiveWalk& walk, OutboxSut* sut) const override {
    const Epoch epoch = epoch_.of(walk, key());
    const bool expected = walk.table.rearm(key(), epoch, walk.now);
    RC_ASSERT((sut == nullptr || sut->outbox.rearm(sut->slots.at(key()), epoch, walk.now) == expected));
  }
  AnyEpoch epoch_;
};

// As a dispatcher does it: all that is marked in a shard. Has no precondition.
class RearmPass final : public OutboxCommand {
 public:
  explicit RearmPass(const NaiveWalk& walk) : shard_(below(walk.config.shards)) {}
  void show(std::ostream& out) const override { out << "re-arm pass over shard " << shard_.value(); }

 private:
  void act(NaiveWalk& walk, OutboxSut* sut) const override {
    const Epoch epoch = walk.table.epoch(shard_);
    std::set<DispatchKey> expected;
    for (const DispatchKey key : walk.table.keys_where([&](const NaiveRow& row) {
           return row.status == NaiveStatus::claimed && row.stale && row.added.shard == shard_;
         })) {
      RC_ASSERT(walk.table.rearm(key, epoch, walk.now));
      expected.insert(key);
    }
    if (sut != nullptr) {
      std::set<DispatchKey> found;
      for (const RowSlot slot : std::vector<RowSlot>(sut->outbox.stale_claims(shard_))) {
        // A marked claim may have settled, and its place may be another row's.
        if (sut->outbox.row(slot).shard == shard_ && sut->outbox.rearm(slot, epoch, walk.now)) {
          found.insert(sut->outbox.row(slot).key);
        }
      }
      sut->outbox.forget_stale_claims(shard_);
      RC_ASSERT(found == expected);
    }
  }
  ShardId shard_;
};

// ---- workflows, shards, time; none of these has a precondition

class PauseOrResume final : public OutboxCommand {
 public:
  explicit PauseOrResume(const NaiveWalk& walk) : workflow_(below(walk.config.workflows)), paused_(below(2) == 1) {}
  void show(std::ostream& out) const override {
    out << (paused_ ? "pause" : "resume") << " workflow " << workflow_.value();
  }

 private:
  void act(NaiveWalk& walk, OutboxSut* sut) const override {
    walk.table.set_paused(workflow_, paused_);
    if (sut != nullptr) {
      sut->outbox.set_paused(workflow_, paused_);
    }
  }
  WorkflowId workflow_;
  bool paused_;
};

class AssignShard final : public OutboxCommand {
 public:
  explicit AssignShard(const NaiveWalk& walk) : shard_(below(walk.config.shards)) {
    const auto node = below<std::uint16_t>(static_cast<std::uint16_t>(walk.config.nodes + 1));
    holder_ = node == walk.config.nodes ? NodeId::none() : NodeId(node);
  }
  void show(std::ostream& out) const override {
    out << "shard " << shard_.value() << " to " << (holder_.is_none() ? "nobody" : std::to_string(holder_.value()));
  }

 private:
  void act(NaiveWalk& walk, OutboxSut* sut) const override {
    const Epoch epoch = walk.table.epoch(shard_) + 1;
    walk.table.assign_shard(shard_, holder_, epoch);
    if (sut != nullptr) {
      sut->outbox.assign_shard(shard_, holder_, epoch);
    }
  }
  ShardId shard_;
  NodeId holder_;
};

class Pass final : public OutboxCommand {
 public:
  Pass() : gap_(Duration::nanoseconds(1 + below<std::int64_t>(4))) {}
  void show(std::ostream& out) const override { out << gap_.count() << " ns pass"; }

 private:
  void act(NaiveWalk& walk, OutboxSut* /*sut*/) const override { walk.now = walk.now + gap_; }
  Duration gap_;
};

// From a cluster in which every shard has an owner.
void walk_both(bool one_lane_per_node) {
  NaiveWalk model(config_with(one_lane_per_node));
  OutboxSut sut{.outbox = Outbox(model.config), .slots = {}, .claims = {}, .fences = {}};
  for (std::uint32_t i = 0; i < model.config.shards; ++i) {
    const NodeId holder(static_cast<std::uint16_t>(i % model.config.nodes));
    model.table.assign_shard(ShardId(i), holder, 1);
    sut.outbox.assign_shard(ShardId(i), holder, 1);
  }
  walk<Append, Append, Append, BecomeVisible, ClaimOldest, ClaimOldest, ClaimOldest, ClaimAny, OfClaim, OfClaim,
       OfClaim, OfClaim, RearmAny, RearmPass, Cancel, PauseOrResume, AssignShard, Pass>(model, std::move(sut));
}

TEST_CASE("the outbox is a naive table, step by step", "[property]") {
  check_property("outbox.against_naive.lanes", [] { walk_both(false); });
  check_property("outbox.against_naive.one_lane", [] { walk_both(true); });
}

}  // namespace
}  // namespace headroom::test
