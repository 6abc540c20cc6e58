// Latency shifts: by what factor work takes longer, when, and for whom.
#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "model/base/ids.hpp"
#include "model/base/time.hpp"
#include "sim/engine/decimal.hpp"

namespace headroom {

// `factor` from `at` on, for `duration`.
struct StepShift {
  Duration duration;
};
// Grows evenly from 1 to `factor` over `over`, then stays for `duration`.
struct RampShift {
  Duration over;
  Duration duration;
};
// Jumps to `factor` at `at` and falls evenly back to 1 over `duration`.
struct SpikeShift {
  Duration duration;
};
// `factor` for `duration`, from `at` on once in every `every`.
struct PeriodicShift {
  Duration every;
  Duration duration;
};
using ShiftShape = std::variant<StepShift, RampShift, SpikeShift, PeriodicShift>;

// What slows down. A tenant, a node: the service times of its rows and requests. A queue (route): those of its rows.
// The store: sweep and claim costs. The database pool: whatever holds a connection. Downstream: the part of a handler
// that holds a place in the next service.
enum class ShiftTarget : std::uint8_t { tenant, route, node, store, database_pool, downstream };

struct LatencyShift {
  ShiftTarget target = ShiftTarget::tenant;
  std::string name;  // of the tenant, queue or node; empty for store, database_pool and downstream
  Decimal factor = Decimal::whole(1);
  Time at;
  ShiftShape shape;
};

// By what factor work that starts at this instant takes longer because of the shift; 1 where it does not apply. Spans
// are closed at their start and open at their end. Between two values the billionth below. Needs factor >= 0 and
// durations >= 0, `every` > 0.
[[nodiscard]] Decimal shift_factor_at(const LatencyShift& shift, Time now);

// duration * factor to the nearest nanosecond, halves up, at least 1 ns of what is not nothing; Duration::max() where
// it is longer. Both at least 0.
[[nodiscard]] Duration scaled(Duration duration, Decimal factor);

}  // namespace headroom
