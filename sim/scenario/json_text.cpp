#include "sim/scenario/json_text.hpp"

#include <algorithm>
#include <utility>

#include "sim/scenario/exact_number.hpp"

namespace headroom {
namespace {

// Appends one byte so that the text stays on its line.
void append_printable(std::string& out, char c) {
  const auto byte = static_cast<unsigned char>(c);
  if (byte >= 0x20 && byte != 0x7F) {
    out += c;
    return;
  }
  constexpr std::string_view hex = "0123456789abcdef";
  out += "\\u00";
  out += hex[byte >> 4U];
  out += hex[byte & 0xFU];
}

void append_quoted(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
    }
    append_printable(out, c);
  }
  out += '"';
}

constexpr std::size_t kShownBytes = 60;

// The first bytes of a text, without half a character at the end.
std::string_view shown_part(std::string_view text) {
  if (text.size() <= kShownBytes) {
    return text;
  }
  std::size_t end = kShownBytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) {
    --end;
  }
  return text.substr(0, end);
}

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

void append_canonical(std::string& out, const JsonNode& node);

void append_canonical_object(std::string& out, const JsonObject& object) {
  std::vector<const JsonMember*> members;
  for (const JsonMember& member : object) {
    members.push_back(&member);
  }
  std::ranges::sort(members, {}, [](const JsonMember* member) -> std::string_view { return member->key; });
  out += '{';
  for (std::size_t i = 0; i < members.size(); ++i) {
    out += i == 0 ? "" : ",";
    append_quoted(out, members[i]->key);
    out += ':';
    append_canonical(out, members[i]->node);
  }
  out += '}';
}

void append_canonical(std::string& out, const JsonNode& node) {
  std::visit(Overloaded{[&](std::nullptr_t) { out += "null"; }, [&](bool b) { out += b ? "true" : "false"; },
                        [&](const JsonNumber& number) { out += canonical_number(number.token); },
                        [&](const std::string& text) { append_quoted(out, text); },
                        [&](const JsonArray& array) {
                          out += '[';
                          for (std::size_t i = 0; i < array.size(); ++i) {
                            out += i == 0 ? "" : ",";
                            append_canonical(out, array[i]);
                          }
                          out += ']';
                        },
                        [&](const JsonObject& object) { append_canonical_object(out, object); }},
             node.value);
}

bool is_container(const JsonNode& node) {
  return node.array() != nullptr || node.object() != nullptr;
}

void append_indented(std::string& out, const JsonNode& node, std::size_t depth) {
  const auto line = [&](std::size_t indent) { out += "\n" + std::string(2 * indent, ' '); };
  if (const JsonObject* object = node.object(); object != nullptr && !object->empty()) {
    out += '{';
    for (std::size_t i = 0; i < object->size(); ++i) {
      out += i == 0 ? "" : ",";
      line(depth + 1);
      append_quoted(out, (*object)[i].key);
      out += ": ";
      append_indented(out, (*object)[i].node, depth + 1);
    }
    line(depth);
    out += '}';
    return;
  }
  if (const JsonArray* array = node.array()) {
    const bool one_line = std::ranges::none_of(*array, is_container);
    out += '[';
    for (std::size_t i = 0; i < array->size(); ++i) {
      out += i == 0 ? "" : one_line ? ", " : ",";
      if (!one_line) {
        line(depth + 1);
      }
      append_indented(out, (*array)[i], depth + 1);
    }
    if (!one_line) {
      line(depth);
    }
    out += ']';
    return;
  }
  if (const JsonNumber* number = node.number()) {
    out += number->token;
    return;
  }
  append_canonical(out, node);
}

}  // namespace

JsonNode json_whole(std::int64_t value) {
  return {JsonNumber{std::to_string(value)}};
}
JsonNode json_text(std::string_view value) {
  return {std::string(value)};
}

const JsonNode* find_member(const JsonObject& object, std::string_view key) {
  const auto found = std::ranges::find(object, key, &JsonMember::key);
  return found == object.end() ? nullptr : &found->node;
}
JsonNode* find_member(JsonObject& object, std::string_view key) {
  const auto found = std::ranges::find(object, key, &JsonMember::key);
  return found == object.end() ? nullptr : &found->node;
}

std::string canonical_text(const JsonNode& node) {
  std::string out;
  append_canonical(out, node);
  return out;
}

std::string indented_text(const JsonNode& node) {
  std::string out;
  append_indented(out, node, 0);
  return out + "\n";
}

std::string in_quotes(std::string_view text) {
  std::string out;
  const std::string_view shown = shown_part(text);
  append_quoted(out, shown);
  return shown.size() < text.size() ? out + "..." : out;
}

std::string describe(const JsonNode& node) {
  return std::visit(Overloaded{[](std::nullptr_t) -> std::string { return "null"; },
                               [](bool b) -> std::string { return b ? "true" : "false"; },
                               [](const JsonNumber& number) -> std::string {
                                 const std::string_view shown = shown_part(number.token);
                                 return std::string(shown) + (shown.size() < number.token.size() ? "..." : "");
                               },
                               [](const std::string& text) -> std::string { return in_quotes(text); },
                               [](const JsonArray& array) -> std::string {
                                 return array.empty() ? "an empty list" : "a list of " + std::to_string(array.size());
                               },
                               [](const JsonObject& object) -> std::string {
                                 return object.empty() ? "an empty object" : "an object";
                               }},
                    node.value);
}

void append_pointer_step(std::string& pointer, std::string_view key) {
  pointer += '/';
  for (const char c : key) {
    if (c == '~') {
      pointer += "~0";
    } else if (c == '/') {
      pointer += "~1";
    } else {
      append_printable(pointer, c);
    }
  }
}

}  // namespace headroom
