// A level over time, such as the rows of a tenant that execute above its quota: how high, how long, and its integral.
//
//   LevelMeter over;
//   over.set(executing - quota, now);      // at every change
//   over.restart(now);                     // the measured part begins: what was before does not count
//   over.settle(now);                      // brings the figures up to now
//   over.peak(), over.time_above_zero(), over.integral()
//
// In constant memory. Instants must not go back.
#pragma once

#include <algorithm>
#include <cstdint>

#include "model/base/time.hpp"
#include "reports/metrics/histogram.hpp"

namespace headroom {

class LevelMeter {
 public:
  void set(std::int64_t level, Time at) {
    settle(at);
    level_ = level;
    peak_ = std::max(peak_, level);
  }
  void add(std::int64_t change, Time at) { set(level_ + change, at); }

  void settle(Time at) {
    const std::int64_t lasted = (at - since_).count();
    if (lasted > 0) {
      integral_ += static_cast<Int128>(level_) * lasted;
      lasting_peak_ = std::max(lasting_peak_, level_);
      above_ = above_ + Duration::nanoseconds(level_ > 0 ? lasted : 0);
      since_ = at;
    }
  }

  void restart(Time at) {
    const std::int64_t level = level_;
    *this = LevelMeter{};
    since_ = at;
    set(level, at);
  }

  [[nodiscard]] std::int64_t level() const { return level_; }
  // The greatest level, 0 at least, also where it lasted no time at all; and where it did.
  [[nodiscard]] std::int64_t peak() const { return peak_; }
  [[nodiscard]] std::int64_t lasting_peak() const { return lasting_peak_; }
  [[nodiscard]] Duration time_above_zero() const { return above_; }
  [[nodiscard]] Int128 integral() const { return integral_; }

 private:
  std::int64_t level_ = 0;
  std::int64_t peak_ = 0;
  std::int64_t lasting_peak_ = 0;
  Time since_;
  Duration above_;
  Int128 integral_ = 0;
};

}  // namespace headroom
