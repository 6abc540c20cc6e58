// Decimal numbers of trace files, read to whole nanoseconds without going through floating point.
#pragma once

#include <optional>
#include <string_view>

#include "model/base/time.hpp"

namespace headroom {

// The unit of a column of numbers, by the end of its name: `_ns`, `_us`, `_ms`, `_s`; without one of these, seconds.
struct ColumnUnit {
  int power_of_ten = 9;  // nanoseconds in one unit
  std::string_view plural = "seconds";
};
[[nodiscard]] ColumnUnit unit_of_column(std::string_view name);

enum class NumberFault : std::uint8_t { none, not_a_number, negative, too_large };

struct ParsedDuration {
  Duration value;
  NumberFault fault = NumberFault::none;
};

// `12`, `-3.25`, `.5`, `1e-3`, spaces around it allowed; to the nearest nanosecond, halves up. Hexadecimal, infinities,
// NaN and digit separators are not numbers; what does not fit in a Duration is too large.
[[nodiscard]] ParsedDuration parse_duration(std::string_view text, ColumnUnit unit);

}  // namespace headroom
