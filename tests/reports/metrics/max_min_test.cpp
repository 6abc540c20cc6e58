#include "reports/metrics/max_min.hpp"

#include <catch2/catch.hpp>

using namespace headroom;

namespace {

using Values = std::vector<double>;

Values values(const ServiceNetwork& network) {
  Values found;
  for (const Share& share : max_min_allocation(network)) {
    found.push_back(share.value());
  }
  return found;
}

ServiceNetwork one_node(std::int64_t capacity, const std::vector<std::int64_t>& demands,
                        const std::vector<std::uint64_t>& weights) {
  std::vector<ServiceNetwork::Tenant> tenants;
  for (const std::uint64_t weight : weights) {
    tenants.push_back({weight});
  }
  ServiceNetwork network(1, tenants);
  network.capacity = {capacity};
  network.limits = demands;
  return network;
}

}  // namespace

TEST_CASE("on one node the max-min optimum is the weighted max-min split") {
  CHECK(values(one_node(12, {100, 100, 1, 1}, {1, 1, 1, 1})) == Values{5, 5, 1, 1});
  CHECK(values(one_node(13, {1, 8, 8}, {1, 1, 2})) == Values{1, 4, 8});
  CHECK(values(one_node(100, {2, 3}, {1, 1})) == Values{2, 3});
  CHECK(values(one_node(10, {7, 7, 7}, {1, 1, 1})) == Values{10.0 / 3, 10.0 / 3, 10.0 / 3});
  CHECK(values(one_node(0, {2, 3}, {1, 1})) == Values{0, 0});
  CHECK(values(one_node(5, {}, {})).empty());
}

TEST_CASE("a tenant whose rows lie on a full node cannot be given what is free elsewhere") {
  ServiceNetwork network(2, std::vector<ServiceNetwork::Tenant>(3));
  network.capacity = {6, 20};
  network.limit(0, 0) = 100;  // on the small node only
  network.limit(1, 0) = 100;
  network.limit(2, 0) = 100;  // on both
  network.limit(2, 1) = 5;
  CHECK(values(network) == Values{3, 3, 5});
  network.limit(2, 1) = 2;  // no more than this on the other node: 8 for three
  CHECK(values(network) == Values{8.0 / 3, 8.0 / 3, 8.0 / 3});
}

TEST_CASE("work on both nodes leaves the crowded one to whose rows lie there alone") {
  ServiceNetwork network(2, std::vector<ServiceNetwork::Tenant>(2));
  network.capacity = {10, 4};
  network.limit(0, 0) = 100;
  network.limit(1, 0) = 100;
  network.limit(1, 1) = 100;
  CHECK(values(network) == Values{7, 7});
}

TEST_CASE("capacity is used up level by level") {
  // Node i is asked by tenants i and i + 1; capacities fall, so that every node is a bottleneck of its own.
  ServiceNetwork network(3, std::vector<ServiceNetwork::Tenant>(3));
  network.capacity = {100, 10, 1};
  for (std::size_t i = 0; i < 3; ++i) {
    network.limit(i, i) = 1000;
  }
  CHECK(values(network) == Values{100, 10, 1});
}

TEST_CASE("very large amounts and weights are rounded by less than a thousandth of a unit") {
  constexpr std::int64_t much = std::int64_t{1} << 47U;
  ServiceNetwork network = one_node(much, {much, much}, {1'000'000'007, 999'999'937});
  const Values found = values(network);
  const double level = static_cast<double>(much) / 1'999'999'944.0;
  CHECK(found[0] == Approx(1'000'000'007.0 * level).epsilon(1e-12));
  CHECK(found[1] == Approx(999'999'937.0 * level).epsilon(1e-12));
  CHECK(found[0] + found[1] <= static_cast<double>(much));
}

TEST_CASE("ten thousand tenants on three nodes take a few flows") {
  ServiceNetwork network(3, std::vector<ServiceNetwork::Tenant>(10'000));
  network.capacity = {40'000, 50'000, 60'000};
  std::int64_t demand = 0;
  for (std::size_t i = 0; i < network.tenants.size(); ++i) {
    for (std::size_t node = 0; node < 3; ++node) {
      network.limit(i, node) = static_cast<std::int64_t>((i * 7 + node * 3) % 19);
      demand += network.limit(i, node);
    }
  }
  double sum = 0;
  for (const double value : values(network)) {
    sum += value;
  }
  REQUIRE(demand > 150'000);
  CHECK(sum == Approx(150'000));
}
