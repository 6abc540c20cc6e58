// How long goodput takes to come back after what disturbed it is over (Bronson et al., Metastable Failures in
// Distributed Systems, HotOS 2021: a system that does not come back is metastable).
//
//   Recovery recovery(first_start, last_end, measured_from, window);
//   recovery.add_window(start, goodput);        // one after another
//   recovery.took();                            // from the end of the trigger; nothing: it did not come back
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>

#include "model/base/time.hpp"
#include "reports/metrics/histogram.hpp"

namespace headroom {

class Recovery {
 public:
  static constexpr Duration kOver = Duration::seconds(5);  // goodput is averaged over so long, from the recovery on
  static constexpr std::int64_t kPercent = 95;             // of the goodput before the trigger

  // The trigger lasts from `trigger_start` to `trigger_end`. Windows before `measured_from` count only if the trigger
  // starts before it. Needs window > 0.
  Recovery(Time trigger_start, Time trigger_end, Time measured_from, Duration window)
      : trigger_start_(trigger_start),
        trigger_end_(trigger_end),
        before_from_(measured_from < trigger_start ? measured_from : Time::zero()),
        window_(window) {}

  void add_window(Time start, std::uint64_t goodput) {
    if (start >= before_from_ && start + window_ <= trigger_start_) {
      ++windows_before_;
      goodput_before_ += static_cast<std::int64_t>(goodput);
    } else if (start >= trigger_end_ && !recovered_at_) {
      recent_.push_back({start, static_cast<std::int64_t>(goodput)});
      goodput_recent_ += recent_.back().goodput;
      const Int128 longest = std::max<std::int64_t>(1, kOver.count() / window_.count());
      if (static_cast<Int128>(recent_.size()) > longest) {
        goodput_recent_ -= recent_.front().goodput;
        recent_.pop_front();
      }
      const Int128 wanted = goodput_before_ * longest * kPercent;
      const bool whole = static_cast<Int128>(recent_.size()) == longest;
      if (whole && goodput_before_ > 0 && goodput_recent_ * windows_before_ * 100 >= wanted) {
        recovered_at_ = recent_.front().start;
      }
    }
  }

  [[nodiscard]] std::optional<Duration> took() const {
    return recovered_at_ ? std::optional(*recovered_at_ - trigger_end_) : std::nullopt;
  }

 private:
  Time trigger_start_;
  Time trigger_end_;
  Time before_from_;
  Duration window_;
  Int128 windows_before_ = 0;
  Int128 goodput_before_ = 0;
  struct Window {
    Time start;
    std::int64_t goodput = 0;
  };
  std::deque<Window> recent_;
  Int128 goodput_recent_ = 0;
  std::optional<Time> recovered_at_;
};

}  // namespace headroom
