// Decimal numbers of a scenario as exact integers. Nothing passes through floating point.
//
//   scaled_number("1.5", 9)        // 1500000000
//   parse_duration("1.5s")         // 1500000000 ns
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "model/base/time.hpp"
#include "sim/engine/decimal.hpp"

namespace headroom {

enum class Exactness : std::uint8_t {
  exact,
  too_fine,   // not a whole number of the unit
  too_large,  // beyond 38 digits
  malformed,  // not a decimal number
};

__extension__ using WideInteger = __int128;

struct ScaledNumber {
  Exactness exactness = Exactness::malformed;
  WideInteger value = 0;
};

// number * 10^digits, of a decimal number as JSON writes it (sign, fraction, exponent).
[[nodiscard]] ScaledNumber scaled_number(std::string_view token, int digits);

// The number without superfluous zeros, the same for 1, 1.0 and 10e-1; used in digests.
[[nodiscard]] std::string canonical_number(std::string_view token);

// Longest duration that a scenario may name: ten years. Sums of a few of them stay far from the end of time.
inline constexpr Duration kMaxDuration = Duration::seconds(87'600LL * 3600);
// Highest rate: one event a nanosecond.
inline constexpr Rate kMaxRate{1'000'000'000LL * 1'000'000'000LL};

struct ParsedDuration {
  Exactness exactness = Exactness::malformed;
  Duration value;  // of any sign; not yet held against kMaxDuration, but within int64
};
// A decimal number and a unit (ns, us, ms, s, m, h) without space: "250ms", "1.5s".
[[nodiscard]] ParsedDuration parse_duration(std::string_view text);
// The shortest exact form: "250ms", "1500us" as "1.5ms".
[[nodiscard]] std::string format_duration(Duration duration);

struct ParsedRate {
  Exactness exactness = Exactness::malformed;
  Rate value;  // to the nearest 10^-9 per second
};
// A decimal number per s, m or h: "5/s", "0.1/m".
[[nodiscard]] ParsedRate parse_rate(std::string_view text);

// The shortest exact form of a fixed point number: "0.25".
[[nodiscard]] std::string format_decimal(Decimal decimal);

}  // namespace headroom
