#include "model/properties/unserved_runs.hpp"

#include <algorithm>

#include "model/properties/sweep_dues.hpp"

namespace headroom {

UnservedRuns::UnservedRuns(const Cluster& cluster)
    : names_(cluster.namespaces()), nodes_(cluster.nodes()), entries_(names_ * cluster.nodes()) {}

bool UnservedRuns::watches(EffectKind kind) {
  return kind == EffectKind::became_active || kind == EffectKind::became_inactive ||
         kind == EffectKind::sweep_planned || kind == EffectKind::sweep_finished || kind == EffectKind::sweep_aborted;
}

void UnservedRuns::on(const Effect& effect, const Cluster& cluster, Time at, std::vector<UnservedRun>& ended) {
  Node* node = effect.node.is_none() ? nullptr : &nodes_[effect.node.value()];
  if (effect.kind == EffectKind::became_active) {
    Entry& found = entry(effect.node, effect.name);
    found.active = true;
    // Back before any sweep noticed: it is as if it had never been away.
    if (found.last_active != node->planned || node->planned == 0) {
      found.active_from = node->planned;
    }
    open_run(effect.node, effect.name);
  } else if (effect.kind == EffectKind::became_inactive) {
    Entry& found = entry(effect.node, effect.name);
    found.active = false;
    const Sweep& sweep = cluster.sweep(effect.node);
    const auto grant = std::ranges::lower_bound(sweep.plan.grants, effect.name, {}, &Grant::name);
    const bool served = node->planned > node->completed && grant != sweep.plan.grants.end() &&
                        grant->name == effect.name &&
                        sweep.claimed[static_cast<std::size_t>(grant - sweep.plan.grants.begin())] > 0;
    if (found.active_from < node->planned) {
      found.last_active = node->planned;
    }
    end_run(effect.node, effect.name, served, cluster, at, ended);
  } else if (effect.kind == EffectKind::sweep_planned) {
    node->last_active_count = cluster.sweep(effect.node).plan.active;
    ++node->planned;
    stamp_fresh(effect.node, at);
  } else if (effect.kind == EffectKind::sweep_finished) {
    finish_sweep(effect.node, cluster, at, ended);
  } else if (effect.kind == EffectKind::sweep_aborted) {
    abort_sweep(effect.node);
  }
}

// The next sweep gets the number, so nothing may be known of it yet.
void UnservedRuns::abort_sweep(NodeId node) {
  const std::uint64_t completed = nodes_[node.value()].completed;
  nodes_[node.value()].planned = completed;
  for (std::uint32_t name = 0; name < names_; ++name) {
    Entry& found = entry(node, NamespaceId(name));
    found.active_from = std::min(found.active_from, completed);
    found.last_active = std::min(found.last_active, completed);
  }
}

void UnservedRuns::open_run(NodeId node, NamespaceId name) {
  Entry& found = entry(node, name);
  found.first = nodes_[node.value()].planned;
  found.not_counted = 0;
  found.open = true;
  nodes_[node.value()].fresh.push_back(name);
}

void UnservedRuns::stamp_fresh(NodeId node, Time at) {
  Node& swept = nodes_[node.value()];
  for (const NamespaceId name : swept.fresh) {
    Entry& found = entry(node, name);
    if (found.open && found.first + 1 == swept.planned) {
      found.first_at = at;
    }
  }
  swept.fresh.clear();
}

void UnservedRuns::finish_sweep(NodeId node, const Cluster& cluster, Time at, std::vector<UnservedRun>& ended) {
  Node& swept = nodes_[node.value()];
  const Sweep& sweep = cluster.sweep(node);
  for (std::size_t i = 0; i < sweep.plan.grants.size(); ++i) {
    const NamespaceId name = sweep.plan.grants[i].name;
    Entry& found = entry(node, name);
    if (!found.open || found.first >= swept.planned) {
      continue;  // it left the active set in this sweep
    }
    if (sweep.claimed[i] > 0) {
      end_run(node, name, true, cluster, at, ended);
      open_run(node, name);
    } else if (found.first == swept.completed) {
      // What it was granted went away before the claim: the sweep does not count.
      ++found.first;
      swept.fresh.push_back(name);
    } else {
      ++found.not_counted;
    }
  }
  ++swept.completed;
}

void UnservedRuns::end_run(NodeId node, NamespaceId name, bool served, const Cluster& cluster, Time at,
                           std::vector<UnservedRun>& ended) {
  Entry& found = entry(node, name);
  if (!found.open) {
    return;
  }
  found.open = false;
  UnservedRun run = describe(node, name, cluster, at);
  run.served = served;
  if (run.sweeps > 0 || served) {
    ended.push_back(run);
  }
}

UnservedRun UnservedRuns::describe(NodeId node, NamespaceId name, const Cluster& cluster, Time at) const {
  const Entry& found = entry(node, name);
  const Node& swept = nodes_[node.value()];
  UnservedRun run{.node = node, .name = name, .ended = at};
  run.sweeps = swept.completed > found.first ? swept.completed - found.first - found.not_counted : 0;
  if (run.sweeps > 0) {
    run.lasted = at - found.first_at;
    const std::uint64_t batch = cluster.config().batch_size;
    // D is at least the number that the last sweep saw, so most runs need no count.
    if (run.sweeps >= longest_run(swept.last_active_count, batch)) {
      run.active_names = active_names_since(node, found.first);
      run.allowed = longest_run(run.active_names, batch);
    }
  }
  return run;
}

std::vector<UnservedRun> UnservedRuns::open_runs(const Cluster& cluster, Time at) const {
  std::vector<UnservedRun> runs;
  for (std::uint16_t node = 0; node < nodes_.size(); ++node) {
    for (std::uint32_t name = 0; name < names_; ++name) {
      if (entry(NodeId(node), NamespaceId(name)).open) {
        runs.push_back(describe(NodeId(node), NamespaceId(name), cluster, at));
      }
    }
  }
  return runs;
}

std::uint64_t UnservedRuns::active_names_since(NodeId node, std::uint64_t sweep) const {
  std::uint64_t count = 0;
  const std::uint64_t planned = nodes_[node.value()].planned;
  for (std::uint32_t i = 0; i < names_; ++i) {
    const Entry& found = entry(node, NamespaceId(i));
    if (found.last_active > sweep || (found.active && found.active_from < planned)) {
      ++count;
    }
  }
  return count;
}

void UnservedRuns::finish(const Cluster& cluster, Time at, std::vector<UnservedRun>& ended) {
  for (std::uint16_t node = 0; node < nodes_.size(); ++node) {
    for (std::uint32_t name = 0; name < names_; ++name) {
      end_run(NodeId(node), NamespaceId(name), false, cluster, at, ended);
    }
  }
}

void UnservedRuns::open_window() {
  for (Node& node : nodes_) {
    node.window_from = node.planned;
  }
}

std::vector<NamespaceId> UnservedRuns::backlogged(const Cluster& cluster) const {
  std::vector<NamespaceId> names;
  bool any_sweep = false;
  for (std::uint16_t i = 0; i < nodes_.size(); ++i) {
    const Node& node = nodes_[i];
    if (node.planned == node.window_from) {
      continue;
    }
    const auto throughout = [&](std::uint32_t name) {
      const Entry& found = entry(NodeId(i), NamespaceId(name));
      const bool at_last = cluster.active(NodeId(i)).test(name) || found.last_active == node.planned;
      return at_last && found.active_from <= node.window_from;
    };
    if (!any_sweep) {
      for (std::uint32_t name = 0; name < names_; ++name) {
        if (throughout(name)) {
          names.push_back(NamespaceId(name));
        }
      }
    } else {
      std::erase_if(names, [&](NamespaceId name) { return !throughout(name.value()); });
    }
    any_sweep = true;
  }
  return names;
}

}  // namespace headroom
