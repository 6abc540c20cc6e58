// The promise of `rotating` (spec 1.3), proved in every small cluster through a crash and a handoff.
#include <catch2/catch.hpp>
#include <optional>

#include "model/base/arithmetic.hpp"
#include "tests/model/checker/cluster/small_scopes.hpp"

namespace headroom::test {
namespace {

using namespace checker;

std::optional<std::uint64_t> worst_wait(std::uint32_t tenants, std::uint32_t rows, std::uint32_t batch) {
  const ClusterModel model(rotating_through_faults(tenants, rows, batch));
  const CheckResult result = check(model, {.threads = 2});
  CHECK(result.exhausted());
  CHECK(result.verdict() == Verdict::pass);
  return worst_wait_of_all(model, result);
}

TEST_CASE("nobody waits longer than ceil of tenants by batch under rotating with one row each") {
  const std::uint32_t tenants = GENERATE(1U, 2U, 3U, 4U);
  const std::uint32_t batch = GENERATE(1U, 2U, 3U, 4U, 5U, 6U);
  CAPTURE(tenants, batch);
  CHECK(worst_wait(tenants, 1, batch) == div_ceil(tenants, batch));
}

TEST_CASE("nobody waits longer than ceil of tenants by batch under rotating with two rows each") {
  const std::uint32_t tenants = GENERATE(1U, 2U, 3U);
  const std::uint32_t batch = GENERATE(1U, 2U, 3U, 4U, 5U, 6U);
  CAPTURE(tenants, batch);
  CHECK(worst_wait(tenants, 2, batch) == div_ceil(tenants, batch));
}

// The other batches, of some twenty seconds each, are in tests/long.
TEST_CASE("nobody waits longer than ceil of four tenants by batch under rotating with two rows each, batch 3") {
  CHECK(worst_wait(4, 2, 3) == 2);
}

}  // namespace
}  // namespace headroom::test
