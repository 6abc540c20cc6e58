// RapidCheck within Catch2: one property, with a seed of its own and a line that reproduces its failure.
//
//   TEST_CASE("a plan keeps within the batch", "[property]") {
//     check_property("planner.within_batch", [] {
//       const History history = *any_history();
//       RC_ASSERT(...);
//     });
//   }
//
// The seed is fixed, so that a run can be repeated; RC_PARAMS="seed=N max_success=M" chooses others. A failure prints
// the smallest case found, the seed, and two shell commands: one that tries all cases again, and one that goes straight
// to the smallest (RC_PARAMS="reproduce=..."; while that is set, every other property passes without a case).
//
// An id is unique and does not change: the property's cases and its reproduce line hang on it.
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <rapidcheck.h>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include "model/base/hash.hpp"
#include "tests/property/replay.hpp"

namespace headroom::test {

// What RC_PARAMS asks for. Properties with like generators would see the same cases if they shared a seed, so the id
// goes into it. RapidCheck shifts by the size: more than 100 is not defined.
[[nodiscard]] inline rc::detail::TestParams params_for(const std::string& id) {
  static const bool seeded = [] {
    const char* set = std::getenv("RC_PARAMS");
    const std::string given = set == nullptr ? "" : set;
    // Read by RapidCheck when it is first asked for its configuration, which it also prints.
    return given.find("seed=") != std::string::npos || setenv("RC_PARAMS", (given + " seed=0").c_str(), 1) == 0;
  }();
  REQUIRE(seeded);
  rc::detail::TestParams params = rc::detail::configuration().testParams;
  params.seed = stable_hash(params.seed, stable_hash(std::string_view(id)));
  params.maxSize = std::min(params.maxSize, 100);
  return params;
}

// Fails a test that uses an id a second time in one run of the program, unless it is the same test case again.
inline void claim_id(const std::string& id) {
  static std::set<std::pair<std::string, std::string>> claimed;
  const std::string test = Catch::getResultCapture().getCurrentTestName();
  for (const auto& [other_id, other_test] : claimed) {
    if (other_id == id && other_test != test) {
      FAIL("the property id " << id << " is used twice");
    }
  }
  claimed.emplace(id, test);
}

// Checks a property for as many generated cases as RC_PARAMS asks for (100).
template <class Property>
void check_property(const std::string& id, Property&& property) {
  claim_id(id);
  const rc::detail::TestParams params = params_for(id);
  const rc::detail::TestResult result =
      rc::detail::checkTestable(std::forward<Property>(property), rc::detail::TestMetadata{id, id}, params);
  if (result.template is<rc::detail::SuccessResult>()) {
    SUCCEED(id);
    return;
  }
  std::ostringstream message;
  rc::detail::printResultMessage(result, message);
  rc::detail::TestParams asked = params;
  asked.seed = rc::detail::configuration().testParams.seed;
  const std::string again = result.template is<rc::detail::FailureResult>()
                                ? replay_text(id, result.template get<rc::detail::FailureResult>(), asked)
                                : rerun_text(asked);
  // Not by Catch2, which would break the commands' lines.
  std::cerr << id << ": " << message.str() << "\n" << again << std::flush;
  FAIL(id << ": " << message.str());
}

// Checks that a property is broken by some generated case: a property that nothing can break says nothing.
template <class Property>
void check_broken(const std::string& id, Property&& property) {
  struct Silent final : rc::detail::TestListener {
    void onTestCaseFinished(const rc::detail::CaseDescription&) override {}
    void onShrinkTried(const rc::detail::CaseDescription&, bool) override {}
    void onTestFinished(const rc::detail::TestMetadata&, const rc::detail::TestResult&) override {}
  };
  claim_id(id);
  rc::detail::TestParams params = params_for(id);
  if (!rc::detail::configuration().reproduce.empty()) {
    SUCCEED(id << ": a failure of one property is being reproduced");
    return;
  }
  params.disableShrinking = true;
  params.maxSuccess = std::max(params.maxSuccess, 10'000);  // it ends with the first case that breaks the property
  Silent listener;
  const rc::detail::TestResult result = rc::detail::checkProperty(
      rc::detail::toProperty(std::forward<Property>(property)), rc::detail::TestMetadata{id, id}, params, listener, {});
  INFO(id << ": no case broke the property");
  REQUIRE(result.template is<rc::detail::FailureResult>());
}

}  // namespace headroom::test
