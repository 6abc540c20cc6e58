#include "reports/metrics/fairness.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "model/base/hash.hpp"

using namespace headroom;

namespace {

using Doubles = std::vector<double>;

}  // namespace

TEST_CASE("the max-min split satisfies small demands whole and levels the others") {
  CHECK(max_min_split(Doubles{10, 10, 10}, Doubles{1, 1, 1}, 9) == Doubles{3, 3, 3});
  CHECK(max_min_split(Doubles{100, 100, 1, 1}, Doubles{1, 1, 1, 1}, 12) == Doubles{5, 5, 1, 1});
  CHECK(max_min_split(Doubles{1, 8, 8}, Doubles{1, 1, 2}, 13) == Doubles{1, 4, 8});
  CHECK(max_min_split(Doubles{2, 3}, Doubles{1, 1}, 100) == Doubles{2, 3});
  CHECK(max_min_split(Doubles{5, 0}, Doubles{1, 1}, 4) == Doubles{4, 0});
  CHECK(max_min_split(Doubles{}, Doubles{}, 4).empty());
}

TEST_CASE("a max-min split uses the capacity up and nobody below its demand could gain from one who has more") {
  for (std::uint64_t round = 0; round < 500; ++round) {
    Doubles demands;
    Doubles weights;
    const std::size_t tenants = 1 + stable_hash(round, 1) % 6;
    double demanded = 0;
    for (std::size_t i = 0; i < tenants; ++i) {
      demands.push_back(static_cast<double>(stable_hash(round, 10 + i) % 30));
      weights.push_back(static_cast<double>(1 + stable_hash(round, 20 + i) % 4));
      demanded += demands.back();
    }
    const auto capacity = static_cast<double>(stable_hash(round, 2) % 100);
    const Doubles parts = max_min_split(demands, weights, capacity);
    double used = 0;
    for (std::size_t i = 0; i < tenants; ++i) {
      used += parts[i];
      CHECK(parts[i] <= demands[i]);
      for (std::size_t j = 0; j < tenants; ++j) {
        if (parts[i] < demands[i] - 1e-9) {
          CHECK(parts[j] / weights[j] <= parts[i] / weights[i] + 1e-9);
        }
      }
    }
    CHECK(used == Approx(std::min(capacity, demanded)).margin(1e-9));
  }
}

TEST_CASE("entitled shares are parts of what was served in all") {
  CHECK(*entitled_shares(Doubles{100, 100, 1, 1}, Doubles{1, 1, 1, 1}, 12) ==
        Doubles{5.0 / 12, 5.0 / 12, 1.0 / 12, 1.0 / 12});
  CHECK_FALSE(entitled_shares(Doubles{3}, Doubles{1}, 0).has_value());
}
