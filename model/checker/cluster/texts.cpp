// ClusterModel: states and steps in words.
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/checker/cluster/room.hpp"

namespace headroom::checker {
namespace {

using Kind = ClusterActionKind;

std::string node_name(NodeId node) {
  return node.is_none() ? "nobody" : fmt::format("n{}", node.value() + 1);
}

// "a 2, b 2": how many effects of a kind each tenant has.
std::string by_tenant(const ClusterModel& model, const Effects& effects, EffectKind kind) {
  std::vector<std::string> parts;
  for (std::uint32_t name = 0; name < model.scope().config.namespaces.size(); ++name) {
    const auto rows = std::ranges::count_if(
        effects, [&](const Effect& effect) { return effect.kind == kind && effect.name == NamespaceId(name); });
    if (rows > 0) {
      parts.push_back(fmt::format("{} {}", model.name(NamespaceId(name)), rows));
    }
  }
  return parts.empty() ? "nothing" : fmt::format("{}", fmt::join(parts, ", "));
}

std::string plan_text(const ClusterModel& model, const Cluster& before, NodeId node) {
  std::string headrooms;
  for (std::uint32_t name = 0; name < before.namespaces(); ++name) {
    if (before.active(node).test(name)) {
      headrooms += fmt::format(" {} {}", model.name(NamespaceId(name)), before.headroom(node, NamespaceId(name)));
    }
  }
  return fmt::format("n{}: batch {}, headroom{}", node.value() + 1, before.config().batch_size,
                     headrooms.empty() ? " none" : headrooms);
}

std::string grants_text(const ClusterModel& model, const Cluster& after, NodeId node) {
  std::vector<std::string> parts;
  for (const Grant& grant : after.sweep(node).plan.grants) {
    parts.push_back(fmt::format("{} {}", model.name(grant.name), grant.rows));
  }
  return parts.empty() ? "nothing" : fmt::format("{}", fmt::join(parts, ", "));
}

std::string fence_text(FenceState fence) {
  switch (fence) {
    case FenceState::live:
      return "";
    case FenceState::stale:
      return " (stale)";
    case FenceState::former:
      return " (of a final row)";
    case FenceState::none:
      return " (pushed)";
  }
  HEADROOM_ASSERT(false, "unknown state of a fence");
}

std::string row_text(const RowSnapshot& row, bool paused) {
  switch (row.fate) {
    case RowFate::absent:
      return "absent";
    case RowFate::ended:
      return "final";
    case RowFate::pending: {
      std::string text = row.visible ? "pending" : "pending, not visible";
      text += row.attempt > 0 ? fmt::format(", {} failed tries", row.attempt) : "";
      return text + (paused ? ", paused" : "");
    }
    case RowFate::claimed:
      return fmt::format("claimed by {}{}{}", node_name(row.claimed_by), row.executing ? ", executing" : "",
                         row.stale ? ", stale" : "");
  }
  HEADROOM_ASSERT(false, "unknown fate of a row");
}

std::string result_text(const Effects& effects) {
  for (const Effect& effect : effects) {
    switch (effect.kind) {
      case EffectKind::recorded:
        return "recorded";
      case EffectKind::retried:
        return "will be tried again";
      case EffectKind::dead_lettered:
        return "dead letter";
      case EffectKind::result_ignored:
        return "ignored, its fence is stale";
      case EffectKind::result_delayed:
        return "cannot be reported";
      default:
        break;
    }
  }
  return "no result";
}

std::string node_text(const NodeSnapshot& node, const ClusterModel& model) {
  std::string text = node.up ? "up" : "down";
  text += node.paused ? ", paused" : "";
  text += node.wake_wanted ? ", woken" : "";
  text += node.expelled ? ", taken for dead" : "";
  text += node.link == Link::cut ? ", cut off" : node.link == Link::replies_lost ? ", replies lost" : "";
  text += node.sweep.running
              ? fmt::format(", sweeps ({} of {} claims made)", node.sweep.next_claim, node.sweep.claims.size())
              : "";
  text += node.queue.empty() ? "" : fmt::format(", {} rows wait for workers", node.queue.size());
  text += node.batch.empty() ? "" : fmt::format(", {} rows wait for a result", node.batch.size());
  text += node.unsent.empty() ? "" : fmt::format(", {} results unsent", node.unsent.size());
  text += node.listed.empty() ? "" : fmt::format(", {} stale claims listed", node.listed.size());
  if (!node.memory.cursor.is_none()) {
    text += fmt::format(", cursor {}", model.name(node.memory.cursor));
    text += node.memory.turn_is_open ? fmt::format(" with {} left of its turn", node.memory.deficit) : "";
  }
  return text;
}

}  // namespace

std::string ClusterModel::row_name(std::uint32_t row) const {
  const NamespaceId of = roster_.place(row).name;
  return fmt::format("{}{}", name(of), row - roster_.first(of.value()) + 1);
}

Facts ClusterModel::facts(const State& state) const {
  ClusterSnapshot snapshot;
  state.cluster.snapshot(roster_, snapshot);
  Facts facts;
  for (std::uint32_t row = 0; row < roster_.size(); ++row) {
    const RowPlace& place = roster_.place(row);
    facts.push_back({fmt::format("row {} on shard {}", row_name(row), place.shard.value()),
                     row_text(snapshot.rows[row], snapshot.paused[place.workflow.value()])});
  }
  for (const ExecutionSnapshot& execution : snapshot.executions) {
    facts.push_back({fmt::format("execution of {}{}", row_name(execution.item.row), fence_text(execution.item.fence)),
                     fmt::format("runs on {}", node_name(execution.node))});
  }
  for (std::uint32_t shard = 0; shard < snapshot.shards.size(); ++shard) {
    const ShardSnapshot& is = snapshot.shards[shard];
    std::string text = is.holder.is_none() ? fmt::format("nobody's, last {}'s", node_name(is.owner))
                                           : fmt::format("{}'s", node_name(is.holder));
    for (const ChargeSnapshot& charge : snapshot.charges) {
      if (charge.shard == ShardId(shard)) {
        text += fmt::format(", charged to {} for {}", node_name(charge.charged_to), name(charge.name));
      }
    }
    facts.push_back({fmt::format("shard {}", shard), text});
  }
  for (std::uint16_t node = 0; node < snapshot.nodes.size(); ++node) {
    facts.push_back({fmt::format("n{}", node + 1), node_text(snapshot.nodes[node], *this)});
  }
  for (std::uint32_t i = 0; i < snapshot.quotas.size(); ++i) {
    if (scope_.counts.quota_changes.any()) {
      facts.push_back({fmt::format("quota {}", name(NamespaceId(i))), fmt::format("{}", snapshot.quotas[i])});
    }
  }
  return facts;
}

std::string ClusterModel::text(const StepOf& step) const {
  const Action& action = step.action;
  const std::string node = node_name(action.node);
  const auto row = [&] { return row_name(action.item); };
  const auto execution = [&] {
    return fmt::format("{}{} on {}", row_name(action.execution.item.row), fence_text(action.execution.item.fence),
                       node_name(action.execution.node));
  };
  switch (action.kind) {
    case Kind::sweep:
      return fmt::format("sweep {} -> claims {}", plan_text(*this, step.before.cluster, action.node),
                         by_tenant(*this, step.effects, EffectKind::claimed));
    case Kind::plan:
      return fmt::format("plan {} -> grants {}", plan_text(*this, step.before.cluster, action.node),
                         grants_text(*this, step.after.cluster, action.node));
    case Kind::claim:
      return fmt::format("claim {} -> claims {}", node, by_tenant(*this, step.effects, EffectKind::claimed));
    case Kind::hand_over:
      return fmt::format("hand over {} -> starts {}", node, by_tenant(*this, step.effects, EffectKind::started));
    case Kind::fail_sweep:
      return fmt::format("store error ends the sweep of {} -> {}", node,
                         action.good ? "its claims are given back" : "its claims stay");
    case Kind::finish:
      return fmt::format("{} {} -> {}", action.good ? "complete" : "fail", execution(), result_text(step.effects));
    case Kind::kill:
      return fmt::format("kill {}", execution());
    case Kind::lose_wake:
      return fmt::format("the wake of {} is lost", node);
    case Kind::go_stale:
      return fmt::format("claim of {} goes stale", row());
    case Kind::rearm:
      return fmt::format("re-arm pass {} -> re-arms {}", node, by_tenant(*this, step.effects, EffectKind::rearmed));
    case Kind::act_on_stale:
      return fmt::format("re-arm what {} has listed -> re-arms {}", node,
                         by_tenant(*this, step.effects, EffectKind::rearmed));
    case Kind::visible:
      return fmt::format("{} becomes visible", row());
    case Kind::crash:
      return fmt::format("crash {}", node);
    case Kind::restart:
      return fmt::format("restart {}", node);
    case Kind::adopt:
      return fmt::format("{} adopts shard {}", node, action.item);
    case Kind::handoff:
      return fmt::format("hand shard {} over to {}", action.item, node);
    case Kind::reappend:
      return fmt::format("append {} again", row());
    case Kind::cancel:
      return fmt::format("workflow {} ends", action.item);
    case Kind::pause:
      return fmt::format("workflow {} {}", action.item, action.good ? "is paused" : "goes on");
    case Kind::quota:
      return fmt::format("quota {} becomes {}", name(NamespaceId(action.item)), action.value);
    case Kind::read_quotas:
      return fmt::format("{} {}", node, action.good ? "reads the quotas" : "cannot read the quotas");
    case Kind::pause_node:
      return fmt::format("{} stands still", node);
    case Kind::resume_node:
      return fmt::format("{} goes on", node);
    case Kind::expel:
      return fmt::format("{} is taken for dead", node);
    case Kind::rejoin:
      return fmt::format("{} rejoins", node);
    case Kind::cut:
      return fmt::format("{} {}", node, action.good ? "gets no replies from the store" : "loses the store");
    case Kind::reconnect:
      return fmt::format("{} reaches the store again", node);
  }
  HEADROOM_ASSERT(false, "unknown kind of step");
  return {};
}

}  // namespace headroom::checker
