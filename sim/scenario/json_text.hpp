// JSON as a scenario's reader needs it: numbers keep their digits, objects keep their order, and nothing is repaired.
//
//   Reading reading("x.json");
//   if (std::optional<JsonNode> document = parse_json(text, reading)) ...
//   else report(reading.take_faults());
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace headroom {

class Reading;
struct JsonNode;
struct JsonMember;

// The digits of a number as written, so that 0.1 stays a tenth and 2^64 does not turn into a floating point value.
struct JsonNumber {
  std::string token;
};
using JsonArray = std::vector<JsonNode>;
using JsonObject = std::vector<JsonMember>;  // in the order of the file; keys are unique

struct JsonNode {
  std::variant<std::nullptr_t, bool, JsonNumber, std::string, JsonArray, JsonObject> value;

  [[nodiscard]] const JsonObject* object() const { return std::get_if<JsonObject>(&value); }
  [[nodiscard]] JsonObject* object() { return std::get_if<JsonObject>(&value); }
  [[nodiscard]] const JsonArray* array() const { return std::get_if<JsonArray>(&value); }
  [[nodiscard]] JsonArray* array() { return std::get_if<JsonArray>(&value); }
  [[nodiscard]] const std::string* text() const { return std::get_if<std::string>(&value); }
  [[nodiscard]] const JsonNumber* number() const { return std::get_if<JsonNumber>(&value); }
  [[nodiscard]] const bool* boolean() const { return std::get_if<bool>(&value); }
};

struct JsonMember {
  std::string key;
  JsonNode node;
};

[[nodiscard]] JsonNode json_whole(std::int64_t value);
[[nodiscard]] JsonNode json_text(std::string_view value);

// The member of that name; null if there is none.
[[nodiscard]] const JsonNode* find_member(const JsonObject& object, std::string_view key);
[[nodiscard]] JsonNode* find_member(JsonObject& object, std::string_view key);

// What a document may hold; more is refused before memory is spent on it.
inline constexpr std::size_t kMaxDocumentBytes = 64U << 20U;
inline constexpr std::size_t kMaxDocumentDepth = 64;
inline constexpr std::size_t kMaxDocumentValues = 2'000'000;

// Reads a document: RFC 8259 plus comments. Everything wrong with it goes to `reading`: bytes that are not UTF-8 (with
// their position), syntax (with line and column), too deep, too many values, duplicate keys. A document with nothing
// but duplicate keys still comes back (with the first of each), so that its other faults are found in the same go.
[[nodiscard]] std::optional<JsonNode> parse_json(std::string_view text, Reading& reading);

// One value without comments; nothing if it is not JSON (no fault is reported for that).
[[nodiscard]] std::optional<JsonNode> parse_json_value(std::string_view text, Reading& reading);

// The same text for the same document: keys in byte order, no whitespace, numbers without superfluous digits.
[[nodiscard]] std::string canonical_text(const JsonNode& node);

// Indented by two, members in the order of the document.
[[nodiscard]] std::string indented_text(const JsonNode& node);

// A value as a message shows it: short, on one line, printable.
[[nodiscard]] std::string describe(const JsonNode& node);
// A text in quotes, on one line, cut after some 60 bytes.
[[nodiscard]] std::string in_quotes(std::string_view text);

// Appends one step to a JSON pointer (RFC 6901). Control characters are escaped as in JSON: a pointer is one line.
void append_pointer_step(std::string& pointer, std::string_view key);

}  // namespace headroom
