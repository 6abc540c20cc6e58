// Rows in front of workers as a textbook queue: one node with c workers, no binding ceiling or batch, wakes without a
// gap, so that `wait` is the time in the queue (Wq) and `sojourn` the time in the system (W).
//
//   const QueueMeasured measured = measure({.loads = {{.lambda = 8}}, .servers = 10});
//   check_agrees("Wq", measured.wait[0], wait_in_mmc(8, 1, 10));
//
// Times are in units of 10 ms, the tables' mean service times; rates are per unit.
#pragma once

#include <string>
#include <vector>

#include "sim/scenario/scenario.hpp"
#include "tests/theory/statistics.hpp"

namespace headroom::test {

// Laws of service as a scenario says them.
std::string exponential_service(double mean_units);
std::string constant_service();
// One of these, each as likely: so many times a short one, and a long one.
std::string two_point_service(int shorts, int short_ms, int long_ms);

struct RowLoad {
  double lambda = 0;
  int weight = 1;
};

struct Queue {
  std::vector<RowLoad> loads;  // by tenant: "a", "b", ...
  std::string service = exponential_service(1);
  int servers = 1;
  std::string dispatch = "parallel";
  std::string planner = "rotating";
  int batch = 1'000'000;
  std::string poll_interval = "10s";
  int rows = 10'000;         // measured, about
  int warmup_units = 2'000;  // many times as long as the queue remembers
  int runs = 20;
  // Fractions beyond these are measured.
  double wait_beyond = 0;
  double sojourn_beyond = 0;
};

struct QueueMeasured {
  std::vector<Sample> wait;  // Wq by tenant
  Sample sojourn;            // W
  Sample present;            // L, integrated over time
  Sample queued;             // Lq
  Sample busy;               // servers at work
  Sample waits_at_all;       // of the rows
  Sample waits_beyond;
  Sample sojourns_beyond;
  Sample ten_or_more;  // of the time: rows in the system
};

Scenario scenario_of(const Queue& queue);
QueueMeasured measure(const Queue& queue);

}  // namespace headroom::test
