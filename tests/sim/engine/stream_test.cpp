#include "sim/engine/stream.hpp"

#include <array>
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <set>
#include <vector>

namespace headroom {
namespace {

TEST_CASE("a stream is a value of 16 bytes and its copy repeats its draws") {
  STATIC_REQUIRE(sizeof(Stream) == 16);
  Stream original(1, "tenant", Purpose::service);
  (void)original.next();
  Stream copy = original;
  for (int i = 0; i < 100; ++i) REQUIRE(original.next() == copy.next());
}

// These words pin the format: a change of them changes every recorded run and needs a new version of the program.
// Computed independently of this code, in Python: mix(key ^ mix(i * golden)) with key = hash(hash(7, hash("quiet_1")),
// 1).
TEST_CASE("the first words of a stream are the ones that recorded runs rest on") {
  Stream stream(7, "quiet_1", Purpose::arrivals);
  REQUIRE(stream.next() == 0x5D6BA829B3B2D76EULL);
  REQUIRE(stream.next() == 0x26D5CE82545A5889ULL);
  REQUIRE(stream.next() == 0x45F4DD77D31B04E8ULL);
}

TEST_CASE("streams of other seeds, entities and purposes have other words") {
  std::set<std::uint64_t> words;
  std::size_t streams = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    for (std::uint64_t entity = 0; entity < 40; ++entity) {
      for (const Purpose purpose : {Purpose::arrivals, Purpose::service, Purpose::failure, Purpose::tie_break}) {
        words.insert(Stream(seed, entity, purpose).next());
        ++streams;
      }
    }
  }
  REQUIRE(words.size() == streams);
}

TEST_CASE("a tenant's draws depend on its own seed, id and purpose only") {
  const auto draws = [](Stream stream) {
    std::vector<std::uint64_t> words(50);
    for (std::uint64_t& word : words) word = stream.next();
    return words;
  };
  Stream alone(3, "b", Purpose::arrivals);
  const std::vector<std::uint64_t> expected = draws(alone);

  Stream before(3, "a", Purpose::arrivals);
  Stream same(3, "b", Purpose::arrivals);
  Stream service(3, "b", Purpose::service);
  std::vector<std::uint64_t> interleaved;
  for (int i = 0; i < 50; ++i) {
    (void)before.next();
    interleaved.push_back(same.next());
    (void)service.next();
  }
  REQUIRE(interleaved == expected);
}

// Each bit of the exclusive or of two independent uniform words is a fair coin: over n words the number of ones has
// variance n / 4, and five deviations are passed with probability 6e-7 a bit.
void require_independent_bits(Stream a, Stream b) {
  constexpr int n = 20'000;
  std::array<int, 64> ones{};
  for (int i = 0; i < n; ++i) {
    const std::uint64_t word = a.next() ^ b.next();
    for (unsigned bit = 0; bit < 64; ++bit) ones[bit] += static_cast<int>((word >> bit) & 1U);
  }
  const double bound = 5.0 * std::sqrt(n / 4.0);
  for (unsigned bit = 0; bit < 64; ++bit) {
    INFO("bit " << bit);
    REQUIRE(std::abs(ones[bit] - n / 2.0) < bound);
  }
}

TEST_CASE("streams with neighbouring seeds, entities and purposes are independent bit by bit") {
  const Stream base(1, 1, Purpose::arrivals);
  require_independent_bits(base, Stream(2, 1, Purpose::arrivals));
  require_independent_bits(base, Stream(1, 2, Purpose::arrivals));
  require_independent_bits(base, Stream(1, 1, Purpose::service));
  require_independent_bits(base, Stream(std::uint64_t{1} << 63U, 1, Purpose::arrivals));
  require_independent_bits(Stream(0, 0, Purpose::arrivals), Stream(0, "", Purpose::arrivals));
}

TEST_CASE("a stream is independent of itself one draw later") {
  const Stream stream(1, 1, Purpose::arrivals);
  Stream later = stream;
  (void)later.next();
  require_independent_bits(stream, later);
}

// Among m words of 24 bits the pairs that coincide are Poisson with mean m (m - 1) / 2^25.
TEST_CASE("the first words of many streams collide as often as uniform words do") {
  constexpr std::uint64_t m = 100'000;
  std::vector<std::uint8_t> seen(std::size_t{1} << 24U);
  double pairs = 0;
  for (std::uint64_t entity = 0; entity < m; ++entity) {
    const std::uint64_t word = Stream(1, entity, Purpose::arrivals).next() >> 40U;
    pairs += seen[word]++;
  }
  const double expected = static_cast<double>(m * (m - 1)) / 33554432.0;
  REQUIRE(std::abs(pairs - expected) < 5.0 * std::sqrt(expected));
}

TEST_CASE("below is uniform: Pearson's statistic stays within five deviations of its mean") {
  for (const std::uint64_t n : {2U, 3U, 7U, 64U, 1000U}) {
    Stream stream(11, n, Purpose::workflow);
    constexpr int draws = 200'000;
    std::vector<int> count(n);
    for (int i = 0; i < draws; ++i) ++count.at(stream.below(n));
    const double expected = static_cast<double>(draws) / static_cast<double>(n);
    double statistic = 0;
    for (const int c : count) statistic += (c - expected) * (c - expected) / expected;
    const double freedom = static_cast<double>(n - 1);
    INFO("n = " << n);
    REQUIRE(std::abs(statistic - freedom) < 5.0 * std::sqrt(2.0 * freedom));
  }
}

// With n = 3 * 2^62 a draw without rejection would hit the residues 0, 4, 8, ... of the 2^64 words twice as often:
// values with value % 3 == 0 would come half of the time instead of a third.
TEST_CASE("below has no bias where the range does not divide 2^64") {
  const std::uint64_t n = std::uint64_t{3} << 62U;
  Stream stream(5, 5, Purpose::workflow);
  constexpr int draws = 60'000;
  std::array<int, 3> residues{};
  for (int i = 0; i < draws; ++i) {
    const std::uint64_t value = stream.below(n);
    REQUIRE(value < n);
    ++residues[value % 3];
  }
  for (const int count : residues) REQUIRE(std::abs(count - draws / 3.0) < 5.0 * std::sqrt(draws * 2.0 / 9.0));
}

TEST_CASE("below one is zero") {
  Stream stream(5, 5, Purpose::workflow);
  REQUIRE(stream.below(1) == 0);
}

TEST_CASE("chance never happens at 0, always at 1, and in between as often as it says") {
  Stream stream(9, 9, Purpose::failure);
  constexpr int draws = 100'000;
  int hits = 0;
  for (int i = 0; i < draws; ++i) {
    REQUIRE_FALSE(stream.chance(Decimal{0}));
    REQUIRE(stream.chance(Decimal::whole(1)));
    hits += stream.chance(Decimal{123'456'789}) ? 1 : 0;
  }
  const double p = 0.123456789;
  REQUIRE(std::abs(hits - draws * p) < 5.0 * std::sqrt(draws * p * (1 - p)));
}

TEST_CASE("a probability of 0 takes as many words as any other, so raising it moves no later draw") {
  Stream with_zero(9, 9, Purpose::failure);
  Stream with_half(9, 9, Purpose::failure);
  (void)with_zero.chance(Decimal{0});
  (void)with_half.chance(Decimal{500'000'000});
  REQUIRE(with_zero.next() == with_half.next());
}

TEST_CASE("a unit fraction is strictly between 0 and 1 and symmetric") {
  Stream stream(9, 9, Purpose::service);
  for (int i = 0; i < 1000; ++i) REQUIRE(stream.unit().numerator % 2 == 1);
}

}  // namespace
}  // namespace headroom
