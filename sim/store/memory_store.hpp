// The outbox in memory behind the interface of stores: what every other store is compared with.
//
//   MemoryStore store;
//   store.reset(setup);
//   store.outbox()     // the state
//
// Every transition is the Outbox's own. A transaction that is rolled back leaves what it found: the whole store is a
// value that `begin` copies, so this is for small numbers of rows.
#pragma once

#include <map>
#include <optional>

#include "sim/store/store.hpp"

namespace headroom {

class MemoryStore final : public Store {
 public:
  void begin() override;
  void commit() override;
  void rollback() override;

  void reset(const StoreSetup& setup) override;
  void attach(const OutboxConfig& /*config*/) override {}
  Epoch assign_shard(ShardId shard, NodeId holder) override;
  void learn_ownership(NodeId node) override;
  void set_paused(WorkflowId workflow, bool paused) override;

  std::optional<StoredRow> append(const NewRow& added) override;
  std::optional<RowChange> become_visible(DispatchKey key, Time at) override;
  std::vector<RowChange> claim(const StoreClaim& claim) override;
  Settlement complete(DispatchKey key, Fence fence) override;
  Settlement fail(DispatchKey key, Fence fence, Time at) override;
  std::optional<RowChange> mark_stale(DispatchKey key, Fence fence) override;
  std::optional<RowChange> renew(DispatchKey key, Fence fence, Time at) override;
  std::optional<RowChange> release(DispatchKey key, Fence fence) override;
  std::vector<RowChange> rearm(NodeId node) override;
  std::optional<RowChange> rearm_unchecked(NodeId node, DispatchKey key) override;
  std::vector<RowChange> cancel(WorkflowId workflow) override;

  std::vector<StoredRow> live_rows() override;
  std::vector<StoredRow> all_rows() override;
  std::vector<RowCounts> counts() override;
  std::vector<DispatchKey> claim_order(const StoreClaim& claim) override;

  [[nodiscard]] const Outbox& outbox() const { return state_->outbox; }

 private:
  struct State {
    Outbox outbox;
    std::map<DispatchKey, RowSlot> slots;                // of every key, also of those that are final
    std::map<DispatchKey, StoredRow> finals;             // what they were when they left the outbox
    std::map<NodeId, std::map<ShardId, Epoch>> beliefs;  // by node
  };

  [[nodiscard]] RowSlot slot_of(DispatchKey key) const;
  [[nodiscard]] std::optional<RowSlot> live_slot(DispatchKey key) const;
  // The row as it is, and after `change` has been made of it.
  template <class Change>
  RowChange changed(RowSlot slot, Change change);
  RowChange rearm_slot(RowSlot slot, bool unchecked);
  Settlement settled(DispatchKey key, Fence fence, bool succeeded, Time at);
  // Rows that are not final, by key.
  [[nodiscard]] std::vector<RowSlot> live() const;
  [[nodiscard]] std::vector<RowSlot> candidates(const StoreClaim& claim) const;
  [[nodiscard]] std::optional<Epoch> believed(NodeId node, ShardId shard) const;

  OutboxConfig config_;
  std::optional<State> state_;
  std::optional<State> before_;  // as the transaction began
};

// A row of an outbox as a store holds it. `slot` holds it.
[[nodiscard]] StoredRow stored_row(const Outbox& outbox, RowSlot slot);

}  // namespace headroom
