// A store of rows as spec 1.1 describes the outbox: what a database has to do for a cluster that dispatches from it.
//
//   StoreTransaction transaction(store);
//   for (const StoredRow& row : store.claim({.node = node, .route = route, .limit = 4, .at = now})) ...
//   transaction.commit();
//
// The store decides: which rows a claim takes and in which order, whether a key is new, whether a fence is the present
// one, whether an epoch is old. A command is one or a few statements that all happen, or none, with their transaction.
//
// What a database does wrong (no room, no connection, not its schema) is a StoreError, thrown by any command.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <vector>

#include "model/base/ids.hpp"
#include "model/base/time.hpp"
#include "model/outbox/dispatch_key.hpp"
#include "model/outbox/outbox.hpp"

namespace headroom {

struct StoreError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// As databases keep them, by number.
enum class StoredStatus : std::uint8_t { pending, claimed, done, failed, cancelled };

// A row as the store holds it, final ones too.
struct StoredRow {
  DispatchKey key;
  WorkflowId workflow;
  RouteId route;
  ShardId shard;
  StoredStatus status = StoredStatus::pending;
  std::uint16_t attempt = 0;  // failed tries so far
  Time visible_after;
  bool visible = false;       // its time has come; of a Pending row
  bool stale = false;         // Claimed, and marked for the next re-arm pass
  Fence fence;                // of the present claim; none unless Claimed
  NodeId claimed_by;          // none unless Claimed
  Time claimed_at;            // zero unless Claimed
  std::uint32_t results = 0;  // recorded for it: one is right for a row that is Done
  friend bool operator==(const StoredRow&, const StoredRow&) = default;
};

// What a command made of a row.
struct RowChange {
  StoredStatus was = StoredStatus::pending;
  StoredRow row;
  friend bool operator==(const RowChange&, const RowChange&) = default;
};

// What became of a result. `change` is there unless it was ignored, or recorded again for a final row.
struct Settlement {
  Settled outcome = Settled::stale;
  std::optional<RowChange> change;
  friend bool operator==(const Settlement&, const Settlement&) = default;
};

// A scoped claim: at most `limit` of the oldest rows of the route, or of its queue's route without a pool. Both none:
// of any route.
struct StoreClaim {
  NodeId node;
  RouteId route = RouteId::none();
  RouteId unpinned = RouteId::none();
  std::uint32_t limit = 0;
  Time at;
};

// What a store is filled with: nothing, and the owners of its shards at epoch 1.
struct StoreSetup {
  OutboxConfig outbox;
  std::vector<NodeId> holders;  // by shard; none: ownerless
};

class Store {
 public:
  Store() = default;
  virtual ~Store() = default;
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  // -- transactions: needs one around every command below ------------------------------------------------------------

  virtual void begin() = 0;
  virtual void commit() = 0;
  virtual void rollback() = 0;

  // -- the cluster ----------------------------------------------------------------------------------------------------

  // Whatever was in the store is gone. Also makes its tables; outside of a transaction.
  virtual void reset(const StoreSetup& setup) = 0;
  // Another client goes on with what is in the store, which was set up with this configuration. Also outside of one.
  virtual void attach(const OutboxConfig& config) = 0;
  // The shard's epoch, which grows by one unless it becomes ownerless (`holder` none).
  virtual Epoch assign_shard(ShardId shard, NodeId holder) = 0;
  // What this client claims and re-arms for the node from now on are the shards that the node owns now, at their
  // present epochs. Until the next call the store refuses those that have changed hands since.
  virtual void learn_ownership(NodeId node) = 0;
  virtual void set_paused(WorkflowId workflow, bool paused) = 0;

  // -- rows -----------------------------------------------------------------------------------------------------------

  // None if the key was there: ignored and counted.
  virtual std::optional<StoredRow> append(const NewRow& added) = 0;
  // The row's time has come: none unless it is Pending, not visible yet, and due by `at`.
  virtual std::optional<RowChange> become_visible(DispatchKey key, Time at) = 0;
  // In claim order: oldest first by visible time, then key.
  virtual std::vector<RowChange> claim(const StoreClaim& claim) = 0;
  virtual Settlement complete(DispatchKey key, Fence fence) = 0;
  virtual Settlement fail(DispatchKey key, Fence fence, Time at) = 0;
  // None, for the next three, unless the fence is that of the row's present claim (and, for the first two, the claim is
  // not marked stale).
  virtual std::optional<RowChange> mark_stale(DispatchKey key, Fence fence) = 0;
  virtual std::optional<RowChange> renew(DispatchKey key, Fence fence, Time at) = 0;
  virtual std::optional<RowChange> release(DispatchKey key, Fence fence) = 0;
  // Every claim of the node's shards that is marked stale, by key. Failed instead of Pending where a re-arm counts as a
  // try and that was the last.
  virtual std::vector<RowChange> rearm(NodeId node) = 0;
  // One claim of the node's shards, marked or not.
  virtual std::optional<RowChange> rearm_unchecked(NodeId node, DispatchKey key) = 0;
  // Every row of the workflow that is not final, by key.
  virtual std::vector<RowChange> cancel(WorkflowId workflow) = 0;

  // -- reading back ---------------------------------------------------------------------------------------------------

  // By key; those that are not final, or all.
  virtual std::vector<StoredRow> live_rows() = 0;
  virtual std::vector<StoredRow> all_rows() = 0;
  // By namespace; as many as the setup has.
  virtual std::vector<RowCounts> counts() = 0;
  // What a claim would take, in order, without taking it.
  virtual std::vector<DispatchKey> claim_order(const StoreClaim& claim) = 0;
};

// Everything up to `commit` happens at once, or not at all.
class StoreTransaction {
 public:
  explicit StoreTransaction(Store& store) : store_(store) { store_.begin(); }
  ~StoreTransaction() {
    if (open_) {
      try {
        store_.rollback();
      } catch (const StoreError&) {
        // Whoever left the block without a commit knows more of what is wrong than this would say.
      }
    }
  }
  StoreTransaction(const StoreTransaction&) = delete;
  StoreTransaction& operator=(const StoreTransaction&) = delete;

  void commit() {
    open_ = false;
    store_.commit();
  }

 private:
  Store& store_;
  bool open_ = true;
};

}  // namespace headroom
