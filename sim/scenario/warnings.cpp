#include "sim/scenario/warnings.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <set>
#include <string>

#include "sim/scenario/exact_number.hpp"
#include "sim/scenario/json_text.hpp"
#include "sim/scenario/load.hpp"
#include "sim/scenario/rule.hpp"

namespace headroom {
namespace {

class Warnings {
 public:
  explicit Warnings(const Scenario& scenario)
      : scenario_(scenario),
        owners_(scenario.cluster.initial_owner.begin(), scenario.cluster.initial_owner.end()),
        scoped_(scenario.backpressure.planner != PlannerKind::unscoped) {}

  Diagnostics all() && {
    for (std::size_t i = 0; i < scenario_.tenants.size(); ++i) {
      entry_ = "/tenants/" + std::to_string(i);
      check_quota(scenario_.tenants[i]);
      check_service(scenario_.tenants[i]);
      check_weight(scenario_.tenants[i]);
    }
    check_sums();
    check_restarts();
    return std::move(found_);
  }

 private:
  void warn(std::string pointer, std::string wrong, std::string right) {
    found_.push_back({scenario_.file, std::move(pointer), std::move(wrong), std::move(right)});
  }

  // Busy workers that a tenant's rows (one member's) ask for; 0 where it follows what the system does.
  static double demand(const TenantSpec& tenant) {
    if (!tenant.rows || (tenant.rows->arrivals && gives_service(*tenant.rows->arrivals))) {
      return 0;
    }
    return row_rate(tenant) * static_cast<double>(mean(tenant.rows->service).count()) / 1e9;
  }

  void check_quota(const TenantSpec& tenant) {
    if (!scoped_ || !tenant.rows) {
      return;
    }
    const std::string pointer = entry_ + "/quota";
    if (tenant.quota == 0) {
      warn(pointer, "a quota of 0 holds every row of " + in_quotes(tenant.name), "a quota above 0");
    } else if (demand(tenant) > tenant.quota) {
      warn(pointer,
           fmt::format("rows keep {:.4g} workers busy on average, and the quota lets {} execute", demand(tenant),
                       tenant.quota),
           "a higher quota, or fewer or shorter rows");
    } else if (tenant.quota < owners_.size()) {
      warn(pointer,
           fmt::format("{} nodes own shards and each may execute 1 row: more than the quota of {} in all",
                       owners_.size(), tenant.quota),
           "a quota of at least the number of nodes");
    }
  }

  void check_service(const TenantSpec& tenant) {
    if (!tenant.rows || (tenant.rows->arrivals && gives_service(*tenant.rows->arrivals))) {
      return;
    }
    const Duration service = mean(tenant.rows->service);
    if (service >= scenario_.cluster.stale_after) {
      warn(entry_ + "/rows/service",
           "takes " + format_duration(service) + " on average, and claims go stale after " +
               format_duration(scenario_.cluster.stale_after) + ": work runs twice",
           "a longer \"stale_after\"");
    }
  }

  void check_weight(const TenantSpec& tenant) {
    if (tenant.weight != 1 && scenario_.backpressure.planner != PlannerKind::deficit_round_robin) {
      warn(entry_ + "/weight", "has no effect under " + in_quotes(name_of(scenario_.backpressure.planner)),
           "the planner \"deficit_round_robin\"");
    }
  }

  void check_sums() {
    double work = 0;
    std::uint64_t quotas = 0;
    bool any_work = false;
    for (const TenantSpec& tenant : scenario_.tenants) {
      const std::uint64_t count = tenant.count.value_or(1);
      any_work = any_work || tenant.rows || tenant.requests;
      work += static_cast<double>(count) * demand(tenant);
      quotas += tenant.rows ? count * tenant.quota : 0;
    }
    if (!any_work) {
      warn("/tenants", "no tenant has rows or requests: nothing will happen",
           "\"rows\" or \"requests\" with \"arrivals\"");
    }
    if (!scenario_.cluster.workers) {
      return;
    }
    const std::uint64_t workers = std::uint64_t{*scenario_.cluster.workers} * owners_.size();
    if (work > static_cast<double>(workers)) {
      warn(
          "/cluster/workers",
          fmt::format("rows keep {:.4g} workers busy on average, and the nodes that own shards have {}", work, workers),
          "more workers, or fewer or shorter rows");
    }
    if (scoped_ && quotas > workers) {
      warn("/cluster/workers",
           fmt::format("quotas sum to {} and there are {} workers: claimed rows may wait for one", quotas, workers),
           "quotas that fit, where that matters");
    }
  }

  void check_restarts() {
    for (std::size_t i = 0; i < scenario_.faults.size(); ++i) {
      const auto* restart = std::get_if<RestartFault>(&scenario_.faults[i].kind);
      if (restart == nullptr) {
        continue;
      }
      const bool crashed = std::ranges::any_of(scenario_.faults, [&](const Fault& fault) {
        const auto* crash = std::get_if<CrashFault>(&fault.kind);
        const bool again = scenario_.faults[i].every.has_value();
        return crash != nullptr && crash->node == restart->node && (again || fault.at <= scenario_.faults[i].at);
      });
      if (!crashed) {
        warn(fmt::format("/faults/{}/node", i), name_of_node(restart->node) + " has not crashed before",
             "a crash of the node before its restart");
      }
    }
  }

  const Scenario& scenario_;
  std::set<NodeId> owners_;  // nodes that own a shard at the start
  bool scoped_;
  std::string entry_;
  Diagnostics found_;
};

}  // namespace

Diagnostics warnings(const Scenario& scenario) {
  Diagnostics found = Warnings(scenario).all();
  Diagnostics of_gate = admission_warnings(scenario);
  std::ranges::move(of_gate, std::back_inserter(found));
  return found;
}

}  // namespace headroom
