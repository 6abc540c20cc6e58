// The outbox and a naive table walk the same random steps, and are compared in full after every one.
#include <set>

#include "tests/property/check.hpp"
#include "tests/property/outbox/naive_outbox.hpp"

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

template <class T>
T below(T bound) {
  return *rc::gen::inRange<T>(0, bound);
}

class Walk {
 public:
  explicit Walk(bool one_lane_per_node)
      : config_(config_with(one_lane_per_node)), outbox_(config_), naive_(config_), next_ordinal_(config_.namespaces) {
    for (std::uint32_t shard = 0; shard < config_.shards; ++shard) {
      give(ShardId(shard), NodeId(static_cast<std::uint16_t>(shard % config_.nodes)));
    }
  }

  void take_any_step() {
    switch (*rc::gen::weightedElement<int>({{6, 0},
                                            {1, 1},
                                            {3, 2},
                                            {8, 3},
                                            {2, 4},
                                            {4, 5},
                                            {3, 6},
                                            {2, 7},
                                            {4, 8},
                                            {2, 9},
                                            {1, 10},
                                            {1, 11},
                                            {2, 12},
                                            {2, 13},
                                            {3, 14}})) {
      case 0:
        append(fresh_row());
        break;
      case 1:
        append_any_key();
        break;
      case 2:
        become_visible();
        break;
      case 3:
        claim_oldest();
        break;
      case 4:
        claim_any();
        break;
      case 5:
        complete();
        break;
      case 6:
        fail();
        break;
      case 7:
        begin_execution();
        break;
      case 8:
        go_stale();
        break;
      case 9:
        rearm_any();
        break;
      case 10:
        rearm_pass();
        break;
      case 11:
        cancel();
        break;
      case 12:
        pause_or_resume();
        break;
      case 13:
        assign_shard();
        break;
      default:
        now_ = now_ + Duration::nanoseconds(below<std::int64_t>(5));
        break;
    }
  }

  void compare() const {
    RC_ASSERT(outbox_.dead_letters() == naive_.dead_letters());
    for (std::uint32_t name = 0; name < config_.namespaces; ++name) {
      RC_ASSERT((outbox_.counts(NamespaceId(name)) == naive_.counts(NamespaceId(name))));
    }
    compare_rows();
    compare_lanes();
    compare_groups();
    const auto oldest = naive_.oldest_claim();
    RC_ASSERT(outbox_.oldest_claim().is_none() == !oldest.has_value());
    RC_ASSERT((!oldest || outbox_.row(outbox_.oldest_claim()).key == *oldest));
  }

 private:
  // One claim that was made at some time; it may have settled, and its slot may be another row's by now.
  struct Claim {
    RowSlot slot;
    DispatchKey key;
    Fence fence;
  };

  [[nodiscard]] NewRow fresh_row() {
    const auto name = below<std::uint32_t>(config_.namespaces);
    return {.key = DispatchKey(NamespaceId(name), next_ordinal_[name]++),
            .workflow = WorkflowId(2 * name + below<std::uint32_t>(2)),
            .route = RouteId(kRoutesEach * name + below(kRoutesEach)),
            .shard = ShardId(below(config_.shards)),
            .visible_after = Time::at(Duration::nanoseconds(below<std::int64_t>(20))),
            .visible = below(4) != 0};
  }

  void append(const NewRow& added) {
    const std::optional<RowSlot> slot = outbox_.append(added, now_);
    RC_ASSERT(slot.has_value() == naive_.append(added, now_));
    if (slot) {
      slots_[added.key] = *slot;
    }
  }
  // A key that is there already, or one ahead of its turn.
  void append_any_key() {
    NewRow added = fresh_row();
    const std::uint64_t next = next_ordinal_[added.key.name().value()];
    added.key = DispatchKey(added.key.name(), below<std::uint64_t>(next + 3));
    append(added);
  }
  void become_visible() {
    if (const auto key =
            any_key([](const NaiveRow& row) { return row.status == NaiveStatus::pending && !row.visible; })) {
      outbox_.become_visible(slots_.at(*key), now_);
      naive_.become_visible(*key, now_);
    }
  }

  void claim(DispatchKey key, NodeId node, Epoch epoch) {
    const std::optional<Fence> fence = outbox_.claim(slots_.at(key), node, epoch, now_);
    RC_ASSERT(fence.has_value() == naive_.claimable_by(key, node, epoch));
    if (fence) {
      RC_ASSERT(fences_.insert(*fence).second);
      naive_.claim(key, node, *fence, now_);
      claims_.push_back({slots_.at(key), key, *fence});
    }
  }
  void claim_oldest() {
    const NodeId node(below(config_.nodes));
    const RowSlot slot = outbox_.oldest(node, RouteId(below(config_.routes)));
    if (!slot.is_none()) {
      const DispatchKey key = outbox_.row(slot).key;
      claim(key, node, naive_.epoch(naive_.rows().at(key).added.shard));
    }
  }
  // By any node, at the present or an old epoch.
  void claim_any() {
    if (const auto key = any_key([](const NaiveRow& row) { return row.live(); })) {
      claim(*key, NodeId(below(config_.nodes)), any_epoch(naive_.rows().at(*key).added.shard));
    }
  }

  void complete() {
    if (const auto claim = any_settlement()) {
      const Settled settled = outbox_.complete(claim->slot, claim->key, claim->fence);
      RC_ASSERT(settled == naive_.complete(claim->key, claim->fence));
    }
  }
  void fail() {
    if (const auto claim = any_settlement()) {
      const Settled settled = outbox_.fail(claim->slot, claim->key, claim->fence, now_);
      RC_ASSERT(settled == naive_.fail(claim->key, claim->fence, now_));
    }
  }
  void begin_execution() {
    if (const auto claim = any_settlement()) {
      const bool begun = outbox_.begin_execution(claim->slot, claim->key, claim->fence);
      RC_ASSERT(begun == naive_.begin_execution(claim->key, claim->fence));
    }
  }
  void go_stale() {
    if (const auto claim = any_claim()) {
      const bool marked = outbox_.go_stale(claim->slot, claim->fence);
      RC_ASSERT(marked == naive_.go_stale(claim->key, claim->fence));
    }
  }

  void rearm(DispatchKey key, Epoch epoch) {
    const bool rearmed = outbox_.rearm(slots_.at(key), epoch, now_);
    RC_ASSERT(rearmed == naive_.rearm(key, epoch, now_));
  }
  void rearm_any() {
    if (const auto key = any_key([](const NaiveRow& row) { return row.status == NaiveStatus::claimed; })) {
      rearm(*key, any_epoch(naive_.rows().at(*key).added.shard));
    }
  }
  // As a dispatcher does it: all that is marked in a shard.
  void rearm_pass() {
    const ShardId shard(below(config_.shards));
    for (const RowSlot slot : std::vector<RowSlot>(outbox_.stale_claims(shard))) {
      if (outbox_.row(slot).shard != shard) {
        continue;  // the marked claim has settled, and the slot is another row's
      }
      const bool rearmed = outbox_.rearm(slot, naive_.epoch(shard), now_);
      if (rearmed) {
        RC_ASSERT(naive_.rearm(outbox_.row(slot).key, naive_.epoch(shard), now_));
      }
    }
    outbox_.forget_stale_claims(shard);
    RC_ASSERT(naive_
                  .keys_where([&](const NaiveRow& row) {
                    return row.status == NaiveStatus::claimed && row.stale && row.added.shard == shard;
                  })
                  .empty());
  }

  void cancel() {
    if (const auto key = any_key([](const NaiveRow& row) { return row.live(); })) {
      outbox_.cancel(slots_.at(*key));
      naive_.cancel(*key);
    }
  }
  void pause_or_resume() {
    const WorkflowId workflow(below(config_.workflows));
    const bool paused = below(2) == 0;
    outbox_.set_paused(workflow, paused);
    naive_.set_paused(workflow, paused);
  }
  void assign_shard() {
    const ShardId shard(below(config_.shards));
    const auto node = below<std::uint16_t>(static_cast<std::uint16_t>(config_.nodes + 1));
    const NodeId holder = node == config_.nodes ? NodeId::none() : NodeId(node);
    give(shard, holder);
  }
  void give(ShardId shard, NodeId holder) {
    const Epoch epoch = naive_.epoch(shard) + 1;
    outbox_.assign_shard(shard, holder, epoch);
    naive_.assign_shard(shard, holder, epoch);
  }

  template <class F>
  [[nodiscard]] std::optional<DispatchKey> any_key(F wanted) const {
    const std::vector<DispatchKey> keys = naive_.keys_where(wanted);
    return keys.empty() ? std::nullopt : std::optional(keys[below(keys.size())]);
  }
  // The youngest claims are the likeliest to be live.
  [[nodiscard]] std::optional<Claim> any_claim() const {
    if (claims_.empty()) {
      return std::nullopt;
    }
    const std::size_t back = below(below(2) == 0 ? claims_.size() : std::min<std::size_t>(claims_.size(), 4));
    return claims_[claims_.size() - 1 - back];
  }
  // Now and then with the fence of another claim, of the row or of another one.
  [[nodiscard]] std::optional<Claim> any_settlement() const {
    std::optional<Claim> claim = any_claim();
    if (claim && below(6) == 0) {
      claim->fence = any_claim()->fence;
    }
    return claim;
  }
  [[nodiscard]] Epoch any_epoch(ShardId shard) const {
    const Epoch present = naive_.epoch(shard);
    return present > 0 && below(3) == 0 ? present - 1 : present;
  }

  void compare_rows() const {
    std::uint64_t live = 0;
    for (const auto& [key, expected] : naive_.rows()) {
      RC_ASSERT(outbox_.ever_appended(key));
      if (!expected.live()) {
        continue;
      }
      ++live;
      const Row& row = outbox_.row(slots_.at(key));
      const bool claimed = expected.status == NaiveStatus::claimed;
      RC_ASSERT(row.key == key);
      RC_ASSERT(row.status == (claimed ? RowStatus::claimed : RowStatus::pending));
      RC_ASSERT(row.visible == expected.visible);
      RC_ASSERT(row.visible_after == expected.visible_after);
      RC_ASSERT((!row.visible || row.due_since == expected.due_since));
      RC_ASSERT(int{row.attempt} == expected.attempt);
      RC_ASSERT(row.route == expected.added.route);
      RC_ASSERT(row.shard == expected.added.shard);
      RC_ASSERT(row.workflow == expected.added.workflow);
      RC_ASSERT(row.fence == (claimed ? expected.fence : Fence::none()));
      RC_ASSERT(row.claimed_by == (claimed ? expected.claimed_by : NodeId::none()));
      RC_ASSERT((!claimed || row.claimed_at == expected.claimed_at));
      RC_ASSERT(row.stale == (claimed && expected.stale));
      RC_ASSERT(row.executing == (claimed && expected.executing));
    }
    RC_ASSERT(outbox_.live_rows() == live);
  }

  void compare_lanes() const {
    for (std::uint16_t node = 0; node < config_.nodes; ++node) {
      for (std::uint32_t route = 0; route < config_.routes; ++route) {
        const std::vector<DispatchKey> due = naive_.lane(NodeId(node), RouteId(route), false);
        RC_ASSERT(outbox_.claimable(NodeId(node), RouteId(route)) == due.size());
        RC_ASSERT(outbox_.held(NodeId(node), RouteId(route)) == naive_.lane(NodeId(node), RouteId(route), true).size());
        const RowSlot oldest = outbox_.oldest(NodeId(node), RouteId(route));
        RC_ASSERT(oldest.is_none() == due.empty());
        RC_ASSERT((due.empty() || outbox_.row(oldest).key == due.front()));
      }
    }
  }

  void compare_groups() const {
    for (std::uint32_t i = 0; i < config_.shards; ++i) {
      const ShardId shard(i);
      RC_ASSERT(outbox_.holder(shard) == naive_.holder(shard));
      RC_ASSERT(outbox_.epoch(shard) == naive_.epoch(shard));
      std::set<DispatchKey> found;
      outbox_.for_each_in_shard(shard, [&](RowSlot slot) { RC_ASSERT(found.insert(outbox_.row(slot).key).second); });
      RC_ASSERT(found == live_where([&](const NaiveRow& row) { return row.added.shard == shard; }));
      const std::vector<RowSlot>& marked = outbox_.stale_claims(shard);
      for (const DispatchKey key : live_where([&](const NaiveRow& row) {
             return row.added.shard == shard && row.status == NaiveStatus::claimed && row.stale;
           })) {
        RC_ASSERT(std::ranges::find(marked, slots_.at(key)) != marked.end());
      }
    }
    for (std::uint32_t i = 0; i < config_.workflows; ++i) {
      const WorkflowId workflow(i);
      RC_ASSERT(outbox_.paused(workflow) == naive_.paused(workflow));
      std::set<DispatchKey> found;
      outbox_.for_each_in_workflow(workflow,
                                   [&](RowSlot slot) { RC_ASSERT(found.insert(outbox_.row(slot).key).second); });
      RC_ASSERT(found == live_where([&](const NaiveRow& row) { return row.added.workflow == workflow; }));
    }
  }
  template <class F>
  [[nodiscard]] std::set<DispatchKey> live_where(F wanted) const {
    const auto keys = naive_.keys_where([&](const NaiveRow& row) { return row.live() && wanted(row); });
    return {keys.begin(), keys.end()};
  }

  OutboxConfig config_;
  Outbox outbox_;
  NaiveOutbox naive_;
  std::map<DispatchKey, RowSlot> slots_;
  std::vector<std::uint64_t> next_ordinal_;
  std::vector<Claim> claims_;
  std::set<Fence> fences_;
  Time now_;
};

// Up to 150 steps from a cluster in which every shard has an owner.
void walk(bool one_lane_per_node) {
  Walk both(one_lane_per_node);
  const auto steps = *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(1, 151));
  for (int i = 0; i < steps; ++i) {
    both.take_any_step();
    both.compare();
  }
}

TEST_CASE("the outbox is a naive table, step by step", "[property]") {
  check_property("outbox.against_naive.lanes", [] { walk(false); });
  check_property("outbox.against_naive.one_lane", [] { walk(true); });
}

}  // namespace
}  // namespace headroom::test
