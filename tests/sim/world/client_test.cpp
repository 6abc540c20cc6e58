#include "sim/world/client.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

namespace headroom {
namespace {

constexpr Duration kMillisecond = Duration::milliseconds(1);
constexpr Duration kNanosecond = Duration::nanoseconds(1);

RetryPolicy policy_of(const RetrySpec& spec, std::uint64_t entity = 1) {
  return {spec, Stream(42, entity, Purpose::retry)};
}

RetrySpec fixed(Duration delay) {
  return {.kind = RetryKind::fixed, .delay = delay, .attempts = std::nullopt};
}

RetrySpec exponential(Duration delay, Decimal multiplier, Duration max_delay = Duration::max()) {
  return {.kind = RetryKind::exponential,
          .delay = delay,
          .multiplier = multiplier,
          .max_delay = max_delay,
          .attempts = std::nullopt};
}

// What many retries of the same kind wait, in nanoseconds.
std::vector<std::int64_t> delays(const RetrySpec& spec, int n) {
  RetryPolicy policy = policy_of(spec);
  std::vector<std::int64_t> drawn;
  drawn.reserve(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) {
    drawn.push_back(policy.next(0, std::nullopt)->count());
  }
  return drawn;
}

double mean_of(const std::vector<std::int64_t>& values) {
  double sum = 0;
  for (const std::int64_t value : values) {
    sum += static_cast<double>(value);
  }
  return sum / static_cast<double>(values.size());
}

TEST_CASE("a client that does not retry gives up at once") {
  RetryPolicy policy = policy_of(RetrySpec{});
  policy.first_try();
  REQUIRE_FALSE(policy.next(0, std::nullopt));
  REQUIRE_FALSE(policy.next(0, Duration::seconds(1)));
}

TEST_CASE("a fixed delay is the same before every retry") {
  RetryPolicy policy = policy_of(fixed(kMillisecond * 7));
  for (const std::uint32_t retries : {0U, 1U, 2U, 1000U, ~0U}) {
    REQUIRE(policy.next(retries, std::nullopt) == kMillisecond * 7);
  }
}

TEST_CASE("an exponential delay grows by its multiplier up to its bound") {
  RetryPolicy policy = policy_of(exponential(kMillisecond * 100, Decimal::whole(3), Duration::seconds(2)));
  REQUIRE(policy.next(2, std::nullopt) == kMillisecond * 900);
  REQUIRE(policy.next(0, std::nullopt) == kMillisecond * 100);
  REQUIRE(policy.next(1, std::nullopt) == kMillisecond * 300);
  REQUIRE(policy.next(3, std::nullopt) == kMillisecond * 2000);  // 2.7 s without the bound
  REQUIRE(policy.next(~0U, std::nullopt) == kMillisecond * 2000);
}

TEST_CASE("a multiplier that is not whole is exact to the nanosecond of each step") {
  RetryPolicy policy = policy_of(exponential(kMillisecond * 64, Decimal{1'500'000'000}));
  std::int64_t expected = 64'000'000;  // 64 ms = 2^12 * 5^6 ns: twelve halvings are whole
  for (std::uint32_t retries = 0; retries <= 12; ++retries) {
    REQUIRE(policy.next(retries, std::nullopt)->count() == expected);
    expected = expected * 3 / 2;
  }
}

TEST_CASE("an exponential delay without a bound ends at the end of time") {
  RetryPolicy policy = policy_of(exponential(Duration::seconds(1), Decimal::whole(1000)));
  REQUIRE(policy.next(3, std::nullopt) == Duration::seconds(1'000'000'000));
  REQUIRE(policy.next(4, std::nullopt) == Duration::max());  // 1000^4 s do not fit
  REQUIRE(policy.next(~0U, std::nullopt) == Duration::max());
}

TEST_CASE("delays that do not grow stay as they are however often they are asked for") {
  RetryPolicy none = policy_of(exponential(Duration::zero(), Decimal::whole(2)));
  REQUIRE(none.next(4'000'000'000U, std::nullopt) == Duration::zero());
  RetryPolicy once = policy_of(exponential(kMillisecond, Decimal::whole(1)));
  REQUIRE(once.next(4'000'000'000U, std::nullopt) == kMillisecond);
  RetryPolicy lost_in_rounding = policy_of(exponential(kNanosecond, Decimal{1'400'000'000}));  // 1.4 ns is 1 ns
  REQUIRE(lost_in_rounding.next(4'000'000'000U, std::nullopt) == kNanosecond);
}

TEST_CASE("a request is tried again as often as its client may") {
  RetrySpec spec = fixed(kMillisecond);
  spec.attempts = 3;
  RetryPolicy policy = policy_of(spec);
  for (std::uint32_t retries = 0; retries < 3; ++retries) {
    REQUIRE(policy.next(retries, std::nullopt));
  }
  REQUIRE_FALSE(policy.next(3, std::nullopt));
}

TEST_CASE("a client that honours Retry-After never comes back sooner, and later if it wants") {
  RetryPolicy policy = policy_of(exponential(kMillisecond * 400, Decimal::whole(4)));
  REQUIRE(policy.next(0, Duration::seconds(1)) == Duration::seconds(1));
  REQUIRE(policy.next(1, Duration::seconds(1)) == kMillisecond * 1600);
  REQUIRE(policy.next(0, std::nullopt) == kMillisecond * 400);
  RetrySpec deaf = fixed(kMillisecond * 400);
  deaf.honour_retry_after = false;
  REQUIRE(policy_of(deaf).next(0, Duration::seconds(1)) == kMillisecond * 400);
}

TEST_CASE("full jitter is uniform from nothing to the delay, equal jitter from half of it") {
  constexpr int n = 40'000;
  // Uniform over k values one apart: mean m, standard error sqrt((k^2 - 1) / 12 / n).
  struct Case {
    RetryJitter jitter;
    std::int64_t delay;
    std::int64_t low;
  };
  for (const Case& expected : {Case{RetryJitter::full, 1000, 0}, Case{RetryJitter::equal, 1000, 500},
                               Case{RetryJitter::full, 7, 0}, Case{RetryJitter::equal, 7, 4}}) {
    RetrySpec spec = fixed(kNanosecond * expected.delay);
    spec.jitter = expected.jitter;
    const std::vector<std::int64_t> drawn = delays(spec, n);
    const auto [least, most] = std::ranges::minmax(drawn);
    const auto values = static_cast<double>(expected.delay - expected.low + 1);
    INFO("delay " << expected.delay << ", from " << expected.low);
    CHECK(least == expected.low);
    CHECK(most == expected.delay);
    const double error = std::sqrt((values * values - 1) / 12 / n);
    CHECK(std::abs(mean_of(drawn) - static_cast<double>(expected.low + expected.delay) / 2) < 4 * error);
    // Every eighth of the range as often as the next.
    if (expected.delay == 1000) {
      std::vector<double> eighths(8, 0);
      for (const std::int64_t value : drawn) {
        eighths[std::min<std::size_t>(
            7, static_cast<std::size_t>((value - expected.low) * 8 / (expected.delay - expected.low)))] += 1;
      }
      for (const double count : eighths) {
        CHECK(std::abs(count - n / 8.0) < 4 * std::sqrt(n / 8.0) + n * 2 / values);
      }
    }
  }
}

TEST_CASE("jitter spreads the longest delay there is") {
  RetrySpec spec = fixed(Duration::max());
  spec.jitter = RetryJitter::full;
  for (const std::int64_t delay : delays(spec, 1000)) {
    REQUIRE(delay >= 0);
  }
  spec.jitter = RetryJitter::equal;
  for (const std::int64_t delay : delays(spec, 1000)) {
    REQUIRE(delay >= Duration::max().count() / 2);
  }
}

TEST_CASE("delays of one tenant's clients are their own") {
  RetrySpec spec = fixed(Duration::seconds(1));
  spec.jitter = RetryJitter::full;
  RetryPolicy one = policy_of(spec, 1);
  RetryPolicy again = policy_of(spec, 1);
  RetryPolicy other = policy_of(spec, 2);
  const auto first = one.next(0, std::nullopt);
  CHECK(again.next(0, std::nullopt) == first);
  CHECK(other.next(0, std::nullopt) != first);
}

TEST_CASE("without a first try there is no budget to spend") {
  RetrySpec spec = fixed(kMillisecond);
  spec.budget = Decimal{500'000'000};
  RetryPolicy policy = policy_of(spec);
  REQUIRE_FALSE(policy.next(0, std::nullopt));
  policy.first_try();
  REQUIRE_FALSE(policy.next(0, std::nullopt));  // half a retry
  policy.first_try();
  REQUIRE(policy.next(0, std::nullopt));
  REQUIRE_FALSE(policy.next(0, std::nullopt));
}

// D.8: a budget of beta keeps the tries at 1 + beta for each request, here with a service that refuses everything.
TEST_CASE("tries never exceed the first tries by more than the budget") {
  for (const std::int64_t tenths : {0, 1, 3, 10}) {
    RetrySpec spec = fixed(Duration::zero());
    spec.budget = Decimal{tenths * Decimal::kOne / 10};
    RetryPolicy policy = policy_of(spec);
    std::int64_t retries = 0;
    constexpr std::int64_t requests = 10'000;
    for (std::int64_t i = 1; i <= requests; ++i) {
      policy.first_try();
      for (std::uint32_t again = 0; policy.next(again, std::nullopt); ++again) {
        ++retries;
      }
      REQUIRE(retries <= i * tenths / 10);
    }
    CHECK(retries == requests * tenths / 10);  // all of it is there to be spent
  }
}

TEST_CASE("a long calm saves up ten retries and no more") {
  RetrySpec spec = fixed(Duration::zero());
  spec.budget = Decimal{100'000'000};
  RetryPolicy policy = policy_of(spec);
  for (int i = 0; i < 100'000; ++i) {
    policy.first_try();
  }
  int retries = 0;
  while (policy.next(0, std::nullopt)) {
    ++retries;
  }
  CHECK(retries == 10);
}

TEST_CASE("what a client may not try again costs no budget") {
  RetrySpec spec = fixed(Duration::zero());
  spec.budget = Decimal::whole(1);
  spec.attempts = 1;
  RetryPolicy policy = policy_of(spec);
  policy.first_try();
  REQUIRE_FALSE(policy.next(1, std::nullopt));
  REQUIRE(policy.next(0, std::nullopt));
}

}  // namespace
}  // namespace headroom
