// How figures are worded where people read them. Machines read result.json, which rounds nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "reports/metrics/run_result.hpp"

namespace headroom {

// Milliseconds with three significant digits, without a unit: 0.12, 45.6, 1234.
[[nodiscard]] std::string worded_milliseconds(std::int64_t nanoseconds);
// Milliseconds with every digit: 0, 1.5, 0.000001.
[[nodiscard]] std::string exact_milliseconds(std::int64_t nanoseconds);
// Seconds with every digit: 0, 1.5, 0.000000001.
[[nodiscard]] std::string exact_seconds(Int128 nanoseconds);
// A span with its unit: 250 ms, 1.5 s, 120 s.
[[nodiscard]] std::string worded_duration(Duration duration);
// 33.3%; "-" when absent.
[[nodiscard]] std::string worded_percent(const std::optional<double>& fraction);
// Four decimals; "undefined" when absent.
[[nodiscard]] std::string worded_index(const std::optional<double>& index);
// 1,234,567.
[[nodiscard]] std::string worded_count(std::uint64_t count);
// 999,999, then three significant digits: 1.23M, 45.6G. At most seven columns, below 10^15.
[[nodiscard]] std::string short_count(std::uint64_t count);
// A number or a word; "none" for no figure.
[[nodiscard]] std::string worded(const Figure& figure);
// "at most 200", "at least 0.9", "0.9 to 1", "" without a bound.
[[nodiscard]] std::string worded_bound(const Judgement& judgement);
// The name, with "(broken)" after a property that the scenario expects to be violated.
[[nodiscard]] std::string worded_name(const Judgement& judgement);

// Columns that UTF-8 text takes on a terminal, one for each code point.
[[nodiscard]] std::size_t columns_of(std::string_view text);
// Cut to so many columns, with an ellipsis when something was cut off.
[[nodiscard]] std::string cut_to_columns(std::string_view text, std::size_t columns);

}  // namespace headroom
