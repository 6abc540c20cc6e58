// What to type to see a property fail again.
//
//   std::cerr << replay_text("planner.within_batch", failure, params);
//
// prints shell commands, each on one line: the program, the test case, and what RapidCheck needs to know.
#pragma once

#include <rapidcheck.h>
#include <string>
#include <string_view>

namespace headroom::test {

// A word as the shell takes it for one.
[[nodiscard]] std::string shell_quoted(std::string_view word);

// The shell command that runs the present test case of this program again, with these RC_PARAMS.
[[nodiscard]] std::string command_with(const std::string& rc_params);

// The seed with which a property was tried, how to try it so again, and how to go straight to the case that failed.
[[nodiscard]] std::string replay_text(const std::string& id, const rc::detail::FailureResult& failure,
                                      const rc::detail::TestParams& asked);
// The same for a property for which not enough cases could be made.
[[nodiscard]] std::string rerun_text(const rc::detail::TestParams& asked);

}  // namespace headroom::test
