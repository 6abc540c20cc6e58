// The whole system as one transition system: API processes and their gates; rows, shard ownership, dispatchers,
// workers.
//
//   Cluster cluster(config);
//   Effects effects;
//   cluster.step(AppendRows{rows}, now, effects);
//   cluster.step(PlanSweep{node}, now, effects);
//
// A value: copyable and comparable. `step` is the only way to change it. No step reads a clock: `at` is payload that is
// stamped on rows for order and reports, and no guard looks at it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "model/backpressure/charge_ledger.hpp"
#include "model/backpressure/planner.hpp"
#include "model/base/assert.hpp"
#include "model/base/ids.hpp"
#include "model/base/ordered_bitmap.hpp"
#include "model/base/time.hpp"
#include "model/cluster/action.hpp"
#include "model/cluster/api_fleet.hpp"
#include "model/cluster/effect.hpp"
#include "model/cluster/layout.hpp"
#include "model/cluster/snapshot.hpp"
#include "model/cluster/work.hpp"
#include "model/outbox/outbox.hpp"

namespace headroom {

// What a node holds of a namespace, kept up to date by every step.
struct Holding {
  std::uint32_t due = 0;                // due rows on its shards, paused ones too
  std::uint32_t claimable = 0;          // those not paused
  std::uint32_t claimed_owned = 0;      // Claimed rows on its shards
  std::uint32_t started = 0;            // rows that it started and whose fence lives
  std::uint32_t started_elsewhere = 0;  // those of them on shards that it does not own
  std::uint32_t ceiling = 0;            // for new claims; 0 while down
  friend bool operator==(const Holding&, const Holding&) = default;
};

// The sweep in progress, or the last one.
struct Sweep {
  bool running = false;
  std::uint64_t number = 0;  // of this node, from 1
  Plan plan;
  std::size_t next_claim = 0;
  std::vector<std::uint32_t> claimed;  // by grant of the plan
  std::vector<WorkItem> items;         // in claim order, until they are handed on
  std::uint32_t rows_claimed = 0;
  PlannerTurn turn_before;  // the planner's, as the sweep began
  friend bool operator==(const Sweep&, const Sweep&) = default;
};

class Cluster {
 public:
  explicit Cluster(ClusterConfig config);

  // Appends what the step did to `effects`. A void action (see action.hpp) does nothing. Needs, for the actions on
  // sweeps and executions: can_sweep(node); a running sweep with (without) claims left; a running execution.
  void step(const Action& action, Time at, Effects& effects);
  // A whole sweep in one go: plan, claims, hand-over.
  void sweep_at_once(NodeId node, Time at, Effects& effects);

  [[nodiscard]] bool can_sweep(NodeId node) const;
  [[nodiscard]] bool claims_left(NodeId node) const {
    const Sweep& sweep = nodes_[node.value()].sweep;
    return sweep.running && sweep.next_claim < sweep.plan.claims.size();
  }

  // Whether the node's next claim may take the row now, and how many rows it may take at most.
  [[nodiscard]] bool next_claim_may_take(NodeId node, RowSlot slot) const;
  [[nodiscard]] std::uint32_t next_claim_limit(NodeId node) const;

  // Whether it makes a difference in which order a sweep claims its rows.
  [[nodiscard]] bool order_of_claims_matters() const {
    return config().workers.has_value() || config().dispatch == DispatchKind::sequential;
  }

  // Everything that decides what can happen from here on, without time and the names of fences, executions and former
  // rows. Needs a cluster without an HTTP side, whose rows are those of the roster.
  void snapshot(const RowRoster& roster, ClusterSnapshot& out) const;
  [[nodiscard]] ExecutionSnapshot snapshot_execution(const RowRoster& roster, ExecutionId id) const {
    return {snapshot_item(roster, executions_[id].item), executions_[id].node};
  }
  // Becomes a cluster of the same configuration that has this snapshot.
  void restore(const RowRoster& roster, const ClusterSnapshot& from);

  [[nodiscard]] const Layout& layout() const { return *layout_; }
  [[nodiscard]] const ClusterConfig& config() const { return layout_->config(); }
  [[nodiscard]] std::uint16_t nodes() const { return config().nodes; }
  [[nodiscard]] std::uint32_t namespaces() const { return layout_->namespaces(); }

  [[nodiscard]] const Outbox& outbox() const { return outbox_; }
  [[nodiscard]] const ChargeLedger& charges() const { return charges_; }
  [[nodiscard]] bool up(NodeId node) const { return nodes_[node.value()].up; }
  [[nodiscard]] bool paused(NodeId node) const { return nodes_[node.value()].paused; }
  // Taken for dead, while it is not.
  [[nodiscard]] bool expelled(NodeId node) const { return nodes_[node.value()].expelled; }
  // Up, and the others know it: it may own shards.
  [[nodiscard]] bool member(NodeId node) const { return up(node) && !expelled(node); }
  [[nodiscard]] Link link(NodeId node) const { return nodes_[node.value()].link; }
  [[nodiscard]] bool wake_wanted(NodeId node) const { return nodes_[node.value()].wake_wanted; }
  [[nodiscard]] const Sweep& sweep(NodeId node) const { return nodes_[node.value()].sweep; }
  [[nodiscard]] const PlannerMemory& planner_memory(NodeId node) const { return nodes_[node.value()].memory; }
  [[nodiscard]] const Workers& workers(NodeId node) const { return nodes_[node.value()].workers; }
  [[nodiscard]] const ExecutionTable& executions() const { return executions_; }
  // Namespaces with a claimable row and headroom on the node, by NamespaceId.
  [[nodiscard]] const OrderedBitmap& active(NodeId node) const { return nodes_[node.value()].active; }
  // Namespaces with a due row on a shard of the node.
  [[nodiscard]] const OrderedBitmap& present(NodeId node) const { return nodes_[node.value()].present; }
  [[nodiscard]] const Holding& holding(NodeId node, NamespaceId name) const { return holdings_[place(node, name)]; }
  // What the node counts against its ceiling (claimed_counts).
  [[nodiscard]] std::uint32_t claimed(const Holding& held) const;
  [[nodiscard]] std::uint32_t headroom(NodeId node, NamespaceId name) const {
    const Holding& held = holding(node, name);
    return headroom_of(held.ceiling, claimed(held));
  }
  [[nodiscard]] std::uint32_t quota(NamespaceId name) const { return quotas_[name.value()]; }
  // The quota that the node goes by.
  [[nodiscard]] std::uint32_t believed_quota(NodeId node, NamespaceId name) const {
    return config().quota_cached ? believed_quotas_[place(node, name)] : quota(name);
  }
  // Rows of shards that the node has lost and still plans for (ScopeOnLoss::keep), of one route, in its present sweep.
  [[nodiscard]] std::span<const std::uint32_t> kept_rows(NodeId node) const { return nodes_[node.value()].kept_rows; }
  // Executing rows whose fence is live.
  [[nodiscard]] std::uint32_t executing_live(NamespaceId name) const { return executing_live_[name.value()]; }
  // Shards that have an owner, of one node and in all.
  [[nodiscard]] std::uint32_t owned(NodeId node) const { return member(node) ? charges_.owned(node) : 0; }
  [[nodiscard]] bool every_shard_owned() const { return ownerless_ == 0; }
  // Null without an HTTP side.
  [[nodiscard]] const ApiFleet* api() const { return api_ ? &*api_ : nullptr; }

  friend bool operator==(const Cluster&, const Cluster&) = default;

 private:
  struct UnsentResult {
    WorkItem item;
    bool succeeded = true;
    friend bool operator==(const UnsentResult&, const UnsentResult&) = default;
  };
  struct Node {
    bool up = true;
    bool paused = false;
    bool expelled = false;
    Link link = Link::connected;
    bool wake_wanted = false;
    std::uint32_t boot_shards = 0;  // owned when it started
    std::uint32_t life = 0;
    PlannerMemory memory;
    Sweep sweep;
    Workers workers;
    // dispatch `sequential`: rows of the batch that wait for the result of the one before.
    std::deque<WorkItem> batch;
    bool awaits_result = false;
    OrderedBitmap active;
    OrderedBitmap present;
    std::vector<std::pair<RowSlot, DispatchKey>> listed;  // stale claims (RearmPassKind::list_and_act)
    std::vector<UnsentResult> unsent;                     // results that its workers could not report
    std::vector<ShardId> kept;                            // lost, and still planned for (ScopeOnLoss::keep)
    std::vector<std::uint32_t> kept_rows;                 // by route: due rows of those when the sweep was planned
    friend bool operator==(const Node&, const Node&) = default;
  };
  struct Step {
    Time at;
    Effects& effects;
  };
  enum class Wake : std::uint8_t { no, if_headroom_opens };

  void apply(const AppendRows& action, Step step);
  void apply(const BecomeVisible& action, Step step);
  void apply(const PlanSweep& action, Step step);
  void apply(const ClaimNext& action, Step step);
  void apply(const FinishSweep& action, Step step);
  void apply(const FinishExecution& action, Step step);
  void apply(const GoStale& action, Step step);
  void apply(const RearmPass& action, Step step);
  void apply(const Crash& action, Step step);
  void apply(const Restart& action, Step step);
  void apply(const Handoff& action, Step step);
  void apply(const Adopt& action, Step step);
  void apply(const PauseWorkflow& action, Step step);
  void apply(const EndWorkflow& action, Step step);
  void apply(const PauseNode& action, Step step);
  void apply(const ResumeNode& action, Step step);
  void apply(const ExpelNode& action, Step step);
  void apply(const RejoinNode& action, Step step);
  void apply(const CutOff& action, Step step);
  void apply(const Reconnect& action, Step step);
  void apply(const FailSweep& action, Step step);
  void apply(const KillExecution& action, Step step);
  void apply(const LoseWake& action, Step step);
  void apply(const ChangeQuota& action, Step step);
  void apply(const ReadQuotas& action, Step step);
  void apply(const ActOnStale& action, Step step);
  void apply(const Leave& action, Step step);
  void apply(const FinishRequest& action, Step step);
  void apply(const ExpireCheckout& action, Step step);
  // What concerns the HTTP side alone.
  template <class ApiAction>
  void apply(const ApiAction& action, Step step) {
    HEADROOM_ASSERT(api_.has_value(), "an action of the HTTP side, which is not there");
    api_->apply(action, step.at, step.effects);
  }

  [[nodiscard]] std::size_t place(NodeId node, NamespaceId name) const {
    return static_cast<std::size_t>(name.value()) * config().nodes + node.value();
  }
  Holding& held_by(NodeId node, NamespaceId name) { return holdings_[place(node, name)]; }

  // Bring one row's part into (out of) the holdings of the nodes that it concerns. Call around the outbox operation.
  void count_due(RowSlot slot, std::int32_t change);
  void count_claim(RowSlot slot, std::int32_t change);
  void refresh(NodeId node, NamespaceId name, Step step, Wake wake = Wake::no);
  void refresh_all(NodeId node, Step step);
  void wake(NodeId node, Step step);

  // A Claimed row is about to lose its fence; call before the outbox operation, and `claim_ended` after it.
  struct EndingClaim {
    NamespaceId name;
    NodeId owner;
    NodeId claimer;
  };
  EndingClaim end_claim(RowSlot slot);
  void claim_ended(const EndingClaim& claim, Step step, Wake wake);
  void settle_charges(NamespaceId name, Step step);
  [[nodiscard]] std::uint32_t ceiling_of(NodeId node, NamespaceId name) const;
  void refresh_ceilings(NamespaceId name, Step step);
  void rearm_row(NodeId node, RowSlot slot, bool unchecked, Step step);
  void leave_to_others(std::vector<std::pair<RowSlot, DispatchKey>> listed);
  [[nodiscard]] std::vector<std::uint32_t> started_by_node(NamespaceId name) const;

  [[nodiscard]] RowSlot next_row(NodeId node, const ScopedClaim& claim) const;
  [[nodiscard]] RowSlot chosen_row(NodeId node, const ScopedClaim& claim, std::span<const RowSlot>& choice) const;
  [[nodiscard]] bool may_take(NodeId node, const ScopedClaim& claim, RowSlot slot) const;
  [[nodiscard]] std::uint32_t claim_limit(NodeId node, const ScopedClaim& claim) const;
  void claim_row(NodeId node, RowSlot slot, Step step);
  void record_unscoped_grants(Node& node);
  void lose_unheard(NodeId node, std::size_t items_before, Step step);

  // Workers (cluster_work.cpp).
  void hand_on(NodeId node, Step step);
  void push_done(const WorkItem& item, Step step);
  void release_next(NodeId node, Step step);
  void give_to_workers(const WorkItem& item, Step step);
  [[nodiscard]] NodeId worker_node(const WorkItem& item) const;
  void start(NodeId node, const WorkItem& item, Step step);
  void finish_execution(ExecutionId id, bool succeeded, Step step);
  void report(const WorkItem& item, bool succeeded, ExecutionId id, NodeId node, Step step);
  void settle(const WorkItem& item, bool succeeded, ExecutionId id, Step step);
  void settle_unguarded(const WorkItem& item, Effect effect, Step step);
  void free_worker(NodeId node, Step step);
  void lose(const WorkItem& item, Step step);
  void result_arrived(const WorkItem& item, Step step);

  // Snapshots (cluster_snapshot.cpp).
  void snapshot_node(NodeId id, const RowRoster& roster, NodeSnapshot& out) const;
  void restore_rows(const RowRoster& roster, const ClusterSnapshot& from);
  void restore_node(NodeId id, const RowRoster& roster, const NodeSnapshot& from);
  void restore_holdings(std::uint32_t rows);
  [[nodiscard]] ItemSnapshot snapshot_item(const RowRoster& roster, const WorkItem& item) const;
  [[nodiscard]] WorkItem restore_item(const RowRoster& roster, const ItemSnapshot& from) const;

  // Ownership (cluster_ownership.cpp).
  void change_holder(ShardId shard, NodeId to, Step step);
  void change_owner(ShardId shard, NodeId to, Step step);
  void orphan_shards(NodeId node, Step step);
  void regain_shards(NodeId node, Step step);
  void note_kept_rows(NodeId node);
  [[nodiscard]] std::uint32_t refuse_kept(NodeId node, const ScopedClaim& claim, std::uint32_t limit, Step step);

  std::shared_ptr<const Layout> layout_;
  Outbox outbox_;
  ChargeLedger charges_;
  std::vector<Node> nodes_;
  std::vector<Holding> holdings_;  // by namespace, then node
  std::vector<std::uint32_t> quotas_;
  std::vector<std::uint32_t> believed_quotas_;  // as holdings_; empty unless quotas are cached
  std::vector<std::uint32_t> executing_live_;
  ExecutionTable executions_;
  std::optional<ApiFleet> api_;
  std::uint32_t ownerless_ = 0;
};

}  // namespace headroom
