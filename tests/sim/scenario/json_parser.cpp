#include <catch2/catch.hpp>
#include <string>

#include "sim/scenario/json_text.hpp"
#include "sim/scenario/reading.hpp"

using namespace headroom;

namespace {

Diagnostics faults_of(const std::string& text) {
  Reading reading("x.json");
  const bool read = parse_json(text, reading).has_value();
  Diagnostics faults = reading.take_faults();
  REQUIRE((read || !faults.empty()));
  return faults;
}

std::string only_fault(const std::string& text) {
  const Diagnostics faults = faults_of(text);
  REQUIRE(faults.size() == 1);
  return faults.front().text();
}

std::string canonical(const std::string& text) {
  Reading reading("x.json");
  const std::optional<JsonNode> node = parse_json(text, reading);
  REQUIRE(node);
  return canonical_text(*node);
}

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) {
    all += text;
  }
  return all;
}

}  // namespace

TEST_CASE("comments of both kinds are passed over") {
  CHECK(canonical("// one\n{ /* two\n lines */ \"a\": 1 } // end") == R"({"a":1})");
}

TEST_CASE("the canonical text does not depend on order, space or the way a number is written") {
  CHECK(canonical(R"({"b": [1.0, true, null], "a": "x"})") == canonical(R"({"a":"x","b":[1e0,true,null]})"));
  CHECK(canonical(R"({"a": 1})") != canonical(R"({"a": "1"})"));
}

TEST_CASE("integers beyond 64 bits keep their digits") {
  CHECK(canonical("123456789012345678901234567890123") == "123456789012345678901234567890123");
}

TEST_CASE("a syntax fault says line and column") {
  CHECK_THAT(only_fault("{\n  \"a\": 1,\n  oops\n}"), Catch::Contains("x.json: /: line 3, column 3"));
  CHECK_THAT(only_fault("{\"a\": NaN}"), Catch::Contains("line 1"));
  CHECK_THAT(only_fault("{\"a\": Infinity}"), Catch::Contains("line 1"));
  CHECK_THAT(only_fault("{\"a\": 1e999}"), Catch::Contains("overflow"));
  CHECK_THAT(only_fault("{\"a\": 01}"), Catch::Contains("line 1"));
  CHECK_THAT(only_fault("{\"a\": 1} 2"), Catch::Contains("line 1, column 10"));
  CHECK_THAT(only_fault("{\"a\": 1"), Catch::Contains("line 1"));
  CHECK_THAT(only_fault("{\"a\": \"\\ud800\"}"), Catch::Contains("surrogate"));
}

TEST_CASE("an empty text is not a document") {
  CHECK_THAT(only_fault(""), Catch::Contains("empty"));
  CHECK_THAT(only_fault(" \n\t\r\n"), Catch::Contains("empty"));
}

TEST_CASE("a byte order mark is refused") {
  CHECK_THAT(only_fault("\xEF\xBB\xBF{}"), Catch::Contains("byte order mark"));
}

TEST_CASE("bytes that are not UTF-8 are refused with their position") {
  CHECK_THAT(only_fault("{\"a\": \"\xFF\"}"), Catch::Contains("not UTF-8 at byte 7"));
  CHECK_THAT(only_fault("{}\n\xC0\x80"), Catch::Contains("at byte 3 (line 2, column 1)"));  // overlong
  CHECK_THAT(only_fault("\"\xED\xA0\x80\""), Catch::Contains("at byte 1"));                 // a surrogate
  CHECK_THAT(only_fault("\"\xF4\x90\x80\x80\""), Catch::Contains("at byte 1"));             // above U+10FFFF
  CHECK_THAT(only_fault("\"\xE2\x82"), Catch::Contains("at byte 1"));                       // cut short
}

TEST_CASE("characters of every length are accepted") {
  CHECK(canonical("\"a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\"") == "\"a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\"");
}

TEST_CASE("a zero byte does not end the document unseen") {
  CHECK_THAT(only_fault(std::string("{}\0garbage", 10)), Catch::Contains("zero byte at byte 2"));
}

TEST_CASE("deep nesting is refused without descending") {
  CHECK(faults_of(repeated("[", 64) + repeated("]", 64)).empty());
  CHECK_THAT(only_fault(repeated("[", 65) + repeated("]", 65)), Catch::Contains("deeper than 64"));
  CHECK_THAT(only_fault(repeated("[", 1'000'000)), Catch::Contains("deeper than 64"));
  CHECK_THAT(only_fault(repeated("{\"a\":", 10'000)), Catch::Contains("deeper than 64"));
}

TEST_CASE("more values than a scenario can need are refused") {
  CHECK_THAT(only_fault("[" + repeated("0,", 2'000'001) + "0]"), Catch::Contains("more than 2000000 values"));
}

TEST_CASE("every duplicate key is a fault, wherever it is, and the first of each stays") {
  const Diagnostics faults = faults_of(R"({"a": 1, "b": [{"c": 1}, {"d~": 1, "d~": 2}], "a": 2, "a": 3})");
  REQUIRE(faults.size() == 3);
  CHECK(faults[0].pointer == "/b/1/d~0");
  CHECK(faults[1].pointer == "/a");
  CHECK(faults[2].pointer == "/a");
  Reading reading("x.json");
  CHECK(canonical_text(*parse_json(R"({"a": 1, "a": 2})", reading)) == R"({"a":1})");
}

TEST_CASE("a fault stays on its line whatever the keys hold") {
  const std::string text = only_fault("{\"a\\nb\": 1, \"a\\nb\": 2}");
  CHECK(text.find('\n') == std::string::npos);
}

TEST_CASE("a syntax fault shows no control character of the text, DEL and those of two bytes among them") {
  for (const std::string control : {"\x01", "\x7f", "\xc2\x9b"}) {
    const std::string fault = only_fault("{\"a\"" + control + "}");
    CHECK(fault.find(control) == std::string::npos);
  }
}

TEST_CASE("a document that is wrong everywhere is reported in bounded length") {
  CHECK(faults_of("{" + repeated("\"a\":1,", 100'000) + "\"a\":1}").size() == 1001);
}

TEST_CASE("a pointer step escapes what RFC 6901 says") {
  std::string pointer = "/x";
  append_pointer_step(pointer, "a/b~c");
  CHECK(pointer == "/x/a~1b~0c");
}
