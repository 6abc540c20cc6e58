// How a simulated figure is held against a known one: over many seeds, within 4 standard errors of their mean. With so
// many figures, 3 would let a sound simulator fail now and then.
//
//   Sample waits;
//   for (const std::uint64_t seed : seeds(20)) waits.add(wait_of_run(seed));
//   check_agrees("wait", waits, 4.0);
//
// HEADROOM_THEORY_FACTOR=N runs N times as many seeds: the same checks, sharper (the long tests do that).
#pragma once

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fmt/format.h>
#include <numeric>
#include <string>
#include <vector>

namespace headroom::test {

// 1 and the following ones.
inline std::vector<std::uint64_t> seeds(std::size_t n) {
  const char* const factor = std::getenv("HEADROOM_THEORY_FACTOR");
  std::vector<std::uint64_t> all(n * (factor == nullptr ? 1 : std::stoul(factor)));
  std::iota(all.begin(), all.end(), std::uint64_t{1});
  return all;
}

// One figure over the seeds.
class Sample {
 public:
  void add(double value) { values_.push_back(value); }
  [[nodiscard]] std::size_t size() const { return values_.size(); }
  [[nodiscard]] double mean() const {
    return std::accumulate(values_.begin(), values_.end(), 0.0) / static_cast<double>(values_.size());
  }
  [[nodiscard]] double standard_error() const {
    const double centre = mean();
    double squares = 0;
    for (const double value : values_) {
      squares += (value - centre) * (value - centre);
    }
    const auto n = static_cast<double>(values_.size());
    return std::sqrt(squares / (n * (n - 1)));
  }

 private:
  std::vector<double> values_;
};

// How near the mean has to be known for a comparison to say something; `any` for what is rare or heavy in the tail.
enum class Precision : unsigned char { five_percent, ten_percent, any };

inline void check_agrees(const std::string& what, const Sample& sample, double expected,
                         Precision precision = Precision::five_percent) {
  INFO(fmt::format("{}: {} +- {}, expected {}", what, sample.mean(), sample.standard_error(), expected));
  CHECK(std::abs(sample.mean() - expected) <= 4 * sample.standard_error() + 1e-12);
  if (precision != Precision::any) {
    CHECK(sample.standard_error() <= (precision == Precision::five_percent ? 0.05 : 0.1) * expected);
  }
}

// Against a figure that was itself measured, by another simulator.
struct MeasuredElsewhere {
  double mean;
  double standard_error;
};
inline void check_agrees(const std::string& what, const Sample& sample, const MeasuredElsewhere& expected) {
  const double error = std::hypot(sample.standard_error(), expected.standard_error);
  INFO(fmt::format("{}: {} +- {}, elsewhere {} +- {}", what, sample.mean(), sample.standard_error(), expected.mean,
                   expected.standard_error));
  CHECK(std::abs(sample.mean() - expected.mean) <= 4 * error);
}

}  // namespace headroom::test
