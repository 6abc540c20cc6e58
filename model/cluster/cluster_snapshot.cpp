// Cluster: taken apart into a plain value, and put together from one.
#include <algorithm>

#include "model/base/assert.hpp"
#include "model/cluster/cluster.hpp"

namespace headroom {
namespace {

// Rows that are there when a cluster is restored are of this generation, former ones of the one before.
constexpr std::uint64_t kPresentGeneration = 1;
constexpr std::uint64_t kFormerGeneration = 0;
// The store never gave it out.
constexpr Fence kStaleFence{0};

}  // namespace

// -- taking apart -----------------------------------------------------------------------------------------------------

void Cluster::snapshot(const RowRoster& roster, ClusterSnapshot& out) const {
  HEADROOM_ASSERT(!api_, "a snapshot of a cluster with an HTTP side");
  out.rows.assign(roster.size(), RowSnapshot());
  out.shards.resize(config().shards);
  for (std::uint32_t i = 0; i < config().shards; ++i) {
    const ShardId shard(i);
    out.shards[i] = {outbox_.holder(shard), charges_.owner(shard)};
    outbox_.for_each_in_shard(shard, [&](RowSlot slot) {
      const Row& row = outbox_.row(slot);
      const bool is_claimed = row.status == RowStatus::claimed;
      out.rows[roster.row_of(row.key)] = {.fate = is_claimed ? RowFate::claimed : RowFate::pending,
                                          .visible = row.visible,
                                          .stale = row.stale,
                                          .executing = row.executing,
                                          .attempt = row.attempt,
                                          .claimed_by = row.claimed_by};
    });
    for (const RowSlot slot : outbox_.stale_claims(shard)) {
      const Row& row = outbox_.row(slot);
      if (row.shard == shard && row.stale) {
        out.rows[roster.row_of(row.key)].awaits_pass = true;
      }
    }
  }
  for (std::uint32_t row = 0; row < roster.size(); ++row) {
    if (out.rows[row].fate == RowFate::absent && outbox_.ever_appended(roster.key(row, kFormerGeneration))) {
      out.rows[row].fate = RowFate::ended;
    }
  }
  out.executions.clear();
  for (std::uint32_t i = 0; i < executions_.places(); ++i) {
    if (executions_.running(ExecutionId(i))) {
      out.executions.push_back(snapshot_execution(roster, ExecutionId(i)));
    }
  }
  std::ranges::sort(out.executions);
  out.charges.clear();
  for (std::uint32_t name = 0; name < namespaces(); ++name) {
    for (const ChargeLedger::Unsettled& entry : charges_.unsettled_shards(NamespaceId(name))) {
      out.charges.push_back({NamespaceId(name), entry.shard, entry.charged_to});
    }
  }
  out.quotas = quotas_;
  out.believed_quotas = believed_quotas_;
  out.paused.resize(layout_->first_workflow(namespaces()));
  for (std::uint32_t workflow = 0; workflow < out.paused.size(); ++workflow) {
    out.paused[workflow] = outbox_.paused(WorkflowId(workflow));
  }
  out.nodes.resize(nodes());
  for (std::uint16_t node = 0; node < nodes(); ++node) {
    snapshot_node(NodeId(node), roster, out.nodes[node]);
  }
}

void Cluster::snapshot_node(NodeId id, const RowRoster& roster, NodeSnapshot& out) const {
  const Node& node = nodes_[id.value()];
  out.up = node.up;
  out.paused = node.paused;
  out.expelled = node.expelled;
  out.wake_wanted = node.wake_wanted;
  out.awaits_result = node.awaits_result;
  out.link = node.link;
  out.boot_shards = config().fraction_refresh == FractionRefresh::at_boot ? node.boot_shards : 0;
  out.memory = node.memory;
  const auto items = [&](const auto& from, std::vector<ItemSnapshot>& to) {
    to.clear();
    for (const WorkItem& item : from) {
      to.push_back(snapshot_item(roster, item));
    }
  };
  items(node.workers.queue, out.queue);
  items(node.batch, out.batch);
  out.sweep.running = node.sweep.running;
  if (node.sweep.running) {
    out.sweep.active = node.sweep.plan.active;
    out.sweep.rows_claimed = node.sweep.rows_claimed;
    out.sweep.turn_before = node.sweep.turn_before;
    out.sweep.next_claim = static_cast<std::uint32_t>(node.sweep.next_claim);
    out.sweep.grants = node.sweep.plan.grants;
    out.sweep.claimed = node.sweep.claimed;
    out.sweep.claims = node.sweep.plan.claims;
    out.sweep.kept_rows = node.kept_rows;
    items(node.sweep.items, out.sweep.items);
    if (!order_of_claims_matters()) {
      std::ranges::sort(out.sweep.items);
    }
  } else {
    out.sweep.turn_before = {};
    out.sweep.active = out.sweep.rows_claimed = out.sweep.next_claim = 0;
    out.sweep.grants.clear();
    out.sweep.claimed.clear();
    out.sweep.claims.clear();
    out.sweep.kept_rows.clear();
    out.sweep.items.clear();
  }
  out.listed.clear();
  for (const auto& [slot, key] : node.listed) {
    if (outbox_.row(slot).key == key) {  // else it is final, and passed over
      out.listed.push_back(roster.row_of(key));
    }
  }
  std::ranges::sort(out.listed);
  const auto twice = std::ranges::unique(out.listed);
  out.listed.erase(twice.begin(), twice.end());
  out.unsent.clear();
  for (const UnsentResult& result : node.unsent) {
    out.unsent.push_back({snapshot_item(roster, result.item), result.succeeded});
  }
  out.kept = node.kept;
  std::ranges::sort(out.kept);
}

ItemSnapshot Cluster::snapshot_item(const RowRoster& roster, const WorkItem& item) const {
  ItemSnapshot out{.row = roster.row_of(item.key), .dispatcher = item.dispatcher};
  if (item.fence.is_none()) {
    out.fence = FenceState::none;
  } else if (outbox_.live(item.row, item.key, item.fence)) {
    out.fence = FenceState::live;
  } else {
    out.fence = outbox_.row(item.row).key == item.key ? FenceState::stale : FenceState::former;
  }
  out.former_life =
      config().dispatch == DispatchKind::sequential && nodes_[item.dispatcher.value()].life != item.dispatcher_life;
  return out;
}

// -- putting together -------------------------------------------------------------------------------------------------

void Cluster::restore(const RowRoster& roster, const ClusterSnapshot& from) {
  HEADROOM_ASSERT(!api_ && from.nodes.size() == nodes() && from.rows.size() == roster.size() &&
                      from.shards.size() == config().shards,
                  "a snapshot of another cluster");
  quotas_ = from.quotas;
  believed_quotas_ = from.believed_quotas;
  restore_rows(roster, from);
  executions_.clear();
  for (std::uint16_t node = 0; node < nodes(); ++node) {
    nodes_[node].life = 1;
    nodes_[node].workers.busy = 0;
  }
  for (const ExecutionSnapshot& execution : from.executions) {
    executions_.start(restore_item(roster, execution.item), execution.node);
    ++nodes_[execution.node.value()].workers.busy;
  }
  for (std::uint16_t node = 0; node < nodes(); ++node) {
    restore_node(NodeId(node), roster, from.nodes[node]);
  }
  restore_holdings(roster.size());
}

// Row r of the roster is in slot r.
void Cluster::restore_rows(const RowRoster& roster, const ClusterSnapshot& from) {
  std::vector<NodeId> owners;
  owners.reserve(from.shards.size());
  outbox_.clear();
  ownerless_ = 0;
  for (std::uint32_t shard = 0; shard < from.shards.size(); ++shard) {
    owners.push_back(from.shards[shard].owner);
    outbox_.assign_shard(ShardId(shard), from.shards[shard].holder, 1);
    ownerless_ += from.shards[shard].holder.is_none() ? 1 : 0;
  }
  charges_.restore(owners);
  for (const ChargeSnapshot& charge : from.charges) {
    charges_.put_unsettled(charge.name, {charge.shard, charge.charged_to});
  }
  for (std::uint32_t workflow = 0; workflow < from.paused.size(); ++workflow) {
    outbox_.set_paused(WorkflowId(workflow), from.paused[workflow]);
  }
  for (std::uint32_t i = 0; i < roster.size(); ++i) {
    if (from.rows[i].fate != RowFate::absent) {
      outbox_.put_former(roster.key(i, kFormerGeneration), false);
    }
  }
  for (std::uint32_t i = 0; i < roster.size(); ++i) {
    const RowSnapshot& row = from.rows[i];
    const RowPlace& place = roster.place(i);
    if (row.fate == RowFate::absent || row.fate == RowFate::ended) {
      outbox_.put_nothing();
      if (row.fate == RowFate::ended) {
        outbox_.put_former(roster.key(i, kPresentGeneration), true);
      }
      continue;
    }
    Row put;
    put.key = roster.key(i, kPresentGeneration);
    put.route = place.route;
    put.workflow = place.workflow;
    put.shard = place.shard;
    put.claimed_by = row.claimed_by;
    put.attempt = row.attempt;
    put.status = row.fate == RowFate::claimed ? RowStatus::claimed : RowStatus::pending;
    put.visible = row.visible;
    put.stale = row.stale;
    put.executing = row.executing;
    outbox_.put(put, row.awaits_pass);
  }
}

void Cluster::restore_node(NodeId id, const RowRoster& roster, const NodeSnapshot& from) {
  Node& node = nodes_[id.value()];
  node.up = from.up;
  node.paused = from.paused;
  node.expelled = from.expelled;
  node.wake_wanted = from.wake_wanted;
  node.awaits_result = from.awaits_result;
  node.link = from.link;
  node.boot_shards = from.boot_shards;
  node.memory = from.memory;
  const auto items = [&](const std::vector<ItemSnapshot>& snapshots, auto& to) {
    to.clear();
    for (const ItemSnapshot& item : snapshots) {
      to.push_back(restore_item(roster, item));
    }
  };
  items(from.queue, node.workers.queue);
  items(from.batch, node.batch);
  items(from.sweep.items, node.sweep.items);
  node.sweep.running = from.sweep.running;
  node.sweep.number = from.sweep.running ? 1 : 0;
  node.sweep.next_claim = from.sweep.next_claim;
  node.sweep.rows_claimed = from.sweep.rows_claimed;
  node.sweep.turn_before = from.sweep.turn_before;
  node.sweep.claimed = from.sweep.claimed;
  node.sweep.plan.grants = from.sweep.grants;
  node.sweep.plan.claims = from.sweep.claims;
  node.sweep.plan.active = from.sweep.active;
  node.sweep.plan.batch = from.sweep.running ? config().batch_size : 0;
  node.kept_rows = from.sweep.kept_rows;
  node.kept = from.kept;
  node.listed.clear();
  for (const std::uint32_t row : from.listed) {
    node.listed.emplace_back(RowSlot(row), roster.key(row, kPresentGeneration));
  }
  node.unsent.clear();
  for (const ResultSnapshot& result : from.unsent) {
    node.unsent.push_back({restore_item(roster, result.item), result.succeeded});
  }
}

// What is counted of rows, and what follows from it. Gives the slots that nobody uses back.
void Cluster::restore_holdings(std::uint32_t rows) {
  std::ranges::fill(holdings_, Holding{});
  std::ranges::fill(executing_live_, 0);
  for (std::uint32_t i = 0; i < rows; ++i) {
    const RowSlot slot(i);
    const Row& row = outbox_.row(slot);
    if (row.key == DispatchKey()) {
      continue;
    }
    if (row.due()) {
      count_due(slot, +1);
    } else if (row.status == RowStatus::claimed) {
      count_claim(slot, +1);
      executing_live_[row.name().value()] += row.executing ? 1 : 0;
    }
  }
  for (std::uint32_t i = rows; i-- > 0;) {
    if (outbox_.row(RowSlot(i)).key == DispatchKey()) {
      outbox_.free_slot(RowSlot(i));
    }
  }
  for (std::uint32_t i = 0; i < namespaces(); ++i) {
    for (std::uint16_t node = 0; node < nodes(); ++node) {
      Holding& held = held_by(NodeId(node), NamespaceId(i));
      held.ceiling = ceiling_of(NodeId(node), NamespaceId(i));
      nodes_[node].present.assign(i, held.due > 0);
      nodes_[node].active.assign(i, held.claimable > 0 && headroom_of(held.ceiling, claimed(held)) > 0);
    }
  }
}

WorkItem Cluster::restore_item(const RowRoster& roster, const ItemSnapshot& from) const {
  WorkItem item{.row = RowSlot(from.row),
                .route = roster.place(from.row).route,
                .dispatcher = from.dispatcher,
                .dispatcher_life = from.former_life ? 0U : 1U};
  const bool is_former = from.fence == FenceState::former || from.fence == FenceState::none;
  item.key = roster.key(from.row, is_former ? kFormerGeneration : kPresentGeneration);
  switch (from.fence) {
    case FenceState::live:
      item.fence = outbox_.row(item.row).fence;
      item.attempt = outbox_.row(item.row).attempt;
      break;
    case FenceState::stale:
    case FenceState::former:
      item.fence = kStaleFence;
      break;
    case FenceState::none:
      break;
  }
  return item;
}

}  // namespace headroom
