// result.json and timing.json, with the keys of the specification, section 2.7, in its order.
//
// The same result gives the same bytes: numbers are printed in the shortest form that reads back the same, times are
// milliseconds. A figure that does not exist (a quantile of no sample, an undefined index) is null.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reports/metrics/run_result.hpp"

namespace headroom {

[[nodiscard]] std::string render_result_json(const RunResult& result);
[[nodiscard]] std::string render_timing_json(const RunTiming& timing);

// A metric named by its JSON pointer into result.json.
struct MetricValue {
  bool exists = false;          // there is a number, true or false, or null at the pointer
  std::optional<double> value;  // absent also for null: the figure does not exist in this run
};

// In the order of the pointers. The expectations, the verdict and the reasons of `result` are not looked at, so they
// can be filled from these values.
[[nodiscard]] std::vector<MetricValue> metric_values(const RunResult& result, std::span<const std::string> pointers);

}  // namespace headroom
