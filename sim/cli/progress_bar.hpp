// A line on stderr that shows how far a run has come, when stderr is a terminal.
#pragma once

#include <chrono>
#include <cstdint>

#include "model/base/time.hpp"

namespace headroom {

class ProgressBar {
 public:
  explicit ProgressBar(Duration whole);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  // Draws at most ten times a second.
  void show(Time now, std::uint64_t events);

 private:
  using Clock = std::chrono::steady_clock;
  Duration whole_;
  bool enabled_;
  bool drawn_ = false;
  Clock::time_point started_ = Clock::now();
  Clock::time_point last_ = started_;
};

}  // namespace headroom
