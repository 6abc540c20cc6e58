// The same random commands to the outbox in memory and to the store: the same answers, and after every command the same
// rows, counts and order.
#include <type_traits>

#include "sim/store/memory_store.hpp"
#include "sim/store/store_text.hpp"
#include "tests/conformance/suite/tested_store.hpp"
#include "tests/property/check.hpp"

namespace headroom::test {
namespace {

constexpr std::uint32_t kMostOrdinals = 12;

template <class T>
T below(T bound) {
  return *rc::gen::inRange<T>(0, bound);
}

StoreSetup any_setup() {
  StoreSetup setup = small_setup();
  setup.outbox.settle_guard = *rc::gen::weightedElement<SettleGuard>(
      {{6, SettleGuard::fence}, {1, SettleGuard::status}, {1, SettleGuard::none}});
  setup.outbox.rearm_counts_attempt = below(4) == 0;
  setup.outbox.one_lane_per_node = below(4) == 0;
  for (NodeId& holder : setup.holders) {
    holder = *rc::gen::element(NodeId(0), NodeId(1), NodeId::none());
  }
  return setup;
}

// Both stores, and what whoever speaks to them knows of them.
class Pair {
 public:
  Pair(Store& store, const StoreSetup& setup) : setup_(setup), store_(store) {
    memory_.reset(setup);
    store_.reset(setup);
  }

  void take_any_step() {
    switch (*rc::gen::weightedElement<int>({{8, 0},
                                            {2, 1},
                                            {8, 2},
                                            {5, 3},
                                            {4, 4},
                                            {4, 5},
                                            {1, 6},
                                            {1, 7},
                                            {3, 8},
                                            {1, 9},
                                            {1, 10},
                                            {1, 11},
                                            {2, 12},
                                            {3, 13}})) {
      case 0:
        return append();
      case 1:
        return surface();
      case 2:
        return claim();
      case 3:
        return settle(true);
      case 4:
        return settle(false);
      case 5:
        return mark_stale();
      case 6:
        return renew();
      case 7:
        return release();
      case 8:
        return rearm();
      case 9:
        return rearm_unchecked();
      case 10:
        return cancel();
      case 11:
        return pause();
      case 12:
        return assign_shard();
      default:
        return learn_ownership();
    }
  }

  void compare() {
    now_ = now_ + Duration::nanoseconds(below<std::int64_t>(4));
    both([](Store& store) { return store.all_rows(); });
    both([](Store& store) { return store.live_rows(); });
    both([](Store& store) { return store.counts(); });
    for (std::uint16_t node = 0; node < 2; ++node) {
      const StoreClaim everything{.node = NodeId(node), .limit = 1000, .at = now_};
      both([&](Store& store) { return store.claim_order(everything); });
    }
  }

 private:
  struct Claim {
    DispatchKey key;
    Fence fence;
  };

  // The same command to both; their answers have to be equal.
  template <class Command>
  std::invoke_result_t<Command, Store&> both(Command command) {
    const auto expected = in_transaction(memory_, [&] { return command(memory_); });
    const auto found = in_transaction(store_, [&] { return command(store_); });
    RC_ASSERT((found == expected));
    return expected;
  }

  [[nodiscard]] DispatchKey any_key() { return {NamespaceId(below(2U)), below<std::uint64_t>(kMostOrdinals)}; }
  // Of a claim that was made at some time; sometimes of none.
  [[nodiscard]] std::optional<Claim> any_claim() {
    if (claims_.empty()) {
      return std::nullopt;
    }
    // Nearly always one of the last: the others are stale.
    const std::size_t back = std::min(claims_.size(), below(5) == 0 ? claims_.size() : std::size_t{4});
    return claims_[claims_.size() - 1 - below(back)];
  }

  void append() {
    const std::uint32_t name = below(2U);
    NewRow row = new_row(name, below<std::uint64_t>(kMostOrdinals), 0, below(4U));
    row.visible_after = now_ + Duration::nanoseconds(below<std::int64_t>(8) - 4);
    row.visible = row.visible_after <= now_;
    row.route = RouteId(2 * name + below(2U));
    row.workflow = WorkflowId(2 * name + below(2U));
    if (both([&](Store& store) { return store.append(row); })) {
      appended_.push_back(row.key);
    }
  }
  void surface() {
    const DispatchKey key = any_key();
    both([&](Store& store) { return store.become_visible(key, now_); });
  }
  void claim() {
    StoreClaim claim{.node = NodeId(below<std::uint16_t>(2)), .limit = below(4U), .at = now_};
    if (!setup_.outbox.one_lane_per_node) {
      const std::uint32_t name = below(2U);
      claim.route = RouteId(2 * name + below(2U));
      claim.unpinned = claim.route == RouteId(2 * name + 1) ? RouteId(2 * name) : RouteId::none();
    }
    for (const RowChange& change : both([&](Store& store) { return store.claim(claim); })) {
      claims_.push_back({change.row.key, change.row.fence});
    }
  }
  void settle(bool succeeded) {
    if (const auto claim = any_claim()) {
      both([&](Store& store) {
        return succeeded ? store.complete(claim->key, claim->fence) : store.fail(claim->key, claim->fence, now_);
      });
    }
  }
  void mark_stale() {
    if (const auto claim = any_claim()) {
      both([&](Store& store) { return store.mark_stale(claim->key, claim->fence); });
    }
  }
  void renew() {
    if (const auto claim = any_claim()) {
      both([&](Store& store) { return store.renew(claim->key, claim->fence, now_); });
    }
  }
  void release() {
    if (const auto claim = any_claim()) {
      both([&](Store& store) { return store.release(claim->key, claim->fence); });
    }
  }
  void rearm() {
    const NodeId node(below<std::uint16_t>(2));
    both([&](Store& store) { return store.rearm(node); });
  }
  void rearm_unchecked() {
    const NodeId node(below<std::uint16_t>(2));
    const DispatchKey key = any_key();
    both([&](Store& store) { return store.rearm_unchecked(node, key); });
  }
  void cancel() {
    const WorkflowId workflow(below(4U));
    both([&](Store& store) { return store.cancel(workflow); });
  }
  void pause() {
    const WorkflowId workflow(below(4U));
    const bool paused = below(2) == 0;
    both([&](Store& store) { return store.set_paused(workflow, paused), 0; });
  }
  void assign_shard() {
    const ShardId shard(below(4U));
    const NodeId holder = *rc::gen::element(NodeId(0), NodeId(1), NodeId::none());
    both([&](Store& store) { return store.assign_shard(shard, holder); });
  }
  void learn_ownership() {
    const NodeId node(below<std::uint16_t>(2));
    both([&](Store& store) { return store.learn_ownership(node), 0; });
  }

  StoreSetup setup_;
  Store& store_;
  MemoryStore memory_;
  std::vector<Claim> claims_;
  std::vector<DispatchKey> appended_;
  Time now_ = at(10);
};

}  // namespace

TEST_CASE("random commands give the answers, rows, counts and order of the outbox in memory", "[property]") {
  const TestedPlace place;
  const std::unique_ptr<Store> store = place.open();
  check_property("store.same_as_memory", [&] {
    Pair pair(*store, any_setup());
    const int steps = below(60);
    for (int step = 0; step < steps; ++step) {
      pair.take_any_step();
      pair.compare();
    }
  });
}

}  // namespace headroom::test
