#include "sim/cli/check_progress.hpp"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <string>
#include <unistd.h>

namespace headroom {
namespace {

// Of the states that were found, those that are expanded. How many there will be nobody knows.
std::string bar(const checker::Progress& progress) {
  constexpr double width = 30;
  const auto states = static_cast<double>(std::max<std::uint64_t>(1, progress.states));
  const double done = 1 - std::min(1.0, static_cast<double>(progress.frontier) / states);
  return std::string(static_cast<std::size_t>(done * width), '#');
}

}  // namespace

CheckProgress::CheckProgress() : enabled_(isatty(STDERR_FILENO) == 1) {}

CheckProgress::~CheckProgress() {
  if (drawn_) {
    fmt::print(stderr, "\r\033[K");
  }
}

void CheckProgress::show(const checker::Progress& progress) {
  const Clock::time_point now = Clock::now();
  if (!enabled_ || now - last_ < std::chrono::milliseconds(100)) {
    return;
  }
  last_ = now;
  drawn_ = true;
  const bool exploring = progress.phase == checker::Phase::exploring;
  fmt::print(stderr, "\r\033[K[{:<30}] {} {:.2f} million states, {:.2f} million/s, frontier {}, depth {}, {} MB",
             bar(progress), exploring ? "exploring" : "linking", static_cast<double>(progress.states) / 1e6,
             progress.states_per_second / 1e6, progress.frontier, progress.depth, progress.bytes / 1'000'000);
  std::fflush(stderr);
}

}  // namespace headroom
