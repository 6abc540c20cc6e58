// Why a tenant, a row or a request waited: the run again, with an eye on one of them.
//
//   const Result<WhyReport> report = why({.scenario = scenario, .seed = 1, .tenant = "quiet"});
//
// Waits are those from time 0 to `at` (the end of the measured part if it is absent); the causes sum to them exactly.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/base/result.hpp"
#include "model/properties/wait_causes.hpp"
#include "sim/scenario/scenario.hpp"

namespace headroom {

struct WhyQuestion {
  const Scenario& scenario;
  std::uint64_t seed = 1;
  // Exactly one of these.
  std::string tenant = {};   // or a group: its members together
  std::string row = {};      // "TENANT/N", or "TENANT/R.N": row N of its logical request R
  std::string request = {};  // "TENANT/R": a logical request
  std::optional<Time> at = {};
};

// A sweep that left claimable rows of the tenant where they were (a hand-over that went to another, for requests).
struct PassedOver {
  Time at;
  std::string where;  // node, or process
  std::uint64_t sweep = 0;
  std::string name;  // whose rows
  std::uint32_t claimable = 0;
  std::uint32_t headroom = 0;
  std::uint32_t granted = 0;
  std::uint32_t claimed = 0;
  WaitCause reason = WaitCause::batch_budget;
  std::vector<std::pair<std::string, std::uint32_t>> instead;  // who got how many rows
};

struct WhyEvent {
  Time at;
  std::string what;
};

struct WhyReport {
  static constexpr std::size_t kMostListed = 200;  // the first, and as many of the last

  std::string subject;
  Time until;
  std::vector<PassedOver> first;
  std::vector<PassedOver> last;
  std::uint64_t passed_over = 0;                 // in all
  std::map<std::string, std::uint64_t> instead;  // rows (hand-overs) that others got meanwhile, by tenant
  std::vector<WhyEvent> events;                  // of a row or a request
  CauseTimes causes;                             // of a tenant or a row
  RowTime waited = 0;                            // Pending: what the causes before the claim sum to
  bool has_causes = true;
};

// A fault if there is no such tenant, or the row or request never was.
[[nodiscard]] Result<WhyReport> why(const WhyQuestion& question);

[[nodiscard]] std::string why_text(const WhyReport& report);
[[nodiscard]] std::string why_json(const WhyReport& report);

}  // namespace headroom
