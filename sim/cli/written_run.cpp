#include "sim/cli/written_run.hpp"

#include <filesystem>
#include <system_error>

#include "reports/render/run_files.hpp"
#include "sim/cli/interrupt.hpp"

namespace headroom {
namespace {

constexpr const char* kInterrupted = "interrupted";

std::filesystem::path sweeps_file(const std::string& out) {
  return std::filesystem::path(out) / "sweeps.jsonl";
}

}  // namespace

std::function<std::optional<std::string>()> stop_if_interrupted() {
  return [] { return interrupted() ? std::optional<std::string>(kInterrupted) : std::nullopt; };
}

ExitStatus status_of(const RunResult& result) {
  if (result.stopped_early == kInterrupted) {
    return ExitStatus::interrupted;
  }
  switch (result.verdict) {
    case Verdict::pass:
      return ExitStatus::holds;
    case Verdict::fail:
      return ExitStatus::violated;
    case Verdict::undecided:
      return ExitStatus::undecided;
  }
  return ExitStatus::fault;
}

Diagnostic no_folder_for_sweeps() {
  return {"--sweeps", "", "there is no folder to write sweeps.jsonl to", "give --out DIR as well"};
}

std::unique_ptr<SweepLog> sweep_log_in(const std::string& out) {
  return std::make_unique<SweepLog>(sweeps_file(out));
}

bool write_run(const std::string& out, const RunReport& report, SweepLog* sweeps) {
  if (sweeps != nullptr) {
    if (const auto written = sweeps->finish(); !written) {
      print_faults(written.faults());
      return false;
    }
  }
  if (!out.empty()) {
    if (sweeps == nullptr) {  // one that is there is of another run
      std::error_code ignored;
      std::filesystem::remove(sweeps_file(out), ignored);
    }
    if (const auto written = write_run_files(out, report.result, report.timing); !written) {
      print_faults(written.faults());
      return false;
    }
  }
  return true;
}

}  // namespace headroom
