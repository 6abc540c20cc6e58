#include "sim/run/quota_recorder.hpp"

#include <algorithm>

namespace headroom {
namespace {

// Changes what all tenants have on some node.
bool concerns_all(EffectKind kind) {
  switch (kind) {
    case EffectKind::crashed:
    case EffectKind::restarted:
    case EffectKind::owner_changed:
    case EffectKind::workflow_paused:
    case EffectKind::quotas_read:
    case EffectKind::node_expelled:
    case EffectKind::node_rejoined:
    case EffectKind::node_left:
      return true;
    default:
      return false;
  }
}

QuotaExcess excess(const LevelMeter& ceilings, const LevelMeter& executing, const LevelMeter& under,
                   const LevelMeter& stranded) {
  return {.peak_ceiling_sum_over = ceilings.peak(),
          .ceiling_time_over = ceilings.time_above_zero(),
          .ceiling_over_integral = ceilings.integral(),
          .peak_executing_over = executing.peak(),
          .time_over = executing.time_above_zero(),
          .over_integral = executing.integral(),
          .peak_under = under.lasting_peak(),
          .time_under = under.time_above_zero(),
          .under_integral = under.integral(),
          .peak_stranded = stranded.lasting_peak(),
          .time_stranded = stranded.time_above_zero(),
          .stranded_integral = stranded.integral()};
}

}  // namespace

QuotaRecorder::QuotaRecorder(const Cluster& cluster)
    : levels_(cluster.namespaces()),
      seen_(cluster.namespaces(), 0),
      figures_(cluster.namespaces()),
      row_time_(cluster.namespaces(), 0) {
  for (std::uint32_t name = 0; name < cluster.namespaces(); ++name) {
    note(NamespaceId(name), cluster, Time::zero());
  }
}

void QuotaRecorder::on_step(const Cluster& cluster, std::span<const Effect> effects, Time at) {
  ++step_;
  for (const Effect& effect : effects) {
    const bool of_rows = effect.kind < EffectKind::request_admitted;
    if (of_rows && !effect.name.is_none()) {
      if (seen_[effect.name.value()] != step_) {
        seen_[effect.name.value()] = step_;
        note(effect.name, cluster, at);
      }
    } else if (concerns_all(effect.kind) || effect.kind == EffectKind::ceilings_changed) {
      for (std::uint32_t name = 0; name < cluster.namespaces(); ++name) {
        note(NamespaceId(name), cluster, at);
      }
      return;
    }
  }
}

void QuotaRecorder::note(NamespaceId name, const Cluster& cluster, Time at) {
  std::int64_t ceilings = 0;
  std::int64_t claimable = 0;
  std::int64_t at_ceiling = 0;  // claimable rows where there is no headroom
  for (std::uint16_t node = 0; node < cluster.nodes(); ++node) {
    const Holding& held = cluster.holding(NodeId(node), name);
    ceilings += held.ceiling;
    claimable += held.claimable;
    if (held.claimable > 0 && cluster.headroom(NodeId(node), name) == 0) {
      at_ceiling += held.claimable;
    }
  }
  const std::int64_t quota = cluster.quota(name);
  const RowCounts& counts = cluster.outbox().counts(name);
  const std::int64_t claimed = static_cast<std::int64_t>(counts.claimed);
  const std::int64_t free = std::max<std::int64_t>(0, quota - claimed);
  Levels& levels = levels_[name.value()];
  levels.ceilings_over.set(std::max<std::int64_t>(0, ceilings - quota), at);
  levels.executing_over.set(std::max<std::int64_t>(0, cluster.executing_live(name) - quota), at);
  levels.under.set(std::min(free, claimable), at);
  levels.stranded.set(std::min(free, at_ceiling), at);
  levels.rows.set(static_cast<std::int64_t>(counts.pending) + claimed, at);
}

void QuotaRecorder::begin_measurement(Time at) {
  for (Levels& levels : levels_) {
    for (LevelMeter Levels::* meter :
         {&Levels::ceilings_over, &Levels::executing_over, &Levels::under, &Levels::stranded, &Levels::rows}) {
      (levels.*meter).restart(at);
    }
  }
}

void QuotaRecorder::end_measurement(Time at) {
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    Levels& levels = levels_[i];
    for (LevelMeter Levels::* meter :
         {&Levels::ceilings_over, &Levels::executing_over, &Levels::under, &Levels::stranded, &Levels::rows}) {
      (levels.*meter).settle(at);
    }
    figures_[i] = excess(levels.ceilings_over, levels.executing_over, levels.under, levels.stranded);
    row_time_[i] = levels.rows.integral();
  }
}

QuotaExcess worse_of(const QuotaExcess& a, const QuotaExcess& b) {
  return {.peak_ceiling_sum_over = std::max(a.peak_ceiling_sum_over, b.peak_ceiling_sum_over),
          .ceiling_time_over = std::max(a.ceiling_time_over, b.ceiling_time_over),
          .ceiling_over_integral = std::max(a.ceiling_over_integral, b.ceiling_over_integral),
          .peak_executing_over = std::max(a.peak_executing_over, b.peak_executing_over),
          .time_over = std::max(a.time_over, b.time_over),
          .over_integral = std::max(a.over_integral, b.over_integral),
          .peak_under = std::max(a.peak_under, b.peak_under),
          .time_under = std::max(a.time_under, b.time_under),
          .under_integral = std::max(a.under_integral, b.under_integral),
          .peak_stranded = std::max(a.peak_stranded, b.peak_stranded),
          .time_stranded = std::max(a.time_stranded, b.time_stranded),
          .stranded_integral = std::max(a.stranded_integral, b.stranded_integral)};
}

}  // namespace headroom
