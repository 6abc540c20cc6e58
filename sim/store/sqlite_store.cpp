#include "sim/store/sqlite_store.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <sqlite3.h>
#include <utility>

#include "sim/store/sql_store.hpp"

namespace headroom {
namespace {

// Marks a file as a store: "HDRM", in the header of every SQLite file (PRAGMA application_id).
constexpr std::int64_t kApplication = 0x4844524D;
constexpr int kPatienceMilliseconds = 20'000;

// SQLite's own handler waits longer each time, and so comes last where others write all the time.
int wait_for_others(void* /*context*/, int times) {
  sqlite3_sleep(1);
  return times < kPatienceMilliseconds ? 1 : 0;
}

const SqlDialect kDialect{
    .insert = "INSERT OR IGNORE",
    .on_conflict = "",
    .lock_rows = "",
    .lock_shards = "",
    .number_picked =
        "SELECT namespace, ordinal, (SELECT next FROM fences) - 1 + "
        "row_number() OVER (ORDER BY visible_after, namespace, ordinal) AS fence FROM picked",
    .advance_fences = "UPDATE fences SET next = next + $1",
    .table_options = " WITHOUT ROWID",
    .drop =
        "PRAGMA application_id = 0x4844524D;\n"
        "DROP TABLE IF EXISTS outbox;\nDROP TABLE IF EXISTS shards;\nDROP TABLE IF EXISTS paused_workflows;\n"
        "DROP TABLE IF EXISTS delays;\nDROP TABLE IF EXISTS fences;\n",
    .create_fences = "CREATE TABLE fences (next BIGINT NOT NULL);\nINSERT INTO fences VALUES (1);\n",
};

class SqliteConnection final : public SqlConnection {
 public:
  SqliteConnection(const std::string& path, StoreUse use) : alone_(use == StoreUse::alone) {
    const int status = sqlite3_open_v2(path.c_str(), &database_,
                                       SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_EXRESCODE, nullptr);
    try {
      check(status);
      sqlite3_busy_handler(database_, alone_ ? nullptr : wait_for_others, nullptr);
      // Before the first access: an exclusive lock is then kept, and nobody else gets in.
      execute_now(alone_ ? "PRAGMA locking_mode = EXCLUSIVE" : "PRAGMA locking_mode = NORMAL");
    } catch (const StoreError&) {
      sqlite3_close_v2(database_);
      throw;
    }
  }
  ~SqliteConnection() override {
    forget_statements();
    sqlite3_close_v2(database_);
  }
  SqliteConnection(const SqliteConnection&) = delete;
  SqliteConnection& operator=(const SqliteConnection&) = delete;

  void begin() override { execute_now("BEGIN IMMEDIATE"); }
  void commit() override { execute_now("COMMIT"); }
  void rollback() override { execute_now("ROLLBACK"); }

  void execute(const std::string& script) override {
    execute_now("PRAGMA journal_mode = WAL");
    // A process that dies loses nothing of what it has committed. What a machine loses that goes down, the mirror of a
    // run need not keep.
    execute_now(alone_ ? "PRAGMA synchronous = OFF" : "PRAGMA synchronous = NORMAL");
    begin();
    try {
      execute_now(script);
      commit();
    } catch (const StoreError&) {
      sqlite3_exec(database_, "ROLLBACK", nullptr, nullptr, nullptr);
      throw;
    }
  }

  void prepare(std::vector<std::string> statements) override {
    forget_statements();
    for (const std::string& text : statements) {
      sqlite3_stmt* statement = nullptr;
      if (!text.empty()) {
        check(sqlite3_prepare_v3(database_, text.c_str(), static_cast<int>(text.size() + 1), SQLITE_PREPARE_PERSISTENT,
                                 &statement, nullptr));
      }
      statements_.push_back(statement);
    }
  }

  const SqlTable& run(std::size_t index, std::span<const std::int64_t> parameters) override {
    sqlite3_stmt* const statement = statements_[index];
    bind(statement, parameters);
    table_.columns = static_cast<std::size_t>(std::max(1, sqlite3_column_count(statement)));
    table_.values.clear();
    int status = sqlite3_step(statement);
    for (; status == SQLITE_ROW; status = sqlite3_step(statement)) {
      for (int column = 0; column < sqlite3_column_count(statement); ++column) {
        const bool null = sqlite3_column_type(statement, column) == SQLITE_NULL;
        table_.values.push_back(null ? kSqlNull : sqlite3_column_int64(statement, column));
      }
    }
    sqlite3_reset(statement);
    if (status != SQLITE_DONE) {
      fail();
    }
    return table_;
  }

  // Keeps everybody else out from now on. Needs StoreUse::alone.
  void lock() {
    execute_now("BEGIN EXCLUSIVE");
    commit();
  }

  [[nodiscard]] bool read_only() const { return sqlite3_db_readonly(database_, "main") == 1; }

  // The first value that a query returns.
  [[nodiscard]] std::int64_t ask(const std::string& query) {
    sqlite3_stmt* statement = nullptr;
    check(sqlite3_prepare_v2(database_, query.c_str(), -1, &statement, nullptr));
    const int status = sqlite3_step(statement);
    const std::int64_t value = status == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : 0;
    sqlite3_finalize(statement);
    if (status != SQLITE_ROW) {
      fail();
    }
    return value;
  }

 private:
  void forget_statements() {
    for (sqlite3_stmt* statement : std::exchange(statements_, {})) {
      sqlite3_finalize(statement);
    }
  }
  void bind(sqlite3_stmt* statement, std::span<const std::int64_t> parameters) {
    std::string name = "$1";
    for (const std::int64_t value : parameters) {
      // 0, and ignored, for a parameter that the statement has no use for.
      if (const int place = sqlite3_bind_parameter_index(statement, name.c_str()); place > 0) {
        check(value == kSqlNull ? sqlite3_bind_null(statement, place) : sqlite3_bind_int64(statement, place, value));
      }
      ++name[1];
    }
  }
  void execute_now(const std::string& text) { check(sqlite3_exec(database_, text.c_str(), nullptr, nullptr, nullptr)); }
  void check(int status) {
    if (status != SQLITE_OK) {
      fail();
    }
  }
  [[noreturn]] void fail() {
    throw StoreError(database_ == nullptr ? "there is no memory for SQLite" : sqlite3_errmsg(database_));
  }

  bool alone_;
  sqlite3* database_ = nullptr;
  std::vector<sqlite3_stmt*> statements_;
  SqlTable table_;
};

// Why a path that SQLite would only call "unable to open database file" cannot be a store; empty if it may be one.
std::string unfit(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    return "is a folder";
  }
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  if (!std::filesystem::is_directory(folder, error)) {
    return "the folder " + folder.string() + " is not there";
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<Store>> open_sqlite_store(const std::string& path, StoreUse use) {
  const std::string url = "sqlite:" + path;
  const char* const right = "the name of a new file, or of one that --store has made, would be right";
  if (const std::string reason = unfit(path); !reason.empty()) {
    return store_fault(url, reason, right);
  }
  try {
    auto connection = std::make_unique<SqliteConnection>(path, use);
    const bool ours = connection->ask("PRAGMA application_id") == kApplication;
    if (!ours && connection->ask("SELECT count(*) FROM sqlite_master") > 0) {
      return store_fault(url, "the database holds something else", right);
    }
    if (connection->read_only()) {
      return store_fault(url, "the file cannot be written", right);
    }
    if (use == StoreUse::alone) {
      connection->lock();
    }
    return std::unique_ptr<Store>(std::make_unique<SqlStore>(std::move(connection), kDialect));
  } catch (const StoreError& error) {
    return store_fault(url, error.what(), right);
  }
}

}  // namespace headroom
