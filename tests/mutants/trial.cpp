#include "tests/mutants/trial.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "model/base/assert.hpp"
#include "tests/mutants/process.hpp"

namespace headroom::mutants {
namespace {

// The cases of ./dev test. Failures need no smallest case here.
constexpr std::string_view kPropertyCases = "RC_PARAMS=seed=1 max_success=200 noshrink=1";

std::string quoted(std::string_view word) {
  std::string text = "'";
  for (const char c : word) {
    text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return text + "'";
}

// A test case is named whole; commas, brackets and asterisks mean something to Catch2, as does a trailing backslash.
std::string as_test_spec(std::string_view name) {
  std::string spec;
  for (const char c : name) {
    if (c == ',' || c == '[' || c == '*' || c == '\\') {
      spec += '\\';
    }
    spec += c;
  }
  return spec;
}

}  // namespace

Says Trial::says(std::string_view property) const {
  const auto found = std::ranges::find(observations, property, &Observation::property);
  return found == observations.end() ? Says::nothing : found->says;
}

std::string Trial::reason(std::string_view property) const {
  const auto found = std::ranges::find(observations, property, &Observation::property);
  return found == observations.end() ? "" : found->reason;
}

std::vector<std::string> Trials::arguments(const Killer& killer) const {
  switch (killer.engine) {
    case Engine::run:
    case Engine::check:
      return {programs_ + "/mutants", "--observe", killer.engine == Engine::run ? "run" : "check",
              root_ + "/" + std::string(killer.subject)};
    case Engine::test:
      return {programs_ + "/" + std::string(killer.subject), as_test_spec(killer.property)};
  }
  return {};
}

Trial Trials::run(const Killer& killer, std::string_view mutant) const {
  const ProcessEnd end = run_process(
      arguments(killer),
      {fmt::format("{}={}", kMutantVariable, mutant), std::string(kPropertyCases), "HEADROOM_SOURCE_DIR=" + root_},
      kSecondsForTrial);
  Trial trial{.message = end.err, .seconds = end.seconds};
  if (end.out_of_time) {
    trial.ended = Trial::Ended::out_of_time;
  } else if (killer.engine == Engine::test && end.exit_status > 0) {
    trial.observations.push_back({std::string(killer.property), Says::broken, end.out});
  } else if (end.exit_status == kFaultExitStatus) {
    trial.ended = Trial::Ended::fault;
  } else if (end.exit_status != 0) {
    trial.ended = Trial::Ended::failed;
  } else if (killer.engine == Engine::test) {
    // A name that fits no test is no failure for Catch2.
    const bool ran = end.out.find("All tests passed") != std::string::npos;
    trial.observations.push_back({std::string(killer.property), ran ? Says::holds : Says::nothing, end.out});
  } else {
    trial.observations = parse_observations(end.out);
  }
  return trial;
}

std::string Trials::command(const Killer& killer, std::string_view mutant) const {
  std::string text = fmt::format("{}={}", kMutantVariable, mutant);
  if (killer.engine == Engine::test) {
    text += fmt::format(" RC_PARAMS={}", quoted(kPropertyCases.substr(kPropertyCases.find('=') + 1)));
  }
  for (const std::string& word : arguments(killer)) {
    text += " " + (word.find_first_of(" ,'\\[") == std::string::npos ? word : quoted(word));
  }
  return text;
}

std::vector<std::string> Trials::tests_of(std::string_view program, std::string_view tag) const {
  const ProcessEnd end =
      run_process({programs_ + "/" + std::string(program), "--list-test-names-only", std::string(tag)}, {}, 0);
  std::vector<std::string> names;
  std::string_view text = end.out;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (!line.empty()) {
      names.emplace_back(line);
    }
  }
  return names;
}

}  // namespace headroom::mutants
