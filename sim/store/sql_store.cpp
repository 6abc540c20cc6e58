#include "sim/store/sql_store.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace headroom {
namespace {

template <class Id>
std::int64_t to_sql(Id id) {
  return id.is_none() ? kSqlNull : static_cast<std::int64_t>(id.value());
}
std::int64_t name_of(DispatchKey key) {
  return static_cast<std::int64_t>(key.name().value());
}
std::int64_t ordinal_of(DispatchKey key) {
  return static_cast<std::int64_t>(key.ordinal());
}

template <class Id>
Id id_from(std::int64_t value) {
  return value == kSqlNull ? Id::none() : Id(static_cast<decltype(Id().value())>(value));
}
DispatchKey key_from(std::int64_t name, std::int64_t ordinal) {
  return {id_from<NamespaceId>(name), static_cast<std::uint64_t>(ordinal)};
}
Time time_from(std::int64_t value) {
  return value == kSqlNull ? Time::zero() : Time::at(Duration::nanoseconds(value));
}

StoredRow row_from(std::span<const std::int64_t> values) {
  return {.key = key_from(values[0], values[1]),
          .workflow = id_from<WorkflowId>(values[2]),
          .route = id_from<RouteId>(values[3]),
          .shard = id_from<ShardId>(values[4]),
          .status = static_cast<StoredStatus>(values[5]),
          .attempt = static_cast<std::uint16_t>(values[6]),
          .visible_after = time_from(values[7]),
          .visible = values[8] != 0,
          .stale = values[9] != 0,
          .fence = id_from<Fence>(values[10]),
          .claimed_by = id_from<NodeId>(values[11]),
          .claimed_at = time_from(values[12]),
          .results = static_cast<std::uint32_t>(values[13])};
}

std::vector<StoredRow> rows_from(const SqlTable& table) {
  std::vector<StoredRow> rows;
  rows.reserve(table.rows());
  for (std::size_t i = 0; i < table.rows(); ++i) {
    rows.push_back(row_from(table.row(i)));
  }
  return rows;
}

// The first attempt whose delay is that of every later one.
std::int64_t longest_delay_from(const Backoff& backoff) {
  std::int64_t attempt = 0;
  while (attempt + 1 < backoff.max_attempts &&
         backoff.delay(static_cast<std::uint16_t>(attempt)) != backoff.delay(static_cast<std::uint16_t>(attempt + 1))) {
    ++attempt;
  }
  return attempt;
}

}  // namespace

SqlStore::SqlStore(std::unique_ptr<SqlConnection> connection, SqlDialect dialect)
    : connection_(std::move(connection)), dialect_(dialect) {}

void SqlStore::reset(const StoreSetup& setup) {
  std::string script = sql_schema(dialect_, setup.outbox);
  const Backoff& backoff = setup.outbox.backoff;
  for (std::int64_t attempt = 0; attempt <= longest_delay_from(backoff); ++attempt) {
    script += fmt::format("INSERT INTO delays VALUES ({}, {});\n", attempt,
                          backoff.delay(static_cast<std::uint16_t>(attempt)).count());
  }
  for (std::size_t shard = 0; shard < setup.holders.size(); ++shard) {
    const NodeId holder = setup.holders[shard];
    script += fmt::format("INSERT INTO shards VALUES ({}, {}, 1);\n", shard,
                          holder.is_none() ? "NULL" : std::to_string(holder.value()));
  }
  connection_->execute(script);
  attach(setup.outbox);
}

void SqlStore::attach(const OutboxConfig& config) {
  config_ = config;
  longest_delay_from_ = longest_delay_from(config.backoff);
  connection_->execute(sql_session());
  connection_->prepare(sql_statements(dialect_, config));
}

const SqlTable& SqlStore::run(Sql statement, std::initializer_list<std::int64_t> parameters) {
  return connection_->run(static_cast<std::size_t>(statement), parameters);
}

std::vector<RowChange> SqlStore::run_rows(Sql statement, StoredStatus was,
                                          std::initializer_list<std::int64_t> parameters) {
  std::vector<RowChange> changes;
  for (const StoredRow& row : rows_from(run(statement, parameters))) {
    changes.push_back({was, row});
  }
  std::ranges::sort(changes, {}, [](const RowChange& change) { return change.row.key; });
  return changes;
}

std::optional<RowChange> SqlStore::run_row(Sql statement, StoredStatus was,
                                           std::initializer_list<std::int64_t> parameters) {
  const SqlTable& table = run(statement, parameters);
  return table.empty() ? std::nullopt : std::optional(RowChange{was, row_from(table.row(0))});
}

// -- the cluster ------------------------------------------------------------------------------------------------------

Epoch SqlStore::assign_shard(ShardId shard, NodeId holder) {
  const SqlTable& table = run(Sql::assign_shard, {to_sql(shard), to_sql(holder)});
  if (table.empty()) {
    throw StoreError(fmt::format("it has no shard {}", shard.value()));
  }
  return static_cast<Epoch>(table.row(0)[0]);
}

void SqlStore::learn_ownership(NodeId node) {
  run(Sql::forget_ownership, {to_sql(node)});
  run(Sql::learn_ownership, {to_sql(node)});
}

void SqlStore::set_paused(WorkflowId workflow, bool paused) {
  run(paused ? Sql::pause : Sql::resume, {to_sql(workflow)});
}

// -- rows -------------------------------------------------------------------------------------------------------------

std::optional<StoredRow> SqlStore::append(const NewRow& added) {
  const std::int64_t name = name_of(added.key);
  const std::int64_t ordinal = ordinal_of(added.key);
  const SqlTable& table =
      run(Sql::append, {name, ordinal, to_sql(added.workflow), to_sql(added.route), to_sql(added.shard),
                        added.visible_after.nanoseconds(), added.visible ? 1 : 0});
  if (!table.empty()) {
    return row_from(table.row(0));
  }
  run(Sql::count_duplicate, {name, ordinal});
  return std::nullopt;
}

std::optional<RowChange> SqlStore::become_visible(DispatchKey key, Time at) {
  return run_row(Sql::become_visible, StoredStatus::pending, {name_of(key), ordinal_of(key), at.nanoseconds()});
}

const SqlTable& SqlStore::run_scoped(Sql any, Sql one_route, Sql two_routes, const StoreClaim& claim) {
  const std::int64_t node = to_sql(claim.node);
  const std::int64_t at = claim.at.nanoseconds();
  const std::int64_t limit = claim.limit;
  if (claim.route.is_none()) {
    return run(any, {node, at, limit});
  }
  if (claim.unpinned.is_none()) {
    return run(one_route, {node, at, limit, to_sql(claim.route)});
  }
  return run(two_routes, {node, at, limit, to_sql(claim.route), to_sql(claim.unpinned)});
}

std::vector<RowChange> SqlStore::claim(const StoreClaim& claim) {
  std::vector<RowChange> changes;
  for (const StoredRow& row : rows_from(run_scoped(Sql::claim_any, Sql::claim_route, Sql::claim_routes, claim))) {
    changes.push_back({StoredStatus::pending, row});
  }
  // A statement returns rows in no order; the fences tell in which the store has claimed them.
  std::ranges::sort(changes, {}, [](const RowChange& change) { return change.row.fence; });
  if (!changes.empty() && !dialect_.advance_fences.empty()) {
    run(Sql::advance_fences, {static_cast<std::int64_t>(changes.size())});
  }
  return changes;
}

Settlement SqlStore::complete(DispatchKey key, Fence fence) {
  const std::int64_t name = name_of(key);
  const std::int64_t ordinal = ordinal_of(key);
  if (auto done = run_row(Sql::complete, StoredStatus::claimed, {name, ordinal, to_sql(fence)})) {
    return {Settled::recorded, std::move(done)};
  }
  if (config_.settle_guard != SettleGuard::none || fence.is_none()) {
    return stale(key);
  }
  if (auto done = run_row(Sql::complete_pending, StoredStatus::pending, {name, ordinal})) {
    return {Settled::recorded, std::move(done)};
  }
  run(Sql::complete_final, {name, ordinal});
  return {Settled::recorded_again, std::nullopt};
}

Settlement SqlStore::fail(DispatchKey key, Fence fence, Time at) {
  auto failed = run_row(Sql::fail, StoredStatus::claimed,
                        {name_of(key), ordinal_of(key), to_sql(fence), at.nanoseconds(), longest_delay_from_});
  if (!failed) {
    return stale(key);
  }
  const bool last = failed->row.status == StoredStatus::failed;
  return {last ? Settled::dead_lettered : Settled::retried, std::move(failed)};
}

Settlement SqlStore::stale(DispatchKey key) {
  run(Sql::count_stale, {name_of(key), ordinal_of(key)});
  return {Settled::stale, std::nullopt};
}

std::optional<RowChange> SqlStore::mark_stale(DispatchKey key, Fence fence) {
  return run_row(Sql::mark_stale, StoredStatus::claimed, {name_of(key), ordinal_of(key), to_sql(fence)});
}

std::optional<RowChange> SqlStore::renew(DispatchKey key, Fence fence, Time at) {
  return run_row(Sql::renew, StoredStatus::claimed, {name_of(key), ordinal_of(key), to_sql(fence), at.nanoseconds()});
}

std::optional<RowChange> SqlStore::release(DispatchKey key, Fence fence) {
  return run_row(Sql::release, StoredStatus::claimed, {name_of(key), ordinal_of(key), to_sql(fence)});
}

std::vector<RowChange> SqlStore::rearm(NodeId node) {
  return run_rows(Sql::rearm, StoredStatus::claimed, {to_sql(node)});
}

std::optional<RowChange> SqlStore::rearm_unchecked(NodeId node, DispatchKey key) {
  return run_row(Sql::rearm_unchecked, StoredStatus::claimed, {to_sql(node), name_of(key), ordinal_of(key)});
}

std::vector<RowChange> SqlStore::cancel(WorkflowId workflow) {
  std::vector<RowChange> changes;
  for (const StoredStatus was : {StoredStatus::pending, StoredStatus::claimed}) {
    const auto some = run_rows(Sql::cancel, was, {to_sql(workflow), static_cast<std::int64_t>(was)});
    changes.insert(changes.end(), some.begin(), some.end());
  }
  std::ranges::sort(changes, {}, [](const RowChange& change) { return change.row.key; });
  return changes;
}

// -- reading back -----------------------------------------------------------------------------------------------------

std::vector<StoredRow> SqlStore::live_rows() {
  return rows_from(run(Sql::live_rows, {}));
}

std::vector<StoredRow> SqlStore::all_rows() {
  return rows_from(run(Sql::all_rows, {}));
}

std::vector<RowCounts> SqlStore::counts() {
  std::vector<RowCounts> counts(config_.namespaces);
  const SqlTable& table = run(Sql::counts, {});
  for (std::size_t i = 0; i < table.rows(); ++i) {
    const std::span<const std::int64_t> values = table.row(i);
    const auto count = [&](std::size_t column) { return static_cast<std::uint64_t>(values[column]); };
    counts.at(count(0)) = {.appended = count(1),
                           .duplicates_ignored = count(2),
                           .pending = count(3),
                           .claimed = count(4),
                           .done = count(5),
                           .failed = count(6),
                           .cancelled = count(7),
                           .results_recorded = count(8),
                           .stale_settlements = count(9),
                           .claims = count(10),
                           .retries = count(11),
                           .rearms = count(12)};
  }
  return counts;
}

std::vector<DispatchKey> SqlStore::claim_order(const StoreClaim& claim) {
  const SqlTable& table = run_scoped(Sql::order_any, Sql::order_route, Sql::order_routes, claim);
  std::vector<DispatchKey> keys;
  keys.reserve(table.rows());
  for (std::size_t i = 0; i < table.rows(); ++i) {
    keys.push_back(key_from(table.row(i)[0], table.row(i)[1]));
  }
  return keys;
}

}  // namespace headroom
