// The outbox and the naive table that it must look like, and all in which they can be compared.
#pragma once

#include <algorithm>
#include <map>
#include <rapidcheck.h>
#include <set>
#include <vector>

#include "tests/property/outbox/naive_outbox.hpp"

namespace headroom::test {

// The naive table, and what commands are drawn from. Its fences are claims counted from 0.
struct NaiveWalk {
  explicit NaiveWalk(const OutboxConfig& of) : config(of), table(of), next_ordinal(of.namespaces, 0) {}

  OutboxConfig config;
  NaiveOutbox table;
  std::vector<std::uint64_t> next_ordinal;  // by namespace: of the next new key
  std::vector<DispatchKey> claims;          // of all claims ever made: the row
  Time now;
};

// The outbox under test. Of every claim it keeps the place and the fence that the outbox gave; the row may have
// settled, and its place may be another row's by now.
struct OutboxSut {
  struct Claim {
    RowSlot slot;
    Fence fence;
  };
  Outbox outbox;
  std::map<DispatchKey, RowSlot> slots;
  std::vector<Claim> claims;
  std::set<Fence> fences;  // none is given twice
};

namespace comparing {

inline void compare_row(const NaiveRow& expected, const Row& row, const OutboxSut& sut) {
  const bool claimed = expected.status == NaiveStatus::claimed;
  RC_ASSERT(row.key == expected.added.key);
  RC_ASSERT(row.status == (claimed ? RowStatus::claimed : RowStatus::pending));
  RC_ASSERT(row.visible == expected.visible);
  RC_ASSERT(row.visible_after == expected.visible_after);
  RC_ASSERT((!row.visible || row.due_since == expected.due_since));
  RC_ASSERT(int{row.attempt} == expected.attempt);
  RC_ASSERT(row.route == expected.added.route);
  RC_ASSERT(row.shard == expected.added.shard);
  RC_ASSERT(row.workflow == expected.added.workflow);
  RC_ASSERT(row.fence == (claimed ? sut.claims.at(expected.fence.value()).fence : Fence::none()));
  RC_ASSERT(row.claimed_by == (claimed ? expected.claimed_by : NodeId::none()));
  RC_ASSERT((!claimed || row.claimed_at == expected.claimed_at));
  RC_ASSERT(row.stale == (claimed && expected.stale));
  RC_ASSERT(row.executing == (claimed && expected.executing));
}

inline void compare_rows(const NaiveOutbox& naive, const OutboxSut& sut) {
  std::uint64_t live = 0;
  for (const auto& [key, expected] : naive.rows()) {
    RC_ASSERT(sut.outbox.ever_appended(key));
    if (expected.live()) {
      ++live;
      compare_row(expected, sut.outbox.row(sut.slots.at(key)), sut);
    }
  }
  RC_ASSERT(sut.outbox.live_rows() == live);
}

inline void compare_lanes(const OutboxConfig& config, const NaiveOutbox& naive, const Outbox& outbox) {
  for (std::uint16_t node = 0; node < config.nodes; ++node) {
    for (std::uint32_t route = 0; route < config.routes; ++route) {
      const std::vector<DispatchKey> due = naive.lane(NodeId(node), RouteId(route), false);
      RC_ASSERT(outbox.claimable(NodeId(node), RouteId(route)) == due.size());
      RC_ASSERT(outbox.held(NodeId(node), RouteId(route)) == naive.lane(NodeId(node), RouteId(route), true).size());
      const RowSlot oldest = outbox.oldest(NodeId(node), RouteId(route));
      RC_ASSERT(oldest.is_none() == due.empty());
      RC_ASSERT((due.empty() || outbox.row(oldest).key == due.front()));
    }
  }
}

template <class F>
[[nodiscard]] std::set<DispatchKey> live_where(const NaiveOutbox& naive, F wanted) {
  const auto keys = naive.keys_where([&](const NaiveRow& row) { return row.live() && wanted(row); });
  return {keys.begin(), keys.end()};
}

inline void compare_shard(ShardId shard, const NaiveOutbox& naive, const OutboxSut& sut) {
  RC_ASSERT(sut.outbox.holder(shard) == naive.holder(shard));
  RC_ASSERT(sut.outbox.epoch(shard) == naive.epoch(shard));
  std::set<DispatchKey> found;
  sut.outbox.for_each_in_shard(shard, [&](RowSlot slot) { RC_ASSERT(found.insert(sut.outbox.row(slot).key).second); });
  RC_ASSERT(found == live_where(naive, [&](const NaiveRow& row) { return row.added.shard == shard; }));
  const std::vector<RowSlot>& marked = sut.outbox.stale_claims(shard);
  for (const DispatchKey key : live_where(naive, [&](const NaiveRow& row) {
         return row.added.shard == shard && row.status == NaiveStatus::claimed && row.stale;
       })) {
    RC_ASSERT(std::ranges::find(marked, sut.slots.at(key)) != marked.end());
  }
}

inline void compare_workflow(WorkflowId workflow, const NaiveOutbox& naive, const Outbox& outbox) {
  RC_ASSERT(outbox.paused(workflow) == naive.paused(workflow));
  std::set<DispatchKey> found;
  outbox.for_each_in_workflow(workflow, [&](RowSlot slot) { RC_ASSERT(found.insert(outbox.row(slot).key).second); });
  RC_ASSERT(found == live_where(naive, [&](const NaiveRow& row) { return row.added.workflow == workflow; }));
}

}  // namespace comparing

inline void compare(const NaiveWalk& walk, const OutboxSut& sut) {
  const NaiveOutbox& naive = walk.table;
  RC_ASSERT(sut.outbox.dead_letters() == naive.dead_letters());
  for (std::uint32_t name = 0; name < walk.config.namespaces; ++name) {
    RC_ASSERT((sut.outbox.counts(NamespaceId(name)) == naive.counts(NamespaceId(name))));
  }
  comparing::compare_rows(naive, sut);
  comparing::compare_lanes(walk.config, naive, sut.outbox);
  for (std::uint32_t i = 0; i < walk.config.shards; ++i) {
    comparing::compare_shard(ShardId(i), naive, sut);
  }
  for (std::uint32_t i = 0; i < walk.config.workflows; ++i) {
    comparing::compare_workflow(WorkflowId(i), naive, sut.outbox);
  }
  const auto oldest = naive.oldest_claim();
  RC_ASSERT(sut.outbox.oldest_claim().is_none() == !oldest.has_value());
  RC_ASSERT((!oldest || sut.outbox.row(sut.outbox.oldest_claim()).key == *oldest));
}

}  // namespace headroom::test
