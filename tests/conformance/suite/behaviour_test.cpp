// What spec 1.1 says of rows, command by command.
#include <catch2/catch.hpp>
#include <set>
#include <thread>
#include <type_traits>

#include "tests/conformance/suite/tested_store.hpp"

namespace headroom::test {
namespace {

// An empty store whose nodes know their shards: n1 owns 0 and 2, n2 owns 1 and 3.
class FilledStore {
 public:
  explicit FilledStore(const StoreSetup& setup = small_setup()) : store_(place_.open()) {
    store_->reset(setup);
    run([](Store& store) {
      store.learn_ownership(NodeId(0));
      store.learn_ownership(NodeId(1));
    });
  }

  template <class Commands>
  std::invoke_result_t<Commands, Store&> run(Commands commands) {
    if constexpr (std::is_void_v<std::invoke_result_t<Commands, Store&>>) {
      in_transaction(*store_, [&] { return commands(*store_), 0; });
    } else {
      return in_transaction(*store_, [&] { return commands(*store_); });
    }
  }
  void append(const NewRow& row) {
    REQUIRE(run([&](Store& store) { return store.append(row).has_value(); }));
  }
  std::vector<RowChange> claim(std::uint32_t limit, std::int64_t now = 100, std::uint32_t name = 0) {
    return run([&](Store& store) {
      return store.claim({.node = NodeId(0), .route = RouteId(2 * name), .limit = limit, .at = at(now)});
    });
  }
  // The one row of the store, claimed.
  StoredRow claimed_row() {
    const std::vector<RowChange> claimed = claim(1);
    REQUIRE(claimed.size() == 1);
    return claimed.front().row;
  }
  StoredRow only_row() {
    const std::vector<StoredRow> rows = run([](Store& store) { return store.all_rows(); });
    REQUIRE(rows.size() == 1);
    return rows.front();
  }
  RowCounts counts(std::uint32_t name = 0) {
    return run([&](Store& store) { return store.counts(); }).at(name);
  }
  const TestedPlace& place() { return place_; }

 private:
  TestedPlace place_;
  std::unique_ptr<Store> store_;
};

std::vector<std::uint64_t> ordinals(const std::vector<RowChange>& changes) {
  std::vector<std::uint64_t> found;
  for (const RowChange& change : changes) {
    found.push_back(change.row.key.ordinal());
  }
  return found;
}

using Ordinals = std::vector<std::uint64_t>;

}  // namespace

TEST_CASE("a key that is appended again is ignored and counted, whatever has become of its row") {
  FilledStore filled;
  filled.append(new_row(0, 7));
  const auto again = [&] {
    return filled.run([](Store& store) { return store.append(new_row(0, 7, 50, 2)).has_value(); });
  };
  CHECK_FALSE(again());
  const StoredRow claimed = filled.claimed_row();
  CHECK_FALSE(again());
  filled.run([&](Store& store) { return store.complete(claimed.key, claimed.fence); });
  CHECK_FALSE(again());
  CHECK(filled.only_row().shard == ShardId(0));
  CHECK(filled.counts().appended == 1);
  CHECK(filled.counts().duplicates_ignored == 3);
}

TEST_CASE("claims are oldest first by visible time, then key, up to the limit") {
  FilledStore filled;
  for (const auto& [ordinal, visible] : std::vector<std::pair<std::uint64_t, std::int64_t>>{
           {1, 30}, {2, 10}, {10, 20}, {9, 20}, {DispatchKey::kFirstOfRequests, 20}}) {
    filled.append(new_row(0, ordinal, visible));
  }
  CHECK(ordinals(filled.claim(2)) == Ordinals{2, 9});
  CHECK(ordinals(filled.claim(9)) == Ordinals{10, DispatchKey::kFirstOfRequests, 1});
  CHECK(filled.claim(9).empty());
}

TEST_CASE("keys of the last namespaces are in order too") {
  StoreSetup setup = small_setup();
  setup.outbox.namespaces = DispatchKey::kMaxNamespaces;
  setup.outbox.one_lane_per_node = true;
  FilledStore filled(setup);
  for (const std::uint32_t name : {DispatchKey::kMaxNamespaces - 1, DispatchKey::kMaxNamespaces / 2, 3U}) {
    NewRow row = new_row(0, 1);
    row.key = DispatchKey(NamespaceId(name), DispatchKey::kMaxOrdinal - 1);
    filled.append(row);
  }
  const auto claimed =
      filled.run([](Store& store) { return store.claim({.node = NodeId(0), .limit = 9, .at = at(1)}); });
  REQUIRE(claimed.size() == 3);
  CHECK(claimed[0].row.key.name() == NamespaceId(3));
  CHECK(claimed[1].row.key.name() == NamespaceId(DispatchKey::kMaxNamespaces / 2));
  CHECK(claimed[2].row.key.name() == NamespaceId(DispatchKey::kMaxNamespaces - 1));
}

TEST_CASE("a row is claimed once its time has come, and never before") {
  FilledStore filled;
  NewRow row = new_row(0, 1, 50);
  row.visible = false;
  filled.append(row);
  const auto surface = [&](std::int64_t now) {
    return filled.run([&](Store& store) { return store.become_visible(row.key, at(now)).has_value(); });
  };
  CHECK(filled.claim(1, 60).empty());  // nobody has told that its time has come
  CHECK_FALSE(surface(49));
  CHECK(surface(50));
  CHECK_FALSE(surface(51));
  CHECK(filled.claim(1, 49).empty());
  CHECK(filled.claim(1, 50).size() == 1);
}

TEST_CASE("a claim for a worker pool takes rows of its queue that are pinned to none, not the reverse") {
  FilledStore filled;
  NewRow pinned = new_row(0, 1, 20);
  pinned.route = RouteId(1);
  filled.append(pinned);
  filled.append(new_row(0, 2, 10));
  filled.append(new_row(0, 3, 30));
  CHECK(ordinals(filled.claim(1)) == Ordinals{2});
  const auto of_pool = [&](RouteId unpinned) {
    return filled.run([&](Store& store) {
      return store.claim({.node = NodeId(0), .route = RouteId(1), .unpinned = unpinned, .limit = 9, .at = at(100)});
    });
  };
  CHECK(ordinals(of_pool(RouteId(0))) == Ordinals{1, 3});
}

TEST_CASE("a node claims rows of its own shards only, at their present epochs") {
  FilledStore filled;
  filled.append(new_row(0, 1, 0, 0));
  filled.append(new_row(0, 2, 0, 1));
  CHECK(ordinals(filled.claim(9)) == Ordinals{1});
  filled.append(new_row(0, 3, 0, 0));
  // The shard goes away and comes back; the node has seen neither.
  CHECK(filled.run([](Store& store) { return store.assign_shard(ShardId(0), NodeId(1)); }) == 2);
  CHECK(filled.claim(9).empty());
  CHECK(filled.run([](Store& store) { return store.assign_shard(ShardId(0), NodeId::none()); }) == 2);
  CHECK(filled.claim(9).empty());
  CHECK(filled.run([](Store& store) { return store.assign_shard(ShardId(0), NodeId(0)); }) == 3);
  CHECK(filled.claim(9).empty());
  filled.run([](Store& store) { store.learn_ownership(NodeId(0)); });
  CHECK(ordinals(filled.claim(9)) == Ordinals{3});
}

TEST_CASE("a paused row is never claimed, and keeps its place") {
  FilledStore filled;
  NewRow other = new_row(0, 1, 20);
  other.workflow = WorkflowId(1);
  filled.append(new_row(0, 2, 10));
  filled.append(other);
  filled.append(new_row(0, 3, 30));
  const auto pause = [&](bool paused) { filled.run([&](Store& store) { store.set_paused(WorkflowId(0), paused); }); };
  pause(true);
  pause(true);
  CHECK(ordinals(filled.claim(9)) == Ordinals{1});
  CHECK(filled.counts().pending == 2);
  pause(false);
  CHECK(ordinals(filled.claim(9)) == Ordinals{2, 3});
}

TEST_CASE("a result is recorded once; a second and a stale one are ignored and counted") {
  FilledStore filled;
  filled.append(new_row(0, 1));
  const StoredRow first = filled.claimed_row();
  const auto complete = [&](Fence fence) {
    return filled.run([&](Store& store) { return store.complete(first.key, fence); }).outcome;
  };
  filled.run([&](Store& store) { return store.mark_stale(first.key, first.fence); });
  CHECK(filled.run([](Store& store) { return store.rearm(NodeId(0)); }).size() == 1);
  CHECK(complete(first.fence) == Settled::stale);
  const StoredRow second = filled.claimed_row();
  CHECK(second.fence != first.fence);
  CHECK(complete(first.fence) == Settled::stale);
  CHECK(complete(second.fence) == Settled::recorded);
  CHECK(complete(second.fence) == Settled::stale);
  CHECK(filled.only_row().results == 1);
  CHECK(filled.only_row().status == StoredStatus::done);
  const RowCounts expected{
      .appended = 1, .done = 1, .results_recorded = 1, .stale_settlements = 3, .claims = 2, .rearms = 1};
  CHECK((filled.counts() == expected));
}

TEST_CASE("a failed try waits longer each time, and the last one is a dead letter") {
  FilledStore filled;
  filled.append(new_row(0, 1));
  std::int64_t now = 100;
  for (const std::int64_t delay : {3, 6, 10}) {  // min(3 * 2^attempt, 10)
    const StoredRow claimed = filled.claim(1, now).at(0).row;
    const Settlement failed = filled.run([&](Store& store) { return store.fail(claimed.key, claimed.fence, at(now)); });
    CHECK(failed.outcome == Settled::retried);
    CHECK(failed.change->row.visible_after == at(now + delay));
    now += delay;
    CHECK(filled.claim(1, now).empty());
    REQUIRE(filled.run([&](Store& store) { return store.become_visible(claimed.key, at(now)); }));
  }
  const StoredRow claimed = filled.claim(1, now).at(0).row;
  CHECK(claimed.attempt == 3);
  const Settlement failed = filled.run([&](Store& store) { return store.fail(claimed.key, claimed.fence, at(now)); });
  CHECK(failed.outcome == Settled::dead_lettered);
  CHECK(filled.only_row().status == StoredStatus::failed);
  CHECK(filled.counts().retries == 3);
}

TEST_CASE("a delay that would pass the end of time ends there") {
  StoreSetup setup = small_setup();
  setup.outbox.backoff = {.base = Duration::max(), .multiplier = 2, .max = Duration::max(), .max_attempts = 9};
  FilledStore filled(setup);
  filled.append(new_row(0, 1));
  const StoredRow claimed = filled.claimed_row();
  const Settlement failed = filled.run([&](Store& store) { return store.fail(claimed.key, claimed.fence, at(100)); });
  CHECK(failed.change->row.visible_after == Time::max());
}

TEST_CASE("only claims that are marked stale are re-armed, by the owner of their shard at its present epoch") {
  FilledStore filled;
  filled.append(new_row(0, 1, 0, 0));
  filled.append(new_row(0, 2, 0, 2));
  const std::vector<RowChange> claimed = filled.claim(2);
  REQUIRE(claimed.size() == 2);
  const auto mark = [&](std::size_t i, Fence fence) {
    return filled.run([&](Store& store) { return store.mark_stale(claimed[i].row.key, fence); }).has_value();
  };
  CHECK_FALSE(mark(0, Fence(claimed[0].row.fence.value() + 100)));
  CHECK(mark(0, claimed[0].row.fence));
  CHECK_FALSE(mark(0, claimed[0].row.fence));
  const auto rearm = [&](std::uint16_t node) {
    return ordinals(filled.run([&](Store& store) { return store.rearm(NodeId(node)); }));
  };
  CHECK(rearm(1).empty());
  filled.run([](Store& store) { return store.assign_shard(ShardId(0), NodeId(1)); });
  CHECK(rearm(0).empty());
  CHECK(rearm(1).empty());  // it does not know yet
  filled.run([](Store& store) { store.learn_ownership(NodeId(1)); });
  CHECK(rearm(1) == Ordinals{1});
  CHECK(filled.counts().claimed == 1);
}

TEST_CASE("the end of a workflow cancels what is not final, and later results are stale") {
  FilledStore filled;
  for (const std::uint64_t ordinal : {1, 2, 3}) {
    filled.append(new_row(0, ordinal, static_cast<std::int64_t>(ordinal)));
  }
  const std::vector<RowChange> claimed = filled.claim(2);
  filled.run([&](Store& store) { return store.complete(claimed[0].row.key, claimed[0].row.fence); });
  const auto cancel = [&] { return filled.run([](Store& store) { return store.cancel(WorkflowId(0)); }); };
  const std::vector<RowChange> cancelled = cancel();
  CHECK(ordinals(cancelled) == Ordinals{2, 3});
  CHECK(cancelled[0].was == StoredStatus::claimed);
  CHECK(cancelled[1].was == StoredStatus::pending);
  CHECK(cancel().empty());
  CHECK(filled.run([&](Store& store) { return store.complete(claimed[1].row.key, claimed[1].row.fence); }).outcome ==
        Settled::stale);
  CHECK(filled.counts().cancelled == 2);
  CHECK(filled.counts().done == 1);
}

TEST_CASE("what a transaction has done is not there if it ends without a commit") {
  FilledStore filled;
  filled.append(new_row(0, 1));
  const std::unique_ptr<Store> other = filled.place().open();
  other->attach(small_setup().outbox);
  {
    StoreTransaction transaction(*other);
    other->learn_ownership(NodeId(0));
    CHECK(other->claim({.node = NodeId(0), .limit = 1, .at = at(1)}).size() == 1);
    other->append(new_row(1, 1));
  }
  CHECK(filled.only_row().status == StoredStatus::pending);
  CHECK(filled.claim(9).size() == 1);
}

TEST_CASE("clients that claim at once never get the same row, and leave none") {
  constexpr std::uint64_t kRows = 300;
  FilledStore filled;
  filled.run([](Store& store) {
    for (std::uint64_t ordinal = 0; ordinal < kRows; ++ordinal) {
      store.append(new_row(0, ordinal, 0, ordinal % 2 == 0 ? 0 : 2));
    }
  });
  std::vector<std::vector<RowChange>> taken(3);
  std::vector<std::thread> clients;
  for (std::vector<RowChange>& mine : taken) {
    clients.emplace_back([&mine, &filled] {
      const Result<std::unique_ptr<Store>> opened = open_store(filled.place().url(), StoreUse::shared);
      const std::unique_ptr<Store>& store = opened.value();
      store->attach(small_setup().outbox);
      in_transaction(*store, [&] { return store->learn_ownership(NodeId(0)), 0; });
      for (int empty = 0; empty < 3;) {  // rows that others are claiming are passed over: one look may see none
        const auto some = in_transaction(
            *store, [&] { return store->claim({.node = NodeId(0), .route = RouteId(0), .limit = 3, .at = at(1)}); });
        empty = some.empty() ? empty + 1 : 0;
        mine.insert(mine.end(), some.begin(), some.end());
      }
    });
  }
  for (std::thread& client : clients) {
    client.join();
  }
  std::set<std::uint64_t> keys;
  std::set<std::uint64_t> fences;
  for (const std::vector<RowChange>& mine : taken) {
    for (const RowChange& change : mine) {
      CHECK(keys.insert(change.row.key.ordinal()).second);
      CHECK(fences.insert(change.row.fence.value()).second);
    }
  }
  CHECK(keys.size() == kRows);
}

}  // namespace headroom::test
