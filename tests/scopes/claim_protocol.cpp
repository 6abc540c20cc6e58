// Scopes of more than a million states.
#include "tests/model/checker/claim_protocol.hpp"

#include <catch2/catch.hpp>

namespace headroom {

TEST_CASE("the claim protocol of three tenants has 2,800,834 states and 18,440,100 transitions") {
  const test::ClaimProtocol model({3, 2, 2, 2, 2, 2, 1, 1});
  const checker::CheckResult result = checker::check(model, {.threads = 2, .symmetry = false});
  CHECK(result.states == 2'800'834);
  CHECK(result.transitions == 18'440'100);
  CHECK(result.verdict() == checker::Verdict::pass);
  CHECK(result.bytes_per_state() <= 40);
}

TEST_CASE("the claim protocol of three tenants has 1,400,418 orbits under the symmetry of nodes") {
  const test::ClaimProtocol model({3, 2, 2, 2, 2, 2, 1, 1});
  const checker::CheckResult result = checker::check(model, {.threads = 2});
  CHECK(result.states == 1'400'418);
  CHECK(result.verdict() == checker::Verdict::pass);
}

}  // namespace headroom
