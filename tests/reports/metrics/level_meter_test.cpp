#include "reports/metrics/level_meter.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "model/base/hash.hpp"

using namespace headroom;

namespace {

Time at(std::int64_t nanoseconds) {
  return Time::at(Duration::nanoseconds(nanoseconds));
}

}  // namespace

TEST_CASE("a level's peak, time above zero and integral are those of its steps") {
  LevelMeter meter;
  meter.set(3, at(10));
  meter.set(0, at(14));
  meter.add(2, at(20));
  meter.settle(at(25));
  CHECK(meter.peak() == 3);
  CHECK(meter.time_above_zero() == Duration::nanoseconds(9));
  CHECK((meter.integral() == 3 * 4 + 2 * 5));
}

TEST_CASE("a level that lasts no time is a peak, and no lasting one") {
  LevelMeter meter;
  meter.set(9, at(5));
  meter.set(1, at(5));
  meter.settle(at(6));
  CHECK(meter.peak() == 9);
  CHECK(meter.lasting_peak() == 1);
}

TEST_CASE("what was before a restart does not count, the level goes on") {
  LevelMeter meter;
  meter.set(9, at(1));
  meter.set(4, at(2));
  meter.restart(at(10));
  meter.settle(at(13));
  CHECK(meter.peak() == 4);
  CHECK((meter.integral() == 12));
}

TEST_CASE("a level over many steps has the sums of a loop over every nanosecond") {
  LevelMeter meter;
  std::vector<std::int64_t> levels;
  for (std::uint64_t i = 0; i < 300; ++i) {
    const auto level = static_cast<std::int64_t>(stable_hash(i, 1) % 5);
    const std::uint64_t lasts = stable_hash(i, 2) % 4;
    meter.set(level, at(static_cast<std::int64_t>(levels.size())));
    levels.insert(levels.end(), lasts, level);
  }
  meter.settle(at(static_cast<std::int64_t>(levels.size())));
  std::int64_t sum = 0;
  std::int64_t above = 0;
  for (const std::int64_t level : levels) {
    sum += level;
    above += level > 0 ? 1 : 0;
  }
  CHECK((meter.integral() == sum));
  CHECK(meter.time_above_zero().count() == above);
}
