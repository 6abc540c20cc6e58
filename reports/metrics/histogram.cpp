#include "reports/metrics/histogram.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "model/base/arithmetic.hpp"
#include "model/base/assert.hpp"

namespace headroom {
namespace {

constexpr std::size_t kBucketsPerOctave = 64;
constexpr int kOctaveBits = 6;

// Values below 128 are their own bucket; above, shift * 64 + the seven leading bits.
std::size_t bucket_of(std::int64_t value) {
  const auto bits = static_cast<std::uint64_t>(value);
  const int shift = std::max(0, static_cast<int>(std::bit_width(bits)) - 1 - kOctaveBits);
  return static_cast<std::size_t>(shift) * kBucketsPerOctave + static_cast<std::size_t>(bits >> shift);
}

std::int64_t middle_of(std::size_t bucket) {
  const std::size_t shift = bucket < 2 * kBucketsPerOctave ? 0 : bucket / kBucketsPerOctave - 1;
  const auto leading = static_cast<std::int64_t>(bucket - shift * kBucketsPerOctave);
  const std::int64_t width = std::int64_t{1} << shift;
  return leading * width + (width - 1) / 2;
}

}  // namespace

void Histogram::record(std::int64_t value, std::uint64_t times) {
  HEADROOM_ASSERT(value >= 0, "a histogram of times was given {} ns", value);
  if (times == 0) {
    return;
  }
  const bool was_exact = count_ <= kExactSamples;
  count_ += times;
  sum_ += Int128{value} * static_cast<Int128>(times);
  min_ = std::min(min_, value);
  max_ = std::max(max_, value);
  if (count_ <= kExactSamples) {
    exact_.insert(exact_.end(), static_cast<std::size_t>(times), value);
    return;
  }
  if (was_exact) {
    leave_exact_mode();
  }
  count_in_bucket(value, times);
}

void Histogram::merge(const Histogram& other) {
  if (other.count_ == 0) {
    return;
  }
  if (other.count_ <= kExactSamples) {
    // A copy, since `other` may be this one.
    for (const std::int64_t value : std::vector<std::int64_t>(other.exact_)) {
      record(value);
    }
    return;
  }
  const Histogram source = other;
  if (count_ <= kExactSamples) {
    leave_exact_mode();
  }
  zeros_ += source.zeros_;
  for (std::size_t i = 0; i < source.buckets_.size(); ++i) {
    if (source.buckets_[i] != 0) {
      count_in_bucket(middle_of(source.first_bucket_ + i), source.buckets_[i]);
    }
  }
  for (const std::size_t bucket : source.carries_) {
    count_in_bucket(middle_of(bucket), std::uint64_t{1} << 32U);
  }
  count_ += source.count_;
  sum_ += source.sum_;
  min_ = std::min(min_, source.min_);
  max_ = std::max(max_, source.max_);
}

void Histogram::leave_exact_mode() {
  for (const std::int64_t value : exact_) {
    count_in_bucket(value, 1);
  }
  exact_ = {};
}

void Histogram::count_in_bucket(std::int64_t value, std::uint64_t times) {
  if (value == 0) {
    zeros_ += times;
    return;
  }
  const std::size_t bucket = bucket_of(value);
  if (bucket - first_bucket_ >= buckets_.size()) {  // also when it lies below the first
    make_room_for(bucket);
  }
  std::uint32_t& counter = buckets_[bucket - first_bucket_];
  const std::uint64_t total = counter + times;
  counter = static_cast<std::uint32_t>(total);
  if (total > std::numeric_limits<std::uint32_t>::max()) [[unlikely]] {
    carries_.insert(carries_.end(), static_cast<std::size_t>(total >> 32U), bucket);
    std::sort(carries_.begin(), carries_.end());
  }
}

void Histogram::make_room_for(std::size_t bucket) {
  const std::size_t octave = bucket / kBucketsPerOctave * kBucketsPerOctave;
  if (buckets_.empty()) {
    first_bucket_ = octave;
  }
  if (octave < first_bucket_) {
    buckets_.insert(buckets_.begin(), first_bucket_ - octave, 0U);
    first_bucket_ = octave;
  }
  const std::size_t needed = octave + kBucketsPerOctave - first_bucket_;
  if (needed > buckets_.size()) {
    buckets_.reserve(needed);
    buckets_.resize(needed, 0U);
  }
}

std::optional<std::int64_t> Histogram::quantile(std::uint32_t per_ten_thousand) const {
  HEADROOM_ASSERT(per_ten_thousand <= 10'000, "no quantile {} in 10,000", per_ten_thousand);
  if (count_ == 0) {
    return std::nullopt;
  }
  const Int128 scaled = Int128{count_} * per_ten_thousand;
  const auto rank = static_cast<std::uint64_t>((scaled + 9'999) / 10'000);
  return value_of_rank(std::max<std::uint64_t>(rank, 1));
}

std::int64_t Histogram::value_of_rank(std::uint64_t rank) const {
  if (count_ <= kExactSamples) {
    std::vector<std::int64_t> sorted = exact_;
    std::sort(sorted.begin(), sorted.end());
    return sorted[static_cast<std::size_t>(rank - 1)];
  }
  if (rank == count_) {
    return max_;
  }
  std::uint64_t passed = zeros_;
  if (rank <= passed) {
    return 0;
  }
  auto carry = carries_.begin();
  for (std::size_t i = 0; i < buckets_.size(); ++i) {
    const std::size_t bucket = first_bucket_ + i;
    passed += buckets_[i];
    for (; carry != carries_.end() && *carry == bucket; ++carry) {
      passed += std::uint64_t{1} << 32U;
    }
    if (rank <= passed) {
      return std::clamp(middle_of(bucket), min_, max_);
    }
  }
  HEADROOM_ASSERT(false, "rank {} of {} samples is in no bucket", rank, count_);
  return max_;
}

std::vector<std::uint64_t> Histogram::counts_at_most(std::span<const std::int64_t> bounds) const {
  std::vector<std::uint64_t> counts(bounds.size(), 0);
  const auto count_at = [&](std::int64_t value, std::uint64_t times) {
    const auto bound = std::lower_bound(bounds.begin(), bounds.end(), value);
    if (bound != bounds.end()) {
      counts[static_cast<std::size_t>(bound - bounds.begin())] += times;
    }
  };
  if (count_ <= kExactSamples) {
    for (const std::int64_t value : exact_) {
      count_at(value, 1);
    }
  } else {
    count_at(0, zeros_);
    for (std::size_t i = 0; i < buckets_.size(); ++i) {
      if (buckets_[i] != 0) {
        count_at(std::clamp(middle_of(first_bucket_ + i), min_, max_), buckets_[i]);
      }
    }
    for (const std::size_t bucket : carries_) {
      count_at(std::clamp(middle_of(bucket), min_, max_), std::uint64_t{1} << 32U);
    }
  }
  std::partial_sum(counts.begin(), counts.end(), counts.begin());
  return counts;
}

}  // namespace headroom
