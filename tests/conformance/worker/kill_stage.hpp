// What a worker that is to be killed and the test that kills it share: the store's setup, and a page of memory.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>

#include "sim/store/store.hpp"

namespace headroom::test {

// Where a worker is, in the order of its work.
enum class Point : std::uint32_t {
  appended,  // rows are appended, not committed
  acked,     // committed, and told
  claimed,   // rows are claimed, not committed
  held,      // committed: the worker has the rows
  settled,   // a result is recorded, not committed
  recorded,  // committed, not told yet
  told,      // the result is told
};
inline constexpr std::uint32_t kPoints = static_cast<std::uint32_t>(Point::told) + 1;

// A page that both map.
struct Stage {
  std::atomic<std::uint64_t> passed{0};      // points so far
  std::atomic<std::uint32_t> at{0};          // the last of them
  std::atomic<std::uint32_t> stop_at{~0U};   // the worker stands still at the next such point, ...
  std::atomic<std::uint64_t> stop_after{0};  // ... once it has passed so many
  std::atomic<bool> stands{false};
};

// Two workers with two shards each, one namespace.
[[nodiscard]] inline StoreSetup kill_setup() {
  return {
      .outbox = {.nodes = 2,
                 .shards = 4,
                 .namespaces = 1,
                 .routes = 1,
                 .workflows = 1,
                 .backoff = {.base = Duration::zero(), .multiplier = 1, .max = Duration::zero(), .max_attempts = 3}},
      .holders = {NodeId(0), NodeId(1), NodeId(0), NodeId(1)}};
}

// Time stands still: every row is due from the start.
inline constexpr Time kNow = Time::at(Duration::seconds(1));

[[nodiscard]] inline NewRow kill_row(std::uint64_t ordinal) {
  return {.key = DispatchKey(NamespaceId(0), ordinal),
          .workflow = WorkflowId(0),
          .route = RouteId(0),
          .shard = ShardId(static_cast<std::uint32_t>(ordinal % 4)),
          .visible_after = Time::zero()};
}

}  // namespace headroom::test
