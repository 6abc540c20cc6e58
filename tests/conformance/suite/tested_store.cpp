#include "tests/conformance/suite/tested_store.hpp"

#include <catch2/catch.hpp>

namespace headroom::test {

std::unique_ptr<Store> TestedPlace::open(StoreUse use) const {
  Result<std::unique_ptr<Store>> store = open_store(url_, use);
  INFO((store ? std::string() : store.faults().front().text()));
  REQUIRE(store);
  return std::move(store.value());
}

std::string after_scheme(const std::string& url) {
  return url.substr(url.find(':') + 1);
}

StoreSetup small_setup() {
  return {.outbox = {.nodes = 2,
                     .shards = 4,
                     .namespaces = 2,
                     .routes = 4,
                     .workflows = 4,
                     .backoff = {.base = Duration::nanoseconds(3),
                                 .multiplier = 2,
                                 .max = Duration::nanoseconds(10),
                                 .max_attempts = 4}},
          .holders = {NodeId(0), NodeId(1), NodeId(0), NodeId(1)}};
}

NewRow new_row(std::uint32_t name, std::uint64_t ordinal, std::int64_t visible_after, std::uint32_t shard) {
  return {.key = DispatchKey(NamespaceId(name), ordinal),
          .workflow = WorkflowId(2 * name),
          .route = RouteId(2 * name),
          .shard = ShardId(shard),
          .visible_after = at(visible_after)};
}

}  // namespace headroom::test
