// Command sequences of the outbox: it and a plain table do the same, and are compared after every command.
#include <map>
#include <set>
#include <vector>

#include "tests/fuzz/choices.hpp"
#include "tests/fuzz/target.hpp"
#include "tests/property/outbox/naive_outbox.hpp"

namespace headroom::fuzz {
namespace {

using test::NaiveOutbox;
using test::NaiveRow;
using test::NaiveStatus;

constexpr std::uint32_t kRoutesEach = 2;

OutboxConfig any_config(Choices& choices) {
  return {.nodes = 3,
          .shards = 4,
          .namespaces = 2,
          .routes = 2 * kRoutesEach,
          .workflows = 4,
          .one_lane_per_node = choices.one_in(3),
          .backoff = {.base = Duration::nanoseconds(3),
                      .multiplier = 1 + choices.below<std::uint32_t>(3),
                      .max = Duration::nanoseconds(10),
                      .max_attempts = static_cast<std::uint16_t>(1 + choices.below(4))}};
}

class Pair {
 public:
  explicit Pair(const OutboxConfig& config) : config_(config), outbox_(config), naive_(config) {
    for (std::uint32_t shard = 0; shard < config.shards; ++shard) {
      assign(ShardId(shard), NodeId(static_cast<std::uint16_t>(shard % config.nodes)));
    }
  }

  void take_step(Choices& choices) {
    switch (choices.below(14)) {
      case 0:
      case 1:
        return append(choices);
      case 2:
        return become_visible(choices);
      case 3:
      case 4:
        return claim_oldest(choices);
      case 5:
        return claim_any(choices);
      case 6:
      case 7:
        return settle(choices);
      case 8:
        return go_stale(choices);
      case 9:
        return rearm(choices);
      case 10:
        return cancel(choices);
      case 11:
        return pause_or_resume(choices);
      case 12:
        return assign_any(choices);
      default:
        now_ = now_ + Duration::nanoseconds(choices.below(5));
        return;
    }
  }

  void compare() const {
    HEADROOM_ASSERT(outbox_.dead_letters() == naive_.dead_letters(), "dead letters");
    for (std::uint32_t i = 0; i < config_.namespaces; ++i) {
      HEADROOM_ASSERT(outbox_.counts(NamespaceId(i)) == naive_.counts(NamespaceId(i)), "counts of {}", i);
    }
    const std::optional<DispatchKey> oldest = naive_.oldest_claim();
    HEADROOM_ASSERT(outbox_.oldest_claim().is_none() == !oldest, "the oldest claim");
    HEADROOM_ASSERT(!oldest || outbox_.row(outbox_.oldest_claim()).key == *oldest, "the oldest claim");
    compare_rows();
    compare_lanes();
    compare_shards();
  }

 private:
  struct Claim {
    RowSlot slot;
    DispatchKey key;
    Fence fence;
  };

  // A key that is new, there already, or final.
  void append(Choices& choices) {
    const auto name = choices.below<std::uint32_t>(config_.namespaces);
    const NewRow added{.key = DispatchKey(NamespaceId(name), choices.below<std::uint64_t>(24)),
                       .workflow = WorkflowId(2 * name + choices.below<std::uint32_t>(2)),
                       .route = RouteId(kRoutesEach * name + choices.below(kRoutesEach)),
                       .shard = ShardId(choices.below(config_.shards)),
                       .visible_after = Time::at(Duration::nanoseconds(choices.below(20))),
                       .visible = !choices.one_in(4)};
    const std::optional<RowSlot> slot = outbox_.append(added, now_);
    HEADROOM_ASSERT(slot.has_value() == naive_.append(added, now_), "appended or not");
    if (slot) {
      slots_[added.key] = *slot;
    }
  }

  void become_visible(Choices& choices) {
    if (const auto key =
            any_key(choices, [](const NaiveRow& r) { return r.status == NaiveStatus::pending && !r.visible; })) {
      outbox_.become_visible(slots_.at(*key), now_);
      naive_.become_visible(*key, now_);
    }
  }

  void claim(DispatchKey key, NodeId node, Epoch epoch) {
    const std::optional<Fence> fence = outbox_.claim(slots_.at(key), node, epoch, now_);
    HEADROOM_ASSERT(fence.has_value() == naive_.claimable_by(key, node, epoch), "claimed or not");
    if (fence) {
      HEADROOM_ASSERT(fences_.insert(*fence).second, "a fence for the second time");
      naive_.claim(key, node, *fence, now_);
      claims_.push_back({slots_.at(key), key, *fence});
    }
  }
  void claim_oldest(Choices& choices) {
    const NodeId node(choices.below(config_.nodes));
    const RowSlot slot = outbox_.oldest(node, RouteId(choices.below(config_.routes)));
    if (!slot.is_none()) {
      const DispatchKey key = outbox_.row(slot).key;
      claim(key, node, naive_.epoch(naive_.rows().at(key).added.shard));
    }
  }
  void claim_any(Choices& choices) {
    if (const auto key = any_key(choices, [](const NaiveRow& row) { return row.live(); })) {
      const NodeId node(choices.below(config_.nodes));
      claim(*key, node, any_epoch(choices, naive_.rows().at(*key).added.shard));
    }
  }

  // Under the fence of any claim that was ever made, of this row or of another.
  void settle(Choices& choices) {
    if (claims_.empty()) {
      return;
    }
    Claim claim = any_claim(choices);
    if (choices.one_in(6)) {
      claim.fence = any_claim(choices).fence;
    }
    switch (choices.below(3)) {
      case 0:
        HEADROOM_ASSERT(outbox_.complete(claim.slot, claim.key, claim.fence) == naive_.complete(claim.key, claim.fence),
                        "a result recorded or not");
        break;
      case 1:
        HEADROOM_ASSERT(
            outbox_.fail(claim.slot, claim.key, claim.fence, now_) == naive_.fail(claim.key, claim.fence, now_),
            "a failure recorded or not");
        break;
      default:
        HEADROOM_ASSERT(outbox_.begin_execution(claim.slot, claim.key, claim.fence) ==
                            naive_.begin_execution(claim.key, claim.fence),
                        "begun or not");
        break;
    }
  }

  void go_stale(Choices& choices) {
    if (!claims_.empty()) {
      const Claim claim = any_claim(choices);
      HEADROOM_ASSERT(outbox_.go_stale(claim.slot, claim.fence) == naive_.go_stale(claim.key, claim.fence),
                      "marked or not");
    }
  }
  void rearm(Choices& choices) {
    if (const auto key = any_key(choices, [](const NaiveRow& r) { return r.status == NaiveStatus::claimed; })) {
      const Epoch epoch = any_epoch(choices, naive_.rows().at(*key).added.shard);
      HEADROOM_ASSERT(outbox_.rearm(slots_.at(*key), epoch, now_) == naive_.rearm(*key, epoch, now_),
                      "armed again or not");
    }
  }
  void cancel(Choices& choices) {
    if (const auto key = any_key(choices, [](const NaiveRow& row) { return row.live(); })) {
      outbox_.cancel(slots_.at(*key));
      naive_.cancel(*key);
    }
  }
  void pause_or_resume(Choices& choices) {
    const WorkflowId workflow(choices.below(config_.workflows));
    const bool paused = choices.one_in(2);
    outbox_.set_paused(workflow, paused);
    naive_.set_paused(workflow, paused);
  }
  void assign_any(Choices& choices) {
    const ShardId shard(choices.below(config_.shards));
    const auto node = choices.below<std::uint16_t>(static_cast<std::uint16_t>(config_.nodes + 1));
    assign(shard, node == config_.nodes ? NodeId::none() : NodeId(node));
  }
  void assign(ShardId shard, NodeId holder) {
    const Epoch epoch = naive_.epoch(shard) + 1;
    outbox_.assign_shard(shard, holder, epoch);
    naive_.assign_shard(shard, holder, epoch);
  }

  template <class F>
  [[nodiscard]] std::optional<DispatchKey> any_key(Choices& choices, F wanted) const {
    const std::vector<DispatchKey> keys = naive_.keys_where(wanted);
    return keys.empty() ? std::nullopt : std::optional(keys[choices.below(keys.size())]);
  }
  // The last ones are the likeliest to be live.
  [[nodiscard]] Claim any_claim(Choices& choices) const {
    return claims_[claims_.size() - 1 - choices.below(std::min<std::size_t>(claims_.size(), 200))];
  }
  [[nodiscard]] Epoch any_epoch(Choices& choices, ShardId shard) const {
    const Epoch present = naive_.epoch(shard);
    return choices.one_in(3) ? present - 1 : present;
  }

  void compare_rows() const {
    std::uint64_t live = 0;
    for (const auto& [key, expected] : naive_.rows()) {
      HEADROOM_ASSERT(outbox_.ever_appended(key), "a key is forgotten");
      if (!expected.live()) {
        continue;
      }
      ++live;
      const Row& row = outbox_.row(slots_.at(key));
      const bool claimed = expected.status == NaiveStatus::claimed;
      HEADROOM_ASSERT(row.key == key, "another row in its place");
      HEADROOM_ASSERT((row.status == RowStatus::claimed) == claimed, "status");
      HEADROOM_ASSERT(row.visible == expected.visible && row.visible_after == expected.visible_after, "visibility");
      HEADROOM_ASSERT(!row.visible || row.due_since == expected.due_since, "due since");
      HEADROOM_ASSERT(int{row.attempt} == expected.attempt, "attempt");
      HEADROOM_ASSERT(row.route == expected.added.route && row.shard == expected.added.shard &&
                          row.workflow == expected.added.workflow,
                      "its place");
      HEADROOM_ASSERT(row.fence == (claimed ? expected.fence : Fence::none()), "fence");
      HEADROOM_ASSERT(row.claimed_by == (claimed ? expected.claimed_by : NodeId::none()), "claimer");
      HEADROOM_ASSERT(row.stale == (claimed && expected.stale), "stale");
      HEADROOM_ASSERT(row.executing == (claimed && expected.executing), "executing");
    }
    HEADROOM_ASSERT(outbox_.live_rows() == live, "live rows");
  }

  void compare_lanes() const {
    for (std::uint16_t node = 0; node < config_.nodes; ++node) {
      for (std::uint32_t i = 0; i < config_.routes; ++i) {
        const RouteId route(i);
        const std::vector<DispatchKey> due = naive_.lane(NodeId(node), route, false);
        HEADROOM_ASSERT(outbox_.claimable(NodeId(node), route) == due.size(), "claimable rows of a lane");
        HEADROOM_ASSERT(outbox_.held(NodeId(node), route) == naive_.lane(NodeId(node), route, true).size(),
                        "held rows of a lane");
        const RowSlot oldest = outbox_.oldest(NodeId(node), route);
        HEADROOM_ASSERT(oldest.is_none() == due.empty(), "the oldest of a lane");
        HEADROOM_ASSERT(due.empty() || outbox_.row(oldest).key == due.front(), "the oldest of a lane");
      }
    }
  }

  void compare_shards() const {
    for (std::uint32_t i = 0; i < config_.shards; ++i) {
      const ShardId shard(i);
      std::size_t found = 0;
      outbox_.for_each_in_shard(shard, [&](RowSlot slot) {
        ++found;
        HEADROOM_ASSERT(outbox_.row(slot).shard == shard, "a row in the list of another shard");
      });
      const auto rows = naive_.keys_where([&](const NaiveRow& r) { return r.live() && r.added.shard == shard; });
      HEADROOM_ASSERT(found == rows.size(), "rows of a shard");
    }
  }

  OutboxConfig config_;
  Outbox outbox_;
  NaiveOutbox naive_;
  std::map<DispatchKey, RowSlot> slots_;
  std::vector<Claim> claims_;
  std::set<Fence> fences_;
  Time now_;
};

}  // namespace
}  // namespace headroom::fuzz

FUZZ_TARGET(bytes) {
  using namespace headroom::fuzz;
  Choices choices(bytes);
  Pair both(any_config(choices));
  while (!choices.spent()) {
    both.take_step(choices);
    both.compare();
  }
}
