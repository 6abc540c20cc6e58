#include "sim/run/watch.hpp"

#include <algorithm>
#include <string_view>

namespace headroom {
namespace {

PropertyBounds bounds_of(const PropertyExpectation& expectation) {
  const auto whole = [&](const char* name) -> std::optional<std::int64_t> {
    const auto found = expectation.whole_bounds.find(name);
    return found == expectation.whole_bounds.end() ? std::nullopt : std::optional(found->second);
  };
  const auto decimal = [&](const char* name) -> std::optional<double> {
    const auto found = expectation.bounds.find(name);
    return found == expectation.bounds.end() ? std::nullopt : std::optional(found->second.to_double());
  };
  return {.at_most_sweeps = whole("at_most_sweeps"),
          .at_most_ms = decimal("at_most_ms"),
          .slack = whole("slack"),
          .at_least = decimal("at_least"),
          .worst_window_at_least = decimal("worst_window_at_least"),
          .max_min_share_at_least = decimal("max_min_share_at_least")};
}

}  // namespace

Watch::Watch(const Scenario& scenario, const std::vector<TenantInstance>& tenants, const Cluster& cluster,
             bool properties, SweepLog* sweeps, Recording* recording)
    : scenario_(scenario),
      tenants_(tenants),
      properties_(cluster),
      recorder_(scenario, tenants, cluster, properties_.causes()),
      expected_(scenario.expect.size(), nullptr),
      sweeps_(sweeps),
      recording_(recording),
      logged_(cluster.nodes()) {
  for (std::uint16_t node = 0; node < cluster.nodes(); ++node) {
    node_names_.push_back("n" + std::to_string(node + 1));
  }
  properties_.on_run([this](const UnservedRun& run) { on_run(run); });
  std::vector<std::string_view> named;
  for (std::size_t i = 0; i < scenario.expect.size() && properties; ++i) {
    if (const auto* expectation = std::get_if<PropertyExpectation>(&scenario.expect[i])) {
      const PropertyInfo* info = find_property(expectation->property);
      HEADROOM_ASSERT(info != nullptr, "the reader let pass the unknown property {}", expectation->property);
      named.push_back(info->name);
      properties_.add(info->make(cluster, bounds_of(*expectation)));
      expected_[i] = properties_.all().back().get();
    }
  }
  for (const PropertyInfo& info : all_properties()) {
    if (properties && std::ranges::find(named, info.name) == named.end()) {
      properties_.add(info.make(cluster, {}));
      others_.push_back(properties_.all().back().get());
    }
  }
}

void Watch::on_step(const Cluster& cluster, std::span<const Effect> effects, Time at) {
  if (recording_ != nullptr) {
    recording_->before_judgement(cluster, effects, at, properties_.causes());
  }
  properties_.observe(cluster, effects, at);
  recorder_.on_step(cluster, effects, at);
  if (recording_ != nullptr) {
    recording_->after_judgement(properties_, at);
  }
  if (sweeps_ == nullptr) {
    return;
  }
  for (const Effect& effect : effects) {
    if (effect.kind == EffectKind::sweep_planned) {
      note_plan(effect.node, cluster, at);
    } else if (effect.kind == EffectKind::sweep_finished) {
      log_sweep(effect.node, cluster);
    }
  }
}

// What each namespace with due rows had when the sweep planned.
void Watch::note_plan(NodeId node, const Cluster& cluster, Time at) {
  LoggedSweep& logged = logged_[node.value()];
  logged.at = at;
  logged.names.clear();
  logged.tenants.clear();
  const OrderedBitmap& present = cluster.present(node);
  for (std::uint32_t i = present.next(0); i < present.size(); i = present.next(i + 1)) {
    const Holding& held = cluster.holding(node, NamespaceId(i));
    logged.names.push_back(NamespaceId(i));
    logged.tenants.push_back({.name = tenants_[i].name,
                              .ceiling = held.ceiling,
                              .claimed = cluster.claimed(held),
                              .headroom = cluster.headroom(node, NamespaceId(i)),
                              .claimable = held.claimable});
  }
}

void Watch::log_sweep(NodeId node, const Cluster& cluster) {
  const Sweep& sweep = cluster.sweep(node);
  LoggedSweep& logged = logged_[node.value()];
  if (logged.tenants.empty()) {
    return;  // a poll that found nothing
  }
  for (std::size_t i = 0; i < sweep.plan.grants.size(); ++i) {
    const Grant& grant = sweep.plan.grants[i];
    const auto found = std::ranges::lower_bound(logged.names, grant.name);
    if (found == logged.names.end() || *found != grant.name) {
      continue;  // its rows came after the plan (unscoped claims only)
    }
    SweepTenant& tenant = logged.tenants[static_cast<std::size_t>(found - logged.names.begin())];
    tenant.granted = grant.rows;
    tenant.guaranteed = grant.guaranteed;
    tenant.claimed_now = sweep.claimed[i];
  }
  sweeps_->append({.at = logged.at,
                   .node = node_names_[node.value()],
                   .sweep = sweep.number,
                   .batch = cluster.config().batch_size,
                   .active = sweep.plan.active,
                   .tenants = logged.tenants});
}

// Starvation counts in the measured part.
void Watch::on_run(const UnservedRun& run) {
  recorder_.on_run(run);
  if (recording_ != nullptr && phase_ == Phase::measurement) {
    recording_->on_run(run);
  }
}

void Watch::on_phase(Phase phase, const Cluster& cluster, Time at) {
  if (phase == Phase::drain) {
    for (const UnservedRun& run : properties_.open_runs(cluster, at)) {
      on_run(run);
    }
  } else if (phase == Phase::measurement) {
    measured_from_ = at;
    properties_.skip_window(cluster, at);
  }
  properties_.settle_causes(cluster, at);
  phase_ = phase;
  recorder_.on_phase(phase, cluster, at);
}

void Watch::on_window(const Cluster& cluster, Time end) {
  const Time start = Time::zero() + (end.since_start() - scenario_.window);
  if (phase_ == Phase::measurement && start >= measured_from_) {
    recorder_.on_window(cluster, properties_.close_window(cluster, end), start, true);
  } else {
    properties_.skip_window(cluster, end);
    recorder_.on_window(cluster, {}, start, false);
  }
  recorder_.end_series_window();
}

void Watch::on_end(const Cluster& cluster, Time at) {
  properties_.finish(cluster, at);
  recorder_.on_end(cluster, at);
}

}  // namespace headroom
