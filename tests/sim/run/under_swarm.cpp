// Scenarios whose faults the seed draws (swarm testing): what must hold for every seed, and what a weaker switch breaks
// for some seed soon. HEADROOM_SWARM_SEEDS says how many seeds must hold.
#include <catch2/catch.hpp>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "sim/run/run_scenario.hpp"
#include "sim/scenario/read_scenario.hpp"

using namespace headroom;

namespace {

std::uint64_t seeds() {
  const char* wanted = std::getenv("HEADROOM_SWARM_SEEDS");
  return wanted == nullptr ? 25 : std::stoull(wanted);
}

Scenario shipped_case(const std::string& name, const std::vector<std::string>& overrides) {
  const char* source = std::getenv("HEADROOM_SOURCE_DIR");
  REQUIRE(source != nullptr);
  Result<Scenario> scenario = read_scenario(std::string(source) + "/scenarios/cases/" + name + ".json", overrides);
  REQUIRE(scenario);
  REQUIRE(scenario.value().swarm);
  return std::move(scenario.value());
}

// The properties among `names` that are violated with the seed.
std::set<std::string> violated(const Scenario& scenario, std::uint64_t seed, const std::set<std::string>& names) {
  const RunReport report = run_scenario({.scenario = scenario, .seed = seed});
  std::set<std::string> found;
  for (const auto* list : {&report.result.expectations, &report.result.information}) {
    for (const Judgement& judgement : *list) {
      const bool is_violated = judgement.verdict == (judgement.broken ? Verdict::pass : Verdict::fail);
      if (is_violated && names.contains(judgement.name)) {
        found.insert(judgement.name);
      }
    }
  }
  return found;
}

void hold_for_every_seed(const Scenario& scenario, const std::set<std::string>& names) {
  for (std::uint64_t seed = 1; seed <= seeds(); ++seed) {
    INFO("seed " << seed);
    CHECK(violated(scenario, seed, names).empty());
  }
}

void break_within_a_hundred_seeds(const Scenario& scenario, std::set<std::string> names) {
  for (std::uint64_t seed = 1; seed <= 100 && !names.empty(); ++seed) {
    for (const std::string& name : violated(scenario, seed, names)) {
      names.erase(name);
    }
  }
  for (const std::string& name : names) {
    INFO(name);
    CHECK(false);  // held for a hundred seeds
  }
}

}  // namespace

TEST_CASE("whatever crashes, sleeps or answers late, every row ends once behind the fence", "[swarm]") {
  hold_for_every_seed(shipped_case("zombies_and_duplicate_results", {}), {"exactly_once", "end_to_end", "ledger"});
}

TEST_CASE("without a guard late results are recorded twice within a hundred seeds") {
  break_within_a_hundred_seeds(shipped_case("zombies_and_duplicate_results", {"/outbox/settle_guard=none"}),
                               {"exactly_once", "end_to_end", "ledger"});
}

TEST_CASE("with every kind of fault drawn by the seed everything promised holds under the safe switches", "[swarm]") {
  hold_for_every_seed(shipped_case("everything_at_once", {}),
                      {"exactly_once", "end_to_end", "ledger", "ceiling", "quota_sum", "slice", "no_starvation",
                       "work_conserving", "gate_safety", "gate_progress", "readiness", "causes_sum"});
}

TEST_CASE("quotas hold through handoffs and crashes under the strict combinations", "[swarm]") {
  for (const std::string counts : {"owned_or_started", "started"}) {
    INFO(counts);
    hold_for_every_seed(shipped_case("shards_move_under_swarm", {"/backpressure/claimed_counts=" + counts}),
                        {"quota_sum"});
  }
}

TEST_CASE("quotas are passed within a hundred seeds under each weaker combination") {
  for (const std::string counts : {"owned_shards", "started", "owned_or_started"}) {
    for (const std::string growth : {"immediate", "settled"}) {
      if (growth == "settled" && counts != "owned_shards") {
        continue;
      }
      INFO(counts << ", " << growth);
      break_within_a_hundred_seeds(shipped_case("shards_move_under_swarm", {"/backpressure/claimed_counts=" + counts,
                                                                            "/backpressure/ceiling_growth=" + growth}),
                                   {"quota_sum"});
    }
  }
}
