// How long things took: a log-linear histogram of whole nanoseconds.
//
//   Histogram waits;
//   waits.record((started - due).count());
//   const DistributionSummary wait = summarise(waits);
//
// Exact: how many, their sum, the least and the greatest; and, up to kExactSamples samples, every quantile. Beyond that
// a quantile is within kRelativeError of the sample of that rank: values below 128 ns have a bucket each, every power
// of two above is cut into 64 equal buckets, and a bucket is reported by its middle.
//
// The state depends on the samples alone, not on the order in which they came or were merged. Memory: 8 bytes a sample
// at first, then 256 bytes a power of two between the least and the greatest value above zero (4 to 10 kB as a rule).
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace headroom {

// Sums of nanoseconds over any number of samples.
__extension__ using Int128 = __int128;

class Histogram {
 public:
  static constexpr std::size_t kExactSamples = 128;
  static constexpr double kRelativeError = 1.0 / 128.0;

  // Needs value >= 0.
  void record(std::int64_t value) { record(value, 1); }
  // The same sample `times` times.
  void record(std::int64_t value, std::uint64_t times);
  void merge(const Histogram& other);

  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] Int128 sum() const { return sum_; }
  // 0 when there is no sample.
  [[nodiscard]] std::int64_t min() const { return count_ == 0 ? 0 : min_; }
  [[nodiscard]] std::int64_t max() const { return max_; }

  // The sample of rank ceil(per_ten_thousand / 10,000 * count) in ascending order, counted from 1 (the least for 0).
  // Nothing when there is no sample. Needs per_ten_thousand <= 10,000.
  [[nodiscard]] std::optional<std::int64_t> quantile(std::uint32_t per_ten_thousand) const;
  // How many samples are at most each of `bounds`, which ascend. Exact as far as quantiles are.
  [[nodiscard]] std::vector<std::uint64_t> counts_at_most(std::span<const std::int64_t> bounds) const;

 private:
  void count_in_bucket(std::int64_t value, std::uint64_t times);
  void leave_exact_mode();
  void make_room_for(std::size_t bucket);
  [[nodiscard]] std::int64_t value_of_rank(std::uint64_t rank) const;

  std::uint64_t count_ = 0;
  Int128 sum_ = 0;
  std::int64_t min_ = std::numeric_limits<std::int64_t>::max();
  std::int64_t max_ = 0;
  // Either the samples themselves (buckets_ and zeros_ unused), or none of them.
  std::vector<std::int64_t> exact_;
  std::uint64_t zeros_ = 0;
  std::size_t first_bucket_ = 0;  // of buckets_[0]; a multiple of 64
  std::vector<std::uint32_t> buckets_;
  // Buckets that went past 2^32 - 1, once for each time.
  std::vector<std::size_t> carries_;
};

}  // namespace headroom
