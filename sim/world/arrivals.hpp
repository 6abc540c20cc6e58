// Arrival processes: when a tenant's rows (or requests) come.
//
//   ArrivalProcess process(spec.arrivals, Stream(seed, tenant.id, Purpose::arrivals));
//   while (const std::optional<Arrival> arrival = process.next()) append_at(arrival->at, arrival->n);
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "model/base/time.hpp"
#include "sim/engine/decimal.hpp"
#include "sim/engine/distribution.hpp"
#include "sim/engine/fixed_point.hpp"
#include "sim/engine/stream.hpp"
#include "sim/engine/variate.hpp"

namespace headroom {

// Evenly spaced; the first after one interval.
struct ConstantArrivals {
  Rate rate;
};
struct PoissonArrivals {
  Rate rate;
};
// Markov modulated: Poisson at `rate_on` and `rate_off` in turn, for exponential times; starts off. Both means are
// above 0.
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
  std::string time;     // column of the instants
  std::string tenant;   // column of the tenant's id: other tenants' entries are passed over; empty: all entries count
  std::string service;  // column of the service times; empty: none
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

// Backlogs and closed loops answer to what happens to their rows, so the world runs them; all others are known ahead.
[[nodiscard]] bool is_reactive(const ArrivalSpec& spec);

// `n` rows that come at one instant. `service` is given by traces that have it.
struct Arrival {
  Time at;
  std::uint64_t n = 1;
  std::optional<Duration> service;
  friend bool operator==(const Arrival&, const Arrival&) = default;
};

// The arrivals of one tenant in time order, one batch at a time. A value; copies of it go on alike. Instants are sums
// of exact intervals (units of 2^-64 ns), rounded only when they are given out, so rates do not drift; the k-th arrival
// of a constant rate r is at k / r, to the nearest nanosecond, halves up.
class ArrivalProcess {
 public:
  // `spec` is not reactive. Only random processes draw from the stream.
  ArrivalProcess(const ArrivalSpec& spec, Stream stream);

  // Nothing once all have come, or when the next would come after the end of time (292 years).
  [[nodiscard]] std::optional<Arrival> next();

 private:
  // k / r as a whole part and a rest in units of 1 / rate: exact.
  struct EvenlySpaced {
    std::uint64_t nanohertz;
    std::uint64_t nanoseconds = 0;
    std::uint64_t rest = 0;
  };
  template <class Variate>
  struct Renewal {
    Fixed mean_interval;
    Variate variate;
    Fixed now;
  };
  struct Modulated {
    struct State {
      std::optional<Fixed> mean_interval;  // none at rate 0
      Fixed mean_length;
    };
    State states[2];  // off, on
    std::size_t state = 0;
    Fixed now;
    Fixed state_end;
  };
  struct Scheduled {
    std::shared_ptr<const std::vector<ScheduledArrival>> batches;
    std::size_t position = 0;
  };
  struct Traced {
    std::shared_ptr<const std::vector<TraceEntry>> entries;
    bool has_service;
    std::size_t position = 0;
  };
  struct Nothing {};
  using Source = std::variant<Nothing, EvenlySpaced, Renewal<ExponentialVariate>, Renewal<ParetoVariate>, Modulated,
                              Scheduled, Traced>;
  struct SourceOf;
  struct NextOf;

  Stream stream_;
  Source source_;
};

}  // namespace headroom
