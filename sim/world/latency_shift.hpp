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

// What slows down. A tenant, a queue (route), a node: the service time of its rows. The store: sweep and claim costs.
enum class ShiftTarget : std::uint8_t { tenant, route, node, store };

struct LatencyShift {
  ShiftTarget target = ShiftTarget::tenant;
  std::string name;  // of the tenant, queue or node; empty for the store
  Decimal factor = Decimal::whole(1);
  Time at;
  ShiftShape shape;
};

}  // namespace headroom
