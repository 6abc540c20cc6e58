#include "sim/scenario/exact_number.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace headroom {
namespace {

// sign * digits * 10^exponent; digits without leading and trailing zeros, empty for zero.
struct Parts {
  bool negative = false;
  std::string digits;
  std::int64_t exponent = 0;
};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Moves digits from `text` to `out`; false if there is none.
bool take_digits(std::string_view& text, std::string& out) {
  const std::size_t n = std::min(text.find_first_not_of("0123456789"), text.size());
  out.append(text.substr(0, n));
  text.remove_prefix(n);
  return n > 0;
}

// Exponents beyond this cannot be told apart by anything that reads them.
constexpr std::int64_t kHugeExponent = 1'000'000'000'000;

bool take_exponent(std::string_view text, std::int64_t& exponent) {
  bool negative = false;
  if (!text.empty() && (text.front() == '+' || text.front() == '-')) {
    negative = text.front() == '-';
    text.remove_prefix(1);
  }
  if (text.empty() || !std::ranges::all_of(text, is_digit)) {
    return false;
  }
  std::int64_t value = 0;
  for (const char c : text) {
    value = std::min(kHugeExponent, value * 10 + (c - '0'));
  }
  exponent += negative ? -value : value;
  return true;
}

std::optional<Parts> split(std::string_view token) {
  Parts parts;
  if (!token.empty() && token.front() == '-') {
    parts.negative = true;
    token.remove_prefix(1);
  }
  if (!take_digits(token, parts.digits)) {
    return std::nullopt;
  }
  if (!token.empty() && token.front() == '.') {
    token.remove_prefix(1);
    const std::size_t whole_digits = parts.digits.size();
    if (!take_digits(token, parts.digits)) {
      return std::nullopt;
    }
    parts.exponent = -static_cast<std::int64_t>(parts.digits.size() - whole_digits);
  }
  if (!token.empty()) {
    if ((token.front() != 'e' && token.front() != 'E') || !take_exponent(token.substr(1), parts.exponent)) {
      return std::nullopt;
    }
  }
  const std::size_t last = parts.digits.find_last_not_of('0');
  if (last == std::string::npos) {
    return Parts{};
  }
  parts.exponent += static_cast<std::int64_t>(parts.digits.size() - 1 - last);
  parts.digits.resize(last + 1);
  parts.digits.erase(0, parts.digits.find_first_not_of('0'));
  return parts;
}

struct Unit {
  std::string_view name;
  std::int64_t factor;  // times 10^digits nanoseconds
  int digits;
};
// Largest first: a duration is written in the largest unit in which it is short.
constexpr std::array kUnits = {Unit{"h", 36, 11}, Unit{"m", 6, 10}, Unit{"s", 1, 9},
                               Unit{"ms", 1, 6},  Unit{"us", 1, 3}, Unit{"ns", 1, 0}};

std::int64_t power_of_ten(int digits) {
  std::int64_t power = 1;
  for (int i = 0; i < digits; ++i) {
    power *= 10;
  }
  return power;
}

bool fits_int64(WideInteger value) {
  return value >= std::numeric_limits<std::int64_t>::min() && value <= std::numeric_limits<std::int64_t>::max();
}

bool is_plain_decimal(std::string_view number) {
  return number.find_first_of("eE") == std::string_view::npos;
}

// value / 10^digits without trailing zeros.
std::string decimal_text(std::int64_t value, int digits) {
  const std::int64_t one = power_of_ten(digits);
  const bool negative = value < 0;
  const std::int64_t whole = value / one;
  const std::int64_t fraction = negative ? -(value % one) : value % one;
  std::string text = (negative && whole == 0 ? "-" : "") + std::to_string(whole);
  if (fraction != 0) {
    std::string tail = std::to_string(fraction);
    tail.insert(0, static_cast<std::size_t>(digits) - tail.size(), '0');
    tail.resize(tail.find_last_not_of('0') + 1);
    text += "." + tail;
  }
  return text;
}

}  // namespace

ScaledNumber scaled_number(std::string_view token, int digits) {
  const std::optional<Parts> parts = split(token);
  if (!parts) {
    return {Exactness::malformed, 0};
  }
  if (parts->digits.empty()) {
    return {Exactness::exact, 0};
  }
  const std::int64_t exponent = parts->exponent + digits;
  if (exponent < 0) {
    return {Exactness::too_fine, 0};
  }
  if (static_cast<std::int64_t>(parts->digits.size()) + exponent > 38) {
    return {Exactness::too_large, 0};
  }
  WideInteger value = 0;
  for (const char c : parts->digits) {
    value = value * 10 + (c - '0');
  }
  for (std::int64_t i = 0; i < exponent; ++i) {
    value *= 10;
  }
  return {Exactness::exact, parts->negative ? -value : value};
}

std::string canonical_number(std::string_view token) {
  const std::optional<Parts> parts = split(token);
  if (!parts || parts->digits.empty()) {
    return "0";
  }
  std::string text = (parts->negative ? "-" : "") + parts->digits;
  return parts->exponent == 0 ? text : text + "e" + std::to_string(parts->exponent);
}

ParsedDuration parse_duration(std::string_view text) {
  const std::size_t number_length = std::min(text.find_first_not_of("-.0123456789eE+"), text.size());
  const std::string_view number = text.substr(0, number_length);
  const std::string_view unit_name = text.substr(number_length);
  for (const Unit& unit : kUnits) {
    if (unit.name != unit_name || !is_plain_decimal(number)) {
      continue;
    }
    const ScaledNumber scaled = scaled_number(number, unit.digits);
    if (scaled.exactness != Exactness::exact) {
      return {scaled.exactness, Duration::zero()};
    }
    constexpr WideInteger far = std::numeric_limits<std::int64_t>::max();
    if (scaled.value > far || scaled.value < -far || !fits_int64(scaled.value * unit.factor)) {
      return {Exactness::too_large, Duration::zero()};
    }
    return {Exactness::exact, Duration::nanoseconds(static_cast<std::int64_t>(scaled.value * unit.factor))};
  }
  return {};
}

std::string format_duration(Duration duration) {
  const std::int64_t count = duration.count();
  if (count == 0) {
    return "0s";
  }
  for (const Unit& unit : kUnits) {
    if (count % (unit.factor * power_of_ten(unit.digits)) == 0) {
      return std::to_string(count / (unit.factor * power_of_ten(unit.digits))) + std::string(unit.name);
    }
  }
  return std::to_string(count) + "ns";
}

ParsedRate parse_rate(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos || !is_plain_decimal(text.substr(0, slash))) {
    return {};
  }
  const std::string_view per = text.substr(slash + 1);
  const std::int64_t seconds = per == "s" ? 1 : per == "m" ? 60 : per == "h" ? 3600 : 0;
  if (seconds == 0) {
    return {};
  }
  const ScaledNumber scaled = scaled_number(text.substr(0, slash), 9);
  if (scaled.exactness != Exactness::exact) {
    return {scaled.exactness, {}};
  }
  constexpr WideInteger far = static_cast<WideInteger>(std::numeric_limits<std::int64_t>::max()) * 3600;
  if (scaled.value > far || scaled.value < -far) {
    return {Exactness::too_large, {}};
  }
  const WideInteger half = seconds / 2;
  const WideInteger value = (scaled.value + (scaled.value < 0 ? -half : half)) / seconds;
  if (!fits_int64(value)) {
    return {Exactness::too_large, {}};
  }
  return {Exactness::exact, Rate{static_cast<std::int64_t>(value)}};
}

std::string format_decimal(Decimal decimal) {
  return decimal_text(decimal.billionths, 9);
}

}  // namespace headroom
