#include "model/base/ordered_bitmap.hpp"

#include <catch2/catch.hpp>
#include <set>
#include <vector>

#include "model/base/hash.hpp"

namespace headroom {
namespace {

std::vector<std::uint32_t> members(const OrderedBitmap& bitmap) {
  std::vector<std::uint32_t> result;
  for (std::uint32_t i = bitmap.next(0); i < bitmap.size(); i = bitmap.next(i + 1)) {
    result.push_back(i);
  }
  return result;
}

TEST_CASE("an empty bitmap has no successor of anything", "[ordered_bitmap]") {
  for (const std::uint32_t size : {0U, 1U, 64U, 65U, 4096U, 4097U, 262'145U}) {
    const OrderedBitmap bitmap(size);
    CHECK(bitmap.size() == size);
    CHECK(bitmap.count() == 0);
    CHECK(bitmap.next(0) == size);
    CHECK(bitmap.next(size) == size);
    CHECK(bitmap.next(0xFFFF'FFFF) == size);
  }
}

TEST_CASE("the successor is found across words and levels", "[ordered_bitmap]") {
  const std::vector<std::uint32_t> sizes{1,    2,       63,      64,      65,        4095,      4096,
                                         4097, 262'143, 262'144, 262'145, 1'000'000, 16'777'216};
  for (const std::uint32_t size : sizes) {
    OrderedBitmap bitmap(size);
    CHECK(bitmap.set(size - 1));
    CHECK(bitmap.next(0) == size - 1);
    CHECK(bitmap.next(size - 1) == size - 1);
    CHECK(bitmap.next(size) == size);
    bitmap.set(0);
    CHECK(bitmap.next(0) == 0);
    CHECK(bitmap.next(1) == (size == 1 ? size : size - 1));
    CHECK(bitmap.count() == (size == 1 ? 1 : 2));
  }
}

TEST_CASE("putting in and taking out say whether anything changed", "[ordered_bitmap]") {
  OrderedBitmap bitmap(100);
  CHECK(bitmap.set(70));
  CHECK_FALSE(bitmap.set(70));
  CHECK(bitmap.test(70));
  CHECK(bitmap.reset(70));
  CHECK_FALSE(bitmap.reset(70));
  CHECK_FALSE(bitmap.test(70));
  bitmap.assign(3, true);
  bitmap.assign(3, true);
  CHECK(bitmap.count() == 1);
  bitmap.assign(3, false);
  CHECK(bitmap.empty());
}

TEST_CASE("two bitmaps are equal when they hold the same, however they came to it", "[ordered_bitmap]") {
  OrderedBitmap a(5000);
  OrderedBitmap b(5000);
  a.set(4999);
  a.set(64);
  b.set(64);
  b.set(128);
  b.set(4999);
  CHECK_FALSE(a == b);
  b.reset(128);
  CHECK(a == b);
  CHECK_FALSE(OrderedBitmap(3) == OrderedBitmap(4));
  const OrderedBitmap copy = a;
  a.reset(64);
  CHECK(members(copy) == std::vector<std::uint32_t>{64, 4999});
  CHECK(members(a) == std::vector<std::uint32_t>{4999});
}

TEST_CASE("a bitmap agrees with an ordered set under a long random history", "[ordered_bitmap]") {
  for (const std::uint32_t size : {1U, 65U, 700U, 5000U, 300'000U}) {
    OrderedBitmap bitmap(size);
    std::set<std::uint32_t> model;
    for (std::uint64_t step = 0; step < 5000; ++step) {
      const std::uint64_t draw = stable_hash(size, step);
      // Clustered indices, so that words fill up and run empty again.
      const auto index = static_cast<std::uint32_t>((draw >> 8U) % 4 == 0 ? (draw >> 16U) % size
                                                                          : (draw >> 16U) % std::min(size, 130U));
      if ((draw & 1U) != 0) {
        REQUIRE(bitmap.set(index) == model.insert(index).second);
      } else {
        REQUIRE(bitmap.reset(index) == (model.erase(index) == 1));
      }
      const auto from = static_cast<std::uint32_t>((draw >> 40U) % (size + 1));
      const auto successor = model.lower_bound(from);
      REQUIRE(bitmap.next(from) == (successor == model.end() ? size : *successor));
      REQUIRE(bitmap.count() == model.size());
    }
    REQUIRE(members(bitmap) == std::vector<std::uint32_t>(model.begin(), model.end()));
  }
}

}  // namespace
}  // namespace headroom
