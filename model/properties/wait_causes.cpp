#include "model/properties/wait_causes.hpp"

#include <algorithm>
#include <utility>

#include "model/backpressure/fair_split.hpp"
#include "model/base/assert.hpp"
#include "model/base/mutation.hpp"

namespace headroom {
namespace {

constexpr RowTime row_time(std::uint32_t rows, Time from, Time to) {
  return static_cast<RowTime>(rows) * (to - from).count();
}

constexpr std::array<WaitCause, 8> kCauseOfPlace{
    WaitCause::no_owner,  // nowhere: no row counts
    WaitCause::no_owner,       WaitCause::store_error,     WaitCause::not_visible, WaitCause::paused,
    WaitCause::awaiting_sweep, WaitCause::claimed_waiting, WaitCause::executing};

}  // namespace

std::string_view name_of(WaitCause cause) {
  constexpr std::array<std::string_view, kWaitCauses> names{
      "no_owner",       "store_error",  "not_visible",   "paused",          "own_ceiling",
      "awaiting_sweep", "batch_budget", "lost_in_order", "claimed_waiting", "executing"};
  return names[static_cast<std::size_t>(cause)];
}

WaitCauses::WaitCauses(const Cluster& cluster)
    : nodes_(cluster.nodes()),
      ceilings_(planner_for(cluster.config().planner).heeds_ceilings()),
      times_(cluster.namespaces()),
      pending_time_(cluster.namespaces()),
      pending_(cluster.namespaces()),
      still_(cluster.namespaces() * kPlaces),
      lines_(std::size_t{cluster.namespaces()} * cluster.nodes()),
      sweeps_(cluster.nodes()) {}

void WaitCauses::observe(const Cluster& cluster, std::span<const Effect> effects, Time at) {
  for (const Effect& effect : effects) {
    on(effect, cluster, at);
  }
}

void WaitCauses::on(const Effect& effect, const Cluster& cluster, Time at) {
  switch (effect.kind) {
    case EffectKind::appended:
    case EffectKind::became_due:
    case EffectKind::claimed:
    case EffectKind::started:
    case EffectKind::recorded:
    case EffectKind::retried:
    case EffectKind::rearmed:
    case EffectKind::released:
    case EffectKind::dead_lettered:
    case EffectKind::cancelled:
    case EffectKind::execution_died:
      on_row(effect, cluster, at);
      break;
    case EffectKind::became_active:
    case EffectKind::became_inactive:
      touch(effect.node, effect.name, cluster, at);
      break;
    case EffectKind::sweep_planned:
      plan(effect.node, cluster, at);
      break;
    case EffectKind::sweep_finished:
      finish(effect.node, cluster);
      break;
    case EffectKind::sweep_aborted:
      abort(effect.node, WaitCause::awaiting_sweep);
      break;
    case EffectKind::sweep_failed:
      abort(effect.node, WaitCause::store_error);
      break;
    case EffectKind::owner_changed:
      place_shard(ShardId(static_cast<std::uint32_t>(effect.value)), cluster, at);
      break;
    case EffectKind::node_cut_off:
    case EffectKind::node_reconnected:
      for (std::uint32_t shard = 0; shard < cluster.config().shards; ++shard) {
        if (cluster.outbox().holder(ShardId(shard)) == effect.node) {
          place_shard(ShardId(shard), cluster, at);
        }
      }
      break;
    case EffectKind::workflow_paused:
      cluster.outbox().for_each_in_workflow(WorkflowId(static_cast<std::uint32_t>(effect.value)), [&](RowSlot slot) {
        move(slot, place_of(slot, cluster.outbox().row(slot).key, cluster, at), cluster, at);
      });
      break;
    default:
      break;
  }
}

// -- rows -------------------------------------------------------------------------------------------------------------

void WaitCauses::on_row(const Effect& effect, const Cluster& cluster, Time at) {
  if (effect.row.is_none()) {
    return;
  }
  const bool known = effect.row.value() < rows_.size() && rows_[effect.row.value()].key == effect.key;
  const bool was_pending = known && rows_[effect.row.value()].pending();
  if (effect.kind != EffectKind::appended && !known) {
    return;  // of a row that is final by now
  }
  const RowPlace to = place_of(effect.row, effect.key, cluster, at);
  const bool is_pending = to.pending();
  if (was_pending != is_pending) {
    count_pending(effect.name, is_pending ? +1 : -1, at);
  }
  if (effect.kind == EffectKind::claimed && was_pending) {
    leave(rows_[effect.row.value()], true, cluster, at);
    rows_[effect.row.value()].place = Place::nowhere;
  }
  move(effect.row, to, cluster, at);
}

WaitCauses::RowPlace WaitCauses::place_of(RowSlot slot, DispatchKey key, const Cluster& cluster, Time at) {
  RowPlace place{.key = key, .since = at};
  if (!cluster.outbox().holds(slot, key)) {
    return place;
  }
  const Row& row = cluster.outbox().row(slot);
  const NodeId owner = cluster.outbox().holder(row.shard);
  if (row.status == RowStatus::claimed) {
    place.place = row.executing ? Place::executing : Place::claimed;
  } else if (owner.is_none()) {
    place.place = Place::no_owner;
  } else if (cluster.link(owner) != Link::connected) {
    place.place = Place::out_of_reach;
  } else if (!row.visible) {
    place.place = Place::not_visible;
  } else if (cluster.outbox().paused(row.workflow)) {
    place.place = Place::paused;
  } else {
    place.place = Place::claimable;
    place.node = owner;
  }
  return place;
}

void WaitCauses::move(RowSlot slot, const RowPlace& to, const Cluster& cluster, Time at) {
  if (slot.value() >= rows_.size()) {
    rows_.resize(slot.value() + 1);
  }
  RowPlace& from = rows_[slot.value()];
  if (from.key == to.key && from.place == to.place && from.node == to.node) {
    return;
  }
  if (from.place != Place::nowhere) {
    leave(from, false, cluster, at);
  }
  from = to;
  if (to.place != Place::nowhere) {
    enter(to, cluster, at);
  } else {
    from.key = DispatchKey();
  }
}

void WaitCauses::enter(const RowPlace& row, const Cluster& cluster, Time at) {
  if (row.place == Place::claimable) {
    touch(row.node, row.name(), cluster, at);
    ++line(row.node, row.name()).rows;
    return;
  }
  count(still(row.place, row.name()), kCauseOfPlace[static_cast<std::size_t>(row.place)], row.name(), +1, at);
}

// A claimed row was waiting for this sweep since the one before, and so was a row that leaves between two sweeps since
// the last one.
void WaitCauses::leave(const RowPlace& row, bool claimed, const Cluster& cluster, Time at) {
  if (row.place != Place::claimable) {
    count(still(row.place, row.name()), kCauseOfPlace[static_cast<std::size_t>(row.place)], row.name(), -1, at);
    return;
  }
  touch(row.node, row.name(), cluster, at);
  Line& from = line(row.node, row.name());
  const NodeSweep& sweep = sweeps_[row.node.value()];
  const Time since = std::max(row.since, settled_);
  const RowTime after = row_time(1, std::max(since, sweep.planned), at);
  RowTime before = 0;
  if (claimed && since < sweep.planned) {
    before = row_time(1, std::max(since, sweep.previous), sweep.planned);
  }
  from.after -= after;
  from.before -= before;
  times_[row.name().value()][WaitCause::awaiting_sweep] += after + before;
  --from.rows;
}

void WaitCauses::count(Still& still, WaitCause cause, NamespaceId name, std::int32_t change, Time at) {
  times_[name.value()][cause] += row_time(still.rows, still.since, at);
  still.rows += static_cast<std::uint32_t>(change);
  still.since = at;
}

void WaitCauses::count_pending(NamespaceId name, std::int32_t change, Time at) {
  Still& pending = pending_[name.value()];
  pending_time_[name.value()] += row_time(pending.rows, pending.since, at);
  pending.rows += static_cast<std::uint32_t>(change);
  pending.since = at;
}

void WaitCauses::place_shard(ShardId shard, const Cluster& cluster, Time at) {
  cluster.outbox().for_each_in_shard(shard, [&](RowSlot slot) {
    move(slot, place_of(slot, cluster.outbox().row(slot).key, cluster, at), cluster, at);
  });
}

// -- sweeps -----------------------------------------------------------------------------------------------------------

void WaitCauses::touch(NodeId node, NamespaceId name, const Cluster& cluster, Time at) {
  Line& touched = line(node, name);
  const Time planned = sweeps_[node.value()].planned;
  if (touched.since < planned) {
    touched.before += touched.after + row_time(touched.rows, touched.since, planned);
    touched.after = row_time(touched.rows, planned, at);
  } else {
    touched.after += row_time(touched.rows, touched.since, at);
  }
  touched.since = at;
  if (!touched.judged) {
    times_[name.value()][touched.at_ceiling ? WaitCause::own_ceiling : WaitCause::batch_budget] +=
        std::exchange(touched.before, 0);
    touched.at_ceiling = ceilings_ && !cluster.active(node).test(name.value());
  }
}

// Which namespaces a sweep decides on one by one, and what it could have given them.
std::vector<WaitCauses::Judged> WaitCauses::judged_by(NodeId node, const Cluster& cluster) const {
  const OrderedBitmap& active = cluster.active(node);
  std::vector<Judged> judged;
  if (active.count() > cluster.config().batch_size) {
    for (const Grant& grant : cluster.sweep(node).plan.grants) {
      judged.push_back({grant.name, cluster.headroom(node, grant.name), 0});
    }
    return judged;
  }
  std::vector<FairPart> parts;
  bool same_weights = true;
  for (std::uint32_t i = active.next(0); i < active.size(); i = active.next(i + 1)) {
    const NamespaceId name(i);
    judged.push_back({name, ceilings_ ? cluster.headroom(node, name) : cluster.config().batch_size + 1, 0});
    parts.push_back({.cap = std::min<std::uint64_t>(judged.back().headroom, cluster.holding(node, name).claimable)});
    same_weights = same_weights && cluster.layout().weight(name) == cluster.layout().weight(judged.front().name);
  }
  if (!same_weights) {
    return judged;  // parts would not be of this sweep alone
  }
  fair_split(parts, cluster.config().batch_size, 0);
  std::uint64_t level = cluster.config().batch_size;
  for (const FairPart& part : parts) {
    level = part.rows < part.cap ? std::min<std::uint64_t>(level, part.rows) : level;
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    judged[i].part = static_cast<std::uint32_t>(std::min({parts[i].cap, std::uint64_t{parts[i].rows}, level}));
  }
  return judged;
}

void WaitCauses::plan(NodeId node, const Cluster& cluster, Time at) {
  NodeSweep& sweep = sweeps_[node.value()];
  sweep.judged = judged_by(node, cluster);
  for (const Judged& judged : sweep.judged) {
    touch(node, judged.name, cluster, at);
    Line& line_of = line(node, judged.name);
    line_of.before = std::exchange(line_of.after, 0);
    line_of.judged = true;
  }
  sweep.previous = sweep.planned;
  sweep.planned = at;
}

void WaitCauses::finish(NodeId node, const Cluster& cluster) {
  const Plan& plan = cluster.sweep(node).plan;
  for (const Judged& judged : sweeps_[node.value()].judged) {
    const auto found = std::ranges::lower_bound(plan.grants, judged.name, {}, &Grant::name);
    const std::uint32_t granted = found != plan.grants.end() && found->name == judged.name ? found->rows : 0;
    Line& line_of = line(node, judged.name);
    times_[judged.name.value()][reason_for(judged, granted)] += std::exchange(line_of.before, 0);
    line_of.judged = false;
    line_of.at_ceiling = ceilings_ && !cluster.active(node).test(judged.name.value());
  }
  sweeps_[node.value()].judged.clear();
}

WaitCause WaitCauses::reason_for(const Judged& judged, std::uint32_t granted) {
  return granted >= judged.headroom ? WaitCause::own_ceiling
         : granted < judged.part    ? WaitCause::lost_in_order
                                    : WaitCause::batch_budget;
}

WaitCause WaitCauses::reason_of(NodeId node, NamespaceId name, std::uint32_t granted) const {
  for (const Judged& judged : sweeps_[node.value()].judged) {
    if (judged.name == name) {
      return reason_for(judged, granted);
    }
  }
  const Line& waiting = lines_[std::size_t{name.value()} * nodes_ + node.value()];
  return waiting.at_ceiling ? WaitCause::own_ceiling : WaitCause::batch_budget;
}

WaitCause WaitCauses::cause_of_row(const Cluster& cluster, RowSlot slot) {
  const RowPlace place = place_of(slot, cluster.outbox().row(slot).key, cluster, Time::zero());
  return kCauseOfPlace[static_cast<std::size_t>(place.place)];
}

void WaitCauses::abort(NodeId node, WaitCause cause) {
  for (const Judged& judged : sweeps_[node.value()].judged) {
    Line& line_of = line(node, judged.name);
    const RowTime waited = std::exchange(line_of.before, 0);
    times_[judged.name.value()][cause] += mutated(Mutation::failed_sweep_wait_has_no_cause) ? 0 : waited;
    line_of.judged = false;
  }
  sweeps_[node.value()].judged.clear();
}

// -- sums -------------------------------------------------------------------------------------------------------------

void WaitCauses::settle_all(const Cluster& cluster, Time at) {
  for (std::uint32_t i = 0; i < times_.size(); ++i) {
    const NamespaceId name(i);
    for (std::uint16_t n = 0; n < nodes_; ++n) {
      touch(NodeId(n), name, cluster, at);
      Line& settled = line(NodeId(n), name);
      const WaitCause open = settled.at_ceiling ? WaitCause::own_ceiling : WaitCause::awaiting_sweep;
      times_[i][open] += std::exchange(settled.after, 0) + std::exchange(settled.before, 0);
    }
    for (const Place place :
         {Place::no_owner, Place::out_of_reach, Place::not_visible, Place::paused, Place::claimed, Place::executing}) {
      count(still(place, name), kCauseOfPlace[static_cast<std::size_t>(place)], name, 0, at);
    }
    count_pending(name, 0, at);
  }
  settled_ = at;
}

RowTime WaitCauses::pending_time(NamespaceId name, Time at) const {
  const Still& pending = pending_[name.value()];
  return pending_time_[name.value()] + row_time(pending.rows, pending.since, at);
}

RowTime WaitCauses::open_time(NamespaceId name, Time at) const {
  RowTime open = 0;
  for (std::uint16_t n = 0; n < nodes_; ++n) {
    const Line& waiting = lines_[std::size_t{name.value()} * nodes_ + n];
    open += waiting.before + waiting.after + row_time(waiting.rows, waiting.since, at);
  }
  for (const Place place : {Place::no_owner, Place::out_of_reach, Place::not_visible, Place::paused}) {
    const Still& standing = still_[std::size_t{name.value()} * kPlaces + static_cast<std::size_t>(place)];
    open += row_time(standing.rows, standing.since, at);
  }
  return open;
}

}  // namespace headroom
