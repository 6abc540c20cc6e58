#include <span>
#include <string>
#include <utility>
#include <vector>

#include "model/properties/property.hpp"
#include "reports/metrics/metric_names.hpp"
#include "sim/scenario/grammar.hpp"
#include "sim/scenario/names.hpp"

namespace headroom {
namespace {

template <class E>
NameList listed(std::string title) {
  NameList list{std::move(title), {}};
  for (const EnumName<E>& entry : enum_names<E>()) {
    list.entries.push_back({std::string(entry.name), std::string(entry.summary)});
  }
  return list;
}

NameList listed_properties() {
  NameList list{"properties", {}};
  for (const PropertyInfo& property : all_properties()) {
    std::string summary(property.summary);
    for (std::size_t i = 0; i < property.bounds.size(); ++i) {
      summary += (i == 0 ? " (" : ", ") + std::string(property.bounds[i].name);
    }
    list.entries.push_back({std::string(property.name), summary + (property.bounds.empty() ? "" : ")")});
  }
  return list;
}

NameList listed_goals() {
  NameList list{"goals of sometimes", {}};
  for (const GoalName& goal : goal_names()) {
    list.entries.push_back({std::string(goal.name), std::string(goal.summary)});
  }
  return list;
}

NameList listed_metrics() {
  NameList list{"metrics", {}};
  for (const MetricName& metric : metric_names()) {
    list.entries.push_back({metric.pattern, metric.summary});
  }
  return list;
}

}  // namespace

std::vector<NameList> all_names() {
  return {listed<PlannerKind>("planners"),
          listed<ClaimedCounts>("claimed_counts"),
          listed<CeilingGrowth>("ceiling_growth"),
          listed<FractionRefresh>("fraction_refresh"),
          listed<OnQuotaError>("on_quota_error"),
          listed<ScopeOnLoss>("scope_on_loss"),
          listed<ZeroOwned>("zero_owned"),
          listed<SettleGuard>("settle_guard"),
          listed<RearmPassKind>("rearm_pass"),
          listed<DispatchKind>("dispatch"),
          {"ownership", ownership_rule().kinds},
          listed<ShardBy>("shard_by"),
          listed<TieBreak>("tie_break"),
          {"arrivals", arrivals_rule().kinds},
          {"distributions", distribution_rule().kinds},
          listed<QueueOrder>("queue_order"),
          listed<RetryAfterForm>("retry_after_form"),
          listed<BalancingPolicy>("load balancer policies"),
          {"retry kinds", retry_rule().kinds},
          listed<RetryJitter>("retry jitter"),
          listed<OnTimeout>("on_timeout"),
          {"latency shifts", latency_shift_rule().kinds},
          listed<ShiftTarget>("latency shifts on"),
          {"faults", fault_rule().kinds},
          {"store errors leave what is claimed to", store_error_outcome_rule().kinds},
          listed<ClientDisconnectFault::Stage>("clients disconnect at the stage"),
          listed_properties(),
          listed_goals(),
          listed_metrics()};
}

}  // namespace headroom
