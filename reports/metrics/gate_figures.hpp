// What is reported of the HTTP side: of a tenant's requests, and of what all handlers share.
//
// Counters count from time 0 and are as of the end of the measured part, like those of rows; distributions, averages
// and what stands in `measured` are of the measured part.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reports/metrics/distribution_summary.hpp"

namespace headroom {

struct GateCounts {
  std::uint64_t arrived = 0;  // tries that reached a gate
  std::uint64_t admitted = 0;
  std::uint64_t rejected_429 = 0;
  std::uint64_t rejected_503 = 0;
  std::uint64_t goodput = 0;  // answered 2xx while the client waited for it
};

struct GateFigures {
  GateCounts counts;
  GateCounts measured;
  std::uint64_t finished = 0;
  std::uint64_t gone = 0;
  std::uint64_t inside_at_end = 0;  // running and waiting

  std::map<std::string, std::uint64_t> rejected_by;  // by reason

  std::uint64_t calls = 0;    // logical requests
  std::uint64_t retries = 0;  // tries after the first
  std::uint64_t timeouts = 0;
  std::uint64_t gave_up = 0;
  std::uint64_t unreachable = 0;  // tries that found no process
  std::uint64_t abandoned = 0;    // clients that left a running handler
  std::uint64_t dead_work = 0;    // handlers that succeeded for a client that had left
  std::uint64_t failed = 0;       // handlers that failed of themselves
  std::uint64_t crashed = 0;      // handlers whose process died
  std::uint64_t database_timeouts = 0;
  std::uint64_t downstream_timeouts = 0;

  std::uint64_t peak_at_once = 0;          // most tries that reached a gate in one instant
  std::uint64_t peak_retries_at_once = 0;  // of those that are not first ones

  DistributionSummary wait;      // at the gate, of those admitted
  DistributionSummary handling;  // from the admission to the end of the handler
  DistributionSummary response;  // from the first try to the answer in time
  double mean_inflight = 0;      // over time
  double mean_waiting = 0;       // over time
  // |L - lambda W| / L for the handlers, times within the measured part: Little's law, as a check of the simulator.
  // Absent: nothing was in flight.
  std::optional<double> little_residual;
  std::optional<double> success_rate;   // of the logical requests that were answered or given up
  std::optional<double> amplification;  // tries per logical request
  // Over the last fifth of the measured part; absent: it has no whole window.
  std::optional<double> goodput_at_end_per_second;
};

// Of one resource that handlers (and executing rows) share.
struct ResourceFigures {
  std::uint32_t size = 0;
  std::uint32_t reserve = 0;
  std::uint32_t in_use_at_end = 0;
  std::uint32_t peak_in_use = 0;
  std::uint32_t peak_waiting = 0;
  DistributionSummary wait;  // of those that asked, those who gave up included; without health checks
  std::uint64_t timeouts = 0;
  std::uint64_t health_check_timeouts = 0;
};

// A process as it stands at the end of the measured part.
struct ProcessFigures {
  std::string name;
  bool ready = true;
  bool live = true;
  std::uint32_t queue_depth = 0;
  std::uint32_t inflight = 0;
};

// All processes together.
struct FleetFigures {
  std::uint32_t processes = 0;
  std::optional<std::uint32_t> max_inflight;  // of each process; absent: none
  bool derived_from_pool = false;             // `max_inflight` follows from the database pool
  std::uint32_t peak_inflight = 0;            // of a process
  std::uint32_t peak_queue_depth = 0;         // of a process
  std::uint64_t readiness_changes = 0;
  Int128 unready_time = 0;  // nanoseconds, summed over the processes
  std::vector<ProcessFigures> at_end;
  std::optional<ResourceFigures> database_pool;
  std::optional<ResourceFigures> downstream;
};

}  // namespace headroom
