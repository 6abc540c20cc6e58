// The commands of the program. Each takes its parsed arguments, prints its result on stdout and what it has to say on
// stderr, and returns the exit status.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/base/result.hpp"

namespace headroom {

// When several hold, the first of fault, bad_input, interrupted, violated, undecided counts.
enum class ExitStatus : int { holds = 0, violated = 1, bad_input = 2, undecided = 3, fault = 4, interrupted = 130 };

struct RunArguments {
  std::string scenario;
  std::vector<std::string> set;
  std::optional<std::uint64_t> seed;
  std::string out;  // empty: nothing is written
  bool json = false;
  bool properties = true;
  bool verify_determinism = false;
  bool sweeps = false;
  std::optional<std::uint64_t> max_events;
  std::optional<double> max_seconds;
};
[[nodiscard]] ExitStatus run_command(const RunArguments& arguments);

struct ValidateArguments {
  std::vector<std::string> scenarios;
  std::vector<std::string> set;
  bool json = false;
};
[[nodiscard]] ExitStatus validate_command(const ValidateArguments& arguments);

struct WhyArguments {
  std::string scenario;
  std::vector<std::string> set;
  std::optional<std::uint64_t> seed;
  std::string tenant;
  std::string row;
  std::string request;
  std::string at;
  bool json = false;
};
[[nodiscard]] ExitStatus why_command(const WhyArguments& arguments);

[[nodiscard]] ExitStatus list_command(bool json);
[[nodiscard]] ExitStatus schema_command();

// Prints each fault on a line of stderr.
void print_faults(std::span<const Diagnostic> faults);

// `text` as one word of a shell.
[[nodiscard]] std::string shell_word(const std::string& text);

}  // namespace headroom
