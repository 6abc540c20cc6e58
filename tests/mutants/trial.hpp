// One try: an engine at work in a process of its own, with one fault planted in it or none. Whatever the fault does to
// that process (a wrong result, a broken assertion, a loop without end) is something that was noticed, or was not.
//
//   const Trials trials(place_of_programs, root);
//   const Trial trial = trials.run({Engine::run, "scenarios/cases/slices.json", "slice"}, mutant);
//   if (trial.says("slice") == Says::broken) ...
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tests/mutants/observe.hpp"
#include "tests/mutants/registry.hpp"

namespace headroom::mutants {

// A mutant may use this much processor time.
inline constexpr int kSecondsForTrial = 10;

struct Trial {
  enum class Ended : std::uint8_t {
    whole,        // it came to its end and said what it saw
    fault,        // an assertion of the model was broken
    out_of_time,  // it used up kSecondsForTrial
    failed,       // anything else
  };
  Ended ended = Ended::whole;
  std::vector<Observation> observations;
  std::string message;  // what it printed on stderr
  double seconds = 0;

  [[nodiscard]] Says says(std::string_view property) const;
  [[nodiscard]] std::string reason(std::string_view property) const;
};

class Trials {
 public:
  // `programs`: the folder of this program and the test programs; `root`: of the tree.
  Trials(std::string programs, std::string root) : programs_(std::move(programs)), root_(std::move(root)) {}

  // Of a killer's engine and subject; of a test also its property.
  [[nodiscard]] Trial run(const Killer& killer, std::string_view mutant) const;
  // The same as a command for a shell.
  [[nodiscard]] std::string command(const Killer& killer, std::string_view mutant) const;
  // Names of the test cases of a program that have this tag.
  [[nodiscard]] std::vector<std::string> tests_of(std::string_view program, std::string_view tag) const;

 private:
  [[nodiscard]] std::vector<std::string> arguments(const Killer& killer) const;

  std::string programs_;
  std::string root_;
};

}  // namespace headroom::mutants
