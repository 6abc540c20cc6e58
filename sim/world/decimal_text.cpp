#include "sim/world/decimal_text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <utility>

namespace headroom {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr Wide kLargest = static_cast<Wide>(std::numeric_limits<std::int64_t>::max());

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::string_view without_spaces(std::string_view text) {
  constexpr std::string_view spaces = " \t";
  const std::size_t first = text.find_first_not_of(spaces);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(spaces) - first + 1);
}

// The digits of a number, without its point: value = significand * 10^exponent.
struct Digits {
  Wide significand = 0;
  std::int64_t exponent = 0;
  bool any = false;

  // More digits than fit move the exponent only: they are below 10^-28 of the value.
  void add(char digit, bool after_point) {
    any = true;
    constexpr Wide room = (~Wide{0} - 9) / 10;
    if (significand <= room) {
      significand = significand * 10 + static_cast<Wide>(digit - '0');
      exponent -= after_point ? 1 : 0;
    } else {
      exponent += after_point ? 0 : 1;
    }
  }
};

class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  bool take(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void take_digits(Digits& digits, bool after_point) {
    while (!rest_.empty() && is_digit(rest_.front())) {
      digits.add(rest_.front(), after_point);
      rest_.remove_prefix(1);
    }
  }
  // False where there are no digits. Exponents beyond any use are cut short, which changes no result.
  bool take_exponent(std::int64_t& exponent) {
    const bool negative = take('-');
    if (!negative) take('+');
    if (rest_.empty() || !is_digit(rest_.front())) return false;
    std::int64_t value = 0;
    while (!rest_.empty() && is_digit(rest_.front())) {
      value = std::min<std::int64_t>(value * 10 + (rest_.front() - '0'), 1'000'000'000'000);
      rest_.remove_prefix(1);
    }
    exponent += negative ? -value : value;
    return true;
  }
  [[nodiscard]] bool at_end() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

// significand * 10^exponent to the nearest whole number, halves up; more than kLargest where it does not fit.
Wide scale(Wide significand, std::int64_t exponent) {
  for (; exponent > 0 && significand != 0 && significand <= kLargest; --exponent) significand *= 10;
  if (exponent >= 0) return significand;
  for (; exponent < -1 && significand != 0; ++exponent) significand /= 10;  // floors keep the last digit exact
  return (significand + 5) / 10;
}

}  // namespace

ColumnUnit unit_of_column(std::string_view name) {
  if (name.ends_with("_ns")) return {0, "nanoseconds"};
  if (name.ends_with("_us")) return {3, "microseconds"};
  if (name.ends_with("_ms")) return {6, "milliseconds"};
  return {9, "seconds"};
}

ParsedDuration parse_duration(std::string_view text, ColumnUnit unit) {
  constexpr ParsedDuration not_a_number{Duration::zero(), NumberFault::not_a_number};
  Scanner scanner(without_spaces(text));
  const bool negative = scanner.take('-');
  if (!negative) scanner.take('+');
  Digits digits;
  scanner.take_digits(digits, false);
  if (scanner.take('.')) scanner.take_digits(digits, true);
  if (!digits.any) return not_a_number;
  if ((scanner.take('e') || scanner.take('E')) && !scanner.take_exponent(digits.exponent)) return not_a_number;
  if (!scanner.at_end()) return not_a_number;
  if (digits.significand == 0) return {};
  if (negative) return {Duration::zero(), NumberFault::negative};
  const Wide nanoseconds = scale(digits.significand, digits.exponent + unit.power_of_ten);
  if (nanoseconds > kLargest) return {Duration::zero(), NumberFault::too_large};
  return {Duration::nanoseconds(static_cast<std::int64_t>(nanoseconds))};
}

}  // namespace headroom
