// Arrival processes: when a tenant's rows (or requests) come.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "model/base/time.hpp"
#include "sim/engine/decimal.hpp"
#include "sim/engine/distribution.hpp"

namespace headroom {

// Evenly spaced; the first after one interval.
struct ConstantArrivals {
  Rate rate;
};
struct PoissonArrivals {
  Rate rate;
};
// Markov modulated: Poisson at `rate_on` and `rate_off` in turn, for exponential times; starts off.
struct OnOffArrivals {
  Rate rate_on;
  Rate rate_off;
  Duration mean_on;
  Duration mean_off;
};
// Renewal process with Pareto intervals.
struct ParetoArrivals {
  Rate rate;
  Decimal shape;
};
struct ScheduledArrival {
  Time at;
  std::uint64_t n = 1;
};
struct ScheduleArrivals {
  std::vector<ScheduledArrival> at;
};
// Keeps n rows Pending: n at time 0, and each claim appends as many in the same step.
struct BacklogArrivals {
  std::uint64_t n = 0;
};
struct TraceEntry {
  Time at;
  Duration service;  // used when the trace has a service column
};
// Entries in time order; ties in the order of the file.
struct TraceArrivals {
  std::string file;
  bool has_service = false;
  std::shared_ptr<const std::vector<TraceEntry>> entries;
};
// `clients` clients, each of which waits for its row to be final, thinks, and appends the next.
struct ClosedLoopArrivals {
  std::uint32_t clients = 1;
  DistributionSpec think;
};

using ArrivalSpec = std::variant<ConstantArrivals, PoissonArrivals, OnOffArrivals, ParetoArrivals, ScheduleArrivals,
                                 BacklogArrivals, TraceArrivals, ClosedLoopArrivals>;

}  // namespace headroom
