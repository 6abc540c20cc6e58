#include "sim/world/decimal_text.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <string>

namespace headroom {
namespace {

const ColumnUnit kSeconds = unit_of_column("arrival_s");
const ColumnUnit kMilliseconds = unit_of_column("arrival_ms");
const ColumnUnit kNanoseconds = unit_of_column("arrival_ns");

std::int64_t nanoseconds(std::string_view text, ColumnUnit unit) {
  const ParsedDuration parsed = parse_duration(text, unit);
  REQUIRE(parsed.fault == NumberFault::none);
  return parsed.value.count();
}

TEST_CASE("a column's unit is the end of its name, and seconds without one") {
  REQUIRE(unit_of_column("t_ns").power_of_ten == 0);
  REQUIRE(unit_of_column("t_us").power_of_ten == 3);
  REQUIRE(unit_of_column("t_ms").power_of_ten == 6);
  REQUIRE(unit_of_column("t_s").power_of_ten == 9);
  REQUIRE(unit_of_column("arrival").power_of_ten == 9);
  REQUIRE(unit_of_column("items").power_of_ten == 9);
}

TEST_CASE("decimal numbers are read exactly, where a double would not hold them") {
  REQUIRE(nanoseconds("123456789.123456789", kSeconds) == 123'456'789'123'456'789);
  REQUIRE(nanoseconds("9007199254740993", kNanoseconds) == 9'007'199'254'740'993);
  REQUIRE(nanoseconds("0.1", kSeconds) == 100'000'000);
  REQUIRE(nanoseconds("9223372036854775807", kNanoseconds) == std::numeric_limits<std::int64_t>::max());
}

TEST_CASE("all the usual forms of a number are read") {
  for (const char* text : {"1.5", "+1.5", " 1.5\t", "1.50", "001.5", "15e-1", "0.15E1", "0.15e+1", "1500e-3"}) {
    INFO(text);
    REQUIRE(nanoseconds(text, kMilliseconds) == 1'500'000);
  }
  REQUIRE(nanoseconds(".5", kMilliseconds) == 500'000);
  REQUIRE(nanoseconds("5.", kMilliseconds) == 5'000'000);
  REQUIRE(nanoseconds("0", kMilliseconds) == 0);
  REQUIRE(nanoseconds("-0.0", kMilliseconds) == 0);
  REQUIRE(nanoseconds("0e999999999999999999", kMilliseconds) == 0);
}

TEST_CASE("what is finer than a nanosecond is rounded to the nearest, halves up") {
  REQUIRE(nanoseconds("0.5", kNanoseconds) == 1);
  REQUIRE(nanoseconds("0.49999999999999999999999999999999999999999999999999", kNanoseconds) == 0);
  REQUIRE(nanoseconds("2.4", kNanoseconds) == 2);
  REQUIRE(nanoseconds("1e-400", kSeconds) == 0);
  REQUIRE(nanoseconds("1" + std::string(60, '0') + "e-60", kSeconds) == 1'000'000'000);
  REQUIRE(nanoseconds("0." + std::string(60, '0') + "1e61", kSeconds) == 1'000'000'000);
}

TEST_CASE("what is no decimal number is refused") {
  for (const char* text :
       {"",    " ",   "-",   "+",    ".",        "e5",    "1e",    "1e+",  "1.2.3", "1,5", "0x10",
        "nan", "NaN", "inf", "-inf", "Infinity", "1_000", "1'000", "12ms", "--1",   "1 2", "\xC2\xBD"}) {
    INFO(text);
    REQUIRE(parse_duration(text, kSeconds).fault == NumberFault::not_a_number);
  }
}

TEST_CASE("negative numbers and those beyond the end of time are told apart") {
  REQUIRE(parse_duration("-1", kSeconds).fault == NumberFault::negative);
  REQUIRE(parse_duration("-1e-30", kSeconds).fault == NumberFault::negative);
  REQUIRE(parse_duration("9223372036854775808", kNanoseconds).fault == NumberFault::too_large);
  REQUIRE(parse_duration("9223372036.854775808", kSeconds).fault == NumberFault::too_large);
  REQUIRE(parse_duration("1e300", kSeconds).fault == NumberFault::too_large);
  REQUIRE(parse_duration(std::string(1000, '9'), kSeconds).fault == NumberFault::too_large);
  REQUIRE(parse_duration("1e9999999999999999999999", kSeconds).fault == NumberFault::too_large);
}

}  // namespace
}  // namespace headroom
