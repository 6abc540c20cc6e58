// The rate limit (spec 1.4): when tokens come back, and who pays one.
#include <catch2/catch.hpp>

#include "model/admission/token_bucket.hpp"
#include "tests/model/cluster/small_fleet.hpp"

namespace headroom::test {
namespace {

constexpr std::int64_t kHertz = 1'000'000'000;

TEST_CASE("a full bucket lets in its burst at one instant, and no more", "[token_bucket]") {
  TokenBucket bucket({.nanohertz = kHertz, .burst = 3});
  for (int i = 0; i < 3; ++i) {
    CHECK(bucket.take(Time::zero()));
  }
  for (int i = 0; i < 1'000; ++i) {  // B68: a flood leaves no debt
    CHECK(!bucket.take(Time::zero()));
  }
  CHECK(bucket.tokens() == 0);
  bucket.give_back();
  CHECK(bucket.take(Time::zero()));
}

// Since it left full, token k comes back after ceil(k x 1 s / rate).
TEST_CASE("token k comes back at the ceiling of k seconds over the rate since the bucket left full", "[token_bucket]") {
  const Time start = Time::at(Duration::seconds(7));
  TokenBucket bucket({.nanohertz = 3 * kHertz, .burst = 5});
  for (int i = 0; i < 5; ++i) {
    bucket.take(start);
  }
  // 1/3, 2/3, 1, 4/3 of a second: no error adds up.
  for (const std::int64_t nanoseconds : {333'333'334, 666'666'667, 1'000'000'000, 1'333'333'334}) {
    CHECK(bucket.next_return() - start == Duration::nanoseconds(nanoseconds));
    bucket.give_back();
  }
}

TEST_CASE("what is taken while the bucket is not full moves no instant", "[token_bucket]") {
  TokenBucket bucket({.nanohertz = kHertz, .burst = 2});
  bucket.take(Time::zero());
  bucket.take(Time::at(Duration::milliseconds(900)));
  CHECK(bucket.next_return() == Time::at(Duration::seconds(1)));
  bucket.give_back();
  bucket.take(Time::at(Duration::milliseconds(1'500)));
  CHECK(bucket.next_return() == Time::at(Duration::seconds(2)));
  bucket.give_back();
  bucket.give_back();
  CHECK(bucket.full());
  bucket.take(Time::at(Duration::milliseconds(3'300)));  // left full anew
  CHECK(bucket.next_return() == Time::at(Duration::milliseconds(4'300)));
}

// B71: rates and times at the ends of their ranges.
TEST_CASE("extreme rates neither overflow nor come back early", "[token_bucket]") {
  TokenBucket slow({.nanohertz = 1, .burst = 4'294'967'295U});
  slow.take(Time::zero());
  CHECK(slow.next_return() == Time::at(Duration::nanoseconds(1'000'000'000'000'000'000)));
  for (int i = 0; i < 20; ++i) {
    slow.take(Time::zero());
  }
  for (int i = 0; i < 10; ++i) {
    slow.give_back();
  }
  CHECK(slow.next_return() == Time::max());  // 11e18 ns
  TokenBucket fast({.nanohertz = std::numeric_limits<std::int64_t>::max(), .burst = 1});
  fast.take(Time::zero());
  CHECK(fast.next_return() == Time::at(Duration::nanoseconds(1)));
}

ClusterConfig limited(const RateLimit& limit, const GateConfig& gate) {
  return fleet_of({api_tenant("a", {.rate_limit = limit})}, gate);
}

TEST_CASE("a bucket below its burst has one timer", "[token_bucket]") {
  SmallFleet fleet(limited({.nanohertz = 2 * kHertz, .burst = 3}, {}));
  fleet.arrive(0);
  REQUIRE(fleet.seen(EffectKind::token_awaited).size() == 1);
  CHECK(fleet.seen(EffectKind::token_awaited)[0].value == 500'000'000);
  fleet.arrive(0);
  CHECK(fleet.seen(EffectKind::token_awaited).empty());
  fleet.pass(Duration::milliseconds(500));
  CHECK(fleet.seen(EffectKind::token_awaited).size() == 1);
  fleet.pass(Duration::milliseconds(500));
  CHECK(fleet.seen(EffectKind::bucket_full).size() == 1);
  CHECK(fleet.seen(EffectKind::token_awaited).empty());
  fleet.require_held();
}

// B67, B68: only who starts or begins to wait pays.
TEST_CASE("a request that is refused on arrival takes no token, whichever cap refuses it", "[token_bucket]") {
  const RateLimit limit{.nanohertz = kHertz, .burst = 10};
  for (const bool own_cap : {false, true}) {
    ClusterConfig config = limited(limit, {.limits = {.max_inflight = 1}, .may_wait = false});
    if (own_cap) {
      config.namespaces[0].limits.max_inflight = 1;
    }
    SmallFleet fleet(config);
    fleet.arrive(0);
    for (int i = 0; i < 10; ++i) {
      CHECK(fleet.arrive(0).refusal == (own_cap ? Refusal::tenant_inflight : Refusal::process_inflight));
    }
    CHECK(fleet.gate().tenant(NamespaceId(0)).bucket.tokens() == 9);
    fleet.require_held();
  }
}

TEST_CASE("a wait takes a token when it begins, and neither expiry nor leaving gives it back", "[token_bucket]") {
  SmallFleet fleet(limited({.nanohertz = kHertz, .burst = 4}, {.limits = {.max_inflight = 1}, .may_wait = true}));
  const Answer running = fleet.arrive(0);
  const Answer expires = fleet.arrive(0);
  const Answer leaves = fleet.arrive(0);
  const Answer granted = fleet.arrive(0);
  const auto tokens = [&] { return fleet.gate().tenant(NamespaceId(0)).bucket.tokens(); };
  CHECK(tokens() == 0);
  fleet.expire(expires);
  fleet.leave(leaves);
  fleet.finish(running);
  CHECK(fleet.runs(granted));  // pays no second one
  CHECK(tokens() == 0);
  CHECK(fleet.arrive(0).refusal == Refusal::no_token);
  fleet.require_held();
}

// B65: whatever the load, tokens never go below none.
TEST_CASE("steady overload is let in at the rate", "[token_bucket]") {
  SmallFleet fleet(limited({.nanohertz = 10 * kHertz, .burst = 5}, {}));
  for (int i = 0; i < 10'000; ++i) {  // 1,000 a second for 10 s
    fleet.arrive(0);
    fleet.pass(Duration::milliseconds(1));
  }
  CHECK(fleet.counts(0).admitted == 5 + 99);  // tokens come back at 0.1 s, ..., 9.9 s before the last arrival
  CHECK(fleet.counts(0).refused_429 == 10'000 - 104);
  fleet.require_held();
}

TEST_CASE("the timer of a bucket that was replaced is void", "[token_bucket]") {
  SmallFleet fleet(limited({.nanohertz = kHertz, .burst = 1}, {}));
  fleet.arrive(0);
  fleet.set_tenant_limits(0, {.rate_limit = RateLimit{.nanohertz = kHertz, .burst = 2}});
  fleet.arrive_times(2, 0);
  fleet.step(RefillToken{ProcessId(0), NamespaceId(0), 0});  // of the first bucket
  CHECK(fleet.gate().tenant(NamespaceId(0)).bucket.tokens() == 0);
  fleet.pass(Duration::milliseconds(999));
  CHECK(fleet.gate().tenant(NamespaceId(0)).bucket.tokens() == 0);
  fleet.pass(Duration::milliseconds(1));
  CHECK(fleet.gate().tenant(NamespaceId(0)).bucket.tokens() == 1);
  fleet.require_held();
}

TEST_CASE("a change of other limits keeps the bucket", "[token_bucket]") {
  const RateLimit limit{.nanohertz = kHertz, .burst = 2};
  SmallFleet fleet(limited(limit, {}));
  fleet.arrive_times(2, 0);
  fleet.set_tenant_limits(0, {.max_inflight = 5, .rate_limit = limit});
  CHECK(fleet.arrive(0).refusal == Refusal::no_token);
  fleet.pass(Duration::seconds(1));
  CHECK(fleet.arrive(0).ran);
  fleet.require_held();
}

TEST_CASE("buckets of tenants and processes are their own", "[token_bucket]") {
  ClusterConfig config = limited({.nanohertz = kHertz, .burst = 1}, {});
  config.admission->processes = 2;
  SmallFleet fleet(config);
  CHECK(fleet.arrive(0, 0).ran);
  CHECK(fleet.arrive(0, 0).refusal == Refusal::no_token);
  CHECK(fleet.arrive(0, 1).ran);
  fleet.require_held();
}

}  // namespace
}  // namespace headroom::test
