// Scenarios made by RapidCheck: clusters, planners, tenants with rows and requests, gates, latency shifts, faults. They
// shrink to few and simple parts, and are the text of a scenario file: what fails can be run by hand.
//
//   const DraftScenario draft = *any_scenario({.planners = {"rotating"}});
//   draft.text({"slice", "ceiling"})   // expects these properties; `headroom run` takes it
#pragma once

#include <cstdint>
#include <iosfwd>
#include <rapidcheck.h>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::test {

// What is drawn from; the first of each is the simplest.
struct ScenarioShape {
  std::vector<std::string> planners = {"rotating"};
  std::vector<std::string> claimed_counts = {"owned_or_started"};
  std::vector<std::string> ceiling_growth = {"settled"};
  std::vector<std::string> dispatch = {"parallel", "sequential", "push_then_done"};
  std::vector<std::string> wake = {"true", "false"};
  std::vector<std::string> tie_break = {"sequence", "random"};
  std::vector<std::string> claim_cost_us = {"0", "500", "3000"};
  bool gates = true;       // some scenarios have an HTTP side
  bool all_faults = true;  // else crashes, restarts and handoffs
};

struct DraftTenant {
  std::string terms;  // quota, weight, routes
  std::string rows;
  std::string requests;    // only with a gate
  bool uses_pool = false;  // its rows hold connections, if there is a pool
};

struct DraftFault {
  int kind = 0;
  // Which node, shard, tenant: taken modulo what there is.
  int node = 0;
  int shard = 0;
  int tenant = 0;
  int at_ms = 1;
  int for_ms = 1;
  int choice = 0;  // between the variants of a kind
};

struct DraftShift {
  int on = 0;
  int node = 0;
  int tenant = 0;
  int at_ms = 0;
  std::string kind;
};

struct DraftScenario {
  int nodes = 1;
  int shards = 1;
  int processes = 1;
  std::string cluster;  // the rest of the section
  std::string backpressure;
  std::string outbox;
  std::string run;   // tie break, warm-up
  std::string gate;  // empty: none
  bool has_pool = false;
  std::vector<DraftTenant> tenants;  // at least one
  std::vector<DraftShift> shifts;
  std::vector<DraftFault> faults;

  // By tenant; empty: t1, t2, ..., which are the ids in any case.
  std::vector<std::string> names;
  // Put behind the others, as they are.
  std::vector<std::string> more_tenants;
  std::vector<std::string> more_faults;

  [[nodiscard]] std::string name(std::size_t tenant) const;
  // A scenario file that expects these properties, on one line.
  [[nodiscard]] std::string text(const std::vector<std::string_view>& properties, std::uint64_t seed = 1) const;
};

// Without expectations.
std::ostream& operator<<(std::ostream& out, const DraftScenario& draft);

[[nodiscard]] rc::Gen<DraftScenario> any_scenario(const ScenarioShape& shape);

// A number from `least` to `most`, whatever the size of the case; shrinks to `least`.
[[nodiscard]] int any(int least, int most);

}  // namespace headroom::test
