#include "sim/scenario/nearest.hpp"

#include <array>
#include <catch2/catch.hpp>

using namespace headroom;

namespace {

constexpr std::array<std::string_view, 4> kKnown = {"planner", "batch_size", "claimed_counts", "ceiling_growth"};

}  // namespace

TEST_CASE("a misspelt name is answered with the nearest known one") {
  CHECK(suggest("planer", kKnown) == "did you mean \"planner\"?");
  CHECK(suggest("batchsize", kKnown) == "did you mean \"batch_size\"?");
  CHECK(suggest("celing_growth", kKnown) == "did you mean \"ceiling_growth\"?");
  CHECK(suggest("lpanner", kKnown) == "did you mean \"planner\"?");
}

TEST_CASE("a name that is like none is answered with all of them") {
  CHECK(suggest("zzz", kKnown) == R"(known: "planner", "batch_size", "claimed_counts", "ceiling_growth")");
  CHECK(suggest(std::string(1'000'000, 'x'), kKnown).starts_with("known: "));
}
