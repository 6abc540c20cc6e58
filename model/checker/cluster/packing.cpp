#include "model/checker/cluster/packing.hpp"

#include <algorithm>
#include <array>

#include "model/base/assert.hpp"
#include "model/checker/bits.hpp"

namespace headroom::checker {
namespace {

enum class RowCode : std::uint8_t { absent, ended, hidden, due, claimed, stale, listed };

RowCode code_of(const RowSnapshot& row) {
  switch (row.fate) {
    case RowFate::absent:
      return RowCode::absent;
    case RowFate::ended:
      return RowCode::ended;
    case RowFate::pending:
      return row.visible ? RowCode::due : RowCode::hidden;
    case RowFate::claimed:
      return !row.stale ? RowCode::claimed : row.awaits_pass ? RowCode::stale : RowCode::listed;
  }
  HEADROOM_ASSERT(false, "unknown fate of a row");
}

std::uint64_t most_quota(const ClusterScope& scope) {
  std::uint64_t most = scope.config.on_quota_error == OnQuotaError::platform_default ? kPlatformDefaultQuota : 0;
  for (const NamespaceConfig& name : scope.config.namespaces) {
    most = std::max<std::uint64_t>(most, name.quota);
  }
  for (const std::uint32_t value : scope.quota_values) {
    most = std::max<std::uint64_t>(most, value);
  }
  return most;
}

}  // namespace

ClusterPacking::ClusterPacking(const ClusterScope& scope, const Layout& layout, const RowRoster& roster)
    : config_(scope.config),
      counts_(scope.counts),
      rows_(roster.size()),
      workflows_(layout.first_workflow(layout.namespaces())),
      row_bits_(width_of(roster.size())),
      node_bits_(width_of(config_.nodes - 1U)),
      shard_bits_(width_of(config_.shards)),
      name_bits_(width_of(layout.namespaces())),
      route_bits_(width_of(layout.first_route(layout.namespaces()))),
      attempt_bits_(counts_.failures.any() || config_.rearm_counts_attempt ? width_of(config_.backoff.max_attempts)
                                                                           : 0),
      quota_bits_(width_of(most_quota(scope))),
      splits_sweeps_(std::ranges::find(scope.split, "sweep") != scope.split.end()),
      many_routes_(layout.first_route(layout.namespaces()) > layout.namespaces()),
      keeps_runs_(std::ranges::find(scope.properties, "slice") != scope.properties.end()) {}

std::size_t ClusterPacking::pack(ClusterSnapshot& snapshot, Remembered& past, std::span<std::byte> bytes) const {
  BitWriter bits(bytes);
  all(bits, snapshot, past);
  return bits.end();
}

void ClusterPacking::unpack(std::span<const std::byte> bytes, ClusterSnapshot& snapshot, Remembered& past) const {
  BitReader bits(bytes);
  all(bits, snapshot, past);
}

template <class Bits>
void ClusterPacking::all(Bits& bits, ClusterSnapshot& snapshot, Remembered& past) const {
  if constexpr (Bits::kReads) {
    snapshot.rows.assign(rows_, {});
    snapshot.nodes.resize(config_.nodes);
    snapshot.shards.resize(config_.shards);
    snapshot.paused.assign(workflows_, false);
  }
  rows_and_executions(bits, snapshot);
  for (NodeSnapshot& each : snapshot.nodes) {
    node(bits, each);
  }
  ownership(bits, snapshot);
  quotas(bits, snapshot);
  if (counts_.pauses.any()) {
    for (std::uint32_t i = 0; i < workflows_; ++i) {
      bool paused = snapshot.paused[i];
      field(bits, paused, 1);
      snapshot.paused[i] = paused;
    }
  }
  remembered(bits, past);
}

// The usual execution is a bit of its row.
bool ClusterPacking::is_plain(const ExecutionSnapshot& execution, const RowSnapshot& row) const {
  return row.fate == RowFate::claimed && row.executing && execution.item.fence == FenceState::live &&
         execution.node == row.claimed_by && execution.item.dispatcher == row.claimed_by && !execution.item.former_life;
}

template <class Bits>
void ClusterPacking::row(Bits& bits, RowSnapshot& row, bool& executes_plainly) const {
  RowCode code = code_of(row);
  field(bits, code, 3);
  if constexpr (Bits::kReads) {
    row = {.fate = code == RowCode::absent  ? RowFate::absent
                   : code == RowCode::ended ? RowFate::ended
                   : code <= RowCode::due   ? RowFate::pending
                                            : RowFate::claimed,
           .visible = code >= RowCode::due,
           .stale = code > RowCode::claimed,
           .awaits_pass = code == RowCode::stale};
  }
  if (code == RowCode::absent || code == RowCode::ended) {
    return;
  }
  field(bits, row.attempt, attempt_bits_);
  if (row.fate == RowFate::claimed) {
    id(bits, row.claimed_by, node_bits_);
    field(bits, executes_plainly, 1);
    if (executes_plainly) {
      row.executing = true;
    } else {
      field(bits, row.executing, 1);
    }
  }
}

template <class Bits>
void ClusterPacking::rows_and_executions(Bits& bits, ClusterSnapshot& snapshot) const {
  thread_local std::vector<ExecutionSnapshot> others;
  others.clear();
  if constexpr (Bits::kReads) {
    snapshot.executions.clear();
    for (std::uint32_t i = 0; i < rows_; ++i) {
      bool plainly = false;
      row(bits, snapshot.rows[i], plainly);
      if (plainly) {
        const NodeId node = snapshot.rows[i].claimed_by;
        snapshot.executions.push_back({{.row = i, .fence = FenceState::live, .dispatcher = node}, node});
      }
    }
  } else {
    auto execution = snapshot.executions.begin();  // sorted by row
    for (std::uint32_t i = 0; i < rows_; ++i) {
      bool plainly = false;
      for (; execution != snapshot.executions.end() && execution->item.row == i; ++execution) {
        if (is_plain(*execution, snapshot.rows[i])) {
          plainly = true;
        } else {
          others.push_back(*execution);
        }
      }
      row(bits, snapshot.rows[i], plainly);
    }
  }
  list(bits, others, [&](ExecutionSnapshot& execution) {
    item(bits, execution.item);
    id(bits, execution.node, node_bits_);
  });
  if constexpr (Bits::kReads) {
    if (!others.empty()) {
      snapshot.executions.insert(snapshot.executions.end(), others.begin(), others.end());
      std::ranges::sort(snapshot.executions);
    }
  }
}

template <class Bits>
void ClusterPacking::item(Bits& bits, ItemSnapshot& item) const {
  field(bits, item.row, row_bits_);
  field(bits, item.fence, 2);
  id(bits, item.dispatcher, node_bits_);
  field(bits, item.former_life, config_.dispatch == DispatchKind::sequential ? 1 : 0);
}

template <class Bits>
void ClusterPacking::items(Bits& bits, std::vector<ItemSnapshot>& items) const {
  list(bits, items, [&](ItemSnapshot& each) { item(bits, each); });
}

template <class Bits>
void ClusterPacking::node(Bits& bits, NodeSnapshot& node) const {
  field(bits, node.up, 1);
  field(bits, node.paused, counts_.node_pauses.any() ? 1 : 0);
  field(bits, node.expelled, counts_.expels.any() ? 1 : 0);
  field(bits, node.link, counts_.cuts.any() ? 2 : 0);
  field(bits, node.wake_wanted, config_.wake ? 1 : 0);
  field(bits, node.boot_shards, config_.fraction_refresh == FractionRefresh::at_boot ? shard_bits_ : 0);
  memory(bits, node.memory);
  sweep(bits, node.sweep);
  if (config_.workers) {
    items(bits, node.queue);
  }
  if (config_.dispatch == DispatchKind::sequential) {
    field(bits, node.awaits_result, 1);
    items(bits, node.batch);
  }
  if (config_.rearm_pass == RearmPassKind::list_and_act) {
    list(bits, node.listed, [&](std::uint32_t& listed) { field(bits, listed, row_bits_); });
  }
  if (counts_.cuts.any()) {
    list(bits, node.unsent, [&](ResultSnapshot& result) {
      item(bits, result.item);
      field(bits, result.succeeded, 1);
    });
  }
  if (config_.scope_on_loss == ScopeOnLoss::keep) {
    list(bits, node.kept, [&](ShardId& shard) { id(bits, shard, shard_bits_); });
  }
}

template <class Bits>
void ClusterPacking::memory(Bits& bits, PlannerMemory& memory) const {
  const bool goes_round =
      config_.planner == PlannerKind::rotating || config_.planner == PlannerKind::deficit_round_robin;
  if (!goes_round) {
    return;
  }
  id_or_none(bits, memory.cursor, config_.namespaces.size(), name_bits_);
  if (config_.planner == PlannerKind::deficit_round_robin) {
    field(bits, memory.turn_is_open, 1);
    if (memory.turn_is_open) {
      field(bits, memory.deficit, 20);
    } else if constexpr (Bits::kReads) {
      memory.deficit = 0;
    }
  }
  if (many_routes_) {
    const std::size_t none = (std::size_t{1} << route_bits_) - 1;
    list(bits, memory.route_cursors, [&](RouteId& route) { id_or_none(bits, route, none, route_bits_); });
  }
}

template <class Bits>
void ClusterPacking::sweep(Bits& bits, SweepSnapshot& sweep) const {
  if (!splits_sweeps_) {
    return;
  }
  if constexpr (Bits::kReads) {
    sweep = {};
  }
  field(bits, sweep.running, 1);
  if (!sweep.running) {
    return;
  }
  small(bits, sweep.active);
  small(bits, sweep.rows_claimed);
  small(bits, sweep.next_claim);
  id_or_none(bits, sweep.turn_before.cursor, config_.namespaces.size(), name_bits_);
  field(bits, sweep.turn_before.is_open, 1);
  small(bits, sweep.turn_before.deficit);
  list(bits, sweep.grants, [&](Grant& grant) {
    id(bits, grant.name, name_bits_);
    small(bits, grant.rows);
    small(bits, grant.guaranteed);
  });
  list(bits, sweep.claimed, [&](std::uint32_t& claimed) { small(bits, claimed); });
  list(bits, sweep.claims, [&](ScopedClaim& claim) {
    id_or_none(bits, claim.name, config_.namespaces.size(), name_bits_);
    id_or_none(bits, claim.route, (std::size_t{1} << route_bits_) - 1, route_bits_);
    small(bits, claim.rows);
  });
  items(bits, sweep.items);
  list(bits, sweep.kept_rows, [&](std::uint32_t& kept) { small(bits, kept); });
}

template <class Bits>
void ClusterPacking::ownership(Bits& bits, ClusterSnapshot& snapshot) const {
  for (ShardSnapshot& shard : snapshot.shards) {
    id(bits, shard.owner, node_bits_);
    bool ownerless = shard.holder.is_none();
    field(bits, ownerless, 1);
    shard.holder = ownerless ? NodeId::none() : shard.owner;
  }
  if (config_.ceiling_growth == CeilingGrowth::settled) {
    list(bits, snapshot.charges, [&](ChargeSnapshot& charge) {
      id(bits, charge.name, name_bits_);
      id(bits, charge.shard, shard_bits_);
      id(bits, charge.charged_to, node_bits_);
    });
  }
}

template <class Bits>
void ClusterPacking::quotas(Bits& bits, ClusterSnapshot& snapshot) const {
  if constexpr (Bits::kReads) {
    snapshot.quotas.resize(config_.namespaces.size());
    snapshot.believed_quotas.resize(config_.quota_cached ? config_.namespaces.size() * config_.nodes : 0);
  }
  for (std::size_t i = 0; i < snapshot.quotas.size(); ++i) {
    if (counts_.quota_changes.any()) {
      field(bits, snapshot.quotas[i], quota_bits_);
    } else if constexpr (Bits::kReads) {
      snapshot.quotas[i] = config_.namespaces[i].quota;
    }
  }
  for (std::uint32_t& believed : snapshot.believed_quotas) {
    field(bits, believed, quota_bits_);
  }
}

template <class Bits>
void ClusterPacking::remembered(Bits& bits, Remembered& past) const {
  for (const auto count : kFaultCounts) {
    Allowance::pack(bits, past.left.*count, counts_.*count);
  }
  field(bits, past.changing, counts_.quota_changes.any() ? static_cast<unsigned>(config_.namespaces.size()) : 0);
  if (keeps_runs_) {
    const auto names = static_cast<unsigned>(config_.namespaces.size());
    if constexpr (Bits::kReads) {
      past.runs.resize(std::size_t{config_.nodes} * names);
    }
    for (Run& run : past.runs) {
      small(bits, run.sweeps);
      field(bits, run.active, names);
    }
  }
}

}  // namespace headroom::checker
