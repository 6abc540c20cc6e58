// The max-min fair allocation of nodes' capacities to tenants whose rows lie on some of them: what an all-knowing
// scheduler could have given each (spec 2.5).
//
//   ServiceNetwork network(2, {{.weight = 1}, {.weight = 1}});    // two nodes, two tenants
//   network.capacity = {10, 4};
//   network.limit(0, 0) = 100;                                    // tenant 0 has work on the first node only
//   network.limit(1, 0) = 100, network.limit(1, 1) = 100;
//   max_min_allocation(network)                                   // 7, 7
//
// No tenant's part divided by its weight can be raised without lowering that of one whose is no greater. It is what
// progressive filling gives (Bertsekas and Gallager, Data Networks, 6.5.2): all levels rise together until a set of
// nodes is full, its tenants stop, the others go on. Here as a parametric max flow, source -> tenants -> nodes -> sink:
// one level for all tenants at which they would use up what can flow in all; where that cannot flow, the minimum cut
// divides tenants and nodes in two parts that are solved each by itself (the decomposition of Groenevelt, Two
// algorithms for maximizing a separable concave function over a polymatroid feasible region, EJOR 54, 1991). So there
// are at most twice as many flows as tenants, in practice about as many as bottlenecks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace headroom {

// Amounts are in any whole unit, from 0 to 2^50 in all.
struct ServiceNetwork {
  struct Tenant {
    std::uint64_t weight = 1;  // at least 1
  };

  ServiceNetwork(std::size_t nodes, std::vector<Tenant> those)
      : capacity(nodes, 0), tenants(std::move(those)), limits(tenants.size() * nodes, 0) {}

  // Most that the tenant can be given on the node.
  [[nodiscard]] std::int64_t& limit(std::size_t tenant, std::size_t node) {
    return limits[tenant * capacity.size() + node];
  }
  [[nodiscard]] std::int64_t limit(std::size_t tenant, std::size_t node) const {
    return limits[tenant * capacity.size() + node];
  }

  std::vector<std::int64_t> capacity;  // by node
  std::vector<Tenant> tenants;
  std::vector<std::int64_t> limits;  // by tenant, then node
};

// A part of an amount, exactly: levels of max-min fairness are fractions.
struct Share {
  std::int64_t numerator = 0;
  std::int64_t denominator = 1;
  [[nodiscard]] double value() const { return static_cast<double>(numerator) / static_cast<double>(denominator); }
};

// By tenant. Exact while the sum of the weights (divided by their greatest common divisor) times the sum of all amounts
// is below 2^62; beyond that shares are rounded down, by less than 2^-10 of a unit if the amounts sum to at most 2^50.
[[nodiscard]] std::vector<Share> max_min_allocation(const ServiceNetwork& network);

}  // namespace headroom
