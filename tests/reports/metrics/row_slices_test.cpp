#include "reports/metrics/row_slices.hpp"

#include <catch2/catch.hpp>
#include <utility>

using namespace headroom;

namespace {

RowSlice ended_at(std::int64_t milliseconds) {
  RowSlice slice;
  slice.ended = Time::at(Duration::milliseconds(milliseconds));
  return slice;
}

}  // namespace

TEST_CASE("of a long run the first executions are kept, and all are counted") {
  RowSliceBook book;
  for (std::int64_t i = 0; i < 30'000; ++i) {
    book.add(ended_at(i), false);
  }
  const RowSlices kept = std::move(book).finish();
  CHECK(kept.ended == 30'000);
  REQUIRE(kept.slices.size() == RowSliceBook::kMostSlices);
  CHECK(kept.slices.back().ended == Time::at(Duration::milliseconds(19'999)));
}

TEST_CASE("the stretch that was asked for comes first, the first executions take what room is left") {
  RowSliceBook book;
  for (std::int64_t i = 0; i < 50'000; ++i) {
    book.add(ended_at(i), i >= 30'000 && i < 45'000);
  }
  const RowSlices kept = std::move(book).finish();
  REQUIRE(kept.slices.size() == RowSliceBook::kMostSlices);
  CHECK(kept.slices[4'999].ended == Time::at(Duration::milliseconds(4'999)));
  CHECK(kept.slices[5'000].ended == Time::at(Duration::milliseconds(30'000)));
  CHECK(kept.slices.back().ended == Time::at(Duration::milliseconds(44'999)));
}
