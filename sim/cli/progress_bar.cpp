#include "sim/cli/progress_bar.hpp"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <string>
#include <unistd.h>

namespace headroom {

ProgressBar::ProgressBar(Duration whole) : whole_(whole), enabled_(isatty(STDERR_FILENO) == 1) {}

ProgressBar::~ProgressBar() {
  if (drawn_) {
    fmt::print(stderr, "\r\033[K");
  }
}

void ProgressBar::show(Time now, std::uint64_t events) {
  const Clock::time_point clock = Clock::now();
  if (!enabled_ || clock - last_ < std::chrono::milliseconds(100)) {
    return;
  }
  last_ = clock;
  drawn_ = true;
  constexpr double width = 30;
  const double seconds = std::chrono::duration<double>(clock - started_).count();
  const double done = std::min(
      1.0, static_cast<double>(now.nanoseconds()) / static_cast<double>(std::max<std::int64_t>(1, whole_.count())));
  const auto filled = static_cast<std::size_t>(done * width);
  const std::string left = done >= 1  ? std::string("draining")
                           : done > 0 ? fmt::format("{:.0f} s left", seconds * (1 - done) / done)
                                      : std::string();
  fmt::print(stderr, "\r\033[K[{:<30}] {:3.0f} %  {:.2f} million events/s  {}", std::string(filled, '#'), done * 100,
             static_cast<double>(events) / seconds / 1e6, left);
  std::fflush(stderr);
}

}  // namespace headroom
