#include "reports/render/wording.hpp"

#include <fmt/format.h>
#include <type_traits>
#include <variant>

namespace headroom {
namespace {

bool continues_code_point(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

std::string three_digits(double value) {
  if (value == 0) {
    return "0";
  }
  return fmt::format("{:.{}f}", value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0);
}

// `fraction` in units of 10^-digits.
std::string with_fraction(std::int64_t whole, std::int64_t fraction, int digits) {
  if (fraction == 0) {
    return fmt::format("{}", whole);
  }
  std::string text = fmt::format("{}.{:0{}}", whole, fraction, digits);
  text.erase(text.find_last_not_of('0') + 1);
  return text;
}

}  // namespace

std::string worded_milliseconds(std::int64_t nanoseconds) {
  if (nanoseconds > 0 && nanoseconds < 5'000) {
    return "<0.01";
  }
  return three_digits(static_cast<double>(nanoseconds) / 1e6);
}

std::string exact_milliseconds(std::int64_t nanoseconds) {
  return with_fraction(nanoseconds / 1'000'000, nanoseconds % 1'000'000, 6);
}

std::string exact_seconds(Int128 nanoseconds) {
  return with_fraction(static_cast<std::int64_t>(nanoseconds / 1'000'000'000),
                       static_cast<std::int64_t>(nanoseconds % 1'000'000'000), 9);
}

std::string worded_duration(Duration duration) {
  const double milliseconds = static_cast<double>(duration.count()) / 1e6;
  return milliseconds < 1000 ? fmt::format("{:.4g} ms", milliseconds) : fmt::format("{:.6g} s", milliseconds / 1e3);
}

std::string worded_percent(const std::optional<double>& fraction) {
  return fraction ? fmt::format("{:.1f}%", *fraction * 100) : "-";
}

std::string worded_index(const std::optional<double>& index) {
  return index ? fmt::format("{:.4f}", *index) : "undefined";
}

std::string worded_count(std::uint64_t count) {
  std::string digits = fmt::format("{}", count);
  for (std::size_t place = digits.size(); place > 3; place -= 3) {
    digits.insert(place - 3, ",");
  }
  return digits;
}

std::string short_count(std::uint64_t count) {
  if (count < 1'000'000) {
    return worded_count(count);
  }
  double scaled = static_cast<double>(count) / 1e6;
  std::string_view unit = "M";
  if (scaled >= 999.5) {
    scaled /= 1e3;
    unit = "G";
  }
  return three_digits(scaled) + std::string(unit);
}

std::string worded(const Figure& figure) {
  return std::visit(
      [](const auto& value) -> std::string {
        using Value = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<Value, std::monostate>) {
          return "none";
        } else if constexpr (std::is_same_v<Value, double>) {
          return fmt::format("{:.6g}", value);
        } else {
          return fmt::format("{}", value);
        }
      },
      figure);
}

std::string worded_bound(const Judgement& judgement) {
  const bool least = !std::holds_alternative<std::monostate>(judgement.at_least);
  const bool most = !std::holds_alternative<std::monostate>(judgement.at_most);
  if (least && most) {
    return worded(judgement.at_least) + " to " + worded(judgement.at_most);
  }
  if (least) {
    return "at least " + worded(judgement.at_least);
  }
  return most ? "at most " + worded(judgement.at_most) : "";
}

std::string worded_name(const Judgement& judgement) {
  return judgement.broken ? judgement.name + " (broken)" : judgement.name;
}

std::size_t columns_of(std::string_view text) {
  std::size_t columns = 0;
  for (const char c : text) {
    columns += continues_code_point(c) ? 0 : 1;
  }
  return columns;
}

std::string cut_to_columns(std::string_view text, std::size_t columns) {
  if (columns_of(text) <= columns) {
    return std::string(text);
  }
  std::size_t end = 0;
  for (std::size_t kept = 0; end < text.size(); ++end) {
    if (!continues_code_point(text[end])) {
      if (kept + 1 >= columns) {
        break;
      }
      ++kept;
    }
  }
  return std::string(text.substr(0, end)) + "\u2026";
}

}  // namespace headroom
