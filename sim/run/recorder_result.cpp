// Recorder: from what was measured to a RunResult.
#include <algorithm>
#include <utility>
#include <variant>

#include "reports/metrics/fairness.hpp"
#include "sim/run/recorder.hpp"

namespace headroom {
namespace {

// A backlog asks for as much as it is given, however little that was.
bool never_runs_out(const TenantSpec& tenant) {
  return tenant.rows && tenant.rows->arrivals && std::holds_alternative<BacklogArrivals>(*tenant.rows->arrivals);
}

}  // namespace

Starvation Recorder::longest_of(const Subject& subject) const {
  Starvation longest;
  for (const NamespaceId name : subject.members) {
    longest.time = std::max(longest.time, accounts_[name.value()].longest.time);
    longest.sweeps = std::max(longest.sweeps, accounts_[name.value()].longest.sweeps);
  }
  return longest;
}

TenantFigures Recorder::figures_of(std::size_t subject_index) const {
  const Subject& subject = subjects_.all()[subject_index];
  const TenantSpec& spec = scenario_.tenants[subject.spec_index];
  TenantFigures figures{.quota = spec.quota, .weight = spec.weight, .noisy = spec.noisy};
  Histogram wait;
  for (const NamespaceId name : subject.members) {
    const Account& account = accounts_[name.value()];
    figures.appended += account.counts.appended;
    figures.claimed += account.counts.claims;
    figures.completed += account.counts.done;
    figures.failed += account.counts.failed;
    figures.cancelled += account.counts.cancelled;
    figures.pending_at_end += account.counts.pending;
    figures.claimed_at_end += account.counts.claimed;
    figures.duplicates_ignored += account.counts.duplicates_ignored;
    figures.retries += account.counts.retries;
    figures.rearmed += account.counts.rearms;
    figures.oldest_unclaimed = std::max(figures.oldest_unclaimed, account.oldest_unclaimed);
    figures.at_ceiling += account.at_ceiling;
    figures.executing_time += account.executing_time;
    figures.demand += account.rows_before + account.counts.appended - account.appended_before;
    figures.served += account.counts.done - account.done_before;
    figures.quota_use = worse_of(figures.quota_use, quotas_.of(name));
    for (std::size_t i = 0; i < kWaitCauses; ++i) {
      const auto cause = static_cast<WaitCause>(i);
      figures.wait_causes[std::string(name_of(cause))] +=
          causes_at_end_[name.value()][cause] - causes_before_[name.value()][cause];
    }
    wait.merge(waits_[name.value()]);
  }
  figures.wait = summarise(wait);
  figures.claim_wait = summarise(paths_[subject_index].claim_wait);
  figures.sojourn = summarise(paths_[subject_index].sojourn);
  figures.longest_starvation = longest_of(subject);
  figures.littles_residual = littles_residual(subject.members);
  figures.max_min_ratio = shares_.ratio(subject_index);
  if (total_served_ > 0) {
    figures.share = static_cast<double>(figures.served) / static_cast<double>(total_served_);
  }
  if (gate_ && spec.requests) {
    figures.gate = gate_->figures_of(subject_index);
  }
  if (total_executing_ > 0) {
    figures.executing_share = static_cast<double>(figures.executing_time) / static_cast<double>(total_executing_);
  }
  return figures;
}

MemberSpreads Recorder::spreads_of(const Subject& subject) const {
  std::vector<std::int64_t> completed;
  std::vector<std::int64_t> p50;
  std::vector<std::int64_t> p99;
  std::vector<std::int64_t> max;
  std::vector<std::int64_t> starvation;
  std::vector<std::int64_t> starvation_sweeps;
  for (const NamespaceId name : subject.members) {
    const Account& account = accounts_[name.value()];
    completed.push_back(static_cast<std::int64_t>(account.counts.done));
    starvation.push_back(account.longest.time.count());
    starvation_sweeps.push_back(static_cast<std::int64_t>(account.longest.sweeps));
    const Histogram& wait = waits_[name.value()];
    if (wait.count() > 0) {
      p50.push_back(*wait.quantile(5'000));
      p99.push_back(*wait.quantile(9'900));
      max.push_back(wait.max());
    }
  }
  return {.completed = spread_of(std::move(completed)),
          .wait_p50 = spread_of(std::move(p50)),
          .wait_p99 = spread_of(std::move(p99)),
          .wait_max = spread_of(std::move(max)),
          .starvation = spread_of(std::move(starvation)),
          .starvation_sweeps = spread_of(std::move(starvation_sweeps))};
}

// L is the rows in the system, counted at every step; lambda W the waits and executions of each row, both over the
// measured part alone: so they are the same unless one of them is counted wrong.
std::optional<double> Recorder::littles_residual(std::span<const NamespaceId> names) const {
  Int128 rows = 0;
  Int128 times = 0;
  for (const NamespaceId name : names) {
    rows += quotas_.row_time(name);
    for (std::size_t i = 0; i < kWaitCauses; ++i) {
      const auto cause = static_cast<WaitCause>(i);
      times += causes_at_end_[name.value()][cause] - causes_before_[name.value()][cause];
    }
  }
  if (rows == 0) {
    return std::nullopt;
  }
  const Int128 difference = rows > times ? rows - times : times - rows;
  return static_cast<double>(difference) / static_cast<double>(rows);
}

void Recorder::fill_cluster(RunResult& result) const {
  ClusterResult& cluster = result.cluster;
  cluster = cluster_at_end_;
  cluster.jain_index = fairness_.index();
  if (const auto worst = fairness_.worst_window()) {
    cluster.jain_worst_window = worst->index;
    cluster.worst_window_at = worst->start;
  }
  cluster.windows_judged = fairness_.windows_judged();
  cluster.executing_jain_index = executing_fairness_.index();
  if (const auto worst = executing_fairness_.worst_window()) {
    cluster.executing_jain_worst_window = worst->index;
  }
  Int128 busy = 0;
  Int128 offered = 0;
  bool limited = true;
  for (const NodeResult& node : nodes_at_end_) {
    busy += node.busy_time;
    offered += node.worker_time;
    limited = limited && node.worker_time > 0;
  }
  if (limited && offered > 0) {
    cluster.utilisation = static_cast<double>(busy) / static_cast<double>(offered);
  }
  for (std::uint32_t name = 0; name < accounts_.size(); ++name) {
    const std::optional<double> residual = littles_residual(std::array{NamespaceId(name)});
    if (residual && (!cluster.littles_residual || *residual > *cluster.littles_residual)) {
      cluster.littles_residual = residual;
    }
  }
  if (recovery_) {
    cluster.recovery = recovery_->took();
  }
  if (gate_) {
    cluster.fleet = gate_->fleet();
  }
}

RunResult Recorder::take_result() {
  RunResult result;
  result.duration = measured_until_.since_start();
  result.warmup = measured_from_.since_start();
  std::vector<double> demands;
  std::vector<double> weights;
  std::vector<TenantFigures> figures;
  std::vector<std::uint32_t> reported(subjects_.size());  // place in the result, groups after tenants
  std::uint32_t next_group = 0;
  for (const Subject& subject : subjects_.all()) {
    next_group += subject.group ? 0 : 1;
  }
  for (std::size_t i = 0; i < subjects_.size(); ++i) {
    const Subject& subject = subjects_.all()[i];
    figures.push_back(figures_of(i));
    const std::uint64_t demand = figures.back().demand;
    const bool endless = never_runs_out(scenario_.tenants[subject.spec_index]);
    demands.push_back(static_cast<double>(endless ? std::max(demand, total_served_) : demand));
    weights.push_back(static_cast<double>(figures.back().weight) * static_cast<double>(subject.members.size()));
  }
  const auto entitled = entitled_shares(demands, weights, static_cast<double>(total_served_));
  for (std::size_t i = 0; i < subjects_.size(); ++i) {
    const Subject& subject = subjects_.all()[i];
    if (entitled) {
      figures[i].entitled_share = (*entitled)[i];
    }
    reported[i] = subject.group ? next_group++ : static_cast<std::uint32_t>(result.tenants.size());
    if (subject.group) {
      result.groups.push_back({subject.name, static_cast<std::uint32_t>(subject.members.size()), std::move(figures[i]),
                               spreads_of(subject)});
    } else {
      result.tenants.push_back({subject.name, std::move(figures[i])});
    }
  }
  result.nodes = nodes_at_end_;
  fill_cluster(result);
  result.drain = drain_;
  for (std::size_t goal = 0; goal < kGoals; ++goal) {
    result.reached[std::string(goal_names()[goal].name)] = reached_[goal];
  }
  result.share_windows = shares_.windows(reported);
  result.series = std::move(series_).finish();
  return result;
}

}  // namespace headroom
