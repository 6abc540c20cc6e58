// Random streams against uniformity and independence: of successive draws, of tuples, and of streams that differ in one
// thing only, as tenants, purposes and seeds of a run do.
#include <bit>
#include <catch2/catch.hpp>
#include <string>

#include "sim/engine/stream.hpp"
#include "tests/theory/distributions/goodness_of_fit.hpp"

namespace headroom::test {
namespace {

constexpr int kDraws = 400'000;

// The upper `bits` of a draw.
std::size_t upper(std::uint64_t draw, unsigned bits) {
  return static_cast<std::size_t>(draw >> (64U - bits));
}
double fraction(std::uint64_t draw) {
  return static_cast<double>(draw >> 11U) / static_cast<double>(1ULL << 53U);
}

TEST_CASE("draws of a stream are uniform", "[theory]") {
  for (const std::uint64_t seed : {0U, 1U, 2U}) {
    Stream stream(seed, "a", Purpose::service);
    std::vector<double> draws;
    std::vector<double> ones(64, 0);
    for (int i = 0; i < kDraws; ++i) {
      const std::uint64_t draw = stream.next();
      draws.push_back(fraction(draw));
      for (unsigned bit = 0; bit < 64; ++bit) {
        ones[bit] += static_cast<double>((draw >> bit) & 1U);
      }
    }
    INFO("seed " << seed);
    const Cumulative uniform = [](double x) { return x; };
    CHECK(kolmogorov_distance(draws, uniform) < kolmogorov_bound(draws.size()));
    CHECK(chi_square(cells_of(draws, uniform, 1'000)) < chi_square_bound(999));
    for (const double count : ones) {  // each a binomial: 5 standard deviations are one alarm in 1.7 million
      CHECK(std::abs(count - kDraws / 2.0) < 5 * std::sqrt(kDraws / 4.0));
    }
  }
}

TEST_CASE("successive draws fill squares and cubes evenly", "[theory]") {
  for (const std::uint64_t seed : {3U, 4U}) {
    Stream stream(seed, "a", Purpose::arrivals);
    std::vector<double> pairs(1U << 10U, 0);
    std::vector<double> triples(1U << 12U, 0);
    for (int i = 0; i < kDraws; ++i) {
      const std::uint64_t a = stream.next();
      const std::uint64_t b = stream.next();
      const std::uint64_t c = stream.next();
      pairs[upper(a, 5) << 5U | upper(b, 5)] += 1;
      triples[upper(a, 4) << 8U | upper(b, 4) << 4U | upper(c, 4)] += 1;
    }
    INFO("seed " << seed);
    CHECK(chi_square(pairs) < chi_square_bound(pairs.size() - 1));
    CHECK(chi_square(triples) < chi_square_bound(triples.size() - 1));
  }
}

// Two streams side by side: their pairs fill a square evenly, they are uncorrelated at any lag, and agree in half of
// their bits.
void check_independent(const std::string& what, Stream a, Stream b) {
  INFO(what);
  std::vector<double> first;
  std::vector<double> second;
  std::vector<double> pairs(1U << 10U, 0);
  double agreeing = 0;
  for (int i = 0; i < kDraws; ++i) {
    const std::uint64_t of_a = a.next();
    const std::uint64_t of_b = b.next();
    pairs[upper(of_a, 5) << 5U | upper(of_b, 5)] += 1;
    agreeing += 64 - std::popcount(of_a ^ of_b);
    first.push_back(fraction(of_a) - 0.5);
    second.push_back(fraction(of_b) - 0.5);
  }
  CHECK(chi_square(pairs) < chi_square_bound(pairs.size() - 1));
  CHECK(std::abs(agreeing - 32.0 * kDraws) < 5 * std::sqrt(16.0 * kDraws));
  for (const std::size_t lag : {0U, 1U, 2U, 7U}) {
    double sum = 0;
    for (std::size_t i = 0; i + lag < first.size(); ++i) {
      sum += first[i] * second[i + lag];
    }
    CHECK(std::abs(sum) < 5 * std::sqrt(static_cast<double>(kDraws)) / 12);  // of two uniforms: 1/12 each
  }
}

TEST_CASE("streams that differ in one thing are independent", "[theory]") {
  check_independent("two tenants", Stream(1, "a", Purpose::service), Stream(1, "b", Purpose::service));
  check_independent("two members of a group", Stream(1, "small_1", Purpose::service),
                    Stream(1, "small_2", Purpose::service));
  check_independent("two purposes", Stream(1, "a", Purpose::arrivals), Stream(1, "a", Purpose::service));
  check_independent("two seeds", Stream(1, "a", Purpose::service), Stream(2, "a", Purpose::service));
  check_independent("two numbered entities", Stream(1, std::uint64_t{0}, Purpose::service),
                    Stream(1, std::uint64_t{1}, Purpose::service));
  check_independent("seeds and entities exchanged", Stream(1, std::uint64_t{2}, Purpose::service),
                    Stream(2, std::uint64_t{1}, Purpose::service));
}

// What every service time of a row is: the first draw of a stream of its own.
TEST_CASE("the first draws of many streams are uniform and independent of their neighbours'", "[theory]") {
  std::vector<double> draws;
  std::vector<double> pairs(1U << 10U, 0);
  std::uint64_t before = Stream(9, stable_hash(7, 0), Purpose::service).next();
  for (std::uint64_t i = 1; i <= kDraws; ++i) {
    const std::uint64_t draw = Stream(9, stable_hash(7, i), Purpose::service).next();
    draws.push_back(fraction(draw));
    pairs[upper(before, 5) << 5U | upper(draw, 5)] += 1;
    before = draw;
  }
  const Cumulative uniform = [](double x) { return x; };
  CHECK(kolmogorov_distance(draws, uniform) < kolmogorov_bound(draws.size()));
  CHECK(chi_square(cells_of(draws, uniform, 1'000)) < chi_square_bound(999));
  CHECK(chi_square(pairs) < chi_square_bound(pairs.size() - 1));
}

TEST_CASE("whole numbers below a bound are equally likely, also where it divides no power of two", "[theory]") {
  for (const std::uint64_t bound : {2U, 3U, 7U, 1'000U}) {
    Stream stream(5, "a", Purpose::route);
    std::vector<double> counts(bound, 0);
    for (int i = 0; i < kDraws; ++i) {
      counts[stream.below(bound)] += 1;
    }
    INFO("below " << bound);
    CHECK(chi_square(counts) < chi_square_bound(bound - 1));
  }
}

TEST_CASE("a chance comes true as often as it says", "[theory]") {
  for (const double probability : {0.001, 0.3, 0.5, 0.99}) {
    Stream stream(6, "a", Purpose::failure);
    double times = 0;
    for (int i = 0; i < kDraws; ++i) {
      times += stream.chance(Decimal{static_cast<std::int64_t>(probability * 1e9)}) ? 1 : 0;
    }
    INFO(probability);
    CHECK(std::abs(times - kDraws * probability) < 5 * std::sqrt(kDraws * probability * (1 - probability)));
  }
}

}  // namespace
}  // namespace headroom::test
