// Shared resources (spec 1.4): first in first out, a reserve for health checks, claimants that give up.
#include "model/admission/resource_pool.hpp"

#include <catch2/catch.hpp>

#include "model/admission/rank_tree.hpp"

namespace headroom {
namespace {

Claimant request(std::uint32_t id) {
  return {Claimant::Kind::request, id};
}
Claimant health_check(std::uint32_t id) {
  return {Claimant::Kind::health_check, id};
}

TEST_CASE("units are given out until none is free, then first in first out", "[resource_pool]") {
  ResourcePool pool({.size = 2});
  const CheckoutId first = pool.ask(request(0));
  CHECK(pool.checked_out(first));
  CHECK(pool.checked_out(pool.ask(request(1))));
  const CheckoutId third = pool.ask(request(2));
  CHECK(!pool.checked_out(third));
  pool.ask(request(3));
  CHECK(pool.in_use() == 2);
  CHECK(pool.waiting() == 2);
  pool.give_back(first);
  CHECK(pool.serve_next()->claimant == request(2));
  CHECK(pool.checked_out(third));
  CHECK(!pool.serve_next());
}

TEST_CASE("nobody overtakes those who wait", "[resource_pool]") {
  ResourcePool pool({.size = 1});
  const CheckoutId first = pool.ask(request(0));
  pool.ask(request(1));
  pool.give_back(first);
  CHECK(!pool.checked_out(pool.ask(request(2))));  // a unit is free, and it is the waiter's
  CHECK(pool.serve_next()->claimant == request(1));
}

TEST_CASE("a claimant that gives up leaves its place in line, and no unit is lost", "[resource_pool]") {
  ResourcePool pool({.size = 1});
  const CheckoutId holder = pool.ask(request(0));
  pool.ask(request(1));
  const CheckoutId gives_up = pool.ask(request(2));
  pool.ask(request(3));
  pool.give_back(gives_up);
  CHECK(pool.waiting() == 2);
  CHECK(pool.in_use() == 1);
  pool.give_back(holder);
  const auto served = pool.serve_next();
  CHECK(served->claimant == request(1));
  CHECK(!pool.serve_next());
  CHECK(pool.waiting() == 1);
}

TEST_CASE("the reserve is for the privileged", "[resource_pool]") {
  ResourcePool pool({.size = 3, .reserve = 1});
  pool.ask(request(0));
  const CheckoutId second = pool.ask(request(1));
  const CheckoutId third = pool.ask(request(2));
  CHECK(!pool.checked_out(third));  // one unit is free: the reserve
  const CheckoutId check = pool.ask(health_check(0), true);
  CHECK(pool.checked_out(check));
  CHECK(pool.in_use_by_privileged() == 1);
  pool.give_back(check);
  CHECK(!pool.serve_next());
  pool.give_back(second);
  CHECK(pool.serve_next()->claimant == request(2));
}

TEST_CASE("the privileged are served before those who came earlier", "[resource_pool]") {
  ResourcePool pool({.size = 1});
  const CheckoutId holder = pool.ask(request(0));
  pool.ask(request(1));
  pool.ask(health_check(0), true);
  pool.give_back(holder);
  CHECK(pool.serve_next()->claimant == health_check(0));
  CHECK(!pool.serve_next());
}

TEST_CASE("a timer is for the claimant of its time, not for the next one in its place", "[resource_pool]") {
  ResourcePool pool({.size = 1});
  pool.ask(request(0));
  const CheckoutId former = pool.ask(request(1));
  const std::uint32_t use = pool.entry(former).use;
  CHECK(pool.waits(former, use));
  pool.give_back(former);
  CHECK(!pool.waits(former, use));
  const CheckoutId next = pool.ask(request(2));
  REQUIRE(next == former);
  CHECK(!pool.waits(next, use));
  CHECK(pool.waits(next, pool.entry(next).use));
}

TEST_CASE("a rank tree names the entry of least rank as ranks come, change and go", "[rank_tree]") {
  for (const std::uint32_t entries : {1U, 2U, 5U, 64U}) {
    RankTree tree(entries);
    CHECK(tree.empty());
    std::vector<std::uint64_t> ranks(entries, RankTree::kOut);
    std::uint64_t next = 1;
    for (int i = 0; i < 500; ++i) {
      next = next * 6'364'136'223'846'793'005U + 1'442'695'040'888'963'407U;
      const auto entry = static_cast<std::uint32_t>((next >> 33U) % entries);
      ranks[entry] = (next >> 20U) % 3 == 0 ? RankTree::kOut : next >> 1U;
      tree.set(entry, ranks[entry]);
      const auto least = std::ranges::min_element(ranks);
      REQUIRE(tree.empty() == (*least == RankTree::kOut));
      if (!tree.empty()) {
        REQUIRE(tree.best() == static_cast<std::uint32_t>(least - ranks.begin()));
      }
    }
  }
}

}  // namespace
}  // namespace headroom
