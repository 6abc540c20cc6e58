// Wall time, for the figures of a run that may differ from one to the next.
#pragma once

#include <chrono>
#include <utility>

namespace headroom {

class Stopwatch {
 public:
  // Seconds since the last lap.
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    return std::chrono::duration<double>(now - std::exchange(since_, now)).count();
  }

 private:
  std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now();
};

}  // namespace headroom
