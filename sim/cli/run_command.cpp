#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "reports/render/json.hpp"
#include "reports/render/summary.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/interrupt.hpp"
#include "sim/cli/progress_bar.hpp"
#include "sim/cli/written_run.hpp"
#include "sim/run/recording.hpp"
#include "sim/run/run_scenario.hpp"
#include "sim/run/twin.hpp"
#include "sim/scenario/json_text.hpp"
#include "sim/scenario/nearest.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "sim/store/open_store.hpp"

namespace headroom {
namespace {

std::string command_line(const RunArguments& arguments, std::uint64_t seed) {
  std::string line = fmt::format("headroom run {} --seed {}", shell_word(arguments.scenario), seed);
  for (const std::string& set : arguments.set) {
    line += " --set " + shell_word(set);
  }
  for (const std::string& twin : arguments.twin) {
    line += " --twin " + shell_word(twin);
  }
  if (!arguments.run_twin) {
    line += " --no-twin";
  }
  if (arguments.max_events) {
    line += fmt::format(" --max-events {}", *arguments.max_events);
  }
  return arguments.properties ? line : line + " --no-properties";
}

RunLimits limits_of(const RunArguments& arguments, ProgressBar& bar) {
  const auto started = std::chrono::steady_clock::now();
  RunLimits limits{.max_events = arguments.max_events};
  limits.progress = [&bar](Time now, std::uint64_t events) { bar.show(now, events); };
  limits.stop = [started, most = arguments.max_seconds]() -> std::optional<std::string> {
    if (const std::optional<std::string> reason = stop_if_interrupted()()) {
      return reason;
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    return most && seconds > *most ? std::optional<std::string>("the limit of seconds was reached") : std::nullopt;
  };
  return limits;
}

ExitStatus verify_determinism(const Scenario& scenario, std::uint64_t seed, const std::string& command) {
  const Divergence divergence = find_divergence(scenario, seed);
  if (divergence.number == 0) {
    fmt::print(stderr, "two runs had the same events\n");
    return ExitStatus::holds;
  }
  fmt::print(stderr,
             "two runs of the same scenario and seed differ first in event {} at {} ns\n{} --verify-determinism\n",
             divergence.number, divergence.at.nanoseconds(), command);
  return ExitStatus::fault;
}

// The tenants that the twin leaves out; nothing, and the fault is printed, if the arguments name one that is not there.
std::optional<std::vector<std::string>> left_out(const RunArguments& arguments, const Scenario& scenario) {
  if (!arguments.run_twin) {
    return std::vector<std::string>();
  }
  std::vector<std::string_view> known;
  known.reserve(scenario.tenants.size());
  for (const TenantSpec& tenant : scenario.tenants) {
    known.push_back(tenant.name);
  }
  Diagnostics faults;
  for (const std::string& name : arguments.twin) {
    if (std::ranges::find(known, name) == known.end()) {
      faults.push_back({"--twin", "", "there is no tenant or group " + in_quotes(name), suggest(name, known)});
    }
  }
  if (!faults.empty()) {
    print_faults(faults);
    return std::nullopt;
  }
  return arguments.twin.empty() ? noisy_tenants(scenario) : arguments.twin;
}

// Makes the folder and opens the store, or prints why not and leaves neither.
std::optional<std::unique_ptr<Store>> open_outputs(const RunArguments& arguments) {
  std::error_code ignored;
  const bool is_new = !arguments.out.empty() && !std::filesystem::exists(arguments.out, ignored);
  if (!arguments.out.empty() && !make_folder(arguments.out)) {
    return std::nullopt;
  }
  if (arguments.store.empty()) {
    return nullptr;
  }
  Result<std::unique_ptr<Store>> opened = open_store(arguments.store, StoreUse::alone);
  if (!opened) {
    print_faults(opened.faults());
    if (is_new) {
      std::filesystem::remove(arguments.out, ignored);
    }
    return std::nullopt;
  }
  return std::move(opened.value());
}

// Whether the store followed the run to its end; says why if it did not.
ExitStatus status_of_store(const RunArguments& arguments, const RunReport& report, const std::string& command) {
  if (!report.store_failure.empty()) {
    print_faults(std::vector{store_fault(arguments.store, report.store_failure, "")});
    return ExitStatus::bad_input;
  }
  if (!report.store_difference.empty()) {
    fmt::print(stderr, "the store and the model differ first in {}\n{} --store {}\n", report.store_difference, command,
               shell_word(arguments.store));
    return ExitStatus::fault;
  }
  return ExitStatus::holds;
}

}  // namespace

ExitStatus run_command(const RunArguments& arguments) {
  if (arguments.sweeps && arguments.out.empty()) {
    print_faults(std::vector{no_folder_for_sweeps()});
    return ExitStatus::bad_input;
  }
  std::optional<RecordStretch> stretch;
  if (!arguments.record.empty()) {
    const Result<RecordStretch> parsed = parse_stretch(arguments.record);
    if (!parsed || arguments.out.empty()) {
      print_faults(parsed ? std::vector{Diagnostic{"--record", "", "there is no folder to write reports to",
                                                   "give --out DIR as well"}}
                          : parsed.faults());
      return ExitStatus::bad_input;
    }
    stretch = parsed.value();
  }
  const Result<Scenario> scenario = read_scenario(arguments.scenario, arguments.set);
  if (!scenario) {
    print_faults(scenario.faults());
    return ExitStatus::bad_input;
  }
  const std::optional<std::vector<std::string>> twin_without = left_out(arguments, scenario.value());
  if (!twin_without) {
    return ExitStatus::bad_input;
  }
  const std::uint64_t seed = arguments.seed.value_or(scenario.value().seed);
  const std::string command = command_line(arguments, seed);
  const std::optional<std::unique_ptr<Store>> opened = open_outputs(arguments);
  if (!opened) {
    return ExitStatus::bad_input;
  }
  Store* const store = opened->get();
  watch_interrupts();
  if (arguments.verify_determinism) {
    if (const ExitStatus status = verify_determinism(scenario.value(), seed, command); status != ExitStatus::holds) {
      return status;
    }
  }
  const std::unique_ptr<SweepLog> sweeps = arguments.sweeps ? sweep_log_in(arguments.out) : nullptr;
  RunReport report;
  {
    ProgressBar bar(scenario.value().duration);
    report = run_scenario({.scenario = scenario.value(),
                           .seed = seed,
                           .properties = arguments.properties,
                           .limits = limits_of(arguments, bar),
                           .sweeps = sweeps.get(),
                           .record = !arguments.out.empty(),
                           .stretch = stretch,
                           .command = command,
                           .twin_without = *twin_without,
                           .store = store});
  }
  if (const ExitStatus status = status_of_store(arguments, report, command); status != ExitStatus::holds) {
    return status;
  }
  if (!write_run(arguments.out, report, sweeps.get())) {
    return ExitStatus::bad_input;
  }
  if (arguments.json) {
    fmt::print("{}", render_result_json(report.result));
  } else {
    fmt::print("{}", render_summary(report.result));
    fmt::print("{} events in {:.2f} s: {:.2f} million a second, {} MB\n", report.result.events,
               report.timing.simulate_seconds, report.timing.events_per_second / 1e6,
               report.timing.peak_memory_bytes / 1'000'000);
    if (store != nullptr) {
      fmt::print("{} said the same in all {} transactions\n", arguments.store, report.store_transactions);
    }
  }
  std::fflush(stdout);
  const ExitStatus status = status_of(report.result);
  if (status != ExitStatus::holds) {
    fmt::print(stderr, "{}\n", command);
  }
  return status;
}

}  // namespace headroom
