// ClusterModel: what is promised. The formulas are those of model/properties; what is here looks at single states and
// steps with them.
#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "model/checker/cluster/room.hpp"
#include "model/checker/cluster/runs.hpp"
#include "model/properties/quota_use.hpp"
#include "model/properties/row_books.hpp"
#include "model/properties/sweep_dues.hpp"

namespace headroom::checker {
namespace {

using Kind = ClusterActionKind;

struct Goal {
  const char* name;
  EffectKind kind;
};
constexpr std::array kGoals = {Goal{"claimed", EffectKind::claimed},
                               Goal{"recorded", EffectKind::recorded},
                               Goal{"retried", EffectKind::retried},
                               Goal{"dead_lettered", EffectKind::dead_lettered},
                               Goal{"result_ignored", EffectKind::result_ignored},
                               Goal{"duplicate_ignored", EffectKind::duplicate_ignored},
                               Goal{"went_stale", EffectKind::went_stale},
                               Goal{"rearmed", EffectKind::rearmed},
                               Goal{"cancelled", EffectKind::cancelled},
                               Goal{"work_lost", EffectKind::work_lost},
                               Goal{"wake_lost", EffectKind::wake_lost},
                               Goal{"claim_refused", EffectKind::claim_refused},
                               Goal{"sweep_aborted", EffectKind::sweep_aborted},
                               Goal{"crashed", EffectKind::crashed},
                               Goal{"restarted", EffectKind::restarted},
                               Goal{"owner_changed", EffectKind::owner_changed},
                               Goal{"workflow_paused", EffectKind::workflow_paused},
                               Goal{"quota_changed", EffectKind::quota_changed},
                               Goal{"node_resumed", EffectKind::node_resumed},
                               Goal{"node_expelled", EffectKind::node_expelled},
                               Goal{"node_rejoined", EffectKind::node_rejoined},
                               Goal{"node_reconnected", EffectKind::node_reconnected}};

const Effect* find_effect(const Effects& effects, EffectKind kind) {
  const auto found = std::ranges::find(effects, kind, &Effect::kind);
  return found == effects.end() ? nullptr : &*found;
}

bool serves(const Effects& effects, NodeId node, NamespaceId name) {
  return std::ranges::any_of(effects, [&](const Effect& effect) {
    return effect.kind == EffectKind::claimed && effect.node == node && effect.name == name;
  });
}

Reason within_ceilings(const Step<ClusterModel>& step) {
  for (const Effect& effect : step.effects) {
    if (effect.kind == EffectKind::claimed && over_ceiling(step.after.cluster, effect.node, effect.name)) {
      return text_of_over_ceiling(step.after.cluster, effect.node, effect.name);
    }
    if (effect.kind == EffectKind::claimed && over_batch(step.after.cluster, effect.node)) {
      return text_of_over_batch(step.after.cluster, effect.node);
    }
  }
  return std::nullopt;
}

Reason conserves_work(const Step<ClusterModel>& step) {
  const Effect* const planned = find_effect(step.effects, EffectKind::sweep_planned);
  if (planned == nullptr) {
    return std::nullopt;
  }
  std::vector<SweepDemand> demands;
  sweep_demands(step.before.cluster, planned->node, demands);
  Reason reason;
  for_each_left_wanting(step.after.cluster, planned->node, demands,
                        [&](const SweepDemand& demand, std::uint64_t granted) {
                          reason = text_of(demand, granted, step.after.cluster, planned->node);
                        });
  return reason;
}

}  // namespace

const std::vector<std::string>& all_cluster_goals() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    std::ranges::transform(kGoals, std::back_inserter(all), &Goal::name);
    return all;
  }();
  return names;
}

// -- rows -------------------------------------------------------------------------------------------------------------

KeyLife ClusterModel::life_of(const Cluster& cluster, DispatchKey key) const {
  const RowSlot slot = slot_of(cluster, roster_.row_of(key));
  const bool has_row = !slot.is_none() && cluster.outbox().row(slot).key == key;
  KeyLife life;
  life.appended = cluster.outbox().ever_appended(key);
  life.live = has_row && cluster.outbox().row(slot).status == RowStatus::claimed;
  life.ended = life.appended && !has_row;
  return life;
}

Reason ClusterModel::exactly_once(const StepOf& step) const {
  struct Key {
    DispatchKey key;
    KeyLife life;
  };
  thread_local std::vector<Key> keys;
  keys.clear();
  const auto wrong = [&](DispatchKey key, std::string_view what) {
    return fmt::format("row {}: {}", row_name(roster_.row_of(key)), what);
  };
  std::int64_t rows = static_cast<std::int64_t>(step.before.cluster.outbox().live_rows());
  for (const Effect& effect : step.effects) {
    if (!moves_row(effect.kind)) {
      continue;
    }
    auto found = std::ranges::find(keys, effect.key, &Key::key);
    if (found == keys.end()) {
      found = keys.insert(keys.end(), {effect.key, life_of(step.before.cluster, effect.key)});
    }
    const bool ended = found->life.ended;
    if (const auto what = found->life.take(effect.kind)) {
      return wrong(effect.key, *what);
    }
    rows += effect.kind == EffectKind::appended ? 1 : 0;
    rows -= found->life.ended && !ended ? 1 : 0;
  }
  for (const Key& key : keys) {
    if (life_of(step.after.cluster, key.key) != key.life) {
      return wrong(key.key, "the outbox has it otherwise than its steps say");
    }
  }
  const auto are = static_cast<std::int64_t>(step.after.cluster.outbox().live_rows());
  if (rows != are) {
    return fmt::format("{} keys are not final, but {} rows are left: {}", rows, are,
                       rows > are ? "rows were lost" : "rows came from nowhere");
  }
  return std::nullopt;
}

Reason ClusterModel::ledger(const StepOf& step) const {
  std::uint64_t open = 0;
  for (std::uint32_t i = 0; i < step.after.cluster.namespaces(); ++i) {
    const NamespaceId name(i);
    RowCounts want = step.before.cluster.outbox().counts(name);
    for (const Effect& effect : step.effects) {
      if (effect.name == name && moves_row(effect.kind)) {
        count_row(effect, want);
      }
    }
    const RowCounts& is = step.after.cluster.outbox().counts(name);
    if (!books_agree(is, want)) {
      return text_of_books(is, want, step.after.cluster, name);
    }
    if (std::optional<std::string> wrong = wrong_holdings(step.after.cluster, name)) {
      return wrong;
    }
    open += is.pending + is.claimed;
  }
  if (open != step.after.cluster.outbox().live_rows()) {
    return fmt::format("in all: pending + claimed = {}, but {} rows are live", open,
                       step.after.cluster.outbox().live_rows());
  }
  return std::nullopt;
}

// -- sweeps and quotas ------------------------------------------------------------------------------------------------

Reason ClusterModel::slice(const StepOf& step) const {
  const Cluster& after = step.after.cluster;
  if (const Effect* const planned = find_effect(step.effects, EffectKind::sweep_planned)) {
    std::vector<SliceDue> dues;
    slices_due(step.before.cluster, planned->node, dues);
    for (const SliceDue& due : dues) {
      if (!due.met_by(after.sweep(planned->node).plan)) {
        return text_of(due, dues.size(), after, planned->node);
      }
    }
  }
  std::vector<Run> runs = step.before.past.runs;
  std::vector<std::uint32_t> active;
  active_tenants(step.before.cluster, active);
  if (const std::optional<LongRun> run = advance_runs(runs, active, after, step.effects)) {
    return fmt::format(
        "tenant {} on node n{}: active for {} sweeps, served 0; with {} active and batch {} at most {} "
        "may pass",
        name(run->name), run->node.value() + 1, run->sweeps, run->active, after.config().batch_size, run->allowed - 1);
  }
  return std::nullopt;
}

Reason ClusterModel::quota_sum(const State& state) const {
  for (std::uint32_t i = 0; i < state.cluster.namespaces(); ++i) {
    if ((state.past.changing >> i & 1U) != 0) {
      continue;
    }
    const NamespaceId name(i);
    const QuotaUse use = quota_use(state.cluster, name);
    if (use.over() > scope_.quota_slack) {
      return text_of(use, scope_.quota_slack, state.cluster, name);
    }
    const std::optional<CeilingSum> ceilings = ceiling_sum(state.cluster, name);
    if (ceilings && !ceilings->within()) {
      return text_of(*ceilings, state.cluster, name);
    }
  }
  return std::nullopt;
}

bool ClusterModel::may_stop(const State& state) const {
  bool any_node = state.past.left.restarts.any();
  for (std::uint16_t node = 0; node < state.cluster.nodes(); ++node) {
    any_node = any_node || state.cluster.up(NodeId(node));
  }
  bool any_work = false;
  for (std::uint32_t shard = 0; shard < state.cluster.config().shards; ++shard) {
    state.cluster.outbox().for_each_in_shard(ShardId(shard), [&](RowSlot slot) {
      const Row& row = state.cluster.outbox().row(slot);
      any_work = any_work || (!state.cluster.outbox().paused(row.workflow) && state.cluster.quota(row.name()) > 0);
    });
  }
  return !any_node || !any_work;
}

// -- together ---------------------------------------------------------------------------------------------------------

Properties<ClusterModel> ClusterModel::properties() const {
  Properties<ClusterModel> properties;
  add_safety(properties);
  if (std::ranges::find(scope_.properties, "no_starvation") != scope_.properties.end()) {
    add_liveness(properties);
    add_fairness(properties);
  }
  add_extremes(properties);
  for (const std::string& wanted : scope_.sometimes) {
    const EffectKind kind = std::ranges::find(kGoals, wanted, &Goal::name)->kind;
    properties.sometimes.push_back(
        {.name = wanted, .on_step = [kind](const StepOf& step) { return find_effect(step.effects, kind) != nullptr; }});
  }
  if (scope_.deadlock) {
    properties.may_stop = [this](const State& state) { return may_stop(state); };
  }
  return properties;
}

void ClusterModel::add_safety(Properties<ClusterModel>& properties) const {
  const std::array<Safety<ClusterModel>, 6> known = {{
      {.name = "exactly_once", .on_step = [this](const StepOf& step) { return exactly_once(step); }},
      {.name = "ledger", .on_step = [this](const StepOf& step) { return ledger(step); }},
      {.name = "ceiling", .on_step = within_ceilings},
      {.name = "quota_sum", .on_state = [this](const State& state) { return quota_sum(state); }},
      {.name = "slice", .on_step = [this](const StepOf& step) { return slice(step); }},
      {.name = "work_conserving", .on_step = conserves_work},
  }};
  for (const Safety<ClusterModel>& property : known) {
    if (std::ranges::find(scope_.properties, property.name) != scope_.properties.end()) {
      properties.safety.push_back(property);
    }
  }
}

// Renumbering rows within their places leaves nodes, tenants and who is served as they are.
void ClusterModel::add_liveness(Properties<ClusterModel>& properties) const {
  const std::uint32_t names = initial_.cluster.namespaces();
  std::vector<std::string> who;
  for (std::uint16_t node = 0; node < initial_.cluster.nodes(); ++node) {
    for (std::uint32_t i = 0; i < names; ++i) {
      who.push_back(fmt::format("tenant {} on n{}", name(NamespaceId(i)), node + 1));
    }
  }
  const auto node_of = [names](std::size_t each) { return NodeId(static_cast<std::uint16_t>(each / names)); };
  const auto name_of = [names](std::size_t each) { return NamespaceId(static_cast<std::uint32_t>(each % names)); };
  const auto waiting = [=](const State& state, std::size_t each) {
    return state.cluster.active(node_of(each)).test(name_of(each).value());
  };
  const auto served = [=](const StepOf& step, std::size_t each) {
    return serves(step.effects, node_of(each), name_of(each));
  };
  const auto counts = [=](const StepOf& step, std::size_t each) {
    return std::ranges::any_of(step.effects, [&](const Effect& effect) {
      return effect.kind == EffectKind::sweep_planned && effect.node == node_of(each);
    });
  };
  properties.liveness.push_back(
      {.name = "no_starvation", .who = who, .waiting = waiting, .served = served, .keeps_symmetry = true});
  properties.waits.push_back({.name = "worst_wait_sweeps",
                              .who = who,
                              .waiting = waiting,
                              .served = served,
                              .counts = counts,
                              .keeps_symmetry = true});
}

void ClusterModel::add_fairness(Properties<ClusterModel>& properties) const {
  const auto add = [&](const std::string& named, auto enabled, auto taken) {
    properties.fairness.push_back({.name = named, .enabled = enabled, .taken = taken});
  };
  const auto is_one_of = [](Kind kind, std::initializer_list<Kind> kinds) {
    return std::ranges::find(kinds, kind) != kinds.end();
  };
  for (std::uint16_t i = 0; i < initial_.cluster.nodes(); ++i) {
    const NodeId node(i);
    const std::string of = fmt::format(" of n{}", i + 1);
    add(
        "sweeps" + of, [this, node](const State& state) { return sweep_enabled(state, node); },
        [=](const StepOf& step) {
          return step.action.node == node &&
                 is_one_of(step.action.kind, {Kind::sweep, Kind::plan, Kind::claim, Kind::hand_over, Kind::fail_sweep});
        });
    add(
        "completions" + of,
        [node](const State& state) {
          const ExecutionTable& executions = state.cluster.executions();
          for (std::uint32_t id = 0; id < executions.places(); ++id) {
            if (executions.running(ExecutionId(id)) && executions[ExecutionId(id)].node == node) {
              return true;
            }
          }
          return false;
        },
        [=](const StepOf& step) {
          return step.action.node == node && is_one_of(step.action.kind, {Kind::finish, Kind::kill});
        });
    if (scope_.counts.rearms.any()) {
      add(
          "re-arm passes" + of, [this, node](const State& state) { return rearm_enabled(state, node); },
          [=](const StepOf& step) {
            return step.action.node == node && is_one_of(step.action.kind, {Kind::rearm, Kind::act_on_stale});
          });
    }
    if (scope_.counts.node_pauses.any() || scope_.counts.cuts.any()) {
      add(
          "recovery" + of,
          [node](const State& state) {
            const Cluster& cluster = state.cluster;
            return cluster.paused(node) || cluster.expelled(node) || cluster.link(node) != Link::connected;
          },
          [=](const StepOf& step) {
            return step.action.node == node &&
                   is_one_of(step.action.kind, {Kind::resume_node, Kind::rejoin, Kind::reconnect, Kind::crash});
          });
    }
  }
  for (std::uint32_t i = 0; i < initial_.cluster.config().shards; ++i) {
    const ShardId shard(i);
    add(
        fmt::format("adoption of shard {}", i),
        [shard](const State& state) {
          bool any_member = false;
          for (std::uint16_t node = 0; node < state.cluster.nodes(); ++node) {
            any_member = any_member || state.cluster.member(NodeId(node));
          }
          return any_member && state.cluster.outbox().holder(shard).is_none();
        },
        [shard](const StepOf& step) { return step.action.kind == Kind::adopt && step.action.item == shard.value(); });
  }
  if (scope_.counts.rearms.any()) {
    add(
        "claims of nobody going stale",
        [this](const State& state) { return state.past.left.rearms.any() && has_abandoned_claim(state); },
        [](const StepOf& step) { return step.action.kind == Kind::go_stale; });
  }
}

// A claim that no execution and no queue has any more.
bool ClusterModel::has_abandoned_claim(const State& state) const {
  Room& room = ClusterModel::room();
  state.cluster.snapshot(roster_, room.snapshot);
  room.rows.look_at(roster_, room.snapshot, orders_claims_);
  for (std::uint32_t row = 0; row < roster_.size(); ++row) {
    const RowSnapshot& is = room.snapshot.rows[row];
    if (is.fate == RowFate::claimed && !is.stale && room.rows.uses(row) == 0) {
      return true;
    }
  }
  return false;
}

bool ClusterModel::rearm_enabled(const State& state, NodeId node) const {
  Room& room = ClusterModel::room();
  state.cluster.snapshot(roster_, room.snapshot);
  const NodeSnapshot& is = room.snapshot.nodes[node.value()];
  if (!is.up || is.paused || is.link != Link::connected) {
    return false;
  }
  for (std::uint32_t row = 0; row < roster_.size(); ++row) {
    if (room.snapshot.rows[row].awaits_pass && room.snapshot.shards[roster_.place(row).shard.value()].holder == node) {
      return true;
    }
  }
  return !is.listed.empty();
}

void ClusterModel::add_extremes(Properties<ClusterModel>& properties) const {
  for (std::uint32_t i = 0; i < initial_.cluster.namespaces(); ++i) {
    const NamespaceId which(i);
    properties.extremes.push_back({.name = "executing_max/" + name(which), .on_state = [which](const State& state) {
                                     return std::optional<std::int64_t>(quota_use(state.cluster, which).executing);
                                   }});
    properties.extremes.push_back({.name = "executing_over_bound/" + name(which),
                                   .on_state = [which](const State& state) -> std::optional<std::int64_t> {
                                     if ((state.past.changing >> which.value() & 1U) != 0) {
                                       return std::nullopt;
                                     }
                                     return quota_use(state.cluster, which).over();
                                   }});
  }
}

// -- what was found, by tenant ----------------------------------------------------------------------------------------

std::map<std::string, std::optional<std::uint64_t>> worst_wait_sweeps(const ClusterModel& model,
                                                                      const CheckResult& result) {
  std::map<std::string, std::optional<std::uint64_t>> worst;
  const std::size_t names = model.scope().config.namespaces.size();
  for (std::size_t i = 0; i < result.waits.size(); ++i) {
    const std::string& name = model.scope().config.namespaces[i % names].name;
    const WaitFound& wait = result.waits[i];
    std::optional<std::uint64_t>& most = worst.emplace(name, 0).first->second;
    if (wait.verdict == Verdict::fail) {
      most.reset();
    } else if (most) {
      most = std::max(*most, wait.steps);
    }
  }
  return worst;
}

namespace {

std::map<std::string, std::int64_t> extremes_of(const std::string& kind, const ClusterModel& model,
                                                const CheckResult& result) {
  std::map<std::string, std::int64_t> found;
  for (const NamespaceConfig& name : model.scope().config.namespaces) {
    const auto extreme = std::ranges::find(result.extremes, kind + "/" + name.name, &ExtremeFound::name);
    if (extreme != result.extremes.end() && extreme->value) {
      found[name.name] = *extreme->value;
    }
  }
  return found;
}

}  // namespace

std::map<std::string, std::int64_t> executing_max(const ClusterModel& model, const CheckResult& result) {
  return extremes_of("executing_max", model, result);
}

std::map<std::string, std::int64_t> executing_over_bound(const ClusterModel& model, const CheckResult& result) {
  return extremes_of("executing_over_bound", model, result);
}

}  // namespace headroom::checker
