// When a check has to end before its scope is exhausted.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "model/checker/options.hpp"
#include "model/checker/result.hpp"

namespace headroom::checker {

// Wall time bounds how long a check goes on and is reported; nothing that it finds depends on it.
class Stopwatch {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

class Limits {
 public:
  explicit Limits(const Options& options) : options_(options) {}

  // Which limit is passed, if any; calls `stop`.
  [[nodiscard]] std::optional<Ended> passed(std::uint64_t states, std::size_t bytes) const {
    if (options_.stop && options_.stop()) return Ended::stopped;
    if (options_.max_states != 0 && states > options_.max_states) return Ended::max_states;
    if (options_.max_memory != 0 && bytes > options_.max_memory) return Ended::max_memory;
    if (options_.max_seconds > 0 && watch_.seconds() > options_.max_seconds) return Ended::max_seconds;
    return std::nullopt;
  }
  [[nodiscard]] double seconds() const { return watch_.seconds(); }

 private:
  const Options& options_;
  Stopwatch watch_;
};

}  // namespace headroom::checker
