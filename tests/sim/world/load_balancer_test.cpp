#include "sim/world/load_balancer.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <vector>

#include "model/base/hash.hpp"

namespace headroom {
namespace {

std::uint32_t no_load(ProcessId) {
  return 0;
}

LoadBalancer balancer_of(BalancingPolicy policy, std::uint16_t processes, Decimal panic_share = Decimal{0}) {
  return {LoadBalancerSpec{.policy = policy, .panic_share = panic_share}, processes};
}

// The processes that the next requests go to.
std::vector<std::uint16_t> picks(LoadBalancer& balancer, int n, std::uint64_t entity = 0) {
  std::vector<std::uint16_t> chosen;
  chosen.reserve(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) {
    chosen.push_back(balancer.pick(entity, no_load).value());
  }
  return chosen;
}

using Picks = std::vector<std::uint16_t>;

TEST_CASE("round robin takes the processes in turn") {
  LoadBalancer balancer = balancer_of(BalancingPolicy::round_robin, 3);
  REQUIRE(picks(balancer, 7) == Picks{0, 1, 2, 0, 1, 2, 0});
}

TEST_CASE("round robin passes over what is not ready or not up and goes on behind it") {
  LoadBalancer balancer = balancer_of(BalancingPolicy::round_robin, 4);
  balancer.see_ready(ProcessId(1), false);
  balancer.see_up(ProcessId(2), false);
  REQUIRE(picks(balancer, 4) == Picks{0, 3, 0, 3});
  balancer.see_ready(ProcessId(1), true);
  REQUIRE(picks(balancer, 3) == Picks{0, 1, 3});
  balancer.see_up(ProcessId(2), true);
  REQUIRE(picks(balancer, 4) == Picks{0, 1, 2, 3});
}

TEST_CASE("the least loaded process is taken, among equals the first after the last one chosen") {
  LoadBalancer balancer = balancer_of(BalancingPolicy::least_loaded, 3);
  std::vector<std::uint32_t> inside = {2, 0, 0};
  const auto load = [&](ProcessId process) { return inside[process.value()]; };
  const auto send = [&] {
    const ProcessId to = balancer.pick(0, load);
    ++inside[to.value()];
    return to.value();
  };
  REQUIRE(send() == 1);  // 2 1 0
  REQUIRE(send() == 2);  // 2 1 1
  REQUIRE(send() == 1);  // equal to 2, and the first after it
  REQUIRE(send() == 2);  // 2 2 2
  REQUIRE(send() == 0);
  inside = {5, 1, 3};
  balancer.see_ready(ProcessId(1), false);
  REQUIRE(send() == 2);
}

TEST_CASE("a sticky tenant stays with its process, moves on while that one takes nothing and comes back") {
  LoadBalancer balancer = balancer_of(BalancingPolicy::sticky, 4);
  REQUIRE(picks(balancer, 3, 6) == Picks{2, 2, 2});  // 6 mod 4
  REQUIRE(picks(balancer, 2, 3) == Picks{3, 3});
  balancer.see_ready(ProcessId(3), false);
  REQUIRE(picks(balancer, 2, 3) == Picks{0, 0});
  REQUIRE(picks(balancer, 1, 6) == Picks{2});
  balancer.see_ready(ProcessId(3), true);
  REQUIRE(picks(balancer, 2, 3) == Picks{3, 3});
}

TEST_CASE("sticky tenants spread over the processes by their hashes") {
  LoadBalancer balancer = balancer_of(BalancingPolicy::sticky, 8);
  std::map<std::uint16_t, int> tenants;
  for (std::uint64_t i = 0; i < 800; ++i) {
    ++tenants[balancer.pick(stable_hash(7, i), no_load).value()];
  }
  REQUIRE(tenants.size() == 8);
  for (const auto& [process, n] : tenants) {
    CHECK(n > 60);  // 100 +- 4 * sqrt(100 * 7 / 8)
    CHECK(n < 140);
  }
}

TEST_CASE("with too small a share of processes ready, readiness is ignored") {
  LoadBalancer balancer = balancer_of(BalancingPolicy::round_robin, 4, Decimal{Decimal::kOne / 2});
  balancer.see_ready(ProcessId(0), false);
  balancer.see_ready(ProcessId(1), false);
  REQUIRE_FALSE(balancer.panics());  // 2 of 4 are not less than a half
  REQUIRE(picks(balancer, 4) == Picks{2, 3, 2, 3});
  balancer.see_ready(ProcessId(2), false);
  REQUIRE(balancer.panics());
  REQUIRE(picks(balancer, 4) == Picks{0, 1, 2, 3});
  balancer.see_ready(ProcessId(0), true);
  REQUIRE_FALSE(balancer.panics());
  REQUIRE(picks(balancer, 2) == Picks{0, 3});
}

TEST_CASE("the share that is ready counts processes that are up") {
  LoadBalancer balancer = balancer_of(BalancingPolicy::round_robin, 4, Decimal{Decimal::kOne / 2});
  balancer.see_up(ProcessId(0), false);
  balancer.see_up(ProcessId(1), false);
  REQUIRE_FALSE(balancer.panics());  // 2 of 2
  balancer.see_ready(ProcessId(2), false);
  REQUIRE_FALSE(balancer.panics());  // 1 of 2
  balancer.see_ready(ProcessId(3), false);
  REQUIRE(balancer.panics());
  REQUIRE(picks(balancer, 2) == Picks{2, 3});  // never one that is down
  balancer.see_up(ProcessId(0), true);         // 1 of 3
  REQUIRE(balancer.panics());
  REQUIRE(picks(balancer, 3) == Picks{0, 2, 3});
}

TEST_CASE("a panic share of 1 ignores readiness as soon as one is not ready") {
  LoadBalancer balancer = balancer_of(BalancingPolicy::round_robin, 3, Decimal::whole(1));
  REQUIRE_FALSE(balancer.panics());
  balancer.see_ready(ProcessId(1), false);
  REQUIRE(balancer.panics());
  REQUIRE(picks(balancer, 3) == Picks{0, 1, 2});
}

TEST_CASE("a panic share of 0 never ignores readiness") {
  LoadBalancer balancer = balancer_of(BalancingPolicy::least_loaded, 2, Decimal{0});
  balancer.see_ready(ProcessId(0), false);
  balancer.see_ready(ProcessId(1), false);
  REQUIRE_FALSE(balancer.panics());
  REQUIRE(balancer.pick(0, no_load).is_none());
}

TEST_CASE("no process is chosen when none is up") {
  for (const BalancingPolicy policy :
       {BalancingPolicy::round_robin, BalancingPolicy::least_loaded, BalancingPolicy::sticky}) {
    LoadBalancer balancer = balancer_of(policy, 2, Decimal::whole(1));
    balancer.see_up(ProcessId(0), false);
    balancer.see_up(ProcessId(1), false);
    REQUIRE(balancer.pick(1, no_load).is_none());
    balancer.see_up(ProcessId(1), true);
    REQUIRE(balancer.pick(1, no_load) == ProcessId(1));
  }
}

}  // namespace
}  // namespace headroom
