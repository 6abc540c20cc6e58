// A store in a database that speaks SQL. Every decision is a WHERE clause (sql.cpp); what is here carries values over.
#pragma once

#include <initializer_list>
#include <memory>

#include "sim/store/sql.hpp"
#include "sim/store/store.hpp"

namespace headroom {

class SqlStore final : public Store {
 public:
  // `dialect` is that of the connection's database.
  SqlStore(std::unique_ptr<SqlConnection> connection, SqlDialect dialect);

  void begin() override { connection_->begin(); }
  void commit() override { connection_->commit(); }
  void rollback() override { connection_->rollback(); }

  void reset(const StoreSetup& setup) override;
  void attach(const OutboxConfig& config) override;
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

 private:
  const SqlTable& run(Sql statement, std::initializer_list<std::int64_t> parameters);
  // By key; all rows of them were in `was`.
  std::vector<RowChange> run_rows(Sql statement, StoredStatus was, std::initializer_list<std::int64_t> parameters);
  std::optional<RowChange> run_row(Sql statement, StoredStatus was, std::initializer_list<std::int64_t> parameters);
  // One of three statements, by how many routes the claim is for.
  const SqlTable& run_scoped(Sql any, Sql one_route, Sql two_routes, const StoreClaim& claim);
  Settlement stale(DispatchKey key);

  std::unique_ptr<SqlConnection> connection_;
  SqlDialect dialect_;
  OutboxConfig config_;
  std::int64_t longest_delay_from_ = 0;  // attempts from here on wait equally long
};

}  // namespace headroom
