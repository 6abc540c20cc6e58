// Two tests of whether numbers follow a law. Both bounds are those of the statistic at one false alarm in a million;
// the seeds are fixed, so an alarm is not chance twice.
//
//   CHECK(kolmogorov_distance(draws, cumulative) < kolmogorov_bound(draws.size()));
//   CHECK(chi_square(counts, expected) < chi_square_bound(counts.size() - 1));
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace headroom::test {

using Cumulative = std::function<double(double)>;

// P(sqrt(n) D > x) < 2 exp(-2 x^2) (Dvoretzky, Kiefer, Wolfowitz; Massart's constant): 1e-6 at x = 2.694.
inline double kolmogorov_bound(std::size_t n) {
  return 2.694 / std::sqrt(static_cast<double>(n));
}

// The largest distance between the sample's distribution function and a continuous one.
inline double kolmogorov_distance(std::vector<double> sample, const Cumulative& cumulative) {
  std::ranges::sort(sample);
  const auto n = static_cast<double>(sample.size());
  double distance = 0;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const double expected = cumulative(sample[i]);
    distance = std::max({distance, static_cast<double>(i + 1) / n - expected, expected - static_cast<double>(i) / n});
  }
  return distance;
}

// The quantile 1 - 1e-6 of a chi-square law (Wilson and Hilferty, 1931; the normal's is 4.7534).
inline double chi_square_bound(std::size_t degrees) {
  const double part = 2.0 / (9.0 * static_cast<double>(degrees));
  return static_cast<double>(degrees) * std::pow(1 - part + 4.7534 * std::sqrt(part), 3);
}

inline double chi_square(const std::vector<double>& counts, const std::vector<double>& expected) {
  double sum = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    sum += (counts[i] - expected[i]) * (counts[i] - expected[i]) / expected[i];
  }
  return sum;
}

// Of cells that are equally likely.
inline double chi_square(const std::vector<double>& counts) {
  double total = 0;
  for (const double count : counts) {
    total += count;
  }
  return chi_square(counts, std::vector<double>(counts.size(), total / static_cast<double>(counts.size())));
}

// Draws sorted into cells that are equally likely under a continuous law.
inline std::vector<double> cells_of(const std::vector<double>& draws, const Cumulative& cumulative, std::size_t cells) {
  std::vector<double> counts(cells, 0);
  for (const double draw : draws) {
    const auto cell = static_cast<std::size_t>(std::max(0.0, cumulative(draw)) * static_cast<double>(cells));
    counts[std::min(cell, cells - 1)] += 1;
  }
  return counts;
}

}  // namespace headroom::test
