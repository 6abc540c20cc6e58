// What a check found, as a file that a person can read and `headroom replay` walks again.
//
//   for (const CounterexampleFile& file : counterexamples_of(report, document)) write(folder / file.name, file.text);
//   const Result<Replay> replay = replay_counterexample("out/counterexample-gate_progress.json");
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "model/base/result.hpp"
#include "model/checker/confirm.hpp"
#include "model/checker/result.hpp"
#include "sim/run/check_scenario.hpp"

namespace headroom {

// A trace, what it is of, and the scenario whose steps it takes.
struct Counterexample {
  std::string scenario_file;  // where it was; files that it names are relative to it
  std::string scenario_text;  // overrides applied
  checker::Claim claim;
  std::string shows;  // the reason; of an extreme or a wait, its value
  std::optional<std::size_t> point_of_no_return;
  checker::Trace trace;
};

struct CounterexampleFile {
  std::string name;
  std::string text;
  Counterexample counterexample;  // what the text says
};

[[nodiscard]] std::string render_counterexample(const Counterexample& counterexample);

// One for every violation ("counterexample-NAME.json"), then the shortest ways to the extremes and the longest waits
// ("extreme-NUMBER-FIGURE.json"). Sets the file names of the report's judgements. `document`: read_document's.
[[nodiscard]] std::vector<CounterexampleFile> counterexamples_of(CheckReport& report, const std::string& file,
                                                                 const std::string& document);

[[nodiscard]] Result<Counterexample> read_counterexample(const std::string& path);

struct Replay {
  Counterexample counterexample;
  Scenario scenario;
  // The model takes the same steps, and the last shows the same; fault: why not.
  bool confirmed = false;
  std::optional<Diagnostic> fault;
};
// The faults are those of the file or of the scenario in it.
[[nodiscard]] Result<Replay> replay_counterexample(const std::string& path);

}  // namespace headroom
