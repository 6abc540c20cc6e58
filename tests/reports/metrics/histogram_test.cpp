#include "reports/metrics/histogram.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <limits>
#include <vector>

#include "model/base/hash.hpp"
#include "reports/metrics/distribution_summary.hpp"

using namespace headroom;

namespace {

// Samples that spread evenly over the powers of two below 2^40, zeros among them.
std::vector<std::int64_t> spread_samples(std::size_t count) {
  std::vector<std::int64_t> samples;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t word = stable_hash(7, i);
    const auto magnitude = static_cast<unsigned>(word % 41);
    samples.push_back(magnitude == 0 ? 0 : static_cast<std::int64_t>(mix(word) >> (64 - magnitude)));
  }
  return samples;
}

std::int64_t exact_quantile(std::vector<std::int64_t> samples, std::uint64_t per_ten_thousand) {
  std::sort(samples.begin(), samples.end());
  const std::uint64_t rank = (samples.size() * per_ten_thousand + 9'999) / 10'000;
  return samples[rank == 0 ? 0 : rank - 1];
}

Histogram histogram_of(const std::vector<std::int64_t>& samples) {
  Histogram histogram;
  for (const std::int64_t sample : samples) {
    histogram.record(sample);
  }
  return histogram;
}

constexpr std::uint32_t kQuantiles[] = {0, 1, 100, 2'500, 5'000, 9'000, 9'900, 9'990, 9'999, 10'000};

}  // namespace

TEST_CASE("a histogram without samples has no quantile") {
  const Histogram empty;
  CHECK(empty.count() == 0);
  CHECK_FALSE(empty.quantile(5'000).has_value());
  CHECK(empty.max() == 0);
}

TEST_CASE("quantiles are the samples of rank ceil(p n) while there are few") {
  const Histogram ten = histogram_of({10, 20, 30, 40, 50, 60, 70, 80, 90, 1'000'003});
  CHECK(ten.quantile(0) == 10);
  CHECK(ten.quantile(5'000) == 50);
  CHECK(ten.quantile(5'001) == 60);
  CHECK(ten.quantile(9'000) == 90);
  CHECK(ten.quantile(9'900) == 1'000'003);
  CHECK(ten.min() == 10);
  CHECK(ten.max() == 1'000'003);
}

TEST_CASE("every quantile of a few samples is exact and of many within the stated relative error") {
  for (const std::size_t count : {std::size_t{1}, std::size_t{127}, std::size_t{128}, std::size_t{129},
                                  std::size_t{1'000}, std::size_t{50'000}}) {
    const std::vector<std::int64_t> samples = spread_samples(count);
    const Histogram histogram = histogram_of(samples);
    for (const std::uint32_t p : kQuantiles) {
      const std::int64_t exact = exact_quantile(samples, p);
      const std::int64_t reported = *histogram.quantile(p);
      INFO(count << " samples, quantile " << p << ": exact " << exact << ", reported " << reported);
      const auto distance = static_cast<double>(std::abs(reported - exact));
      CHECK(distance <=
            (count <= Histogram::kExactSamples ? 0.0 : Histogram::kRelativeError) * static_cast<double>(exact));
    }
  }
}

TEST_CASE("count, sum, least and greatest are exact for any number of samples") {
  const std::vector<std::int64_t> samples = spread_samples(10'000);
  Int128 sum = 0;
  for (const std::int64_t sample : samples) {
    sum += sample;
  }
  const Histogram histogram = histogram_of(samples);
  CHECK(histogram.count() == 10'000);
  CHECK((histogram.sum() == sum));
  CHECK(histogram.min() == *std::min_element(samples.begin(), samples.end()));
  CHECK(histogram.max() == *std::max_element(samples.begin(), samples.end()));
  CHECK(histogram.quantile(10'000) == histogram.max());
}

TEST_CASE("the greatest time there is fits, and sums go past 64 bits") {
  constexpr std::int64_t greatest = std::numeric_limits<std::int64_t>::max();
  Histogram histogram;
  histogram.record(greatest, 200);
  CHECK(histogram.quantile(5'000) == greatest);
  CHECK((histogram.sum() == Int128{greatest} * 200));
}

TEST_CASE("merged histograms are the histogram of all samples, in any order") {
  const std::vector<std::int64_t> samples = spread_samples(2'000);
  for (const std::size_t cut : {std::size_t{0}, std::size_t{50}, std::size_t{128}, std::size_t{1'000},
                                std::size_t{1'950}, std::size_t{2'000}}) {
    for (const std::size_t total : {std::size_t{100}, std::size_t{2'000}}) {
      const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(std::min(cut, total));
      const auto end = samples.begin() + static_cast<std::ptrdiff_t>(total);
      const Histogram whole = histogram_of({samples.begin(), end});
      Histogram forward = histogram_of({samples.begin(), middle});
      forward.merge(histogram_of({middle, end}));
      Histogram backward = histogram_of({middle, end});
      backward.merge(histogram_of({samples.begin(), middle}));
      CHECK(forward.count() == total);
      CHECK((forward.sum() == whole.sum()));
      for (const std::uint32_t p : kQuantiles) {
        CHECK(forward.quantile(p) == whole.quantile(p));
        CHECK(backward.quantile(p) == whole.quantile(p));
      }
    }
  }
}

TEST_CASE("a histogram can be merged into itself") {
  for (const std::size_t count : {std::size_t{100}, std::size_t{1'000}}) {
    Histogram histogram = histogram_of(spread_samples(count));
    const auto median = histogram.quantile(5'000);
    histogram.merge(histogram);
    CHECK(histogram.count() == 2 * count);
    CHECK(std::abs(*histogram.quantile(5'000) - *median) <= *median / 100);
  }
}

TEST_CASE("a bucket counts past 32 bits") {
  constexpr std::uint64_t many = (std::uint64_t{3} << 32U) + 5;
  Histogram histogram;
  histogram.record(1'000, many);
  histogram.record(2'000'000, many);
  histogram.record(0, many);
  CHECK(histogram.count() == 3 * many);
  CHECK(histogram.quantile(3'333) == 0);
  CHECK(*histogram.quantile(3'334) == Approx(1'000).epsilon(Histogram::kRelativeError));
  CHECK(*histogram.quantile(6'666) == Approx(1'000).epsilon(Histogram::kRelativeError));
  CHECK(*histogram.quantile(6'667) == Approx(2'000'000).epsilon(Histogram::kRelativeError));
  Histogram doubled;
  doubled.merge(histogram);
  doubled.merge(histogram);
  CHECK(doubled.count() == 6 * many);
  CHECK(*doubled.quantile(6'666) == Approx(1'000).epsilon(Histogram::kRelativeError));
}

TEST_CASE("a summary holds the figures that reports name") {
  std::vector<std::int64_t> one_to_hundred;
  for (std::int64_t i = 1; i <= 100; ++i) {
    one_to_hundred.push_back(i);
  }
  const DistributionSummary summary = summarise(histogram_of(one_to_hundred));
  CHECK(summary.count == 100);
  CHECK((summary.sum == 5'050));
  CHECK(summary.p50 == 50);
  CHECK(summary.p90 == 90);
  CHECK(summary.p99 == 99);
  CHECK(summary.max == 100);
  CHECK(summarise(Histogram()).count == 0);
}

TEST_CASE("the spread over members is made of order statistics") {
  CHECK_FALSE(spread_of({}).has_value());
  CHECK(spread_of({7}) == Spread{7, 7, 7, 7});
  CHECK(spread_of({40, 10, 30, 20}) == Spread{10, 20, 40, 40});
  std::vector<std::int64_t> thousand;
  for (std::int64_t i = 1'000; i >= 1; --i) {
    thousand.push_back(i);
  }
  CHECK(spread_of(thousand) == Spread{1, 500, 990, 1'000});
}

TEST_CASE("counts at most a bound are those of the samples, exact for few and for many") {
  const std::vector<std::int64_t> bounds{0, 10, 100, 1'000'000};
  Histogram few;
  for (const std::int64_t value : {0, 0, 10, 11, 100, 5'000, 2'000'000}) {
    few.record(value);
  }
  CHECK(few.counts_at_most(bounds) == std::vector<std::uint64_t>{2, 3, 5, 6});
  Histogram many;
  few.record(0);
  for (int i = 0; i < 100; ++i) {
    many.merge(few);
  }
  CHECK(many.count() == 800);
  CHECK(many.counts_at_most(bounds) == std::vector<std::uint64_t>{300, 400, 600, 700});
}

TEST_CASE("the curve of a distribution ends with the first bound above all samples") {
  Histogram waits;
  waits.record(0);
  waits.record(150'000);  // 0.15 ms
  const DistributionSummary summary = summarise(waits);
  CHECK(summary.at_most == std::vector<std::uint64_t>{1, 1, 2});
  CHECK(kDistributionBounds[1] == 100'000);
  CHECK(kDistributionBounds[6] == 1'000'000);
  CHECK(kDistributionBounds.back() == 1'000'000'000'000);
}
