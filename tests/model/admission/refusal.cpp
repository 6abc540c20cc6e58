// Retry-After (spec 1.4): whole seconds, at least 1, from retry_after to retry_after + jitter.
#include "model/admission/refusal.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <set>

#include "tests/model/cluster/small_fleet.hpp"

namespace headroom::test {
namespace {

constexpr std::uint64_t kMostDraw = std::numeric_limits<std::uint64_t>::max();

TEST_CASE("without jitter everybody is told the same", "[refusal]") {
  for (const std::uint64_t draw : {std::uint64_t{0}, kMostDraw / 2, kMostDraw}) {
    CHECK(retry_after({.seconds = 7, .jitter = 0}, draw) == 7);
  }
}

TEST_CASE("jitter reaches both ends, and every second in between for an equal part of the draws", "[refusal]") {
  const RetryAfter config{.seconds = 1, .jitter = 3};
  CHECK(retry_after(config, 0) == 1);
  CHECK(retry_after(config, kMostDraw) == 4);
  std::array<int, 5> told{};
  for (std::uint64_t i = 0; i < 400; ++i) {
    ++told[static_cast<std::size_t>(retry_after(config, (2 * i + 1) * (kMostDraw / 800)))];
  }
  CHECK(told == std::array{0, 100, 100, 100, 100});
}

// B72: a large value stays large and positive.
TEST_CASE("the largest Retry-After does not wrap", "[refusal]") {
  const std::uint32_t most = std::numeric_limits<std::uint32_t>::max();
  CHECK(retry_after({.seconds = most, .jitter = most}, kMostDraw) == 2 * std::int64_t{most});
  CHECK(retry_after({.seconds = most, .jitter = most}, 0) == most);
}

TEST_CASE("every reason has a name of its own", "[refusal]") {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < kRefusals; ++i) {
    names.insert(name_of(static_cast<Refusal>(i)));
  }
  CHECK(names.size() == kRefusals);
  CHECK(!names.contains(""));
}

// B79: waiters that are refused together do not all come back together.
TEST_CASE("a drain draws a Retry-After for each of its waiters", "[refusal]") {
  SmallFleet fleet(
      fleet_of({api_tenant("a")},
               {.limits = {.max_inflight = 1}, .may_wait = true, .retry_after = {.seconds = 1, .jitter = 1'000}}));
  fleet.arrive_times(101, 0);
  fleet.step(DrainProcess{ProcessId(0), 12'345});
  std::set<std::int64_t> told;
  for (const Effect& effect : fleet.seen(EffectKind::request_refused)) {
    told.insert(effect.value);
  }
  CHECK(told.size() > 80);  // of 100; 95 are expected to differ
  fleet.require_held();
}

}  // namespace
}  // namespace headroom::test
