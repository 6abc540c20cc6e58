// The tenants and groups of a result as rows of a table, the worst first.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/metrics/run_result.hpp"

namespace headroom {

struct RankedTenant {
  const TenantFigures* figures = nullptr;  // in the result that was ranked
  const GroupResult* group = nullptr;      // null for a tenant
  std::string label;                       // not escaped; a group says how many members it has
  std::string name;                        // not escaped
};

// By the greater of the p99 of the wait and the age of the oldest row that was never claimed (a tenant that was never
// served has no wait); ties by the greatest wait, the longest starvation, and the name. Those that send requests and
// never had a row are not among them. Valid while `result` lives.
[[nodiscard]] std::vector<RankedTenant> ranked_worst_first(const RunResult& result);

// The same tenants by what they got of what they could have got (the max-min optimum where it is known, else what they
// were entitled to), the least first; those that are entitled to nothing come last. Ties as above. Valid while `result`
// lives.
[[nodiscard]] std::vector<RankedTenant> ranked_by_share(const RunResult& result);
// What a tenant got of what it was entitled to; absent where it is entitled to nothing.
[[nodiscard]] std::optional<double> share_of_entitlement(const TenantFigures& figures);

// Those that send requests, by their success rate, the lowest first. A tenant whose requests neither succeeded nor were
// given up ranks as the worst where some of them reached a gate, last where none did. Ties by the p99 of the response,
// the longest first, and the name. Valid while `result` lives.
[[nodiscard]] std::vector<RankedTenant> ranked_by_success(const RunResult& result);

}  // namespace headroom
