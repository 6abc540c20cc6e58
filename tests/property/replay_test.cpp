// A property that fails prints the command that shows it again, and that command does: tried on one that must fail.
#include <cstdio>
#include <rapidcheck/state.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/property/check.hpp"

namespace headroom::test {
namespace {

// ---- the property that must fail: a counter that is said never to get to 3

struct Count {
  int adds = 0;
};
using CountCommand = rc::state::Command<Count, Count>;

class Add final : public CountCommand {
 public:
  void apply(Count& model) const override { ++model.adds; }
  void run(const Count& /*before*/, Count& sut) const override { RC_ASSERT(++sut.adds < 3); }
  void show(std::ostream& out) const override { out << "add"; }
};
class Reset final : public CountCommand {
 public:
  void apply(Count& model) const override { model.adds = 0; }
  void run(const Count& /*before*/, Count& sut) const override { sut.adds = 0; }
  void show(std::ostream& out) const override { out << "reset"; }
};

// Hidden: it runs only where the test below asks for it. Its name has all that a shell or Catch2 could take amiss.
TEST_CASE("a canary: [it's] not to \"be\" seen, but by $HOME\\*", "[.canary]") {
  check_property("canary.other", [] {});
  check_property("canary.count", [] {
    Count sut;
    rc::state::check(Count{}, sut, rc::state::gen::execOneOfWithArgs<Add, Reset>());
  });
}

// ---- what it prints

struct Run {
  int status = -1;
  std::string output;  // of both kinds

  [[nodiscard]] std::string after(const std::string& text) const {
    const std::size_t found = output.find(text);
    return found == std::string::npos ? "" : output.substr(found + text.size());
  }
};

Run run(const std::string& command) {
  // Not what this test itself was started with.
  const std::string whole = "unset RC_PARAMS; { " + command + "; } 2>&1";
  std::FILE* const pipe = popen(whole.c_str(), "r");
  REQUIRE(pipe != nullptr);
  Run run;
  char part[4096];
  while (const std::size_t read = std::fread(part, 1, sizeof part, pipe)) {
    run.output.append(part, read);
  }
  const int status = pclose(pipe);
  run.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return run;
}

Run canary(const std::string& rc_params, const std::string& tag = "[canary]") {
  const std::string program = "/proc/" + std::to_string(getpid()) + "/exe";
  return run("RC_PARAMS=" + shell_quoted(rc_params) + " " + program + " " + shell_quoted(tag));
}

// The indented line after `heading`.
std::string command_after(const Run& run, const std::string& heading) {
  const std::string rest = run.after(heading + "\n  ");
  return rest.substr(0, rest.find('\n'));
}
std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}
// What is told of the failure: after how many cases it came, then the smallest one and what is wrong with it.
std::string story(const Run& run) {
  const std::string rest = run.after("canary.count: Falsifiable after ");
  return rest.substr(0, rest.find("canary.count failed with"));
}
std::string smallest_case(const Run& run) {
  const std::string text = story(run);
  return text.substr(std::min(text.size(), text.find('\n')));
}

constexpr auto kStraight = "straight to the smallest case found:";
constexpr auto kAllCases = "with all of its cases again:";

TEST_CASE("the command that a failing property prints goes straight to its smallest case", "[property]") {
  const std::string seed = std::to_string(GENERATE(1, 2, 77));
  const Run first = canary("seed=" + seed);
  INFO(first.output);
  CHECK(first.status == 1);
  CHECK(first.after("canary.count failed with seed ").starts_with(seed + ";"));
  const std::string command = command_after(first, kStraight);
  REQUIRE(command.starts_with("RC_PARAMS='reproduce="));

  const Run again = run(command);
  INFO(again.output);
  CHECK(again.status == 1);
  CHECK(story(again).starts_with("1 test"));
  CHECK(smallest_case(again) == smallest_case(first));
  CHECK(occurrences(smallest_case(again), "add\n") == 3);
  CHECK(occurrences(smallest_case(again), "reset\n") == 0);
  // It can be used again and again.
  CHECK(command_after(again, kStraight) == command);
}

TEST_CASE("the other command that a failing property prints tries the same cases again", "[property]") {
  const Run first = canary("seed=5 max_success=40");
  INFO(first.output);
  const std::string command = command_after(first, kAllCases);
  REQUIRE(command.starts_with("RC_PARAMS='seed=5 max_success=40 "));
  const Run again = run(command);
  CHECK(again.status == 1);
  CHECK(!story(again).empty());
  CHECK(story(again) == story(first));
}

TEST_CASE("a property without RC_PARAMS fails with a seed that is printed", "[property]") {
  const Run first = canary("");
  CHECK(first.after("canary.count failed with seed ").starts_with("0;"));
}

TEST_CASE("a property of whole runs prints a scenario that the program runs to the same violation", "[property]") {
  const Run failed = canary("seed=3 max_success=100", "[scenario_canary]");
  INFO(failed.output);
  const std::string scenario = command_after(failed, "by `headroom run` of the scenario");
  REQUIRE(scenario.starts_with(R"({"schema": 1)"));
  const char* const program = std::getenv("HEADROOM_PROGRAM");
  REQUIRE(program != nullptr);  // set by ctest
  const Run again = run("file=$(mktemp) && printf %s " + shell_quoted(scenario) + " >$file && " +
                        shell_quoted(program) + " run $file --json; status=$?; rm -f $file; (exit $status)");
  INFO(again.output);
  CHECK(again.status == 1);
  // The reason is the same to the letter.
  const std::string told = failed.after("slice: ");
  CHECK(again.output.find(told.substr(0, told.find('\n'))) != std::string::npos);
  // It is small: one node and nothing that goes wrong are enough to show it.
  CHECK(scenario.find(R"("nodes": 1,)") != std::string::npos);
  CHECK(scenario.find(R"("faults": [])") != std::string::npos);
}

}  // namespace
}  // namespace headroom::test
