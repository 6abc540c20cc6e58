#include "model/backpressure/fair_split.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <vector>

namespace headroom {
namespace {

struct Split {
  std::vector<std::uint32_t> rows;
  std::size_t last;
  friend bool operator==(const Split&, const Split&) = default;
};

Split split(const std::vector<std::uint64_t>& caps, std::uint32_t total, std::size_t start) {
  std::vector<FairPart> parts;
  for (const std::uint64_t cap : caps) {
    parts.push_back({cap, 77});
  }
  Split result{{}, fair_split(parts, total, start)};
  for (const FairPart& part : parts) {
    result.rows.push_back(part.rows);
  }
  return result;
}

std::ostream& operator<<(std::ostream& out, const Split& s) {
  return out << Catch::Detail::stringify(s.rows) << ", last " << s.last;
}

TEST_CASE("units that do not divide go to the parts from the start on", "[fair_split]") {
  CHECK(split({9, 9, 9}, 8, 0) == Split{{3, 3, 2}, 1});
  CHECK(split({9, 9, 9}, 8, 1) == Split{{2, 3, 3}, 2});
  CHECK(split({9, 9, 9}, 8, 2) == Split{{3, 2, 3}, 0});
  CHECK(split({9, 9, 9}, 2, 2) == Split{{1, 0, 1}, 0});
}

TEST_CASE("capped parts take their cap and leave the rest to the others", "[fair_split]") {
  CHECK(split({1, 100, 100}, 8, 1) == Split{{1, 4, 3}, 1});
  CHECK(split({0, 5, 0}, 3, 0) == Split{{0, 3, 0}, 3});
  CHECK(split({3, 1, 9, 2}, 10, 0) == Split{{3, 1, 4, 2}, 4});
  CHECK(split({4, 4, 1}, 8, 2) == Split{{4, 3, 1}, 0});
}

TEST_CASE("a total beyond all caps gives everyone the cap", "[fair_split]") {
  CHECK(split({3, 0, 2}, 100, 0) == Split{{3, 0, 2}, 3});
  CHECK(split({3, 2}, 5, 1) == Split{{3, 2}, 2});
  CHECK(split({}, 5, 0) == Split{{}, 0});
  CHECK(split({3, 2}, 0, 0) == Split{{0, 0}, 2});
}

TEST_CASE("the largest caps and totals do not overflow", "[fair_split]") {
  constexpr std::uint64_t huge = std::numeric_limits<std::uint64_t>::max();
  constexpr std::uint32_t most = std::numeric_limits<std::uint32_t>::max();
  CHECK(split({huge, huge}, most, 0) == Split{{0x8000'0000, 0x7FFF'FFFF}, 0});
  CHECK(split({huge, 1}, most, 0) == Split{{most - 1, 1}, 2});
}

}  // namespace
}  // namespace headroom
