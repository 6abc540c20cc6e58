#include "model/backpressure/weights.hpp"

#include <catch2/catch.hpp>

namespace headroom {
namespace {

using Weights = std::vector<std::uint32_t>;

TEST_CASE("weights are divided by their greatest common divisor", "[weights]") {
  CHECK(reduced_weights(Weights{10, 20, 30}) == Weights{1, 2, 3});
  CHECK(reduced_weights(Weights{1'000'000, 1'000'000}) == Weights{1, 1});
  CHECK(reduced_weights(Weights{6, 10, 15}) == Weights{6, 10, 15});
  CHECK(reduced_weights(Weights{7}) == Weights{1});
  CHECK(reduced_weights(Weights{}).empty());
}

}  // namespace
}  // namespace headroom
