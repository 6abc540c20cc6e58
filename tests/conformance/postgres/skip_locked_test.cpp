// What SQLite cannot show, since it has one writer at a time.
#include <catch2/catch.hpp>

#include "tests/conformance/suite/tested_store.hpp"

namespace headroom::test {

TEST_CASE("a claim passes over the rows that another one is taking, without waiting") {
  const TestedPlace place;
  const std::unique_ptr<Store> first = place.open();
  first->reset(small_setup());
  in_transaction(*first, [&] {
    first->learn_ownership(NodeId(0));
    for (const std::uint64_t ordinal : {1, 2, 3, 4}) {
      first->append(new_row(0, ordinal));
    }
    return 0;
  });
  const std::unique_ptr<Store> second = place.open();
  second->attach(small_setup().outbox);
  const StoreClaim two{.node = NodeId(0), .route = RouteId(0), .limit = 2, .at = at(1)};
  StoreTransaction of_first(*first);
  REQUIRE(first->claim(two).size() == 2);
  StoreTransaction of_second(*second);
  second->learn_ownership(NodeId(0));
  const std::vector<RowChange> others = second->claim(two);
  REQUIRE(others.size() == 2);
  CHECK(others[0].row.key.ordinal() == 3);
  CHECK(others[1].row.key.ordinal() == 4);
  of_second.commit();
  of_first.commit();
}

TEST_CASE("a shard does not change hands while a claim on it is under way, nor the reverse") {
  const TestedPlace place;
  const std::unique_ptr<Store> first = place.open();
  first->reset(small_setup());
  in_transaction(*first, [&] {
    first->learn_ownership(NodeId(0));
    first->append(new_row(0, 1, 0, 0));
    first->append(new_row(0, 2, 0, 2));
    return 0;
  });
  const std::unique_ptr<Store> second = place.open();
  second->attach(small_setup().outbox);
  StoreTransaction handoff(*second);
  CHECK(second->assign_shard(ShardId(0), NodeId(1)) == 2);
  // Its rows are passed over: who owns them is not decided yet.
  const auto claimed = in_transaction(
      *first, [&] { return first->claim({.node = NodeId(0), .route = RouteId(0), .limit = 9, .at = at(1)}); });
  REQUIRE(claimed.size() == 1);
  CHECK(claimed[0].row.key.ordinal() == 2);
  handoff.commit();
}

}  // namespace headroom::test
