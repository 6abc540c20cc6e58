#include "sim/world/arrivals.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

namespace headroom {
namespace {

constexpr Rate per_second(std::int64_t rate) {
  return {rate * 1'000'000'000};
}
Stream stream_of(std::uint64_t seed) {
  return Stream(seed, "tenant", Purpose::arrivals);
}

std::vector<Arrival> first_arrivals(const ArrivalSpec& spec, std::size_t n, std::uint64_t seed = 1) {
  ArrivalProcess process(spec, stream_of(seed));
  std::vector<Arrival> arrivals;
  while (arrivals.size() < n) {
    const std::optional<Arrival> next = process.next();
    if (!next) break;
    arrivals.push_back(*next);
  }
  return arrivals;
}

std::int64_t nanoseconds_of(const Arrival& arrival) {
  return arrival.at.nanoseconds();
}

// Checked against k * 10^18 / rate in 128 bits, rounded half up.
TEST_CASE("the k-th arrival of a constant rate is at k / r to the nearest nanosecond, without drift") {
  for (const std::int64_t nanohertz : {1'000'000'000LL, 3'000'000'000LL, 7'777'777'777LL, 999'999'999LL, 1'234'567LL,
                                       1'500'000'000'000'000'000LL, 2'000'000'000'000'000'000LL}) {
    const std::vector<Arrival> arrivals = first_arrivals(ConstantArrivals{{nanohertz}}, 20'000);
    for (std::size_t i = 0; i < arrivals.size(); ++i) {
      __extension__ using Wide = __int128;
      const Wide numerator = Wide{2} * static_cast<Wide>(i + 1) * 1'000'000'000'000'000'000 + nanohertz;
      INFO(nanohertz << " nHz, arrival " << i + 1);
      REQUIRE(nanoseconds_of(arrivals[i]) == static_cast<std::int64_t>(numerator / (Wide{2} * nanohertz)));
      REQUIRE(arrivals[i].n == 1);
      REQUIRE_FALSE(arrivals[i].service);
    }
  }
}

TEST_CASE("the first of evenly spaced arrivals comes after one interval") {
  REQUIRE(nanoseconds_of(first_arrivals(ConstantArrivals{per_second(5)}, 1).front()) == 200'000'000);
}

TEST_CASE("a rate of zero brings nothing") {
  REQUIRE(first_arrivals(ConstantArrivals{}, 1).empty());
  REQUIRE(first_arrivals(PoissonArrivals{}, 1).empty());
  REQUIRE(first_arrivals(ParetoArrivals{{}, Decimal::whole(2)}, 1).empty());
  REQUIRE(first_arrivals(OnOffArrivals{{}, {}, Duration::seconds(1), Duration::seconds(1)}, 1).empty());
}

TEST_CASE("arrivals end with time instead of wrapping around") {
  const Rate once_in_decades{1};  // once in 10^9 seconds, 31.7 years
  REQUIRE(first_arrivals(ConstantArrivals{once_in_decades}, 100).size() == 9);
  ArrivalProcess process(PoissonArrivals{once_in_decades}, stream_of(1));
  Time last;
  while (const std::optional<Arrival> next = process.next()) {
    REQUIRE(next->at >= last);
    last = next->at;
  }
  for (int i = 0; i < 10; ++i) REQUIRE_FALSE(process.next());
}

// Dvoretzky, Kiefer, Wolfowitz and Massart: 1e-6 at 2.694 / sqrt(n).
void require_intervals(const std::vector<Arrival>& arrivals, const std::function<double(double)>& cumulative) {
  std::vector<double> intervals;
  std::int64_t last = 0;
  for (const Arrival& arrival : arrivals) {
    intervals.push_back(static_cast<double>(nanoseconds_of(arrival) - last) / 1e9);
    last = nanoseconds_of(arrival);
  }
  std::ranges::sort(intervals);
  const auto n = static_cast<double>(intervals.size());
  for (std::size_t i = 0; i < intervals.size(); ++i) {
    const double expected = cumulative(intervals[i]);
    REQUIRE(std::abs((static_cast<double>(i) + 0.5) / n - expected) < 2.694 / std::sqrt(n) + 0.5 / n);
  }
}

TEST_CASE("Poisson arrivals have exponential intervals") {
  require_intervals(first_arrivals(PoissonArrivals{per_second(20)}, 100'000),
                    [](double x) { return 1 - std::exp(-20 * x); });
}

TEST_CASE("Poisson arrivals beyond one a nanosecond keep their rate: instants are rounded, not intervals") {
  constexpr double n = 200'000;
  const std::vector<Arrival> arrivals = first_arrivals(PoissonArrivals{{4'000'000'000'000'000'000}}, 200'000);
  const double expected = n / 4;  // nanoseconds
  REQUIRE(std::abs(static_cast<double>(nanoseconds_of(arrivals.back())) - expected) < 5 * std::sqrt(n) / 4);
}

TEST_CASE("Pareto arrivals have Pareto intervals with the mean of their rate") {
  const double minimum = 0.05 * 0.6 / 1.6;
  require_intervals(first_arrivals(ParetoArrivals{per_second(20), Decimal{1'600'000'000}}, 100'000),
                    [minimum](double x) { return x < minimum ? 0.0 : 1 - std::pow(minimum / x, 1.6); });
}

// The interval of a Poisson process that is switched on from exponential on-times (rate a of leaving) and off (rate b)
// is hyperexponential: an interrupted Poisson process (Kuczura 1973). With r = 10, a = b = 1, weights and rates are
// those of s^2 - (r + a + b) s + r b = 0.
TEST_CASE("on-off arrivals with nothing when off are Kuczura's interrupted Poisson process") {
  const double r = 10;
  const double a = 1;
  const double b = 1;
  const double root = std::sqrt((r + a + b) * (r + a + b) - 4 * r * b);
  const double fast = (r + a + b + root) / 2;
  const double slow = (r + a + b - root) / 2;
  const double weight = (r - slow) / (fast - slow);
  std::vector<Arrival> arrivals =
      first_arrivals(OnOffArrivals{per_second(10), {}, Duration::seconds(1), Duration::seconds(1)}, 100'001);
  // The first interval starts off; all later ones start on, at an arrival.
  const Duration first = arrivals.front().at.since_start();
  for (Arrival& arrival : arrivals) arrival.at = Time::at(arrival.at.since_start() - first);
  arrivals.erase(arrivals.begin());
  require_intervals(arrivals,
                    [=](double x) { return 1 - weight * std::exp(-fast * x) - (1 - weight) * std::exp(-slow * x); });
}

TEST_CASE("on-off arrivals with equal rates are Poisson") {
  require_intervals(
      first_arrivals(OnOffArrivals{per_second(20), per_second(20), Duration::milliseconds(70), Duration::seconds(1)},
                     100'000),
      [](double x) { return 1 - std::exp(-20 * x); });
}

// Over T the number of cycles is about T / (on + off); arrivals / T tends to the mean rate, and the variance of the
// count is at most that of Poisson plus that of the time spent on.
TEST_CASE("on-off arrivals keep the mean rate of both states") {
  const std::vector<Arrival> arrivals = first_arrivals(
      OnOffArrivals{per_second(100), per_second(2), Duration::seconds(1), Duration::seconds(9)}, 200'000);
  const double seconds = static_cast<double>(nanoseconds_of(arrivals.back())) / 1e9;
  const double expected = 100 * 0.1 + 2 * 0.9;
  // Time on in T: variance 2 (on off)^2 / (on + off)^3 * T.
  const double variance = expected * seconds + 98.0 * 98.0 * 2 * 81 / 1000 * seconds;
  REQUIRE(std::abs(static_cast<double>(arrivals.size()) - expected * seconds) < 5 * std::sqrt(variance));
}

TEST_CASE("on-off arrivals start off") {
  const OnOffArrivals spec{per_second(1000), {}, Duration::seconds(1), Duration::seconds(100)};
  double sum = 0;
  constexpr int runs = 400;
  for (std::uint64_t seed = 0; seed < runs; ++seed) {
    sum += static_cast<double>(nanoseconds_of(first_arrivals(spec, 1, seed).front())) / 1e9;
  }
  // About 100 s off, then a thousandth of a second.
  REQUIRE(std::abs(sum / runs - 100.1) < 5 * 100 / std::sqrt(static_cast<double>(runs)));
}

TEST_CASE("every process gives its arrivals in time order") {
  const std::vector<ArrivalSpec> specs = {
      ConstantArrivals{per_second(3)}, PoissonArrivals{per_second(1000)},
      OnOffArrivals{per_second(50), per_second(1), Duration::seconds(1), Duration::seconds(2)},
      ParetoArrivals{per_second(3), Decimal{1'100'000'000}}};
  for (const ArrivalSpec& spec : specs) {
    const std::vector<Arrival> arrivals = first_arrivals(spec, 20'000);
    REQUIRE(arrivals.size() == 20'000);
    REQUIRE(std::ranges::is_sorted(arrivals, {}, &Arrival::at));
  }
}

TEST_CASE("dividing every rate by k moves the n-th arrival to k times its instant, up to rounding") {
  const auto specs = [](std::int64_t k) -> std::vector<ArrivalSpec> {
    const Rate rate{8'000'000'000'000 / k};
    const Duration ms = Duration::milliseconds(k);
    return {ConstantArrivals{rate}, PoissonArrivals{rate}, OnOffArrivals{rate, {rate.nanohertz / 10}, ms * 10, ms * 50},
            ParetoArrivals{rate, Decimal{1'500'000'000}}};
  };
  constexpr std::int64_t k = 1000;
  for (std::size_t kind = 0; kind < specs(1).size(); ++kind) {
    const std::vector<Arrival> fast = first_arrivals(specs(1)[kind], 10'000);
    const std::vector<Arrival> slow = first_arrivals(specs(k)[kind], 10'000);
    for (std::size_t i = 0; i < fast.size(); ++i) {
      REQUIRE(std::abs(nanoseconds_of(slow[i]) - nanoseconds_of(fast[i]) * k) <= k);
    }
  }
}

TEST_CASE("a schedule gives its batches in time order, those of one instant in the order of the scenario") {
  const auto at = [](std::int64_t seconds) { return Time::at(Duration::seconds(seconds)); };
  const std::vector<Arrival> arrivals =
      first_arrivals(ScheduleArrivals{{{at(5), 2}, {at(1), 3}, {at(5), 4}, {at(2), 0}}}, 10);
  REQUIRE(arrivals == std::vector<Arrival>{{at(1), 3, {}}, {at(5), 2, {}}, {at(5), 4, {}}});
}

TEST_CASE("a trace gives its entries, with their service where it has it") {
  const auto entries = std::make_shared<const std::vector<TraceEntry>>(std::vector<TraceEntry>{
      {Time::at(Duration::seconds(1)), Duration::milliseconds(7)}, {Time::at(Duration::seconds(2)), Duration::zero()}});
  const std::vector<Arrival> with =
      first_arrivals(TraceArrivals{.file = "trace.csv", .has_service = true, .entries = entries}, 10);
  REQUIRE(with.size() == 2);
  REQUIRE(with[0].service == Duration::milliseconds(7));
  REQUIRE(with[1].service == Duration::zero());
  const std::vector<Arrival> without =
      first_arrivals(TraceArrivals{.file = "trace.csv", .has_service = false, .entries = entries}, 10);
  REQUIRE_FALSE(without[0].service);
  REQUIRE(without[1].at == Time::at(Duration::seconds(2)));
}

TEST_CASE("backlogs and closed loops are reactive, nothing else is") {
  REQUIRE(is_reactive(BacklogArrivals{3}));
  REQUIRE(is_reactive(ClosedLoopArrivals{3, ConstantSpec{}}));
  REQUIRE_FALSE(is_reactive(PoissonArrivals{}));
  REQUIRE_FALSE(is_reactive(TraceArrivals{}));
}

TEST_CASE("a process draws from its own copy of the stream: another tenant's arrivals change nothing") {
  const PoissonArrivals spec{per_second(10)};
  const std::vector<Arrival> alone = first_arrivals(spec, 100);
  ArrivalProcess mine(spec, stream_of(1));
  ArrivalProcess other(spec, Stream(1, "another", Purpose::arrivals));
  for (const Arrival& expected : alone) {
    (void)other.next();
    REQUIRE(mine.next() == expected);
  }
}

}  // namespace
}  // namespace headroom
