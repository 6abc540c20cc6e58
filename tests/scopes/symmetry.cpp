// Interchangeable rows: with and without the symmetry the same is found, of as many orbits.
#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <string>

#include "tests/model/checker/cluster/small_scopes.hpp"

namespace headroom::test {
namespace {

using namespace checker;

// All states without symmetry, and the orbits that they belong to.
struct Counted {
  std::size_t states = 0;
  std::size_t orbits = 0;
};
Counted count_states(const ClusterModel& model) {
  std::vector<std::byte> room(model.packed_size().most);
  const auto bytes_of = [&](std::size_t size) {
    std::string text;
    for (std::size_t i = 0; i < size; ++i) {
      text += static_cast<char>(room[i]);
    }
    return text;
  };
  std::set<std::string> states;
  std::set<std::string> orbits;
  std::vector<ClusterState> open = model.initial_states();
  while (!open.empty()) {
    const ClusterState state = open.back();
    open.pop_back();
    if (!states.insert(bytes_of(model.pack(state, room))).second) {
      continue;
    }
    orbits.insert(bytes_of(model.pack_canonical(state, room)));
    std::vector<ClusterAction> actions;
    model.enabled(state, actions);
    for (const ClusterAction& action : actions) {
      open.push_back(state);
      Effects effects;
      model.step(open.back(), action, effects);
    }
  }
  return {states.size(), orbits.size()};
}

ClusterScope some_scope(int number) {
  switch (number) {
    case 0: {
      ClusterScope scope = rebalancing(ClaimedCounts::owned_shards, CeilingGrowth::immediate, 3);
      scope.config.shards = 2;
      scope.config.initial_owner = {NodeId(0), NodeId(1)};
      return scope;
    }
    case 1: {
      ClusterScope scope = backlog_on_one_node(2, 3, 2, PlannerKind::rotating);
      scope.counts = {.rearms = 1, .failures = 1};
      scope.properties = {"exactly_once", "no_starvation"};
      return scope;
    }
    case 2: {  // sweeps in parts, a store that is out of reach, and results under stale fences
      ClusterScope scope{.config = cluster_of(2, 1, tenants_of(1, 2)),
                         .rows_per_tenant = 3,
                         .counts = {.crashes = 1, .restarts = 1, .rearms = 1, .cuts = 1},
                         .split = {"sweep"},
                         .properties = {"exactly_once", "ledger"}};
      scope.config.batch_size = 2;
      return scope;
    }
    default: {
      ClusterScope scope{.config = cluster_of(2, 2, tenants_of(1, 4)),
                         .rows_per_tenant = 4,
                         .counts = {.crashes = 1, .handoffs = 1, .rearms = 1},
                         .properties = {"exactly_once", "quota_sum"}};
      scope.config.workers = 1;
      scope.config.dispatch = DispatchKind::sequential;
      return scope;
    }
  }
}

TEST_CASE("the states found with symmetry are the orbits of those found without") {
  const int number = GENERATE(0, 1, 2, 3);
  CAPTURE(number);
  ClusterScope scope = some_scope(number);
  const CheckResult folded = check(ClusterModel(scope), {});
  scope.symmetry = false;
  const ClusterModel model(scope);
  const Counted counted = count_states(model);
  CHECK(folded.symmetry);
  CHECK(folded.states == counted.orbits);
  CHECK(counted.states > counted.orbits);
  const CheckResult whole = check(model, {.symmetry = false});
  CHECK(whole.states == counted.states);
  REQUIRE(whole.findings.size() == folded.findings.size());
  for (std::size_t i = 0; i < whole.findings.size(); ++i) {
    INFO(whole.findings[i].name);
    CHECK(whole.findings[i].verdict == folded.findings[i].verdict);
  }
  for (std::size_t i = 0; i < whole.extremes.size(); ++i) {
    CHECK(whole.extremes[i].value == folded.extremes[i].value);
  }
  for (std::size_t i = 0; i < whole.waits.size(); ++i) {
    CHECK(whole.waits[i].steps == folded.waits[i].steps);
  }
}

}  // namespace
}  // namespace headroom::test
