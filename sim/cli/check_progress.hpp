// A line on stderr that shows how far a check has come, when stderr is a terminal.
#pragma once

#include <chrono>

#include "model/checker/options.hpp"

namespace headroom {

class CheckProgress {
 public:
  CheckProgress();
  ~CheckProgress();
  CheckProgress(const CheckProgress&) = delete;
  CheckProgress& operator=(const CheckProgress&) = delete;

  // Draws at most ten times a second.
  void show(const checker::Progress& progress);

 private:
  using Clock = std::chrono::steady_clock;
  bool enabled_;
  bool drawn_ = false;
  Clock::time_point last_ = Clock::now();
};

}  // namespace headroom
