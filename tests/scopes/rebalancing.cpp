// Quota while shards move (spec 1.3): the most rows that execute under each combination, proved by every schedule.
#include <catch2/catch.hpp>

#include "tests/model/checker/cluster/small_scopes.hpp"

namespace headroom::test {
namespace {

using namespace checker;

void require_most(ClaimedCounts counts, CeilingGrowth growth, std::int64_t most) {
  const ClusterModel model(rebalancing(counts, growth));
  const CheckResult result = check(model, {.threads = 2});
  CHECK(result.exhausted());
  CHECK(executing_max(model, result).at("a") == most);
  REQUIRE(result.extremes[0].trace);
}

TEST_CASE("rebalancing lets 10 rows execute where only owned shards count") {
  require_most(ClaimedCounts::owned_shards, CeilingGrowth::immediate, 10);
  require_most(ClaimedCounts::owned_shards, CeilingGrowth::settled, 10);
}

TEST_CASE("rebalancing lets 8 rows execute where started rows count and growth is immediate") {
  require_most(ClaimedCounts::started, CeilingGrowth::immediate, 8);
}

TEST_CASE("rebalancing lets 7 rows execute where either counts and growth is immediate") {
  require_most(ClaimedCounts::owned_or_started, CeilingGrowth::immediate, 7);
}

TEST_CASE("rebalancing keeps to the quota of 4 where growth is settled and what was started counts") {
  require_most(ClaimedCounts::started, CeilingGrowth::settled, 4);
  require_most(ClaimedCounts::owned_or_started, CeilingGrowth::settled, 4);
}

}  // namespace
}  // namespace headroom::test
