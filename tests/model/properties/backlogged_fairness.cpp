#include "model/properties/backlogged_fairness.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "model/base/hash.hpp"

using namespace headroom;

namespace {

using Doubles = std::vector<double>;
using Service = BackloggedFairness::Service;

}  // namespace

TEST_CASE("Jain's index has the values of its definition") {
  CHECK(*jain_index(Doubles{1, 0, 0, 0}) == Approx(0.25));
  CHECK(*jain_index(Doubles{5, 5, 5, 5, 0}) == Approx(0.8));
  CHECK(*jain_index(Doubles{10, 1}) == Approx(0.599010).margin(5e-7));
  CHECK(*jain_index(Doubles{100, 1, 1, 1}) == Approx(0.265145).margin(5e-7));
  CHECK(*jain_index(Doubles{2, 1, 1}) == Approx(0.888889).margin(5e-7));
  CHECK(*jain_index(Doubles{3000, 3000, 3000, 1000}) == Approx(0.892857).margin(5e-7));
  CHECK(*jain_index(Doubles{3, 7, 9, 1}) == Approx(0.714286).margin(5e-7));
  Doubles one_starved(99, 4.0);
  one_starved.push_back(0);
  CHECK(*jain_index(one_starved) == Approx(0.99));
}

TEST_CASE("Jain's index of a single tenant is 1, of none or of all zeros undefined") {
  CHECK(jain_index(Doubles{17}) == 1.0);
  CHECK_FALSE(jain_index(Doubles{}).has_value());
  CHECK_FALSE(jain_index(Doubles{0, 0, 0}).has_value());
}

TEST_CASE("Jain's index ignores scale and order, and a zero tenant multiplies it by n / (n + 1)") {
  const Doubles figures = {3, 7, 9, 1};
  const double index = *jain_index(figures);
  CHECK(*jain_index(Doubles{9, 1, 3, 7}) == Approx(index));
  CHECK(*jain_index(Doubles{300, 700, 900, 100}) == Approx(index));
  CHECK(*jain_index(Doubles{3, 7, 9, 1, 0}) == Approx(index * 4 / 5));
}

TEST_CASE("the index of a run is that of the tenants' service when all are backlogged throughout") {
  BackloggedFairness fairness({1, 1, 1, 1});
  const std::vector<Service> sweep = {{0, 3}, {1, 3}, {2, 3}, {3, 1}};
  for (std::int64_t window = 0; window < 1'000; ++window) {
    fairness.add_window(Time::at(Duration::seconds(window)), sweep);
  }
  CHECK(*fairness.index() == Approx(0.892857).margin(5e-7));
  CHECK(fairness.worst_window()->index == Approx(0.892857).margin(5e-7));
  CHECK(fairness.windows_judged() == 1'000);
}

TEST_CASE("the index of a run lets shares even out over time and shows the worst window beside it") {
  BackloggedFairness fairness({1, 1});
  fairness.add_window(Time::zero(), std::vector<Service>{{0, 10}, {1, 10}});
  fairness.add_window(Time::at(Duration::seconds(1)), std::vector<Service>{{0, 10}, {1, 0}});
  fairness.add_window(Time::at(Duration::seconds(2)), std::vector<Service>{{0, 0}, {1, 10}});
  CHECK(*fairness.index() == Approx(1.0));
  CHECK(fairness.worst_window()->index == Approx(0.5));
  CHECK(fairness.worst_window()->start == Time::at(Duration::seconds(1)));
}

TEST_CASE("a tenant that was backlogged longer is not favoured by it") {
  BackloggedFairness fairness({1, 1});
  fairness.add_window(Time::zero(), std::vector<Service>{{0, 10}, {1, 10}});
  fairness.add_window(Time::at(Duration::seconds(1)), std::vector<Service>{{0, 20}});
  CHECK(*fairness.index() == Approx(1.0));
}

TEST_CASE("service in proportion to weight has an index of 1") {
  BackloggedFairness fairness({1, 3});
  fairness.add_window(Time::zero(), std::vector<Service>{{0, 5}, {1, 15}});
  CHECK(*fairness.index() == Approx(1.0));
  CHECK(fairness.worst_window()->index == Approx(1.0));
}

TEST_CASE("windows in which the backlogged were served nothing have no index") {
  BackloggedFairness fairness({1, 1});
  fairness.add_window(Time::zero(), std::vector<Service>{{0, 0}, {1, 0}});
  fairness.add_window(Time::zero(), std::vector<Service>{});
  CHECK_FALSE(fairness.index().has_value());
  CHECK_FALSE(fairness.worst_window().has_value());
  CHECK(fairness.windows_judged() == 0);
}
