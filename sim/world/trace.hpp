// Recorded arrivals and durations, from CSV or JSONL files.
//
//   Result<Trace> trace = read_trace("azure.csv", {.time = "arrival_ms", .tenant = "", .service = "exec_ms"});
//   if (trace) spec.entries = trace.value().entries_of("noisy");
//
// The unit of a column is the end of its name: `_ns`, `_us`, `_ms`, `_s`; without one of these it holds seconds.
// Numbers are read exactly, to the nearest nanosecond. Faults name the file and the line, several in one go; a file
// over kMaximumTraceBytes, more than kMaximumTraceRows rows, text that is not UTF-8, and times or services that are
// negative, NaN, infinite or beyond 292 years are refused.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "model/base/result.hpp"
#include "model/base/time.hpp"
#include "sim/world/arrivals.hpp"

namespace headroom {

inline constexpr std::size_t kMaximumTraceRows = 10'000'000;
inline constexpr std::size_t kMaximumTraceTenants = 1'000'000;

// Names of columns. An empty `tenant`: every row is everyone's. An empty `service`: the trace has none.
struct TraceColumns {
  std::string time;
  std::string tenant;
  std::string service;
  friend auto operator<=>(const TraceColumns&, const TraceColumns&) = default;
};

// The rows of a trace, in time order for each tenant; rows of one instant keep the order of the file.
class Trace {
 public:
  using Entries = std::vector<TraceEntry>;

  // Where the trace has a tenant column, the rows that bear this id (none is an empty list), else all rows.
  [[nodiscard]] std::shared_ptr<const Entries> entries_of(std::string_view tenant) const;
  // The ids in the tenant column, in byte order; empty where the trace has no such column.
  [[nodiscard]] std::vector<std::string> tenants() const;
  [[nodiscard]] bool has_service() const { return has_service_; }

 private:
  friend class TraceBuilder;
  bool has_tenant_ = false;
  bool has_service_ = false;
  // By tenant; without a tenant column one list under the empty name.
  std::map<std::string, std::shared_ptr<Entries>, std::less<>> entries_;
};

[[nodiscard]] Result<Trace> read_trace(const std::string& path, const TraceColumns& columns);

// One column as durations, in the order of the file; at least one. For empirical distributions.
[[nodiscard]] Result<std::vector<Duration>> read_durations(const std::string& path, const std::string& column);

}  // namespace headroom
