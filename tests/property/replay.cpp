#include "tests/property/replay.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fmt/format.h>

namespace headroom::test {
namespace {

// A name as Catch2 takes it for one: without what stands for patterns, lists and tags there.
std::string as_test_spec(std::string_view name) {
  std::string spec;
  for (const char letter : name) {
    if (std::string_view(R"(\,[]*")").find(letter) != std::string_view::npos) {
      spec += '\\';
    }
    spec += letter;
  }
  return spec;
}

// RapidCheck's own configuration text, of one property alone.
std::string reproduce_params(const std::string& id, const rc::detail::Reproduce& reproduce) {
  rc::detail::Configuration only;
  only.reproduce.emplace(id, reproduce);
  return rc::detail::configToMinimalString(only);
}

}  // namespace

std::string shell_quoted(std::string_view word) {
  std::string quoted = "'";
  for (const char letter : word) {
    quoted += letter == '\'' ? std::string(R"('\'')") : std::string(1, letter);
  }
  return quoted + "'";
}

std::string command_with(const std::string& rc_params) {
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  const std::string test = Catch::getResultCapture().getCurrentTestName();
  return fmt::format("RC_PARAMS={} {} {}", shell_quoted(rc_params), shell_quoted(program),
                     shell_quoted(as_test_spec(test)));
}

std::string rerun_text(const rc::detail::TestParams& asked) {
  return fmt::format(
      "seed {}; with all of its cases again:\n  {}\n", asked.seed,
      command_with(fmt::format("seed={} max_success={} max_size={}", asked.seed, asked.maxSuccess, asked.maxSize)));
}

std::string replay_text(const std::string& id, const rc::detail::FailureResult& failure,
                        const rc::detail::TestParams& asked) {
  return fmt::format("{} failed with {}straight to the smallest case found:\n  {}\n", id, rerun_text(asked),
                     command_with(reproduce_params(id, failure.reproduce)));
}

}  // namespace headroom::test
