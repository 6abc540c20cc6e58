#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "sim/scenario/exact_number.hpp"
#include "sim/scenario/json_text.hpp"
#include "sim/scenario/load.hpp"
#include "sim/scenario/warnings.hpp"

namespace headroom {
namespace {

constexpr double kNoBound = std::numeric_limits<double>::infinity();

double bound(const std::optional<std::uint32_t>& limit) {
  return limit ? static_cast<double>(*limit) : kNoBound;
}

// Retries for each first try in the worst case.
double most_retries(const RetrySpec& retry) {
  if (retry.kind == RetryKind::none) {
    return 0;
  }
  return std::min(bound(retry.attempts), retry.budget ? retry.budget->to_double() : kNoBound);
}

class AdmissionWarnings {
 public:
  AdmissionWarnings(const Scenario& scenario, const AdmissionSection& admission)
      : scenario_(scenario),
        admission_(admission),
        processes_(static_cast<double>(scenario.cluster.nodes) * scenario.cluster.processes),
        process_cap_(bound(max_inflight_of(admission, scenario.cluster))) {
    for (std::size_t i = 0; i < scenario.tenants.size(); ++i) {
      const TenantSpec& tenant = scenario.tenants[i];
      if (tenant.requests) {
        callers_.push_back({&tenant, "/tenants/" + std::to_string(i), static_cast<double>(tenant.count.value_or(1))});
      }
    }
    for (const Caller& caller : callers_) {
      tenant_caps_ += caller.members * bound(caller.tenant->admission.max_inflight);
    }
  }

  Diagnostics all() && {
    if (callers_.empty()) {
      warn("/admission", "no tenant has requests: the gates have nothing to do", "\"requests\" of a tenant");
      return std::move(found_);
    }
    check_pool();
    check_queue();
    check_marks();
    check_isolation();
    for (const Caller& caller : callers_) {
      check_caller(caller);
    }
    check_load();
    return std::move(found_);
  }

 private:
  // A tenant, or the members of a group, with requests.
  struct Caller {
    const TenantSpec* tenant;
    std::string entry;
    double members;
  };

  void warn(std::string pointer, std::string wrong, std::string right) {
    found_.push_back({scenario_.file, std::move(pointer), std::move(wrong), std::move(right)});
  }

  // Handlers of the whole fleet that may run at once.
  [[nodiscard]] double fleet_cap() const { return processes_ * std::min(process_cap_, tenant_caps_); }
  [[nodiscard]] double connections() const {
    return admission_.database_pool ? admission_.database_pool->size - admission_.database_pool->reserve : kNoBound;
  }

  // Rows that may hold a connection at once.
  [[nodiscard]] double rows_in_pool() const {
    double quotas = 0;
    for (const TenantSpec& tenant : scenario_.tenants) {
      const bool in_pool = tenant.rows && tenant.rows->database_pool;
      quotas += in_pool ? static_cast<double>(tenant.count.value_or(1)) * tenant.quota : 0;
    }
    const std::vector<NodeId>& owner = scenario_.cluster.initial_owner;
    const auto owners = static_cast<double>(std::set<NodeId>(owner.begin(), owner.end()).size());
    return std::min(quotas, owners * bound(scenario_.cluster.workers));
  }

  void check_pool() {
    if (!admission_.database_pool) {
      return;
    }
    const double rows = rows_in_pool();
    if (process_cap_ == 0) {
      warn("/admission/database_pool/size",
           fmt::format("{} connections without the reserve are not one for each of {} processes: nothing is admitted",
                       connections(), processes_),
           "a larger pool, or fewer processes");
    } else if (fleet_cap() == kNoBound) {
      warn("/admission/max_inflight",
           fmt::format("no limit on what runs at once, and the pool has {} connections without its reserve",
                       connections()),
           "limits that fit into the pool, or none written");
    } else if (fleet_cap() > connections()) {
      warn("/admission/max_inflight",
           fmt::format("{} processes may run {} handlers at once, and the pool has {} connections without its reserve",
                       processes_, fleet_cap(), connections()),
           "limits that fit into the pool, or none written");
    } else if (fleet_cap() + rows > connections()) {
      warn("/admission/database_pool/size",
           fmt::format("{} handlers and {} rows may hold a connection at once, and the pool has {} without its reserve",
                       fleet_cap(), rows, connections()),
           "a larger pool, or less work at once");
    }
  }

  [[nodiscard]] bool may_wait() const {
    return admission_.queue_wait != Duration::zero() && admission_.max_queue_depth != 0U;
  }

  void check_queue() {
    if (may_wait() && !admission_.max_queue_depth) {
      warn("/admission/max_queue_depth", "any number of requests may wait", "a bound");
    }
    if (may_wait() && !admission_.queue_wait) {
      warn("/admission/queue_wait", "requests may wait without end", "a bound, shorter than clients wait");
    }
    const Caller* hasty = nullptr;
    for (const Caller& caller : callers_) {
      const auto& timeout = caller.tenant->requests->client.timeout;
      if (timeout && (hasty == nullptr || *timeout < *hasty->tenant->requests->client.timeout)) {
        hasty = &caller;
      }
    }
    if (may_wait() && hasty != nullptr && admission_.queue_wait &&
        *admission_.queue_wait >= *hasty->tenant->requests->client.timeout) {
      const std::string timeout = format_duration(*hasty->tenant->requests->client.timeout);
      warn("/admission/queue_wait",
           "lets requests wait for " + format_duration(*admission_.queue_wait) + ", and clients of " +
               in_quotes(hasty->tenant->name) + " wait for " + timeout,
           "less than " + timeout);
    }
  }

  void check_marks() {
    if (!admission_.readiness) {
      return;
    }
    const ReadinessMarks& marks = *admission_.readiness;
    if (marks.depth_high && admission_.max_queue_depth && *marks.depth_high >= *admission_.max_queue_depth) {
      warn("/admission/readiness/depth_high",
           fmt::format("is never passed: at most {} requests wait", *admission_.max_queue_depth),
           "less than \"max_queue_depth\"");
    }
    if (marks.lag_high && admission_.queue_wait && *marks.lag_high >= *admission_.queue_wait) {
      warn("/admission/readiness/lag_high",
           "is never passed: no request waits for more than " + format_duration(*admission_.queue_wait),
           "less than \"queue_wait\"");
    }
  }

  // Between tenants that are alike there is nobody to be protected from.
  void check_isolation() {
    if (callers_.size() > 1 && tenant_caps_ < kNoBound && tenant_caps_ > process_cap_) {
      warn("/admission/max_inflight",
           fmt::format(
               "tenants may run {} requests in a process that runs {}: one tenant's load can take another's room",
               tenant_caps_, process_cap_),
           "caps of tenants that sum to at most that");
    }
  }

  void check_caller(const Caller& caller) {
    // A sticky tenant has one process.
    const bool sticky = admission_.load_balancer.policy == BalancingPolicy::sticky;
    const double processes = sticky ? 1 : processes_;
    const TenantSpec& tenant = *caller.tenant;
    const std::string pointer = caller.entry + "/requests/arrivals";
    const double cap = processes * bound(tenant.admission.max_inflight);
    if (request_load(tenant) > cap) {
      warn(pointer,
           fmt::format("requests keep {:.4g} handlers busy on average, and {} lets {} run", request_load(tenant),
                       in_quotes("max_inflight"), cap),
           "a higher cap, or fewer or shorter requests");
    }
    const double rate = mean_rate(tenant.requests->arrivals).value_or(0);
    if (tenant.admission.rate_limit) {
      const double limit = processes * static_cast<double>(tenant.admission.rate_limit->nanohertz) / 1e9;
      if (rate > limit) {
        warn(pointer, fmt::format("{:.4g}/s come, and \"rate_limit\" lets {:.4g}/s in", rate, limit),
             "a higher limit, or fewer requests");
      }
    }
  }

  void check_load() {
    double load = 0;
    for (const Caller& caller : callers_) {
      load += caller.members * request_load(*caller.tenant);
    }
    // Caps of tenants are held against their own loads.
    const double processes = processes_ * process_cap_;
    if (processes <= connections()) {
      check_resource_load("/admission/max_inflight", load, processes, "processes run");
    } else {
      check_resource_load("/admission/database_pool/size", load, connections(), "the pool has connections for");
    }
    if (admission_.downstream) {
      check_resource_load("/admission/downstream/size", load * admission_.downstream->part.to_double(),
                          admission_.downstream->size, "the next service takes");
    }
    const double capacity = std::min(fleet_cap(), connections());
    if (load <= capacity) {
      check_retries(load, capacity);
    }
  }

  // A load that fits can stay above capacity by its own retries, once something has raised it.
  void check_retries(double load, double capacity) {
    double raised = load;
    const Caller* most = nullptr;  // whose retries add most
    double most_added = 0;
    for (const Caller& caller : callers_) {
      const double own = caller.members * request_load(*caller.tenant);
      const double added = own > 0 ? own * most_retries(caller.tenant->requests->client.retry) : 0;
      raised += added;
      if (added > most_added) {
        most = &caller;
        most_added = added;
      }
    }
    if (raised > capacity) {
      warn(most->entry + "/requests/client/retry",
           fmt::format("retries can raise the load from {:.4g} busy handlers {}, and {} can run: an overload may "
                       "outlast its cause",
                       load, raised < kNoBound ? fmt::format("to {:.4g}", raised) : "without bound", capacity),
           "fewer retries, or a budget");
    }
  }

  void check_resource_load(const std::string& pointer, double load, double capacity, std::string_view whose) {
    if (load > capacity) {
      warn(pointer,
           fmt::format("requests keep {:.4g} handlers busy on average, and {} {} at once", load, whose, capacity),
           "more capacity, or fewer or shorter requests");
    }
  }

  const Scenario& scenario_;
  const AdmissionSection& admission_;
  double processes_;
  double process_cap_;
  double tenant_caps_ = 0;  // in each process
  std::vector<Caller> callers_;
  Diagnostics found_;
};

}  // namespace

Diagnostics admission_warnings(const Scenario& scenario) {
  if (scenario.admission) {
    return AdmissionWarnings(scenario, *scenario.admission).all();
  }
  if (scenario.cluster.processes > 1) {
    return {{scenario.file, "/cluster/processes", "have no effect: there is no gate", "a section \"admission\""}};
  }
  return {};
}

}  // namespace headroom
