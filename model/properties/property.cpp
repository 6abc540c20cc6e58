#include "model/properties/property.hpp"

#include <algorithm>
#include <array>

#include "model/properties/properties.hpp"

namespace headroom {
namespace {

constexpr std::array kStarvationBounds{
    BoundInfo{"at_most_sweeps", BoundKind::whole, "longest run (default: K - 1)"},
    BoundInfo{"at_most_ms", BoundKind::milliseconds, "longest time from its first sweep to the service"}};
constexpr std::array kQuotaBounds{
    BoundInfo{"slack", BoundKind::whole, "rows above the bound that are put up with (default: 0)"}};
constexpr std::array kFairnessBounds{
    BoundInfo{"at_least", BoundKind::index, "Jain's index over all of the windows"},
    BoundInfo{"worst_window_at_least", BoundKind::index, "Jain's index of the worst window"},
    BoundInfo{"max_min_share_at_least", BoundKind::index,
              "least share of a tenant in a window, against its entitled one"}};

constexpr std::array kProperties{
    PropertyInfo{"exactly_once",
                 "one row, at most one live fence and one recorded result per key; nothing lost",
                 {},
                 false,
                 make_exactly_once},
    PropertyInfo{
        "end_to_end", "a request answered 2xx has all of its rows, any other none", {}, false, make_end_to_end},
    PropertyInfo{"ledger",
                 "rows and requests of every tenant add up after every step: each is in exactly one place",
                 {},
                 false,
                 make_ledger},
    PropertyInfo{"ceiling", "no claim takes a tenant past its node's ceiling", {}, false, make_ceiling},
    PropertyInfo{"quota_sum", "ceilings and executing rows of the cluster add up to the quota, within the rounding",
                 kQuotaBounds, false, make_quota_sum},
    PropertyInfo{"slice",
                 "every active namespace gets its slice of every sweep, and none waits too many sweeps",
                 {},
                 false,
                 make_slice},
    PropertyInfo{"no_starvation", "no namespace is active and unserved for too many sweeps in a row", kStarvationBounds,
                 false, make_no_starvation},
    PropertyInfo{"work_conserving",
                 "no sweep leaves batch unused while an active namespace could take more",
                 {},
                 false,
                 make_work_conserving},
    PropertyInfo{"fairness", "Jain's index and least share over the windows in which tenants were backlogged",
                 kFairnessBounds, true, make_fairness},
    PropertyInfo{"gate_safety",
                 "gates keep to their caps, permits and connections come back once, refusals say why",
                 {},
                 false,
                 make_gate_safety},
    PropertyInfo{"gate_progress",
                 "no request waits that could run, and permits are handed over in queue order",
                 {},
                 false,
                 make_gate_progress},
    PropertyInfo{"readiness",
                 "not ready above the high marks, ready below the low ones, and as before in between",
                 {},
                 false,
                 make_readiness},
    PropertyInfo{
        "causes_sum", "every interval of a row's wait has exactly one cause, and they sum", {}, false, make_causes_sum},
};

}  // namespace

std::span<const PropertyInfo> all_properties() {
  return kProperties;
}

const PropertyInfo* find_property(std::string_view name) {
  const auto* const found = std::ranges::find(kProperties, name, &PropertyInfo::name);
  return found == kProperties.end() ? nullptr : found;
}

}  // namespace headroom
