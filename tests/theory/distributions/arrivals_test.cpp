// The random arrival processes of spec 2.3 against the laws of their intervals and of their counts.
#include "sim/world/arrivals.hpp"

#include <catch2/catch.hpp>

#include "tests/theory/distributions/goodness_of_fit.hpp"
#include "tests/theory/statistics.hpp"

namespace headroom::test {
namespace {

constexpr std::size_t kArrivals = 200'000;

Rate per_second(std::int64_t n) {
  return Rate{n * 1'000'000'000};
}

std::vector<double> intervals_in_seconds(const ArrivalSpec& spec, std::uint64_t seed, std::size_t n = kArrivals) {
  ArrivalProcess process(spec, Stream(seed, "theory", Purpose::arrivals));
  std::vector<double> intervals;
  Time before;
  while (intervals.size() < n) {
    const Arrival arrival = process.next().value();
    intervals.push_back(static_cast<double>((arrival.at - before).count()) / 1e9);
    before = arrival.at;
  }
  return intervals;
}

void check_renewal(const std::string& what, const ArrivalSpec& spec, const Cumulative& cumulative) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    INFO(what << ", seed " << seed);
    const std::vector<double> intervals = intervals_in_seconds(spec, seed);
    CHECK(kolmogorov_distance(intervals, cumulative) < kolmogorov_bound(intervals.size()));
    CHECK(chi_square(cells_of(intervals, cumulative, 100)) < chi_square_bound(99));
    // Intervals of a renewal process are independent: in pairs they fill a square evenly.
    std::vector<double> pairs(400, 0);
    for (std::size_t i = 0; i + 1 < intervals.size(); i += 2) {
      const auto row = std::min<std::size_t>(static_cast<std::size_t>(cumulative(intervals[i]) * 20), 19);
      const auto column = std::min<std::size_t>(static_cast<std::size_t>(cumulative(intervals[i + 1]) * 20), 19);
      pairs[20 * row + column] += 1;
    }
    CHECK(chi_square(pairs) < chi_square_bound(399));
  }
}

TEST_CASE("constant arrivals are evenly spaced", "[theory]") {
  for (const double interval : intervals_in_seconds(ConstantArrivals{per_second(8)}, 1, 1'000)) {
    REQUIRE(interval == 0.125);
  }
}

TEST_CASE("intervals of Poisson arrivals are exponential and independent", "[theory]") {
  check_renewal("poisson", PoissonArrivals{per_second(5)}, [](double t) { return 1 - std::exp(-5 * t); });
}

TEST_CASE("Poisson arrivals in an interval are Poisson distributed", "[theory]") {
  constexpr double mean = 6;
  ArrivalProcess process(PoissonArrivals{per_second(6)}, Stream(4, "theory", Purpose::arrivals));
  std::vector<double> in_second(40'000, 0);
  for (Time at = process.next()->at; at < Time::at(Duration::seconds(40'000)); at = process.next()->at) {
    in_second[static_cast<std::size_t>((at - Time::zero()).count() / 1'000'000'000)] += 1;
  }
  std::vector<double> counts(15, 0);  // 0, 1, ... 13, and more
  for (const double n : in_second) {
    counts[std::min<std::size_t>(static_cast<std::size_t>(n), 14)] += 1;
  }
  std::vector<double> expected;
  double left = static_cast<double>(in_second.size());
  double probability = std::exp(-mean);
  for (int n = 0; n < 14; ++n) {
    expected.push_back(probability * static_cast<double>(in_second.size()));
    left -= expected.back();
    probability *= mean / (n + 1);
  }
  expected.push_back(left);
  CHECK(chi_square(counts, expected) < chi_square_bound(14));
}

TEST_CASE("intervals of Pareto arrivals are Pareto and independent", "[theory]") {
  for (const double shape : {1.5, 2.5}) {
    const double minimum = 0.2 * (shape - 1) / shape;  // of a mean of 1/5 s
    check_renewal("pareto", ParetoArrivals{per_second(5), Decimal{static_cast<std::int64_t>(shape * 1e9)}},
                  [=](double t) { return t < minimum ? 0.0 : 1 - std::pow(minimum / t, shape); });
  }
}

// Kuczura, 1973: switched off between its bursts, a modulated Poisson process is a renewal process, whose intervals are
// hyperexponential. Starting off, the first interval has another law.
TEST_CASE("on_off arrivals that pause have hyperexponential intervals", "[theory]") {
  constexpr double rate = 40;
  constexpr double leave_on = 1 / 0.5;
  constexpr double leave_off = 1 / 2.0;
  const double sum = rate + leave_on + leave_off;
  const double root = std::sqrt(sum * sum - 4 * rate * leave_off);
  const double fast = (sum + root) / 2;
  const double slow = (sum - root) / 2;
  const double part = (rate - slow) / (fast - slow);
  const auto cumulative = [=](double t) { return 1 - part * std::exp(-fast * t) - (1 - part) * std::exp(-slow * t); };
  const OnOffArrivals spec{per_second(40), per_second(0), Duration::milliseconds(500), Duration::seconds(2)};
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    std::vector<double> intervals = intervals_in_seconds(spec, seed);
    intervals.erase(intervals.begin());
    CHECK(kolmogorov_distance(intervals, cumulative) < kolmogorov_bound(intervals.size()));
    CHECK(chi_square(cells_of(intervals, cumulative, 100)) < chi_square_bound(99));
  }
}

TEST_CASE("on_off arrivals that are as dense in both states are Poisson arrivals", "[theory]") {
  check_renewal("on and off alike",
                OnOffArrivals{per_second(5), per_second(5), Duration::milliseconds(300), Duration::milliseconds(700)},
                [](double t) { return 1 - std::exp(-5 * t); });
}

// A two-state chain that starts off is on at t with probability p (1 - e^{-(a + b) t}), p its part of the time.
TEST_CASE("on_off arrivals come as often as the states they are in say, from a start that is off", "[theory]") {
  const OnOffArrivals spec{per_second(50), per_second(2), Duration::seconds(1), Duration::seconds(3)};
  constexpr double switching = 1.0 + 1.0 / 3;
  constexpr double part_on = 0.25;
  for (const double horizon : {1.0, 4.0, 40.0}) {
    INFO(horizon << " s");
    Sample arrivals;
    for (const std::uint64_t seed : seeds(4'000)) {
      ArrivalProcess process(spec, Stream(seed, "theory", Purpose::arrivals));
      double n = 0;
      const Time end = Time::at(Duration::nanoseconds(static_cast<std::int64_t>(horizon * 1e9)));
      while (process.next()->at < end) {
        ++n;
      }
      arrivals.add(n);
    }
    const double time_on = part_on * (horizon - (1 - std::exp(-switching * horizon)) / switching);
    check_agrees("arrivals", arrivals, 2 * horizon + 48 * time_on);
  }
}

}  // namespace
}  // namespace headroom::test
