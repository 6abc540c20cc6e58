#include "sim/store/sql.hpp"

#include <fmt/format.h>

#include "model/base/assert.hpp"

namespace headroom {
namespace {

// status: 0 pending, 1 claimed, 2 done, 3 failed, 4 cancelled (StoredStatus).
constexpr std::string_view kRow =
    "outbox.namespace, outbox.ordinal, outbox.workflow, outbox.route, outbox.shard, outbox.status, outbox.attempt, "
    "outbox.visible_after, outbox.visible, outbox.stale, outbox.fence, outbox.claimed_by, outbox.claimed_at, "
    "outbox.results";
constexpr std::string_view kUnclaim = "fence = NULL, claimed_by = NULL, claimed_at = NULL, stale = 0";
constexpr std::string_view kThisRow = "namespace = $1 AND ordinal = $2";

// The shards that node $1 takes for its own, and that are.
constexpr std::string_view kOwned = "b.node = $1 AND b.shard = s.shard AND b.epoch = s.epoch AND s.holder = $1";

// The oldest rows that a claim by node $1 at $2 may take, $3 of them at most. A plain join: the planner's choice must
// not get between the index that gives the order and the limit.
std::string picked(std::string_view scope, std::string_view lock) {
  return fmt::format(
      "SELECT r.namespace, r.ordinal, r.visible_after FROM outbox r CROSS JOIN shards s CROSS JOIN beliefs b "
      "WHERE r.status = 0 AND r.visible = 1 AND r.visible_after <= $2 AND {} s.shard = r.shard AND {} "
      "AND NOT EXISTS (SELECT 1 FROM paused_workflows p WHERE p.workflow = r.workflow) "
      "ORDER BY r.visible_after, r.namespace, r.ordinal LIMIT $3{}",
      scope, kOwned, lock);
}

std::string claim(const SqlDialect& dialect, std::string_view scope) {
  return fmt::format(
      "WITH picked AS ({}), numbered AS ({}) "
      "UPDATE outbox SET status = 1, fence = numbered.fence, claimed_by = $1, claimed_at = $2, claims = claims + 1 "
      "FROM numbered WHERE outbox.namespace = numbered.namespace AND outbox.ordinal = numbered.ordinal RETURNING {}",
      picked(scope, dialect.lock_rows), dialect.number_picked, kRow);
}

// `guard`: what a result under fence $3 has to prove.
std::string guarded(SettleGuard guard) {
  switch (guard) {
    case SettleGuard::fence:
      return "status = 1 AND fence = $3";
    case SettleGuard::status:
    case SettleGuard::none:
      return "status = 1 AND CAST($3 AS BIGINT) IS NOT NULL";
  }
  HEADROOM_ASSERT(false, "unknown settle_guard");
}

// A failed try at $4; $5: the first attempt whose delay is the longest.
std::string fail(const OutboxConfig& config) {
  const std::string last = fmt::format("attempt + 1 >= {}", config.backoff.max_attempts);
  return fmt::format(
      "UPDATE outbox SET status = CASE WHEN {0} THEN 3 ELSE 0 END, visible = CASE WHEN {0} THEN visible ELSE 0 END, "
      "attempt = CASE WHEN {0} THEN attempt ELSE attempt + 1 END, "
      "retries = CASE WHEN {0} THEN retries ELSE retries + 1 END, "
      "visible_after = CASE WHEN {0} THEN visible_after ELSE "
      "(SELECT CASE WHEN d.delay > 9223372036854775807 - $4 THEN 9223372036854775807 ELSE d.delay + $4 END "
      "FROM delays d WHERE d.attempt = CASE WHEN outbox.attempt < $5 THEN outbox.attempt ELSE $5 END) END, {1} "
      "WHERE {2} AND {3} RETURNING {4}",
      last, kUnclaim, kThisRow, guarded(config.settle_guard), kRow);
}

std::string rearm(const SqlDialect& dialect, const OutboxConfig& config, std::string_view which) {
  const std::string last =
      config.rearm_counts_attempt ? fmt::format("attempt + 1 >= {}", config.backoff.max_attempts) : "0 = 1";
  return fmt::format(
      "WITH owned AS (SELECT s.shard FROM shards s CROSS JOIN beliefs b WHERE {0}{1}) "
      "UPDATE outbox SET status = CASE WHEN {2} THEN 3 ELSE 0 END, rearms = rearms + CASE WHEN {2} THEN 0 ELSE 1 END, "
      "attempt = attempt + CASE WHEN {2} THEN 0 ELSE {3} END, {4} "
      "WHERE status = 1 AND {5} AND shard IN (SELECT shard FROM owned) RETURNING {6}",
      kOwned, dialect.lock_shards, last, config.rearm_counts_attempt ? 1 : 0, kUnclaim, which, kRow);
}

std::string update(std::string_view set, std::string_view where) {
  return fmt::format("UPDATE outbox SET {} WHERE {} RETURNING {}", set, where, kRow);
}

constexpr std::string_view kOneRoute = "r.route = $4 AND";
constexpr std::string_view kTwoRoutes = "r.route IN ($4, $5) AND";
constexpr std::string_view kCounts =
    "SELECT namespace, count(*), CAST(sum(duplicates) AS BIGINT), count(*) FILTER (WHERE status = 0), "
    "count(*) FILTER (WHERE status = 1), count(*) FILTER (WHERE status = 2), count(*) FILTER (WHERE status = 3), "
    "count(*) FILTER (WHERE status = 4), CAST(sum(results) AS BIGINT), CAST(sum(stale_results) AS BIGINT), "
    "CAST(sum(claims) AS BIGINT), CAST(sum(retries) AS BIGINT), CAST(sum(rearms) AS BIGINT) FROM outbox "
    "GROUP BY namespace ORDER BY namespace";

std::string text_of(Sql statement, const SqlDialect& dialect, const OutboxConfig& config) {
  const bool unguarded = config.settle_guard == SettleGuard::none;
  switch (statement) {
    case Sql::assign_shard:
      return "UPDATE shards SET holder = $2, epoch = epoch + CASE WHEN CAST($2 AS BIGINT) IS NULL THEN 0 ELSE 1 END "
             "WHERE shard = $1 RETURNING epoch";
    case Sql::forget_ownership:
      return "DELETE FROM beliefs WHERE node = $1";
    case Sql::learn_ownership:
      return "INSERT INTO beliefs (node, shard, epoch) "
             "SELECT CAST($1 AS BIGINT), shard, epoch FROM shards WHERE holder = $1";
    case Sql::pause:
      return fmt::format("{} INTO paused_workflows (workflow) VALUES ($1){}", dialect.insert, dialect.on_conflict);
    case Sql::resume:
      return "DELETE FROM paused_workflows WHERE workflow = $1";
    case Sql::append:
      return fmt::format(
          "{} INTO outbox (namespace, ordinal, workflow, route, shard, visible_after, visible) "
          "VALUES ($1, $2, $3, $4, $5, $6, $7){} RETURNING {}",
          dialect.insert, dialect.on_conflict, kRow);
    case Sql::count_duplicate:
      return fmt::format("UPDATE outbox SET duplicates = duplicates + 1 WHERE {}", kThisRow);
    case Sql::become_visible:
      return update("visible = 1", fmt::format("{} AND status = 0 AND visible = 0 AND visible_after <= $3", kThisRow));
    case Sql::claim_any:
      return claim(dialect, "");
    case Sql::claim_route:
      return claim(dialect, kOneRoute);
    case Sql::claim_routes:
      return claim(dialect, kTwoRoutes);
    case Sql::advance_fences:
      return std::string(dialect.advance_fences);
    case Sql::complete:
      return update(fmt::format("status = 2, results = results + 1, {}", kUnclaim),
                    fmt::format("{} AND {}", kThisRow, guarded(config.settle_guard)));
    case Sql::complete_pending:
      return unguarded ? update("status = 2, results = results + 1", fmt::format("{} AND status = 0", kThisRow)) : "";
    case Sql::complete_final:
      return unguarded ? update("results = results + 1", fmt::format("{} AND status > 1", kThisRow)) : "";
    case Sql::count_stale:
      return fmt::format("UPDATE outbox SET stale_results = stale_results + 1 WHERE {}", kThisRow);
    case Sql::fail:
      return fail(config);
    case Sql::mark_stale:
      return update("stale = 1", fmt::format("{} AND status = 1 AND stale = 0 AND fence = $3", kThisRow));
    case Sql::renew:
      return update("claimed_at = $4", fmt::format("{} AND status = 1 AND stale = 0 AND fence = $3", kThisRow));
    case Sql::release:
      return update(fmt::format("status = 0, {}", kUnclaim), fmt::format("{} AND status = 1 AND fence = $3", kThisRow));
    case Sql::rearm:
      return rearm(dialect, config, "stale = 1");
    case Sql::rearm_unchecked:
      return rearm(dialect, config, "namespace = $2 AND ordinal = $3");
    case Sql::cancel:
      return update(fmt::format("status = 4, {}", kUnclaim), "workflow = $1 AND status < 2 AND status = $2");
    case Sql::live_rows:
      return fmt::format("SELECT {} FROM outbox WHERE status < 2 ORDER BY namespace, ordinal", kRow);
    case Sql::all_rows:
      return fmt::format("SELECT {} FROM outbox ORDER BY namespace, ordinal", kRow);
    case Sql::counts:
      return std::string(kCounts);
    case Sql::order_any:
      return picked("", "");
    case Sql::order_route:
      return picked(kOneRoute, "");
    case Sql::order_routes:
      return picked(kTwoRoutes, "");
  }
  HEADROOM_ASSERT(false, "unknown statement");
}

}  // namespace

std::vector<std::string> sql_statements(const SqlDialect& dialect, const OutboxConfig& config) {
  std::vector<std::string> statements;
  statements.reserve(kSqlStatements);
  for (std::size_t i = 0; i < kSqlStatements; ++i) {
    statements.push_back(text_of(static_cast<Sql>(i), dialect, config));
  }
  return statements;
}

std::string sql_schema(const SqlDialect& dialect, const OutboxConfig& config) {
  std::string script(dialect.drop);
  script += dialect.create_fences;
  script += fmt::format(R"(
CREATE TABLE shards (shard BIGINT PRIMARY KEY, holder BIGINT, epoch BIGINT NOT NULL);
CREATE TABLE paused_workflows (workflow BIGINT PRIMARY KEY);
CREATE TABLE delays (attempt BIGINT PRIMARY KEY, delay BIGINT NOT NULL);
CREATE TABLE outbox (
  namespace BIGINT NOT NULL,
  ordinal BIGINT NOT NULL,
  workflow BIGINT NOT NULL,
  route BIGINT NOT NULL,
  shard BIGINT NOT NULL,
  status BIGINT NOT NULL DEFAULT 0 CHECK (status BETWEEN 0 AND 4),
  attempt BIGINT NOT NULL DEFAULT 0,
  visible_after BIGINT NOT NULL,
  visible BIGINT NOT NULL,
  stale BIGINT NOT NULL DEFAULT 0,
  fence BIGINT,
  claimed_by BIGINT,
  claimed_at BIGINT,
  claims BIGINT NOT NULL DEFAULT 0,
  retries BIGINT NOT NULL DEFAULT 0,
  rearms BIGINT NOT NULL DEFAULT 0,
  results BIGINT NOT NULL DEFAULT 0,
  stale_results BIGINT NOT NULL DEFAULT 0,
  duplicates BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (namespace, ordinal),  -- the UNIQUE dispatch key
  CHECK ((status = 1) = (fence IS NOT NULL)),
  CHECK (stale = 0 OR status = 1)
){0};
CREATE INDEX outbox_due ON outbox (route, visible_after, namespace, ordinal) WHERE status = 0 AND visible = 1;
CREATE INDEX outbox_stale ON outbox (shard) WHERE status = 1 AND stale = 1;
CREATE INDEX outbox_of_workflow ON outbox (workflow) WHERE status < 2;
)",
                        dialect.table_options);
  if (config.one_lane_per_node) {
    script +=
        "CREATE INDEX outbox_oldest ON outbox (visible_after, namespace, ordinal) WHERE status = 0 AND visible = 1;\n";
  }
  return script;
}

std::string sql_session() {
  return "CREATE TEMPORARY TABLE IF NOT EXISTS beliefs "
         "(node BIGINT, shard BIGINT, epoch BIGINT, PRIMARY KEY (node, shard));\nDELETE FROM beliefs;\n";
}

}  // namespace headroom
