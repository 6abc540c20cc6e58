// Closed forms that several theory tests share, and how a simulated figure is held against one: over many seeds, within
// 4 standard errors of the mean.
#pragma once

#include <catch2/catch.hpp>
#include <cmath>
#include <fmt/format.h>
#include <string>
#include <vector>

namespace headroom::test {

// Erlang's loss formula by its recursion: B(0) = 1, B(k) = a B(k-1) / (k + a B(k-1)).
inline double erlang_b(double offered, int servers) {
  double blocking = 1;
  for (int k = 1; k <= servers; ++k) {
    blocking = offered * blocking / (k + offered * blocking);
  }
  return blocking;
}

// Probability that an arrival waits (Erlang C).
inline double erlang_c(double offered, int servers) {
  const double blocking = erlang_b(offered, servers);
  return blocking / (1 - offered / servers * (1 - blocking));
}

// Wq = C / (c mu - lambda).
inline double wait_in_mmc(double lambda, double mu, int servers) {
  return erlang_c(lambda / mu, servers) / (servers * mu - lambda);
}

// One figure over the seeds.
class Sample {
 public:
  void add(double value) { values_.push_back(value); }
  [[nodiscard]] double mean() const {
    double sum = 0;
    for (const double value : values_) {
      sum += value;
    }
    return sum / static_cast<double>(values_.size());
  }
  [[nodiscard]] double standard_error() const {
    double squares = 0;
    for (const double value : values_) {
      squares += (value - mean()) * (value - mean());
    }
    const auto n = static_cast<double>(values_.size());
    return std::sqrt(squares / (n * (n - 1)));
  }

 private:
  std::vector<double> values_;
};

// How near the mean has to be known for a comparison to say something.
enum class Precision : unsigned char { five_percent, any };

inline void check_agrees(const std::string& what, const Sample& sample, double expected,
                         Precision precision = Precision::five_percent) {
  INFO(fmt::format("{}: {} +- {}, expected {}", what, sample.mean(), sample.standard_error(), expected));
  CHECK(std::abs(sample.mean() - expected) <= 4 * sample.standard_error());
  if (precision == Precision::five_percent) {
    CHECK(sample.standard_error() < 0.05 * expected);
  }
}

}  // namespace headroom::test
