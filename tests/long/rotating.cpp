// The promise of `rotating` (spec 1.3) in every cluster of at most four tenants: two nodes, four shards, a crash and a
// handoff. Prints a line for each; what is small is in tests/scopes too, and runs with every change.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdio>
#include <fmt/format.h>
#include <optional>

#include "model/base/arithmetic.hpp"
#include "tests/model/checker/cluster/small_scopes.hpp"

namespace headroom::test {
namespace {

using namespace checker;

TEST_CASE("nobody waits longer than ceil of tenants by batch under rotating, whatever the scope") {
  const std::uint32_t tenants = GENERATE(1U, 2U, 3U, 4U);
  const std::uint32_t rows = GENERATE(1U, 2U);
  const std::uint32_t batch = GENERATE(1U, 2U, 3U, 4U, 5U, 6U);
  CAPTURE(tenants, rows, batch);
  const ClusterModel model(rotating_through_faults(tenants, rows, batch));
  const CheckResult result = check(model, {.threads = 2});
  fmt::print("tenants {} rows {} batch {}: {} states, {} transitions, depth {}, {:.2f} s, {:.1f} bytes a state\n",
             tenants, rows, batch, result.states, result.transitions, result.depth, result.seconds,
             result.bytes_per_state());
  std::fflush(stdout);
  CHECK(result.exhausted());
  CHECK(result.verdict() == Verdict::pass);
  CHECK(worst_wait_of_all(model, result) == div_ceil(tenants, batch));
}

}  // namespace
}  // namespace headroom::test
