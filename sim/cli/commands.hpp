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
  std::string record;             // a stretch; empty: none
  std::vector<std::string> twin;  // tenants and groups that the twin run leaves out; empty: those marked noisy
  bool run_twin = true;           // false: there is none
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

struct CheckArguments {
  std::string scenario;
  std::vector<std::string> set;
  unsigned threads = 1;
  std::optional<std::uint64_t> max_states;
  std::string max_memory;  // a size; empty: most of the machine's
  std::optional<double> max_seconds;
  bool symmetry = true;
  bool stop_at_first = false;
  bool expect = false;
  std::string dot;  // empty: no picture
  bool json = false;
  std::string out;  // empty: nothing is written
};
[[nodiscard]] ExitStatus check_command(const CheckArguments& arguments);

struct ReplayArguments {
  std::string file;
  std::optional<std::uint64_t> event;
  bool json = false;
  std::string out;  // empty: nothing is written
};
[[nodiscard]] ExitStatus replay_command(const ReplayArguments& arguments);

[[nodiscard]] ExitStatus list_command(bool json);
[[nodiscard]] ExitStatus schema_command();

// Prints each fault on a line of stderr.
void print_faults(std::span<const Diagnostic> faults);

// Makes the folder that --out names; says so if it cannot.
[[nodiscard]] bool make_folder(const std::string& path);

// "512MB", "4GiB", "1000000": bytes; nothing if it is no size.
[[nodiscard]] std::optional<std::size_t> parse_size(const std::string& text);

// `text` as one word of a shell.
[[nodiscard]] std::string shell_word(const std::string& text);

}  // namespace headroom
