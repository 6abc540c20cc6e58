#include "sim/scenario/exact_number.hpp"

#include <catch2/catch.hpp>
#include <string>

using namespace headroom;

namespace {

std::int64_t nanoseconds(const std::string& text) {
  const ParsedDuration parsed = parse_duration(text);
  REQUIRE(parsed.exactness == Exactness::exact);
  return parsed.value.count();
}

std::int64_t nanohertz(const std::string& text) {
  const ParsedRate parsed = parse_rate(text);
  REQUIRE(parsed.exactness == Exactness::exact);
  return parsed.value.nanohertz;
}

}  // namespace

TEST_CASE("durations are whole nanoseconds in every unit") {
  CHECK(nanoseconds("7ns") == 7);
  CHECK(nanoseconds("7us") == 7'000);
  CHECK(nanoseconds("250ms") == 250'000'000);
  CHECK(nanoseconds("30s") == 30'000'000'000);
  CHECK(nanoseconds("10m") == 600'000'000'000);
  CHECK(nanoseconds("2h") == 7'200'000'000'000);
  CHECK(nanoseconds("0s") == 0);
}

TEST_CASE("durations with a decimal point are exact") {
  CHECK(nanoseconds("1.5s") == 1'500'000'000);
  CHECK(nanoseconds("0.1s") == 100'000'000);
  CHECK(nanoseconds("0.000000001s") == 1);
  CHECK(nanoseconds("0.25m") == 15'000'000'000);
  CHECK(nanoseconds("0.00000000025h") == 900);
}

TEST_CASE("a duration below a nanosecond is refused, not rounded") {
  CHECK(parse_duration("0.5ns").exactness == Exactness::too_fine);
  CHECK(parse_duration("0.0000000001s").exactness == Exactness::too_fine);
}

TEST_CASE("a duration that does not fit 64 bits is refused") {
  CHECK(parse_duration("9223372036854775807ns").exactness == Exactness::exact);
  CHECK(parse_duration("9223372036854775808ns").exactness == Exactness::too_large);
  CHECK(parse_duration("2562048h").exactness == Exactness::too_large);
  CHECK(parse_duration(std::string(5000, '9') + "h").exactness == Exactness::too_large);
}

TEST_CASE("what is not a decimal number and a unit is no duration") {
  for (const char* text : {"", "5", "s", "5 s", " 5s", "5s ", "1e3s", "1.s", ".5s", "5S", "5sec", "1m30s", "--1s",
                           "+1s", "NaNs", "0x1s", "1.2.3s"}) {
    INFO(text);
    CHECK(parse_duration(text).exactness == Exactness::malformed);
  }
}

TEST_CASE("a duration is written in the largest unit in which it is whole") {
  CHECK(format_duration(Duration::milliseconds(250)) == "250ms");
  CHECK(format_duration(Duration::milliseconds(1500)) == "1500ms");
  CHECK(format_duration(Duration::seconds(600)) == "10m");
  CHECK(format_duration(Duration::seconds(7200)) == "2h");
  CHECK(format_duration(Duration::nanoseconds(1)) == "1ns");
  CHECK(format_duration(Duration::zero()) == "0s");
}

TEST_CASE("rates are kept to a thousand-millionth of an event per second") {
  CHECK(nanohertz("5/s") == 5'000'000'000);
  CHECK(nanohertz("0.1/s") == 100'000'000);
  CHECK(nanohertz("60/m") == 1'000'000'000);
  CHECK(nanohertz("1/h") == 277'778);  // 277777.8 to the nearest
  CHECK(nanohertz("0/s") == 0);
  CHECK(parse_rate("0.0000000001/s").exactness == Exactness::too_fine);
  CHECK(parse_rate("99999999999999999999/s").exactness == Exactness::too_large);
}

TEST_CASE("what is not a decimal number per unit of time is no rate") {
  for (const char* text : {"", "5", "/s", "5/", "5/d", "5 /s", "5/S", "5s", "1e3/s", "5/s/s"}) {
    INFO(text);
    CHECK(parse_rate(text).exactness == Exactness::malformed);
  }
}

TEST_CASE("numbers of JSON are scaled without floating point") {
  CHECK(scaled_number("0.1", 9).value == 100'000'000);
  CHECK(scaled_number("-2.50", 1).value == -25);
  CHECK(scaled_number("1e3", 0).value == 1000);
  CHECK(scaled_number("3.9", 0).exactness == Exactness::too_fine);
  CHECK(scaled_number("18446744073709551616", 0).value == static_cast<WideInteger>(1) << 64U);
  CHECK(scaled_number("1e999999999999999999999", 0).exactness == Exactness::too_large);
  CHECK(scaled_number("1e-999999999999999999999", 0).exactness == Exactness::too_fine);
  CHECK(scaled_number("0e5", 0).value == 0);
}

TEST_CASE("equal numbers have one canonical form") {
  for (const char* text : {"100", "100.0", "1e2", "1.00E+2", "1000e-1"}) {
    INFO(text);
    CHECK(canonical_number(text) == "1e2");
  }
  CHECK(canonical_number("-0.0") == "0");
  CHECK(canonical_number("-0.5") == "-5e-1");
}

TEST_CASE("fixed point numbers are written without superfluous zeros") {
  CHECK(format_decimal(Decimal::whole(3)) == "3");
  CHECK(format_decimal(Decimal{250'000'000}) == "0.25");
  CHECK(format_decimal(Decimal{-500'000'000}) == "-0.5");
  CHECK(format_decimal(Decimal{1}) == "0.000000001");
}
