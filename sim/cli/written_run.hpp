// What the commands that run something share: the files that they leave, and the status with which they end.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "model/base/result.hpp"
#include "reports/render/sweeps_jsonl.hpp"
#include "sim/cli/commands.hpp"
#include "sim/run/run_scenario.hpp"

namespace headroom {

// A reason to stop, once Ctrl-C was pressed.
[[nodiscard]] std::function<std::optional<std::string>()> stop_if_interrupted();

[[nodiscard]] ExitStatus status_of(const RunResult& result);

// --sweeps without --out.
[[nodiscard]] Diagnostic no_folder_for_sweeps();
[[nodiscard]] std::unique_ptr<SweepLog> sweep_log_in(const std::string& out);

// Writes the files of the run to `out` (empty: nothing is written) and ends the log of sweeps (null: there is none).
// Says so if it cannot.
[[nodiscard]] bool write_run(const std::string& out, const RunReport& report, SweepLog* sweeps);

}  // namespace headroom
