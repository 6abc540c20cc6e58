// Instants and spans of simulated time, in whole nanoseconds.
//
//   const Time end = Time::zero() + Duration::seconds(120);
#pragma once

#include <compare>
#include <cstdint>
#include <limits>

namespace headroom {

class Duration {
 public:
  constexpr Duration() = default;
  [[nodiscard]] static constexpr Duration nanoseconds(std::int64_t count) { return Duration(count); }
  [[nodiscard]] static constexpr Duration microseconds(std::int64_t count) { return Duration(count * 1'000); }
  [[nodiscard]] static constexpr Duration milliseconds(std::int64_t count) { return Duration(count * 1'000'000); }
  [[nodiscard]] static constexpr Duration seconds(std::int64_t count) { return Duration(count * 1'000'000'000); }
  [[nodiscard]] static constexpr Duration zero() { return Duration(0); }
  [[nodiscard]] static constexpr Duration max() { return Duration(std::numeric_limits<std::int64_t>::max()); }

  [[nodiscard]] constexpr std::int64_t count() const { return nanoseconds_; }

  friend constexpr auto operator<=>(const Duration&, const Duration&) = default;
  friend constexpr Duration operator+(Duration a, Duration b) { return Duration(a.nanoseconds_ + b.nanoseconds_); }
  friend constexpr Duration operator-(Duration a, Duration b) { return Duration(a.nanoseconds_ - b.nanoseconds_); }
  friend constexpr Duration operator*(Duration a, std::int64_t n) { return Duration(a.nanoseconds_ * n); }
  friend constexpr Duration operator/(Duration a, std::int64_t n) { return Duration(a.nanoseconds_ / n); }
  constexpr Duration& operator+=(Duration other) {
    nanoseconds_ += other.nanoseconds_;
    return *this;
  }

 private:
  constexpr explicit Duration(std::int64_t nanoseconds) : nanoseconds_(nanoseconds) {}
  std::int64_t nanoseconds_ = 0;
};

class Time {
 public:
  constexpr Time() = default;
  [[nodiscard]] static constexpr Time zero() { return Time(); }
  [[nodiscard]] static constexpr Time max() { return Time(std::numeric_limits<std::int64_t>::max()); }
  [[nodiscard]] static constexpr Time at(Duration since_start) { return Time(since_start.count()); }

  [[nodiscard]] constexpr std::int64_t nanoseconds() const { return nanoseconds_; }
  [[nodiscard]] constexpr Duration since_start() const { return Duration::nanoseconds(nanoseconds_); }

  friend constexpr auto operator<=>(const Time&, const Time&) = default;
  // An instant past the end of time is the end of time: timers far away never wrap into the past.
  friend constexpr Time operator+(Time t, Duration d) {
    std::int64_t sum = 0;
    return __builtin_add_overflow(t.nanoseconds_, d.count(), &sum) ? Time::max() : Time(sum);
  }
  friend constexpr Duration operator-(Time a, Time b) { return Duration::nanoseconds(a.nanoseconds_ - b.nanoseconds_); }

 private:
  constexpr explicit Time(std::int64_t nanoseconds) : nanoseconds_(nanoseconds) {}
  std::int64_t nanoseconds_ = 0;
};

}  // namespace headroom
