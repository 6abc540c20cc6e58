#include "sim/run/recorder.hpp"

#include <algorithm>
#include <utility>

#include "sim/run/marks.hpp"

namespace headroom {
namespace {

std::vector<std::string> names_of(const Subjects& subjects) {
  std::vector<std::string> names;
  names.reserve(subjects.size());
  for (const Subject& subject : subjects.all()) {
    names.push_back(subject.name);
  }
  return names;
}

}  // namespace

Recorder::Recorder(const Scenario& scenario, const std::vector<TenantInstance>& tenants, const Cluster& cluster,
                   const WaitCauses& causes)
    : scenario_(scenario),
      subjects_(scenario, tenants),
      waits_(cluster.namespaces()),
      paths_(subjects_.size()),
      accounts_(cluster.namespaces()),
      at_ceiling_(static_cast<std::size_t>(cluster.namespaces()) * cluster.nodes(), 0),
      ceiling_sums_(cluster.namespaces(), 0),
      quota_sums_(cluster.namespaces(), 0),
      series_(names_of(subjects_), scenario.window, cluster.api() != nullptr),
      quotas_(cluster),
      shares_(scenario, subjects_, cluster),
      causes_(causes),
      fairness_(cluster.layout().weights()),
      executing_fairness_(cluster.layout().weights()),
      away_(cluster.nodes(), false) {
  causes_before_.resize(cluster.namespaces());
  for (const NodeId absent : scenario.cluster.absent) {
    away_[absent.value()] = true;
  }
  if (cluster.api() != nullptr) {
    gate_.emplace(scenario, subjects_, series_, cluster);
  }
  sends_requests_ =
      std::ranges::any_of(scenario.tenants, [](const TenantSpec& tenant) { return tenant.requests.has_value(); });
  if (const std::optional<Trigger> trigger = trigger_of(scenario)) {
    recovery_.emplace(trigger->start, trigger->end, Time::at(scenario.warmup), scenario.window);
  }
  for (std::uint16_t node = 0; node < cluster.nodes(); ++node) {
    nodes_.push_back({.name = "n" + std::to_string(node + 1)});
  }
  for (std::uint32_t name = 0; name < cluster.namespaces(); ++name) {
    on_ceilings(NamespaceId(name), cluster, Time::zero());
    on_quota(NamespaceId(name), cluster);
  }
}

void Recorder::on_step(const Cluster& cluster, std::span<const Effect> effects, Time at) {
  for (const Effect& effect : effects) {
    on_effect(effect, cluster, at);
  }
  quotas_.on_step(cluster, effects, at);
}

std::vector<CauseTimes> Recorder::causes_now() const {
  std::vector<CauseTimes> times;
  times.reserve(accounts_.size());
  for (std::uint32_t name = 0; name < accounts_.size(); ++name) {
    times.push_back(causes_.of(NamespaceId(name)));
  }
  return times;
}

void Recorder::on_client(const ClientEvent& event, Time at) {
  gate_->on_client(event, at);
  if (event.kind == ClientEvent::Kind::retried) {
    reach(Goal::retried_request);
  } else if (event.kind == ClientEvent::Kind::gave_up) {
    reach(Goal::gave_up);
  }
}

void Recorder::on_effect(const Effect& effect, const Cluster& cluster, Time at) {
  SeriesMeter* meter = effect.name.is_none() ? nullptr : &series_.meter(subjects_.of(effect.name));
  switch (effect.kind) {
    case EffectKind::appended:
      ++meter->appended;
      meter->pending.add(1);
      break;
    case EffectKind::duplicate_ignored:
      reach(Goal::duplicate_ignored);
      if (effect.key.ordinal() >= DispatchKey::kFirstOfRequests) {
        reach(Goal::request_retry_deduplicated);
      }
      break;
    case EffectKind::became_due:
      if (!effect.node.is_none() && !cluster.active(effect.node).test(effect.name.value())) {
        note_at_ceiling(effect.node, effect.name, cluster, at);
      }
      break;
    case EffectKind::claimed:
      ++meter->claims;
      meter->pending.add(-1);
      meter->claimed.add(1);
      ++nodes_[effect.node.value()].claims;
      ++accounts_[effect.name.value()].claimed_in_window;
      break;
    case EffectKind::started:
      on_started(effect, cluster, at);
      break;
    case EffectKind::finished:
      on_finished(effect, cluster, at);
      break;
    case EffectKind::recorded:
      if (effect.detail != 0) {
        reach(Goal::recorded_twice);
        break;
      }
      ++meter->completed;
      (effect.live ? meter->pending : meter->claimed).add(-1);
      ++completed_rows_;
      shares_.on_completed(effect.name, effect.node);
      drain_.completed += phase_ == Phase::drain ? 1 : 0;
      break;
    case EffectKind::retried:
    case EffectKind::rearmed:
      meter->claimed.add(-1);
      meter->pending.add(1);
      reach(effect.kind == EffectKind::retried ? Goal::retried : Goal::rearmed);
      if (effect.kind == EffectKind::rearmed && effect.live) {
        ++cluster_.duplicate_executions;
      }
      break;
    case EffectKind::dead_lettered:
      meter->claimed.add(-1);
      reach(Goal::dead_lettered);
      drain_.failed += phase_ == Phase::drain ? 1 : 0;
      break;
    case EffectKind::cancelled:
      (effect.live ? meter->claimed : meter->pending).add(-1);
      reach(Goal::cancelled);
      break;
    case EffectKind::released:
      meter->claimed.add(-1);
      meter->pending.add(1);
      reach(Goal::released);
      break;
    case EffectKind::execution_died:
      on_died(effect, cluster, at);
      break;
    case EffectKind::result_ignored:
      ++cluster_.stale_completions;
      reach(Goal::stale_completion);
      break;
    case EffectKind::became_active:
    case EffectKind::became_inactive:
      note_at_ceiling(effect.node, effect.name, cluster, at);
      break;
    case EffectKind::sweep_finished:
      ++nodes_[effect.node.value()].sweeps;
      if (!cluster.active(effect.node).empty()) {
        reach(Goal::held);
      }
      break;
    case EffectKind::crashed:
      shares_.on_node(effect.node, cluster, at);
      ++nodes_[effect.node.value()].crashes;
      reach(Goal::crashed);
      break;
    case EffectKind::owner_changed:
      if (!effect.node.is_none()) {
        reach(effect.live ? Goal::adopted : Goal::handed_off);
      }
      break;
    case EffectKind::ceilings_changed:
      if (effect.name.is_none()) {
        for (std::uint32_t name = 0; name < cluster.namespaces(); ++name) {
          on_ceilings(NamespaceId(name), cluster, at);
        }
      } else {
        on_ceilings(effect.name, cluster, at);
      }
      if (!cluster.charges().all_settled()) {
        reach(Goal::unsettled);
      }
      break;
    case EffectKind::quota_changed:
      on_quota(effect.name, cluster);
      reach(Goal::quota_changed);
      break;
    case EffectKind::wake:
    case EffectKind::sweep_planned:
    case EffectKind::sweep_aborted:
    case EffectKind::went_stale:
      break;
    default:
      if (effect.kind >= EffectKind::request_admitted) {
        gate_->on_effect(effect, cluster, at);
        reach_of_requests(effect, cluster);
      } else {
        reach_of_faults(effect, cluster, at);
      }
      break;
  }
}

void Recorder::on_started(const Effect& effect, const Cluster& cluster, Time at) {
  if (effect.execution.value() >= started_.size()) {
    started_.resize(effect.execution.value() + 1);
  }
  SeriesMeter& meter = series_.meter(subjects_.of(effect.name));
  meter.executing.add(1);
  accounts_[effect.name.value()].executing.add(1, at);
  ++nodes_[effect.node.value()].executions;
  const WorkItem& item = cluster.executions()[effect.execution].item;
  const bool counts = effect.live || item.fence.is_none();
  started_[effect.execution.value()] = {at, counts};
  if (!counts) {
    ++cluster_.duplicate_executions;  // its claim ended while it waited for a worker
  } else {
    meter.longest_wait = std::max(meter.longest_wait, (at - item.due_since).count());
  }
  if (counts && measuring()) {
    waits_[effect.name.value()].record((at - item.due_since).count());
    paths_[subjects_.of(effect.name)].claim_wait.record((item.claimed_at - item.due_since).count());
  }
  if (item.claimed_at < at) {
    reach(Goal::row_waited_for_worker);
  }
}

void Recorder::on_finished(const Effect& effect, const Cluster& cluster, Time at) {
  series_.meter(subjects_.of(effect.name)).executing.add(-1);
  accounts_[effect.name.value()].executing.add(-1, at);
  shares_.on_executed(effect.name, effect.node, at - started_[effect.execution.value()].at);
  if (!measuring()) {
    return;
  }
  const Execution& execution = cluster.executions()[effect.execution];
  account_work(execution, effect.execution, at);
  if (started_[effect.execution.value()].counts) {
    paths_[subjects_.of(effect.name)].sojourn.record((at - execution.item.due_since).count());
  }
}

// Its worker is busy until here; no row was finished.
void Recorder::on_died(const Effect& effect, const Cluster& cluster, Time at) {
  series_.meter(subjects_.of(effect.name)).executing.add(-1);
  accounts_[effect.name.value()].executing.add(-1, at);
  reach(Goal::worker_died);
  if (measuring()) {
    account_work(cluster.executions()[effect.execution], effect.execution, at);
  }
}

// The time of an execution that falls into the measurement part.
void Recorder::account_work(const Execution& execution, ExecutionId id, Time until) {
  const Int128 worked = (until - std::max(started_[id.value()].at, measured_from_)).count();
  accounts_[execution.item.name().value()].executing_time += worked;
  nodes_[execution.node.value()].busy_time += worked;
}

void Recorder::on_ceilings(NamespaceId name, const Cluster& cluster, Time at) {
  std::int64_t sum = 0;
  for (std::uint16_t node = 0; node < cluster.nodes(); ++node) {
    sum += cluster.holding(NodeId(node), name).ceiling;
  }
  std::int64_t& known = ceiling_sums_[name.value()];
  series_.meter(subjects_.of(name)).ceiling.add(sum - known);
  known = sum;
  shares_.on_ceilings(name, cluster, at);
}

void Recorder::on_quota(NamespaceId name, const Cluster& cluster) {
  const auto quota = static_cast<std::int64_t>(cluster.quota(name));
  std::int64_t& known = quota_sums_[name.value()];
  series_.meter(subjects_.of(name)).quota.add(quota - known);
  known = quota;
}

// Time in which a tenant had claimable rows and no headroom on at least one node.
void Recorder::note_at_ceiling(NodeId node, NamespaceId name, const Cluster& cluster, Time at) {
  std::uint8_t& known = at_ceiling_[static_cast<std::size_t>(name.value()) * cluster.nodes() + node.value()];
  const bool now = cluster.up(node) && cluster.holding(node, name).claimable > 0 && cluster.headroom(node, name) == 0;
  if (static_cast<bool>(known) == now) {
    return;
  }
  known = now ? 1 : 0;
  Account& account = accounts_[name.value()];
  if (now) {
    reach(Goal::at_ceiling);
    reach(Goal::held);
    if (account.nodes_at_ceiling++ == 0) {
      account.at_ceiling_since = at;
    }
  } else if (--account.nodes_at_ceiling == 0 && measuring()) {
    account.at_ceiling += at - std::max(account.at_ceiling_since, measured_from_);
  }
}

void Recorder::on_phase(Phase phase, const Cluster& cluster, Time at) {
  if (phase == Phase::measurement) {
    begin_measurement(cluster, at);
  } else if (phase == Phase::drain) {
    close_measurement(cluster, at);
  }
  phase_ = phase;
}

void Recorder::begin_measurement(const Cluster& cluster, Time at) {
  measured_from_ = at;
  causes_before_ = causes_now();
  goodput_at_measurement_ = goodput();
  if (gate_) {
    gate_->begin_measurement(at);
  }
  quotas_.begin_measurement(at);
  for (std::uint32_t name = 0; name < accounts_.size(); ++name) {
    Account& account = accounts_[name];
    const RowCounts& counts = cluster.outbox().counts(NamespaceId(name));
    account.rows_before = counts.pending + counts.claimed;
    account.appended_before = counts.appended;
    account.done_before = counts.done;
    account.claimed_in_window = 0;
    account.executing.restart(at);
  }
}

void Recorder::on_window(const Cluster& cluster, std::span<const NamespaceId> backlogged, Time start, bool measured) {
  if (gate_) {
    gate_->on_window(start);
  }
  if (recovery_) {
    recovery_->add_window(start, goodput() - goodput_at_window_);
    goodput_at_window_ = goodput();
  }
  const Time end = start + scenario_.window;
  shares_.on_window(cluster, start, measured, judge_window(backlogged, start, end));
  for (Account& account : accounts_) {
    account.claimed_in_window = 0;
    account.executing.restart(end);
  }
}

// The index of the window in rows, if it has one.
std::optional<double> Recorder::judge_window(std::span<const NamespaceId> backlogged, Time start, Time end) {
  if (backlogged.size() < 2) {
    return std::nullopt;
  }
  std::vector<BackloggedFairness::Service> rows;
  std::vector<BackloggedFairness::Service> times;
  for (const NamespaceId name : backlogged) {
    Account& account = accounts_[name.value()];
    account.executing.settle(end);
    rows.push_back({name.value(), account.claimed_in_window});
    times.push_back({name.value(), static_cast<std::uint64_t>(account.executing.integral())});
  }
  executing_fairness_.add_window(start, times);
  return fairness_.add_window(start, rows);
}

void Recorder::on_run(const UnservedRun& run) {
  if (!measuring() || run.sweeps == 0) {
    return;
  }
  Starvation& longest = accounts_[run.name.value()].longest;
  longest.time = std::max(longest.time, std::min(run.lasted, run.ended - measured_from_));
  longest.sweeps = std::max(longest.sweeps, run.sweeps);
}

void Recorder::close_measurement(const Cluster& cluster, Time at) {
  measured_until_ = at;
  causes_at_end_ = causes_now();
  quotas_.end_measurement(at);
  if (measured_until_ > measured_from_) {
    cluster_.goodput_per_second = static_cast<double>(goodput() - goodput_at_measurement_) * 1e9 /
                                  static_cast<double>((measured_until_ - measured_from_).count());
  }
  if (gate_) {
    gate_->end_measurement(cluster, at);
  }
  for (std::uint32_t i = 0; i < started_.size(); ++i) {
    const ExecutionId id(i);
    if (cluster.executions().running(id)) {
      account_work(cluster.executions()[id], id, at);
    }
  }
  for (std::uint32_t shard = 0; shard < cluster.config().shards; ++shard) {
    cluster.outbox().for_each_in_shard(ShardId(shard), [&](RowSlot slot) {
      const Row& row = cluster.outbox().row(slot);
      if (row.due()) {
        Duration& oldest = accounts_[row.name().value()].oldest_unclaimed;
        oldest = std::max(oldest, at - row.due_since);
      }
    });
  }
  for (std::uint32_t name = 0; name < accounts_.size(); ++name) {
    Account& account = accounts_[name];
    account.counts = cluster.outbox().counts(NamespaceId(name));
    total_served_ += account.counts.done - account.done_before;
    total_executing_ += account.executing_time;
    if (account.nodes_at_ceiling > 0) {
      account.at_ceiling += at - std::max(account.at_ceiling_since, measured_from_);
    }
    cluster_.quota = worse_of(cluster_.quota, quotas_.of(NamespaceId(name)));
  }
  const Int128 measured = (at - measured_from_).count();
  for (std::uint16_t i = 0; i < nodes_.size(); ++i) {
    nodes_[i].owned_shards_at_end = cluster.owned(NodeId(i));
    nodes_[i].worker_time = cluster.config().workers ? measured * *cluster.config().workers : 0;
  }
  nodes_at_end_ = nodes_;
  cluster_at_end_ = cluster_;
}

void Recorder::on_end(const Cluster& cluster, Time at) {
  if (phase_ != Phase::drain) {
    close_measurement(cluster, at);  // the run was ended early
  }
  drain_.time = at - measured_until_;
  for (std::uint32_t name = 0; name < cluster.namespaces(); ++name) {
    drain_.left_pending += cluster.outbox().counts(NamespaceId(name)).pending;
    drain_.left_claimed += cluster.outbox().counts(NamespaceId(name)).claimed;
    if (cluster.api() != nullptr) {
      drain_.left_waiting += cluster.api()->counts(NamespaceId(name)).waiting;
      drain_.left_running += cluster.api()->counts(NamespaceId(name)).running;
    }
  }
}

}  // namespace headroom
