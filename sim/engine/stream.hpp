// Named random streams: every random decision draws from a stream of its own, derived from (seed, entity, purpose), so
// that a new tenant, or one more draw for one purpose, changes no other draw of the run.
//
//   Stream arrivals(scenario.seed, tenant.id, Purpose::arrivals);
//   const std::uint64_t victim = arrivals.below(3);
#pragma once

#include <cstdint>
#include <string_view>

#include "model/base/assert.hpp"
#include "model/base/hash.hpp"
#include "sim/engine/decimal.hpp"

namespace headroom {

// What a stream decides. The numbers are part of the format: changing one changes every recorded run.
enum class Purpose : std::uint64_t {
  arrivals = 1,
  service = 2,
  failure = 3,
  workflow = 4,
  route = 5,
  think = 6,
  tie_break = 7,
  requests = 8,  // arrivals of requests
  request_service = 9,
  request_failure = 10,
  retry = 11,
  patience = 12,
  retry_after = 13,
  request_think = 14,
  fault = 15,
  swarm = 16,
  visibility = 17,
};

// The fraction numerator / 2^64. The numerator is odd: strictly between 0 and 1, and symmetric about 1/2.
struct UnitFraction {
  std::uint64_t numerator = 1;
  friend constexpr auto operator<=>(const UnitFraction&, const UnitFraction&) = default;
};

// Counter-based: draw i is mix(key ^ mix(i * golden)), a bijection of i for each key. Streams with different keys are
// different permutations, not different starting points of one sequence, so none can run into another.
// A plain value of 16 bytes; a copy repeats the draws of its original.
class Stream {
 public:
  constexpr Stream(std::uint64_t seed, std::uint64_t entity, Purpose purpose)
      : key_(stable_hash(stable_hash(seed, entity), static_cast<std::uint64_t>(purpose))) {}
  // An entity that is known by name: a tenant by its id.
  constexpr Stream(std::uint64_t seed, std::string_view entity, Purpose purpose)
      : Stream(seed, stable_hash(entity), purpose) {}

  // All 64 bits uniform.
  [[nodiscard]] constexpr std::uint64_t next() {
    weyl_ += 0x9E3779B97F4A7C15ULL;
    return mix(key_ ^ mix(weyl_));
  }

  // Uniform on [0, n), without bias; n > 0. Source: Lemire, Fast Random Integer Generation in an Interval, 2019.
  [[nodiscard]] constexpr std::uint64_t below(std::uint64_t n) {
    HEADROOM_ASSERT(n > 0, "nothing is below 0");
    __extension__ using Wide = unsigned __int128;
    Wide product = static_cast<Wide>(next()) * n;
    if (static_cast<std::uint64_t>(product) < n) [[unlikely]] {
      const std::uint64_t surplus = (0 - n) % n;
      while (static_cast<std::uint64_t>(product) < surplus) {
        product = static_cast<Wide>(next()) * n;
      }
    }
    return static_cast<std::uint64_t>(product >> 64U);
  }

  // True with exactly this probability; never for 0 or less, always for 1 or more.
  [[nodiscard]] constexpr bool chance(Decimal probability) {
    return static_cast<std::int64_t>(below(static_cast<std::uint64_t>(Decimal::kOne))) < probability.billionths;
  }

  // Uniform on the odd multiples of 2^-64.
  [[nodiscard]] constexpr UnitFraction unit() { return {next() | 1U}; }

 private:
  std::uint64_t key_;
  std::uint64_t weyl_ = 0;
};

}  // namespace headroom
