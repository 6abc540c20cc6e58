// M1 of the metamorphic properties, and the property `name_blind` of spec 2.4: what tenants are called decides nothing.
// An order-preserving renaming permutes a run's outcome and changes nothing else; any other changes the grants of
// tenants that stay uncapped by at most one row per node, over any window in which the active set and every
// min(headroom, claimable) stay the same. Tenants keep their ids, on which their keys and random streams hang.
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

#include "reports/render/json.hpp"
#include "sim/run/run_scenario.hpp"
#include "tests/property/check.hpp"
#include "tests/property/cluster/generated_scenario.hpp"
#include "tests/property/metamorphic/sweep_trace.hpp"

namespace headroom::test {
namespace {

// So many names in byte order. The tildes set them off from all else in a document.
std::vector<std::string> any_names(std::size_t count) {
  const auto word = rc::gen::nonEmpty(rc::gen::container<std::string>(rc::gen::element('a', 'b', 'z', 'M', '0', '_')));
  std::set<std::string> names;
  while (names.size() < count) {
    names.insert("~" + *rc::gen::resize(6, word) + std::to_string(names.size()) + "~");
  }
  return {names.begin(), names.end()};
}

// ---- in order

// The result of a run whose tenants have these names, told with the others.
std::string result_told(DraftScenario draft, const std::vector<std::string>& names,
                        const std::vector<std::string>& told) {
  draft.names = names;
  RunResult result = run_scenario({.scenario = scenario_of(draft.text({}))}).result;
  result.scenario_digest = 0;
  std::string text = render_result_json(result);
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (std::size_t at = text.find(names[i]); at != std::string::npos; at = text.find(names[i], at + told[i].size())) {
      text.replace(at, names[i].size(), told[i]);
    }
  }
  return text;
}

TEST_CASE("a renaming that keeps the order of names permutes a run's outcome and changes nothing else", "[property]") {
  const ScenarioShape shape{.planners = {"rotating", "fixed_order", "deficit_round_robin", "unscoped"},
                            .claimed_counts = {"owned_or_started", "started", "owned_shards"},
                            .ceiling_growth = {"settled", "immediate"}};
  check_property("name_blind.in_order", [shape] {
    const DraftScenario draft = *any_scenario(shape);
    std::vector<std::string> plain;
    for (std::size_t i = 0; i < draft.tenants.size(); ++i) {
      plain.push_back(fmt::format("~{}~", i));
    }
    RC_ASSERT(result_told(draft, plain, plain) == result_told(draft, any_names(plain.size()), plain));
  });
}

// ---- in any order

// One node's sweeps of two runs, side by side.
class Windows {
 public:
  // What is wrong with the next sweep, which both runs planned; nothing if all is well.
  std::string next(const TracedSweep& one, const TracedSweep& other) {
    std::map<std::uint64_t, std::uint32_t> caps;
    bool alike = true;
    for (const auto& [entity, tenant] : one.tenants) {
      caps[entity] = tenant.cap();
      alike = alike && other.tenants.at(entity).cap() == tenant.cap();
    }
    if (!alike || caps != caps_) {
      gained_.clear();
    }
    caps_ = alike ? caps : decltype(caps_){};
    if (!alike) {
      return "";
    }
    for (const auto& [entity, tenant] : one.tenants) {
      const std::uint32_t granted = other.tenants.at(entity).granted;
      if (tenant.granted >= caps[entity] || granted >= caps[entity]) {
        gained_.erase(entity);
        continue;
      }
      Gain& gain = gained_[entity];
      gain.sum += std::int64_t{tenant.granted} - std::int64_t{granted};
      gain.least = std::min(gain.least, gain.sum);
      gain.most = std::max(gain.most, gain.sum);
      if (gain.most - gain.least > 1) {  // the difference over the worst window that ends here
        return fmt::format("node n{} at {} ms: {} rows more for an uncapped tenant under other names",
                           one.node.value() + 1, one.at.nanoseconds() / 1'000'000, gain.most - gain.least);
      }
    }
    return "";
  }

 private:
  struct Gain {
    std::int64_t sum = 0;
    std::int64_t least = 0;
    std::int64_t most = 0;
  };
  std::map<std::uint64_t, std::uint32_t> caps_;
  std::map<std::uint64_t, Gain> gained_;  // by entity, since the window began
};

// The sweeps of each node, in order.
std::map<NodeId, std::vector<TracedSweep>> by_node(std::vector<TracedSweep> sweeps) {
  std::map<NodeId, std::vector<TracedSweep>> nodes;
  for (TracedSweep& sweep : sweeps) {
    nodes[sweep.node].push_back(std::move(sweep));
  }
  return nodes;
}

// Tenants with more rows than a sweep can claim, beside others that come and go; sweeps come by the clock alone.
struct Load {
  std::string planner;
  int nodes = any(1, 3);
  int batch = any(1, 12);
  std::vector<std::string> arrivals;  // by tenant

  [[nodiscard]] std::string text(const std::vector<std::string>& names) const {
    std::vector<std::string> tenants;
    for (std::size_t i = 0; i < names.size(); ++i) {
      tenants.push_back(fmt::format(R"({{"name": "{}", "id": "t{}", "quota": 1000, "rows": {{"arrivals": {}}}}})",
                                    names[i], i + 1, arrivals[i]));
    }
    return fmt::format(
        R"({{"schema": 1, "name": "renamed", "duration": "1s", "drain": "0s", )"
        R"("cluster": {{"nodes": {}, "shards": 6, "workers": "unlimited", "wake": false, "dispatch": "push_then_done"}}, )"
        R"("backpressure": {{"planner": "{}", "batch_size": {}}}, "tenants": [{}]}})",
        nodes, planner, batch, fmt::join(tenants, ", "));
  }
};

Load any_load(const std::string& planner) {
  Load load{.planner = planner};
  for (int tenants = any(2, 6); tenants > 0; --tenants) {
    load.arrivals.push_back(any(0, 3) != 3 ? fmt::format(R"({{"kind": "backlog", "n": {}}})", any(1, 40))
                                           : fmt::format(R"({{"kind": "schedule", "at": [{{"at": "{}ms", "n": {}}}]}})",
                                                         any(0, 600), any(1, 30)));
  }
  return load;
}

void any_renaming_costs_a_row(const std::string& planner) {
  const Load load = any_load(planner);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < load.arrivals.size(); ++i) {
    names.push_back(fmt::format("t{}", i + 1));
  }
  std::vector<std::string> renamed = names;
  for (std::size_t i = renamed.size(); i > 1; --i) {
    std::swap(renamed[i - 1], renamed[static_cast<std::size_t>(any(0, static_cast<int>(i) - 1))]);
  }
  const auto one = by_node(sweeps_of(scenario_of(load.text(names)), 1));
  const auto other = by_node(sweeps_of(scenario_of(load.text(renamed)), 1));
  for (const auto& [node, sweeps] : one) {
    Windows windows;
    const std::vector<TracedSweep>& beside = other.at(node);
    for (std::size_t i = 0; i < std::min(sweeps.size(), beside.size()); ++i) {
      if (const std::string wrong = windows.next(sweeps[i], beside[i]); !wrong.empty()) {
        RC_FAIL(fmt::format("{}\nwith\n  {}\nand\n  {}", wrong, load.text(names), load.text(renamed)));
      }
    }
  }
}

TEST_CASE("any other renaming changes an uncapped tenant's grants by at most a row per node", "[property]") {
  check_property("name_blind.any_order", [] { any_renaming_costs_a_row("rotating"); });
}
TEST_CASE("under fixed_order what tenants are called is seen to decide", "[property]") {
  check_broken("fixed_order.name_blind", [] { any_renaming_costs_a_row("fixed_order"); });
}

}  // namespace
}  // namespace headroom::test
