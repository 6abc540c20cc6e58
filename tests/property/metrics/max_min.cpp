// The max-min optimum against brute force over all sets of tenants and nodes, in exact fractions.
#include "reports/metrics/max_min.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "tests/property/check.hpp"

namespace headroom::test {
namespace {

struct Fraction {
  std::int64_t top = 0;
  std::int64_t bottom = 1;
  friend bool operator<(const Fraction& a, const Fraction& b) { return a.top * b.bottom < b.top * a.bottom; }
  friend bool operator==(const Fraction& a, const Fraction& b) { return a.top * b.bottom == b.top * a.bottom; }
};

bool has(std::uint32_t set, std::size_t member) {
  return (set >> member & 1U) != 0;
}

// The most that the tenants of a set can be given together: the least cut, by trying every set of nodes on its side.
std::int64_t most_for(const ServiceNetwork& network, std::uint32_t tenants) {
  std::optional<std::int64_t> least;
  for (std::uint32_t full = 0; full < 1U << network.capacity.size(); ++full) {
    std::int64_t cut = 0;
    for (std::size_t node = 0; node < network.capacity.size(); ++node) {
      cut += has(full, node) ? network.capacity[node] : 0;
      for (std::size_t i = 0; i < network.tenants.size(); ++i) {
        cut += has(tenants, i) && !has(full, node) ? network.limit(i, node) : 0;
      }
    }
    least = std::min(cut, least.value_or(cut));
  }
  return *least;
}

// Progressive filling: all levels rise until some set of tenants has all that it can have; its tenants stop.
std::vector<Fraction> progressive_filling(const ServiceNetwork& network) {
  const std::size_t n = network.tenants.size();
  std::vector<Fraction> levels(n);
  std::uint32_t stopped = 0;
  while (stopped + 1 != 1U << n) {
    std::optional<Fraction> next;
    std::uint32_t tight = 0;
    for (std::uint32_t set = 1; set < 1U << n; ++set) {
      std::int64_t weight = 0;
      Fraction left{most_for(network, set), 1};
      for (std::size_t i = 0; i < n; ++i) {
        const auto own = static_cast<std::int64_t>(network.tenants[i].weight);
        if (has(set, i) && has(stopped, i)) {
          left = {left.top * levels[i].bottom - levels[i].top * own * left.bottom, left.bottom * levels[i].bottom};
        }
        weight += has(set, i) && !has(stopped, i) ? own : 0;
      }
      if (weight == 0) {
        continue;
      }
      const Fraction level{left.top, left.bottom * weight};
      if (!next || level < *next) {
        next = level;
        tight = set;
      } else if (level == *next) {
        tight |= set;
      }
    }
    for (std::size_t i = 0; i < n; ++i) {
      if (has(tight, i) && !has(stopped, i)) {
        levels[i] = *next;
      }
    }
    stopped |= tight;
  }
  return levels;
}

ServiceNetwork any_network(std::size_t most_tenants, std::size_t most_nodes, int most) {
  const auto nodes = *rc::gen::inRange<std::size_t>(1, most_nodes + 1);
  const auto tenants = *rc::gen::inRange<std::size_t>(1, most_tenants + 1);
  std::vector<ServiceNetwork::Tenant> weights(tenants);
  for (ServiceNetwork::Tenant& tenant : weights) {
    tenant.weight = *rc::gen::inRange<std::uint64_t>(1, 4);
  }
  ServiceNetwork network(nodes, weights);
  for (std::int64_t& capacity : network.capacity) {
    capacity = *rc::gen::inRange(0, 2 * most);
  }
  for (std::int64_t& limit : network.limits) {
    limit = *rc::gen::weightedOneOf<int>({{1, rc::gen::just(0)}, {3, rc::gen::inRange(0, most)}});
  }
  return network;
}

TEST_CASE("the max-min optimum is what progressive filling gives, exactly", "[property]") {
  check_property("max_min.exact", [] {
    const ServiceNetwork network = any_network(4, 3, 7);
    const std::vector<Share> shares = max_min_allocation(network);
    const std::vector<Fraction> levels = progressive_filling(network);
    for (std::size_t i = 0; i < shares.size(); ++i) {
      const auto weight = static_cast<std::int64_t>(network.tenants[i].weight);
      RC_ASSERT(
          (Fraction{shares[i].numerator, shares[i].denominator} == Fraction{levels[i].top * weight, levels[i].bottom}));
    }
  });
}

double sum_of(const std::vector<Share>& shares, std::uint32_t set) {
  double sum = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    sum += has(set, i) ? shares[i].value() : 0;
  }
  return sum;
}

TEST_CASE("the max-min optimum can flow, and every tenant below its demand has a bottleneck", "[property]") {
  check_property("max_min.condition", [] {
    const ServiceNetwork network = any_network(7, 4, 1000);
    const std::vector<Share> shares = max_min_allocation(network);
    std::set<std::size_t> with_bottleneck;
    for (std::uint32_t set = 1; set < 1U << shares.size(); ++set) {
      const auto most = static_cast<double>(most_for(network, set));
      RC_ASSERT(sum_of(shares, set) <= most + 1e-6);
      if (sum_of(shares, set) < most - 1e-6) {
        continue;
      }
      // A full set: who stands highest in it cannot rise without lowering one who does not stand higher.
      double highest = 0;
      for (std::size_t i = 0; i < shares.size(); ++i) {
        highest = has(set, i) ? std::max(highest, shares[i].value() / static_cast<double>(network.tenants[i].weight))
                              : highest;
      }
      for (std::size_t i = 0; i < shares.size(); ++i) {
        if (has(set, i) && shares[i].value() / static_cast<double>(network.tenants[i].weight) >= highest - 1e-9) {
          with_bottleneck.insert(i);
        }
      }
    }
    RC_ASSERT(with_bottleneck.size() == shares.size());
  });
}

}  // namespace
}  // namespace headroom::test
