#include "model/properties/property.hpp"

#include <algorithm>
#include <array>

#include "model/properties/properties.hpp"

namespace headroom {
namespace {

constexpr std::array<std::string_view, 2> kStarvationBounds{"at_most_sweeps", "at_most_ms"};
constexpr std::array<std::string_view, 1> kQuotaBounds{"slack"};
constexpr std::array<std::string_view, 3> kFairnessBounds{"at_least", "worst_window_at_least",
                                                          "max_min_share_at_least"};

constexpr std::array kProperties{
    PropertyInfo{"exactly_once",
                 "one row, at most one live fence and one recorded result per key; nothing lost",
                 {},
                 make_exactly_once},
    PropertyInfo{"ledger",
                 "appended = pending + claimed + done + failed + cancelled, per tenant, after every step",
                 {},
                 make_ledger},
    PropertyInfo{"ceiling", "no claim takes a tenant past its node's ceiling", {}, make_ceiling},
    PropertyInfo{"quota_sum", "ceilings and executing rows of the cluster add up to the quota, within the rounding",
                 kQuotaBounds, make_quota_sum},
    PropertyInfo{"slice",
                 "every active namespace gets its slice of every sweep, and none waits too many sweeps",
                 {},
                 make_slice},
    PropertyInfo{"no_starvation", "no namespace is active and unserved for too many sweeps in a row", kStarvationBounds,
                 make_no_starvation},
    PropertyInfo{"work_conserving",
                 "no sweep leaves batch unused while an active namespace could take more",
                 {},
                 make_work_conserving},
    PropertyInfo{"fairness", "Jain's index and max-min share over the windows in which tenants were backlogged",
                 kFairnessBounds, make_fairness},
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
