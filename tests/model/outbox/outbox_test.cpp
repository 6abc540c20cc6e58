#include "model/outbox/outbox.hpp"

#include <catch2/catch.hpp>

namespace headroom {
namespace {

constexpr NodeId kNode(0);
constexpr NodeId kOther(1);
constexpr NamespaceId kTenant(0);

OutboxConfig small() {
  return {.nodes = 2, .shards = 2, .namespaces = 2, .routes = 2, .workflows = 2, .backoff = {.max_attempts = 3}};
}

Outbox owned_outbox() {
  Outbox outbox(small());
  outbox.assign_shard(ShardId(0), kNode, 1);
  outbox.assign_shard(ShardId(1), kNode, 1);
  return outbox;
}

NewRow new_row(std::uint64_t ordinal, Time visible_after = Time::zero(), bool visible = true) {
  return {.key = DispatchKey(kTenant, ordinal),
          .workflow = WorkflowId(0),
          .route = RouteId(0),
          .shard = ShardId(0),
          .visible_after = visible_after,
          .visible = visible};
}

Time at_ms(std::int64_t ms) {
  return Time::at(Duration::milliseconds(ms));
}

// Claims the oldest row of the lane.
RowSlot claim_oldest(Outbox& outbox) {
  const RowSlot slot = outbox.oldest(kNode, RouteId(0));
  REQUIRE(outbox.claim(slot, kNode, outbox.epoch(ShardId(0)), at_ms(1)).has_value());
  return slot;
}

TEST_CASE("a key is appended once: a duplicate is ignored and counted") {
  Outbox outbox = owned_outbox();
  CHECK(outbox.append(new_row(7), Time::zero()).has_value());
  CHECK_FALSE(outbox.append(new_row(7), Time::zero()).has_value());
  CHECK(outbox.counts(kTenant).appended == 1);
  CHECK(outbox.counts(kTenant).duplicates_ignored == 1);
  CHECK(outbox.live_rows() == 1);
}

TEST_CASE("a key stays known after its row is done") {
  Outbox outbox = owned_outbox();
  outbox.append(new_row(0), Time::zero());
  const RowSlot slot = claim_oldest(outbox);
  REQUIRE(outbox.complete(slot, DispatchKey(kTenant, 0), outbox.row(slot).fence) == Settled::recorded);
  CHECK(outbox.live_rows() == 0);
  CHECK_FALSE(outbox.append(new_row(0), Time::zero()).has_value());
}

TEST_CASE("claims are oldest first: by visible time, then by key, whatever the order of appends") {
  Outbox outbox = owned_outbox();
  outbox.append(new_row(5, at_ms(20)), at_ms(20));
  outbox.append(new_row(9, at_ms(10)), at_ms(20));
  outbox.append(new_row(3, at_ms(10)), at_ms(20));
  outbox.append(new_row(8, at_ms(30)), at_ms(20));
  std::vector<std::uint64_t> order;
  for (int i = 0; i < 4; ++i) {
    order.push_back(outbox.row(claim_oldest(outbox)).key.ordinal());
  }
  CHECK(order == std::vector<std::uint64_t>{3, 9, 5, 8});
}

TEST_CASE("a row that is not visible yet is not claimable") {
  Outbox outbox = owned_outbox();
  const RowSlot slot = *outbox.append(new_row(0, at_ms(50), false), Time::zero());
  CHECK(outbox.oldest(kNode, RouteId(0)).is_none());
  CHECK_FALSE(outbox.claim(slot, kNode, 1, at_ms(1)).has_value());
  outbox.become_visible(slot, at_ms(50));
  CHECK(outbox.oldest(kNode, RouteId(0)) == slot);
  CHECK(outbox.row(slot).due_since == at_ms(50));
}

TEST_CASE("the store refuses a claim by a node that does not own the shard, and one of an old epoch") {
  Outbox outbox = owned_outbox();
  const RowSlot slot = *outbox.append(new_row(0), Time::zero());
  CHECK_FALSE(outbox.claim(slot, kOther, 1, at_ms(1)).has_value());
  outbox.assign_shard(ShardId(0), kOther, 2);
  outbox.assign_shard(ShardId(0), kNode, 3);
  CHECK_FALSE(outbox.claim(slot, kNode, 1, at_ms(1)).has_value());
  CHECK(outbox.claim(slot, kNode, 3, at_ms(1)).has_value());
}

TEST_CASE("an ownerless shard's rows are claimable by nobody and keep their place") {
  Outbox outbox = owned_outbox();
  const RowSlot slot = *outbox.append(new_row(0), Time::zero());
  outbox.assign_shard(ShardId(0), NodeId::none(), 1);
  CHECK(outbox.oldest(kNode, RouteId(0)).is_none());
  CHECK_FALSE(outbox.claim(slot, NodeId::none(), 1, at_ms(1)).has_value());
  outbox.assign_shard(ShardId(0), kOther, 2);
  CHECK(outbox.oldest(kOther, RouteId(0)) == slot);
}

TEST_CASE("a result counts once: the second is stale and counted") {
  Outbox outbox = owned_outbox();
  outbox.append(new_row(0), Time::zero());
  const RowSlot slot = claim_oldest(outbox);
  const Fence fence = outbox.row(slot).fence;
  CHECK(outbox.complete(slot, DispatchKey(kTenant, 0), fence) == Settled::recorded);
  CHECK(outbox.complete(slot, DispatchKey(kTenant, 0), fence) == Settled::stale);
  CHECK(outbox.counts(kTenant).results_recorded == 1);
  CHECK(outbox.counts(kTenant).stale_settlements == 1);
}

TEST_CASE("a result for a slot that another row uses by now is stale") {
  Outbox outbox = owned_outbox();
  outbox.append(new_row(0), Time::zero());
  const RowSlot slot = claim_oldest(outbox);
  const Fence fence = outbox.row(slot).fence;
  outbox.complete(slot, DispatchKey(kTenant, 0), fence);
  REQUIRE(outbox.append(new_row(1), Time::zero()) == slot);
  claim_oldest(outbox);
  CHECK(outbox.complete(slot, DispatchKey(kTenant, 0), fence) == Settled::stale);
  CHECK(outbox.counts(kTenant).claimed == 1);
}

TEST_CASE("a re-armed row is due again and its old fence is stale, its attempt and place unchanged") {
  Outbox outbox = owned_outbox();
  outbox.append(new_row(0, at_ms(1)), at_ms(1));
  outbox.append(new_row(1, at_ms(2)), at_ms(2));
  const RowSlot slot = claim_oldest(outbox);
  const Fence fence = outbox.row(slot).fence;
  CHECK_FALSE(outbox.rearm(slot, 1, at_ms(9)));  // not marked stale
  REQUIRE(outbox.go_stale(slot, fence));
  CHECK_FALSE(outbox.go_stale(slot, fence));
  CHECK_FALSE(outbox.rearm(slot, 0, at_ms(9)));  // an old epoch
  REQUIRE(outbox.rearm(slot, 1, at_ms(9)));
  CHECK(outbox.row(slot).attempt == 0);
  CHECK(outbox.row(slot).due_since == at_ms(9));
  CHECK(outbox.oldest(kNode, RouteId(0)) == slot);  // before the row that came later
  CHECK(outbox.complete(slot, DispatchKey(kTenant, 0), fence) == Settled::stale);
}

TEST_CASE(
    "work that outlives a change of owner still counts: only a later claim, a re-arm or a cancel spoils a fence") {
  Outbox outbox = owned_outbox();
  outbox.append(new_row(0), Time::zero());
  const RowSlot slot = claim_oldest(outbox);
  outbox.assign_shard(ShardId(0), kOther, 2);
  CHECK(outbox.complete(slot, DispatchKey(kTenant, 0), outbox.row(slot).fence) == Settled::recorded);
}

TEST_CASE("failed tries back off, and the last one is a dead letter that is kept") {
  Outbox outbox = owned_outbox();  // three attempts
  const RowSlot slot = *outbox.append(new_row(0), Time::zero());
  for (const std::int64_t delay_ms : {50, 100}) {
    claim_oldest(outbox);
    REQUIRE(outbox.fail(slot, DispatchKey(kTenant, 0), outbox.row(slot).fence, at_ms(1)) == Settled::retried);
    CHECK(outbox.row(slot).visible_after == at_ms(1 + delay_ms));
    CHECK(outbox.oldest(kNode, RouteId(0)).is_none());
    outbox.become_visible(slot, at_ms(1 + delay_ms));
  }
  CHECK(outbox.row(slot).attempt == 2);
  claim_oldest(outbox);
  CHECK(outbox.fail(slot, DispatchKey(kTenant, 0), outbox.row(slot).fence, at_ms(1)) == Settled::dead_lettered);
  CHECK(outbox.dead_letters() == std::vector{DispatchKey(kTenant, 0)});
  CHECK(outbox.counts(kTenant).failed == 1);
  CHECK(outbox.live_rows() == 0);
}

TEST_CASE("backoff is min(base * multiplier^attempt, max) and does not overflow") {
  const Backoff backoff{.base = Duration::milliseconds(50), .multiplier = 2, .max = Duration::seconds(1)};
  CHECK(backoff.delay(0) == Duration::milliseconds(50));
  CHECK(backoff.delay(1) == Duration::milliseconds(100));
  CHECK(backoff.delay(4) == Duration::milliseconds(800));
  CHECK(backoff.delay(5) == Duration::seconds(1));
  CHECK(backoff.delay(60000) == Duration::seconds(1));
  const Backoff steep{.base = Duration::seconds(3), .multiplier = 4'000'000'000, .max = Duration::max()};
  CHECK(steep.delay(9) == Duration::max());
}

TEST_CASE("a retry after many failed tries waits for the longest delay, not for one that overflowed") {
  OutboxConfig config = small();
  config.backoff = {
      .base = Duration::seconds(3), .multiplier = 3'000'000'000, .max = Duration::seconds(3600), .max_attempts = 6};
  Outbox outbox(config);
  outbox.assign_shard(ShardId(0), kNode, 1);
  const RowSlot slot = *outbox.append(new_row(0), Time::zero());
  for (const int delay_seconds : {3, 3600, 3600, 3600, 3600}) {
    claim_oldest(outbox);
    REQUIRE(outbox.fail(slot, DispatchKey(kTenant, 0), outbox.row(slot).fence, at_ms(1)) == Settled::retried);
    CHECK(outbox.row(slot).visible_after == at_ms(1) + Duration::seconds(delay_seconds));
    outbox.become_visible(slot, outbox.row(slot).visible_after);
  }
}

TEST_CASE("a paused workflow's rows stay exactly Pending and are not claimable") {
  Outbox outbox = owned_outbox();
  const RowSlot held = *outbox.append(new_row(0, at_ms(1)), at_ms(1));
  NewRow other = new_row(1, at_ms(2));
  other.workflow = WorkflowId(1);
  const RowSlot free = *outbox.append(other, at_ms(2));
  const Row before = outbox.row(held);
  outbox.set_paused(WorkflowId(0), true);
  outbox.set_paused(WorkflowId(0), true);
  CHECK(outbox.oldest(kNode, RouteId(0)) == free);
  CHECK(outbox.held(kNode, RouteId(0)) == 1);
  CHECK_FALSE(outbox.claim(held, kNode, 1, at_ms(3)).has_value());
  outbox.set_paused(WorkflowId(0), false);
  CHECK(outbox.oldest(kNode, RouteId(0)) == held);
  CHECK(outbox.row(held).visible_after == before.visible_after);
  CHECK(outbox.row(held).due_since == before.due_since);
  CHECK(outbox.row(held).attempt == before.attempt);
}

TEST_CASE("cancel takes Pending and Claimed rows; a later result is stale") {
  Outbox outbox = owned_outbox();
  outbox.append(new_row(0), Time::zero());
  const RowSlot claimed = claim_oldest(outbox);
  const Fence fence = outbox.row(claimed).fence;
  const RowSlot pending = *outbox.append(new_row(1), Time::zero());
  outbox.cancel(claimed);
  outbox.cancel(pending);
  CHECK(outbox.complete(claimed, DispatchKey(kTenant, 0), fence) == Settled::stale);
  CHECK(outbox.counts(kTenant).cancelled == 2);
  CHECK(outbox.counts(kTenant).pending == 0);
  CHECK(outbox.counts(kTenant).claimed == 0);
  CHECK(outbox.oldest(kNode, RouteId(0)).is_none());
}

TEST_CASE("a million rows take at most 96 bytes each, and 16 a key ever appended") {
  constexpr std::uint64_t rows = 1'000'000;
  Outbox outbox = owned_outbox();
  for (std::uint64_t i = 0; i < rows; ++i) {
    outbox.append(new_row(i * 3), Time::zero());  // gaps, so that no key is known by the watermark alone
  }
  CHECK(outbox.live_rows() == rows);
  CHECK(outbox.row_memory_bytes() <= 96 * rows);
  CHECK(outbox.key_memory_bytes() <= 16 * rows);
}

TEST_CASE("keys ahead of the watermark are known exactly and leave the table when the gap closes") {
  AppendedKeys keys(1);
  for (std::uint64_t i = 1; i <= 1000; ++i) {
    CHECK(keys.insert(DispatchKey(kTenant, i)));
  }
  CHECK_FALSE(keys.contains(DispatchKey(kTenant, 0)));
  for (std::uint64_t i = 1; i <= 1000; ++i) {
    REQUIRE(keys.contains(DispatchKey(kTenant, i)));
    REQUIRE_FALSE(keys.insert(DispatchKey(kTenant, i)));
  }
  CHECK(keys.insert(DispatchKey(kTenant, 0)));
  CHECK(keys.contains(DispatchKey(kTenant, 1000)));
  CHECK_FALSE(keys.contains(DispatchKey(kTenant, 1001)));
}

}  // namespace
}  // namespace headroom
