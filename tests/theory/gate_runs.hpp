// Requests in front of a gate as a textbook queue. Times are in units of 10 ms, rates are per unit.
//
//   const GateMeasured measured = measure({.admission = R"({"max_inflight": 10})", .loads = {{.lambda = 8}}});
//   check_agrees("refused", measured.p503[0], erlang_b(8, 10));
#pragma once

#include <string>
#include <vector>

#include "sim/scenario/scenario.hpp"
#include "tests/theory/statistics.hpp"

namespace headroom::test {

inline const std::string kExponentialUnit = R"({"kind": "exponential", "mean": "10ms"})";
inline const std::string kConstantUnit = R"({"kind": "constant", "value": "10ms"})";
inline const std::string kLognormalUnit = R"({"kind": "lognormal", "mean": "10ms", "sigma": 1})";

// Arrivals as a scenario says them.
std::string poisson(double per_unit);
std::string closed_loop(int clients, double think_units);

struct RequestLoad {
  std::string arrivals;
  std::string service = kExponentialUnit;
  std::string limits = "{}";  // of the tenant
};

struct GateRun {
  std::string admission;
  std::vector<RequestLoad> loads;  // by tenant
  int units = 5'000;               // measured
  int warmup_units = 300;
  int runs = 20;
};

// By tenant; parts are of its arrivals.
struct GateMeasured {
  std::vector<Sample> p429;
  std::vector<Sample> p503;
  std::vector<Sample> accepted;
  std::vector<Sample> effective;  // accepted a unit
  std::vector<Sample> inflight;
  std::vector<Sample> waiting;
  std::vector<Sample> response;
  std::vector<Sample> throughput;
  // Of all tenants together.
  Sample waits_at_all;
  Sample wait;  // of those admitted
  Sample wait_squared;
  Sample blocked;    // refused on arrival
  Sample timed_out;  // refused after a wait
};

Scenario scenario_of(const GateRun& run);
GateMeasured measure(const GateRun& run);

}  // namespace headroom::test
