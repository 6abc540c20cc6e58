// The statements of a store in SQL, and a connection that runs them. All values are 64-bit integers or NULL.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/outbox/outbox.hpp"

namespace headroom {

// Stands for NULL; no value of a store is as low.
inline constexpr std::int64_t kSqlNull = std::numeric_limits<std::int64_t>::min();

// What a statement returned, row after row.
struct SqlTable {
  std::size_t columns = 1;
  std::vector<std::int64_t> values;
  [[nodiscard]] std::size_t rows() const { return values.size() / columns; }
  [[nodiscard]] bool empty() const { return values.empty(); }
  [[nodiscard]] std::span<const std::int64_t> row(std::size_t i) const {
    return std::span(values).subspan(i * columns, columns);
  }
};

// A connection to a database. Throws StoreError.
class SqlConnection {
 public:
  SqlConnection() = default;
  virtual ~SqlConnection() = default;
  SqlConnection(const SqlConnection&) = delete;
  SqlConnection& operator=(const SqlConnection&) = delete;

  virtual void begin() = 0;
  virtual void commit() = 0;
  virtual void rollback() = 0;
  // Statements without parameters and results, outside of a transaction: all of them, or none.
  virtual void execute(const std::string& script) = 0;
  // Parameters are $1, $2, ... `statements` are run by their index.
  virtual void prepare(std::vector<std::string> statements) = 0;
  // Needs a transaction.
  virtual const SqlTable& run(std::size_t statement, std::span<const std::int64_t> parameters) = 0;
};

// Where databases differ.
struct SqlDialect {
  std::string_view insert;          // INSERT, or INSERT OR IGNORE
  std::string_view on_conflict;     // what follows it, so that a key that is there is ignored
  std::string_view lock_rows;       // ends a SELECT of rows r and shards s: nobody else gets those rows, ...
  std::string_view lock_shards;     // ... and the shards keep their owners, until the transaction ends
  std::string_view number_picked;   // the rows of `picked` with their new fences
  std::string_view advance_fences;  // after a claim of $1 rows; empty: not needed
  std::string_view table_options;   // of the table of rows
  std::string_view drop;            // whatever a store left, and marks the database as a store's
  std::string_view create_fences;   // the first fence is 1
};

enum class Sql : std::size_t {
  assign_shard,
  forget_ownership,
  learn_ownership,
  pause,
  resume,
  append,
  count_duplicate,
  become_visible,
  claim_any,
  claim_route,
  claim_routes,
  advance_fences,
  complete,
  complete_pending,  // these two only without a guard
  complete_final,
  count_stale,
  fail,
  mark_stale,
  renew,
  release,
  rearm,
  rearm_unchecked,
  cancel,
  live_rows,
  all_rows,
  counts,
  order_any,
  order_route,
  order_routes,
};
inline constexpr std::size_t kSqlStatements = static_cast<std::size_t>(Sql::order_routes) + 1;

// By Sql. A statement that the database does not need is empty.
[[nodiscard]] std::vector<std::string> sql_statements(const SqlDialect& dialect, const OutboxConfig& config);
// Makes empty tables in place of what is there.
[[nodiscard]] std::string sql_schema(const SqlDialect& dialect, const OutboxConfig& config);
// What a client needs for itself, as long as it is connected.
[[nodiscard]] std::string sql_session();

}  // namespace headroom
