// trace.json: a run for chrome://tracing and ui.perfetto.dev, in the Trace Event Format (JSON).
//
// A node is a process, a tenant or group a track of it; where several of its rows are in progress at once it has as
// many tracks. A row is a slice from its claim to the end of its execution, with the wait for a worker as a slice
// inside it. Faults are instants over all tracks, and what lasts (latency shifts, pauses) is a slice of the process
// "run".
//
// It is bounded: RowSliceBook says which rows are in it, and "otherData" how many of how many.
#pragma once

#include <string>

#include "reports/metrics/run_result.hpp"

namespace headroom {

[[nodiscard]] std::string render_perfetto(const RunResult& result);

}  // namespace headroom
