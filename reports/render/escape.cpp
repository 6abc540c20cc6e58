#include "reports/render/escape.hpp"

#include <fmt/format.h>

namespace headroom {
namespace {

bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
}

}  // namespace

std::string html_escaped(std::string_view text) {
  std::string escaped;
  escaped.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string xml_escaped(std::string_view text) {
  std::string escaped;
  escaped.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\t' || c == '\n' || c == '\r') {
      escaped += fmt::format("&#{};", static_cast<int>(c));  // a parser would turn it into a space
    } else if (is_control(c)) {
      escaped += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else if (text.substr(i, 3) == "\xEF\xBF\xBE" || text.substr(i, 3) == "\xEF\xBF\xBF") {
      escaped += text[i + 2] == '\xBE' ? "\\xfffe" : "\\xffff";
      i += 2;
    } else {
      escaped += html_escaped(text.substr(i, 1));
    }
  }
  return escaped;
}

std::string json_quoted(std::string_view text) {
  std::string quoted = "\"";
  quoted.reserve(text.size() + 2);
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (is_control(c) || c == '<' || c == '>' || c == '&') {
      quoted += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
    } else {
      quoted += c;
    }
  }
  quoted += '"';
  return quoted;
}

std::string csv_cell(std::string_view text) {
  const bool formula = !text.empty() && std::string_view("=+-@\t").find(text.front()) != std::string_view::npos;
  if (!formula && text.find_first_of(",\"\r\n") == std::string_view::npos) {
    return std::string(text);
  }
  std::string cell = "\"";
  for (const char c : text) {
    if (c == '"') {
      cell += '"';
    }
    cell += c;
  }
  cell += '"';
  return cell;
}

std::string markdown_cell(std::string_view text) {
  std::string cell;
  for (const char c : text) {
    if (is_control(c)) {
      cell += ' ';
    } else if (std::string_view("<>&").find(c) != std::string_view::npos) {
      cell += html_escaped(std::string_view(&c, 1));
    } else {
      if (std::string_view("\\`*_[]|~#@!").find(c) != std::string_view::npos) {
        cell += '\\';
      }
      cell += c;
    }
  }
  return cell;
}

std::string label_escaped(std::string_view text) {
  std::string escaped;
  escaped.reserve(text.size());
  for (const char c : text) {
    if (c == '\n') {
      escaped += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') {
      escaped += '\\';
    }
    escaped += c;
  }
  return escaped;
}

std::string terminal_safe(std::string_view text) {
  std::string safe;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    // U+0080 to U+009F: the second set of control characters, C2 80 to C2 9F in UTF-8.
    const bool second_set = byte == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0;
    if (is_control(text[i])) {
      safe += fmt::format("\\x{:02x}", byte);
    } else if (second_set) {
      safe += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[++i]));
    } else {
      safe += text[i];
    }
  }
  return safe;
}

}  // namespace headroom
