#include "reports/metrics/metric_names.hpp"

#include <cstddef>
#include <initializer_list>

#include "model/admission/gate.hpp"
#include "model/properties/gate_mirror.hpp"
#include "model/properties/wait_causes.hpp"

namespace headroom {
namespace {

struct Entry {
  std::string_view name;
  std::string_view summary;
};
using Entries = std::initializer_list<Entry>;

class Table {
 public:
  void add(const std::string& at, const Entries& entries) {
    for (const Entry& entry : entries) {
      names_.push_back({at + std::string(entry.name), std::string(entry.summary)});
    }
  }
  void add_distribution(const std::string& at, const std::string& what) {
    names_.push_back({at + "/count", what + ": samples"});
    for (const std::string_view figure : {"mean", "p50", "p90", "p99", "max"}) {
      names_.push_back({at + "/" + std::string(figure), what + ", ms"});
    }
  }
  void add_spread(const std::string& at, const std::string& what) {
    for (const std::string_view figure : {"min", "median", "p99", "max"}) {
      names_.push_back({at + "/" + std::string(figure), what});
    }
  }
  [[nodiscard]] std::vector<MetricName> take() { return std::move(names_); }

 private:
  std::vector<MetricName> names_;
};

void add_quota(const std::string& at, Table& table) {
  table.add(at, {{"/peak_ceiling_sum_over", "most that the ceilings sum to above the quota"},
                 {"/ceiling_seconds_over", "time in which they did"},
                 {"/ceiling_row_seconds_over", "integral of it"},
                 {"/peak_executing_over", "most executing rows above the quota"},
                 {"/seconds_over", "time in which there were any"},
                 {"/row_seconds_over", "integral of it"},
                 {"/peak_under", "most claimable rows that the quota had room for and that were not claimed"},
                 {"/seconds_under", "time in which there were any"},
                 {"/row_seconds_under", "integral of it"},
                 {"/peak_stranded", "most of those that were on nodes where the tenant stood at its ceiling"},
                 {"/seconds_stranded", "time in which there were any"},
                 {"/row_seconds_stranded", "integral of it"}});
}

void add_gate(const std::string& at, Table& table) {
  const Entries counts = {{"/arrived", "tries that reached a gate"},
                          {"/admitted", "tries admitted"},
                          {"/rejected_429", "tries refused because of the tenant's own limits"},
                          {"/rejected_503", "tries refused because of the process"},
                          {"/goodput", "requests answered in time"}};
  table.add(at, counts);
  table.add(at, {{"/finished", "handlers that ended"},
                 {"/gone", "tries whose client left before their handler started"},
                 {"/inside_at_end", "running and waiting at the end"}});
  for (std::size_t i = 0; i < kRefusals; ++i) {
    const std::string reason(name_of(static_cast<Refusal>(i)));
    table.add(at + "/rejected_by/", {{reason, "tries refused for this reason"}});
  }
  table.add(at, {{"/calls", "logical requests"},
                 {"/retries", "tries after the first"},
                 {"/timeouts", "tries whose client stopped waiting"},
                 {"/gave_up", "logical requests not tried again"},
                 {"/unreachable", "tries that found no process"},
                 {"/abandoned", "clients that left a running handler"},
                 {"/dead_work", "handlers that succeeded for a client that had left"},
                 {"/failed", "handlers that failed of themselves"},
                 {"/crashed", "handlers whose process died"},
                 {"/database_timeouts", "handlers that got no connection in time"},
                 {"/downstream_timeouts", "handlers that got no place downstream in time"}});
  table.add(at + "/measured", counts);
  table.add(at,
            {{"/peak_at_once", "most tries in one instant"}, {"/peak_retries_at_once", "most retries in one instant"}});
  table.add_distribution(at + "/wait_ms", "wait at the gate");
  table.add_distribution(at + "/handling_ms", "time of a handler");
  table.add_distribution(at + "/response_ms", "from the first try to the answer");
  table.add(at, {{"/mean_inflight", "handlers at once, on average"},
                 {"/mean_waiting", "waiters at once, on average"},
                 {"/little_residual", "|L - lambda W| / L of the handlers"},
                 {"/success_rate", "logical requests answered, of those answered or given up"},
                 {"/amplification", "tries per logical request"},
                 {"/goodput_at_end_per_second", "goodput over the last fifth of the measured part"}});
}

// Of a tenant, and of a group taken as one.
void add_tenant(const std::string& at, Table& table) {
  table.add(at, {{"/quota", "of each tenant"},
                 {"/weight", "of each tenant"},
                 {"/noisy", "1 if it is marked so"},
                 {"/appended", "rows"},
                 {"/claimed", "claims"},
                 {"/completed", "rows with a result"},
                 {"/failed", "dead letters"},
                 {"/cancelled", "rows"},
                 {"/pending_at_end", "rows"},
                 {"/claimed_at_end", "rows"},
                 {"/duplicates_ignored", "appends of a key that was there"},
                 {"/retries", "tries that failed and were not the last"},
                 {"/rearmed", "stale claims taken back"},
                 {"/demand", "rows there at the beginning of the measured part, and appended in it"},
                 {"/served", "rows completed in the measured part"},
                 {"/oldest_unclaimed_ms", "age of the row that waits longest at the end"}});
  table.add_distribution(at + "/wait_ms", "from due to the start of execution");
  table.add_distribution(at + "/claim_wait_ms", "from due to the claim");
  table.add_distribution(at + "/sojourn_ms", "from due to the end of execution");
  for (std::size_t i = 0; i < kWaitCauses; ++i) {
    const std::string cause(name_of(static_cast<WaitCause>(i)));
    table.add(at + "/wait_causes_ms/", {{cause, "row-milliseconds with this cause"}});
  }
  table.add(at, {{"/longest_starvation/ms", "active and unserved, longest run of sweeps of a node"},
                 {"/longest_starvation/sweeps", "the same in sweeps"},
                 {"/at_ceiling_ms", "time with claimable rows and no headroom on some node"},
                 {"/executing_ms", "worker time"},
                 {"/share", "of all rows completed"},
                 {"/executing_share", "of all worker time"},
                 {"/entitled_share", "weight-proportional max-min part of the rows completed"},
                 {"/max_min_ratio", "rows completed against the max-min optimum of each window"},
                 {"/noise_amplification/p99_ms", "p99 of the wait"},
                 {"/noise_amplification/twin_p99_ms", "the same in the run without the noisy tenants"},
                 {"/noise_amplification/ratio", "the one divided by the other, if that is at least 1 ms"},
                 {"/noise_amplification/difference_ms", "the one less the other"},
                 {"/noise_amplification/success_difference", "success rate less that without the noisy tenants"}});
  add_quota(at + "/quota_use", table);
  table.add(at, {{"/littles_residual", "|L - lambda W| / L of its rows"}});
  add_gate(at + "/gate", table);
}

void add_resource(const std::string& at, Table& table) {
  table.add(at, {{"/size", "places"},
                 {"/reserve", "places kept for others"},
                 {"/peak_in_use", "most at once"},
                 {"/peak_waiting", "most at once"}});
  table.add_distribution(at + "/wait_ms", "wait for a place");
  table.add(at, {{"/timeouts", "that gave up waiting"}, {"/health_check_timeouts", "health checks that did"}});
}

void add_cluster(Table& table) {
  table.add("/cluster", {{"/jain_index", "of rows claimed, over the windows in which tenants were backlogged"},
                         {"/jain_worst_window", "its least in a window"},
                         {"/jain_worst_window_at_ms", "where that begins"},
                         {"/jain_windows", "windows with an index"},
                         {"/executing_jain_index", "of executing time, over the same windows"},
                         {"/executing_jain_worst_window", "its least in a window"}});
  add_quota("/cluster/quota", table);
  table.add("/cluster", {{"/utilisation", "busy worker time of all worker time"},
                         {"/littles_residual", "|L - lambda W| / L of rows, the worst tenant"},
                         {"/duplicate_executions", "executions of a row beyond the first"},
                         {"/stale_completions", "results under a stale fence"},
                         {"/goodput_per_second", "requests answered in time; rows, where nobody sends requests"},
                         {"/recovery_ms", "until goodput was back after the last disturbance"},
                         {"/gate/processes", "API processes"},
                         {"/gate/max_inflight", "of a process"},
                         {"/gate/peak_inflight", "of a process"},
                         {"/gate/peak_queue_depth", "of a process"},
                         {"/gate/readiness_changes", "of all processes"},
                         {"/gate/unready_ms", "summed over the processes"}});
  add_resource("/cluster/database_pool", table);
  add_resource("/cluster/downstream", table);
}

std::vector<MetricName> make_table() {
  Table table;
  table.add("",
            {{"/simulated_seconds", "all of the run, with the drain"}, {"/events", "steps that changed the model"}});
  add_tenant("/tenants/NAME", table);
  table.add("/groups/NAME", {{"/members", "tenants in the group"}});
  add_tenant("/groups/NAME", table);
  table.add_spread("/groups/NAME/across_members/completed", "rows of each member");
  table.add_spread("/groups/NAME/across_members/wait_ms/p50", "of each member's wait");
  table.add_spread("/groups/NAME/across_members/wait_ms/p99", "of each member's wait");
  table.add_spread("/groups/NAME/across_members/wait_ms/max", "of each member's wait");
  table.add_spread("/groups/NAME/across_members/longest_starvation/ms", "of each member");
  table.add_spread("/groups/NAME/across_members/longest_starvation/sweeps", "of each member");
  table.add("/nodes/NODE", {{"/claims", "rows claimed"},
                            {"/sweeps", "completed"},
                            {"/executions", "started"},
                            {"/busy_ms", "worker time"},
                            {"/utilisation", "busy worker time of all worker time"},
                            {"/owned_shards_at_end", "shards"},
                            {"/crashes", "of the node"}});
  add_cluster(table);
  table.add("/drain", {{"/seconds", "that it took"},
                       {"/drained", "1 if nothing was left"},
                       {"/completed", "rows, in it"},
                       {"/failed", "dead letters, in it"},
                       {"/left/pending", "rows, after it"},
                       {"/left/claimed", "rows, after it"},
                       {"/left/waiting", "requests, after it"},
                       {"/left/running", "requests, after it"}});
  table.add("", {{"/reached/GOAL", "how often: what a \"sometimes\" asks for"},
                 {"/engine/peak_pending_events", "in the event queue"}});
  return table.take();
}

// Up to the next slash; moves `rest` behind it.
std::string_view next_step(std::string_view& rest) {
  const std::size_t end = rest.find('/');
  const std::string_view step = rest.substr(0, end);
  rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  return step;
}

}  // namespace

const std::vector<MetricName>& metric_names() {
  static const std::vector<MetricName> table = make_table();
  return table;
}

bool matches(std::string_view pattern, std::span<const std::string> steps) {
  std::string_view rest = pattern.substr(1);
  for (const std::string& step : steps) {
    if (rest.empty()) {
      return false;
    }
    const std::string_view wanted = next_step(rest);
    const bool any = wanted == "NAME" || wanted == "NODE" || wanted == "GOAL";
    if (!any && wanted != step) {
      return false;
    }
  }
  return rest.empty();
}

std::vector<std::string> steps_of(std::string_view pointer) {
  std::vector<std::string> steps;
  for (const char c : pointer) {
    if (c == '/') {
      steps.emplace_back();
    } else {
      steps.back() += c;
    }
  }
  for (std::string& step : steps) {
    std::string plain;
    for (std::size_t i = 0; i < step.size(); ++i) {
      const bool escaped = step[i] == '~' && i + 1 < step.size();
      plain += !escaped ? step[i] : step[i + 1] == '1' ? '/' : '~';
      i += escaped ? 1 : 0;
    }
    step = std::move(plain);
  }
  return steps;
}

}  // namespace headroom
