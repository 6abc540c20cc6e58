// parse_json: a strict layer over nlohmann's tokenizer, which by itself would keep the last of duplicate keys, turn
// large integers into floating point, take a zero byte for the end of the text, and skip a byte order mark.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "reports/render/escape.hpp"
#include "sim/scenario/json_text.hpp"
#include "sim/scenario/reading.hpp"

namespace headroom {
namespace {

struct TextPosition {
  std::size_t line = 1;
  std::size_t column = 1;
};

TextPosition position_of(std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, std::min(byte, text.size()));
  const std::size_t last_break = before.find_last_of('\n');
  const auto lines = static_cast<std::size_t>(std::ranges::count(before, '\n'));
  return {lines + 1, last_break == std::string_view::npos ? before.size() + 1 : before.size() - last_break};
}

std::string where(std::string_view text, std::size_t byte) {
  const TextPosition position = position_of(text, byte);
  return "line " + std::to_string(position.line) + ", column " + std::to_string(position.column);
}

// Length of the well-formed UTF-8 character at the start of `text`; 0 if it is none (RFC 3629: no overlong forms, no
// surrogates, nothing above U+10FFFF).
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const auto tail = [&](std::size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
  const unsigned first = byte(0);
  if (first < 0x80) {
    return 1;
  }
  if (first >= 0xC2 && first <= 0xDF) {
    return tail(1) ? 2 : 0;
  }
  if (first >= 0xE0 && first <= 0xEF) {
    const bool second = tail(1) && !(first == 0xE0 && byte(1) < 0xA0) && !(first == 0xED && byte(1) > 0x9F);
    return second && tail(2) ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    const bool second = tail(1) && !(first == 0xF0 && byte(1) < 0x90) && !(first == 0xF4 && byte(1) > 0x8F);
    return second && tail(2) && tail(3) ? 4 : 0;
  }
  return 0;
}

// Whether the bytes can be JSON at all.
bool check_bytes(std::string_view text, Reading& reading) {
  if (text.starts_with("\xEF\xBB\xBF")) {
    reading.fault("begins with a byte order mark", "UTF-8 without one");
    return false;
  }
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = character_length(text.substr(at));
    if (length == 0 || text[at] == '\0') {
      reading.fault(std::string(length == 0 ? "not UTF-8" : "a zero byte") + " at byte " + std::to_string(at) + " (" +
                        where(text, at) + ")",
                    "a JSON text in UTF-8");
      return false;
    }
    at += length;
  }
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    reading.fault("the file is empty", "a JSON object");
    return false;
  }
  return true;
}

// nlohmann's message without its error number and position, which is given in our own form, and without the control
// characters that it leaves in what it read last.
std::string syntax_message(const std::string& what) {
  std::string message = what;
  if (const std::size_t bracket = message.find("] "); bracket != std::string::npos) {
    message.erase(0, bracket + 2);
  }
  constexpr std::string_view prefix = "parse error at ";
  if (message.starts_with(prefix)) {
    if (const std::size_t colon = message.find(": "); colon != std::string::npos) {
      message.erase(0, colon + 2);
    }
  }
  if (message.size() > 200) {
    message.resize(200);
    while (!message.empty() && (static_cast<unsigned char>(message.back()) & 0x80U) != 0) {
      message.pop_back();
    }
    message += "...";
  }
  return terminal_safe(message);
}

// Builds the document from nlohmann's events.
class Builder : public nlohmann::json_sax<nlohmann::json> {
 public:
  Builder(std::string_view text, Reading& reading) : text_(text), reading_(reading) {}

  [[nodiscard]] JsonNode take() { return std::move(root_); }
  [[nodiscard]] const std::string& syntax_fault() const { return syntax_fault_; }

  bool null() override { return add({nullptr}); }
  bool boolean(bool value) override { return add({value}); }
  bool number_integer(std::int64_t value) override { return add({JsonNumber{std::to_string(value)}}); }
  bool number_unsigned(std::uint64_t value) override { return add({JsonNumber{std::to_string(value)}}); }
  bool number_float(double, const std::string& token) override { return add({JsonNumber{token}}); }
  bool string(std::string& value) override { return add({std::move(value)}); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open({JsonObject{}}); }
  bool start_array(std::size_t) override { return open({JsonArray{}}); }
  bool end_array() override { return close(); }

  bool key(std::string& value) override {
    frames_.back().key = std::move(value);
    return true;
  }

  bool end_object() override {
    drop_duplicates(std::get<JsonObject>(frames_.back().node.value));
    return close();
  }

  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& error) override {
    // nlohmann counts the characters read, the offending one included.
    const std::size_t byte = position == 0 ? 0 : position - 1;
    syntax_fault_ = where(text_, byte) + ": " + syntax_message(error.what());
    return false;
  }

 private:
  struct Frame {
    JsonNode node;
    std::string key;  // of the member that is being read
  };

  bool add(JsonNode node) {
    if (++values_ > kMaxDocumentValues) {
      syntax_fault_ = "more than " + std::to_string(kMaxDocumentValues) + " values";
      return false;
    }
    if (frames_.empty()) {
      root_ = std::move(node);
    } else if (JsonObject* object = frames_.back().node.object()) {
      object->push_back({std::move(frames_.back().key), std::move(node)});
    } else {
      std::get<JsonArray>(frames_.back().node.value).push_back(std::move(node));
    }
    return true;
  }

  bool open(JsonNode node) {
    if (frames_.size() == kMaxDocumentDepth) {
      syntax_fault_ = "nested deeper than " + std::to_string(kMaxDocumentDepth) + " levels";
      return false;
    }
    frames_.push_back({std::move(node), {}});
    return true;
  }

  bool close() {
    JsonNode node = std::move(frames_.back().node);
    frames_.pop_back();
    return add(std::move(node));
  }

  // Keeps the first of each key and reports the others.
  void drop_duplicates(JsonObject& object) {
    std::vector<std::size_t> order(object.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
      order[i] = i;
    }
    std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair(std::string_view(object[i].key), i); });
    std::vector<bool> dropped(object.size(), false);
    bool any = false;
    for (std::size_t i = 1; i < order.size(); ++i) {
      if (object[order[i]].key == object[order[i - 1]].key) {
        dropped[order[i]] = true;
        any = true;
      }
    }
    if (!any) {
      return;
    }
    JsonObject kept;
    for (std::size_t i = 0; i < object.size(); ++i) {
      if (dropped[i]) {
        std::string pointer = this->pointer();
        append_pointer_step(pointer, object[i].key);
        reading_.fault_at(std::move(pointer), "duplicate key " + in_quotes(object[i].key), "each key once");
      } else {
        kept.push_back(std::move(object[i]));
      }
    }
    object = std::move(kept);
  }

  // Of the innermost open value.
  [[nodiscard]] std::string pointer() const {
    std::string pointer = reading_.pointer();
    for (std::size_t i = 0; i + 1 < frames_.size(); ++i) {
      const Frame& frame = frames_[i];
      if (const JsonArray* array = frame.node.array()) {
        append_pointer_step(pointer, std::to_string(array->size()));
      } else {
        append_pointer_step(pointer, frame.key);
      }
    }
    return pointer;
  }

  std::string_view text_;
  Reading& reading_;
  JsonNode root_;
  std::vector<Frame> frames_;
  std::size_t values_ = 0;
  std::string syntax_fault_;
};

}  // namespace

std::optional<JsonNode> parse_json(std::string_view text, Reading& reading) {
  if (!check_bytes(text, reading)) {
    return std::nullopt;
  }
  Builder builder(text, reading);
  constexpr bool whole_text = true;
  constexpr bool comments = true;
  if (!nlohmann::json::sax_parse(text, &builder, nlohmann::json::input_format_t::json, whole_text, comments)) {
    reading.fault(builder.syntax_fault(), "a JSON text");
    return std::nullopt;
  }
  return builder.take();
}

std::optional<JsonNode> parse_json_value(std::string_view text, Reading& reading) {
  Builder builder(text, reading);
  if (text.find('\0') != std::string_view::npos ||
      !nlohmann::json::sax_parse(text, &builder, nlohmann::json::input_format_t::json, true, false)) {
    return std::nullopt;
  }
  return builder.take();
}

}  // namespace headroom
