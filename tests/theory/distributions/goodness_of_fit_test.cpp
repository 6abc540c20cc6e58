// The laws of spec 2.3 against their distribution functions: Kolmogorov-Smirnov distance, chi-square, and moments.
#include "tests/theory/distributions/goodness_of_fit.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/engine/distribution.hpp"

namespace headroom::test {
namespace {

constexpr int kDraws = 400'000;
const Duration kMean = Duration::seconds(1);

struct Law {
  std::string name;
  DistributionSpec spec;
  Cumulative cumulative;      // of the draw in seconds
  double standard_deviation;  // in seconds; infinite where the law has none
};

double erlang_cumulative(std::uint32_t k, double x) {
  double term = 1;
  double sum = 1;
  for (std::uint32_t i = 1; i < k; ++i) {
    term *= k * x / i;
    sum += term;
  }
  return 1 - std::exp(-(k * x)) * sum;
}

Law lognormal(double sigma, std::int64_t billionths) {
  return {"lognormal " + std::to_string(sigma), LognormalSpec{kMean, Decimal{billionths}},
          [sigma](double x) {
            return x <= 0 ? 0.0 : std::erfc(-(std::log(x) + sigma * sigma / 2) / sigma / std::sqrt(2.0)) / 2;
          },
          std::sqrt(std::exp(sigma * sigma) - 1)};
}

Law pareto(double shape, std::int64_t billionths) {
  const double minimum = (shape - 1) / shape;
  return {"pareto " + std::to_string(shape), ParetoSpec{kMean, Decimal{billionths}},
          [shape, minimum](double x) { return x < minimum ? 0.0 : 1 - std::pow(minimum / x, shape); },
          shape > 2 ? std::sqrt(minimum * minimum * shape / ((shape - 1) * (shape - 1) * (shape - 2))) : INFINITY};
}

Law erlang(std::uint32_t k) {
  return {"erlang " + std::to_string(k), ErlangSpec{kMean, k}, [k](double x) { return erlang_cumulative(k, x); },
          1 / std::sqrt(static_cast<double>(k))};
}

std::vector<Law> laws() {
  return {{"uniform", UniformSpec{Duration::milliseconds(500), Duration::milliseconds(1500)},
           [](double x) { return std::clamp(x - 0.5, 0.0, 1.0); }, 1 / std::sqrt(12.0)},
          {"exponential", ExponentialSpec{kMean}, [](double x) { return 1 - std::exp(-x); }, 1},
          lognormal(0.25, 250'000'000),
          lognormal(1, 1'000'000'000),
          lognormal(2, 2'000'000'000),
          pareto(1.2, 1'200'000'000),
          pareto(2.5, 2'500'000'000),
          pareto(6, 6'000'000'000),
          erlang(1),
          erlang(2),
          erlang(10)};
}

std::vector<double> draws_in_seconds(const DistributionSpec& spec, std::uint64_t seed) {
  const Distribution distribution(spec);
  Stream stream(seed, "theory", Purpose::service);
  std::vector<double> draws(kDraws);
  for (double& draw : draws) draw = static_cast<double>(distribution.draw(stream).count()) / 1e9;
  return draws;
}

TEST_CASE("every law is within the Kolmogorov-Smirnov bound of its distribution function") {
  for (const Law& law : laws()) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      INFO(law.name << ", seed " << seed);
      CHECK(kolmogorov_distance(draws_in_seconds(law.spec, seed), law.cumulative) < kolmogorov_bound(kDraws));
    }
  }
}

TEST_CASE("draws of every law fall into equally likely cells equally often") {
  for (const Law& law : laws()) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      INFO(law.name << ", seed " << seed);
      CHECK(chi_square(cells_of(draws_in_seconds(law.spec, seed), law.cumulative, 200)) < chi_square_bound(199));
    }
  }
}

TEST_CASE("a constant law is its value") {
  for (const double draw : draws_in_seconds(ConstantSpec{Duration::milliseconds(250)}, 1)) {
    REQUIRE(draw == 0.25);
  }
}

TEST_CASE("the test has power: a law with a mean or a shape that is two per cent off fails it") {
  const std::vector<double> draws = draws_in_seconds(ExponentialSpec{Duration::milliseconds(1020)}, 1);
  const Cumulative exponential = [](double x) { return 1 - std::exp(-x); };
  REQUIRE(kolmogorov_distance(draws, exponential) > kolmogorov_bound(kDraws));
  REQUIRE(chi_square(cells_of(draws, exponential, 200)) > chi_square_bound(199));
  const std::vector<double> heavy = draws_in_seconds(pareto(2.55, 2'550'000'000).spec, 1);
  REQUIRE(kolmogorov_distance(heavy, pareto(2.5, 0).cumulative) > kolmogorov_bound(kDraws));
}

TEST_CASE("sample means are within five standard errors of the mean") {
  for (const Law& law : laws()) {
    if (std::isinf(law.standard_deviation)) continue;
    double sum = 0;
    for (const double draw : draws_in_seconds(law.spec, 4)) sum += draw;
    INFO(law.name);
    CHECK(std::abs(sum / kDraws - 1) < 5 * law.standard_deviation / std::sqrt(static_cast<double>(kDraws)));
  }
}

// For a sample variance the standard error is sd^2 sqrt((kurtosis - 1) / n): exponential 9, uniform 1.8,
// Erlang-k 3 + 6 / k.
TEST_CASE("sample variances are within five standard errors of the variance") {
  const auto check = [](const Law& law, double kurtosis) {
    double sum_of_squares = 0;
    for (const double draw : draws_in_seconds(law.spec, 5)) sum_of_squares += (draw - 1) * (draw - 1);
    const double variance = law.standard_deviation * law.standard_deviation;
    INFO(law.name);
    CHECK(std::abs(sum_of_squares / kDraws - variance) < 5 * variance * std::sqrt((kurtosis - 1) / kDraws));
  };
  check(laws()[0], 1.8);
  check(laws()[1], 9);
  check(erlang(2), 6);
  check(erlang(10), 3.6);
}

// ln of a lognormal is normal with mean -sigma^2/2 and standard deviation sigma.
TEST_CASE("the logarithm of a lognormal has the moments of its normal") {
  const double sigma = 2;
  double sum = 0;
  double sum_of_squares = 0;
  double sum_of_cubes = 0;
  for (const double draw : draws_in_seconds(lognormal(sigma, 2'000'000'000).spec, 6)) {
    const double z = (std::log(draw) + sigma * sigma / 2) / sigma;
    sum += z;
    sum_of_squares += z * z;
    sum_of_cubes += z * z * z;
  }
  const double root = std::sqrt(static_cast<double>(kDraws));
  REQUIRE(std::abs(sum / kDraws) < 5 / root);
  REQUIRE(std::abs(sum_of_squares / kDraws - 1) < 5 * std::sqrt(2.0) / root);
  REQUIRE(std::abs(sum_of_cubes / kDraws) < 5 * std::sqrt(15.0) / root);
}

TEST_CASE("an empirical law gives each of its values equally often") {
  EmpiricalSpec spec;
  for (int i = 0; i < 20; ++i) spec.values.push_back(Duration::milliseconds(i * i));
  spec.values.push_back(Duration::milliseconds(4));  // once more
  const Distribution distribution(spec);
  Stream stream(7, "theory", Purpose::service);
  std::vector<int> count(400);
  for (int i = 0; i < kDraws; ++i) ++count.at(static_cast<std::size_t>(distribution.draw(stream).count() / 1'000'000));
  std::vector<double> counts;
  std::vector<double> expected;
  for (std::size_t i = 0; i < 20; ++i) {
    counts.push_back(count[i * i]);
    expected.push_back(kDraws * (i == 2 ? 2.0 : 1.0) / 21);
  }
  CHECK(chi_square(counts, expected) < chi_square_bound(19));
}

// The correlation of independent pairs has standard error 1 / sqrt(n).
TEST_CASE("successive draws, and draws of two streams, are uncorrelated") {
  const std::vector<double> a = draws_in_seconds(ExponentialSpec{kMean}, 8);
  const std::vector<double> b = draws_in_seconds(ExponentialSpec{kMean}, 9);
  for (const std::size_t lag : {1U, 2U, 3U, 10U}) {
    double serial = 0;
    double crossed = 0;
    for (std::size_t i = 0; i + lag < a.size(); ++i) {
      serial += (a[i] - 1) * (a[i + lag] - 1);
      crossed += (a[i] - 1) * (b[i + lag] - 1);
    }
    CHECK(std::abs(serial) < 5 * std::sqrt(static_cast<double>(kDraws)));
    CHECK(std::abs(crossed) < 5 * std::sqrt(static_cast<double>(kDraws)));
  }
}

}  // namespace
}  // namespace headroom::test
