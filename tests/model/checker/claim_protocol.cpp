// The counts are those of SPIN, Rumur, TLC and stateright, which agree.
#include "tests/model/checker/claim_protocol.hpp"

#include <catch2/catch.hpp>
#include <cstdint>

#include "tests/model/checker/naive_search.hpp"

namespace headroom {
namespace {

using test::ClaimProtocol;

checker::CheckResult explore(const ClaimProtocol::Scope& scope, bool symmetry) {
  return checker::check(ClaimProtocol(scope), {.symmetry = symmetry});
}

void requires_counts(const ClaimProtocol::Scope& scope, std::uint64_t states, std::uint64_t transitions) {
  const checker::CheckResult result = explore(scope, false);
  CHECK(result.states == states);
  CHECK(result.transitions == transitions);
  CHECK(result.exhausted());
  CHECK(result.verdict() == checker::Verdict::pass);
}

}  // namespace

TEST_CASE("the claim protocol without faults has 121 states and 262 transitions") {
  requires_counts({2, 2, 2, 2, 2, 2, 0, 0}, 121, 262);
}

TEST_CASE("the claim protocol with a crash has 8,338 states and 31,356 transitions") {
  requires_counts({2, 2, 2, 2, 2, 2, 1, 0}, 8'338, 31'356);
}

TEST_CASE("the claim protocol with a crash and a handoff has 54,296 states and 259,500 transitions") {
  requires_counts({2, 2, 2, 2, 2, 2, 1, 1}, 54'296, 259'500);
}

TEST_CASE("the claim protocol on three shards has 331,810 states and 1,644,436 transitions") {
  requires_counts({2, 2, 2, 3, 2, 2, 1, 1}, 331'810, 1'644'436);
}

TEST_CASE("the claim protocol on three shards has 165,906 orbits under the symmetry of nodes") {
  const checker::CheckResult result = explore({2, 2, 2, 3, 2, 2, 1, 1}, true);
  CHECK(result.symmetry);
  CHECK(result.states == 165'906);
  CHECK(result.verdict() == checker::Verdict::pass);
}

TEST_CASE("symmetry of nodes changes neither the verdicts of the claim protocol nor its depth") {
  for (const unsigned crashes : {0U, 1U}) {
    const ClaimProtocol::Scope scope{2, 2, 2, 2, 2, 2, crashes, 1};
    const checker::CheckResult with = explore(scope, true);
    const checker::CheckResult without = explore(scope, false);
    CHECK(with.states < without.states);
    CHECK(with.depth == without.depth);
    CHECK(with.depth == test::naive_search(ClaimProtocol(scope)).depth);
    REQUIRE(with.findings.size() == without.findings.size());
    for (std::size_t i = 0; i < with.findings.size(); ++i) {
      CHECK(with.findings[i].verdict == without.findings[i].verdict);
      CHECK(with.findings[i].trace.has_value() == without.findings[i].trace.has_value());
    }
    CHECK(with.findings.back().trace->steps.size() == without.findings.back().trace->steps.size());
  }
}

}  // namespace headroom
