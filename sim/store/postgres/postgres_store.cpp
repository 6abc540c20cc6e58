#include "sim/store/postgres/postgres_store.hpp"

#include <charconv>
#include <optional>
#include <pqxx/pqxx>
#include <string_view>
#include <utility>

#include "sim/store/sql_store.hpp"

namespace headroom {
namespace {

// The comment on the schema tells that it is a store's.
constexpr std::string_view kMark = "headroom store";
// The advisory lock of whoever uses the store alone.
constexpr const char* kLock = "SELECT pg_try_advisory_lock(4851726563921)";

const SqlDialect kDialect{
    .insert = "INSERT",
    .on_conflict = " ON CONFLICT DO NOTHING",
    // Rows that another claim is taking are passed over, and so are shards that are changing hands.
    .lock_rows = " FOR UPDATE OF r SKIP LOCKED FOR SHARE OF s SKIP LOCKED",
    .lock_shards = " FOR SHARE OF s",
    .number_picked =
        "SELECT namespace, ordinal, nextval('fences') AS fence FROM "
        "(SELECT * FROM picked ORDER BY visible_after, namespace, ordinal) AS in_order",
    .advance_fences = "",
    .table_options = "",
    .drop =
        "DROP SCHEMA IF EXISTS headroom CASCADE;\nCREATE SCHEMA headroom;\n"
        "COMMENT ON SCHEMA headroom IS 'headroom store';\n",
    .create_fences = "CREATE SEQUENCE fences;\n",
};

// libpqxx speaks in exceptions of its own.
template <class Action>
auto translated(Action action) {
  try {
    return action();
  } catch (const pqxx::failure& error) {
    throw StoreError(error.what());
  }
}

class PostgresConnection final : public SqlConnection {
 public:
  explicit PostgresConnection(const std::string& connection) : connection_(connection) {
    pqxx::nontransaction session(connection_);
    session.exec("SET client_min_messages = warning");
    // The transactions of a run check a model. None of them need survive a server that goes down.
    session.exec("SET synchronous_commit = off");
    session.exec("SET search_path = headroom, pg_temp");
  }

  void begin() override {
    translated([&] { transaction_.emplace(connection_); });
  }
  void commit() override {
    translated([&] { transaction_->commit(); });
    transaction_.reset();
  }
  void rollback() override {
    translated([&] { transaction_->abort(); });
    transaction_.reset();
  }

  void execute(const std::string& script) override {
    translated([&] {
      pqxx::work work(connection_);
      work.exec(script);
      work.commit();
    });
  }

  void prepare(std::vector<std::string> statements) override {
    translated([&] {
      for (const std::string& name : std::exchange(names_, {})) {
        connection_.unprepare(name);
      }
      for (std::size_t i = 0; i < statements.size(); ++i) {
        names_.push_back("statement_" + std::to_string(i));
        if (!statements[i].empty()) {
          connection_.prepare(names_.back(), statements[i]);
        }
      }
    });
  }

  const SqlTable& run(std::size_t statement, std::span<const std::int64_t> parameters) override {
    std::vector<std::string> texts;
    texts.reserve(parameters.size());
    std::vector<const char*> values;
    for (const std::int64_t value : parameters) {
      texts.push_back(std::to_string(value));
      values.push_back(value == kSqlNull ? nullptr : texts.back().c_str());
    }
    translated([&] {
      read(transaction_->exec_prepared(names_[statement],
                                       pqxx::prepare::make_dynamic_params(values.begin(), values.end())));
    });
    return table_;
  }

  // The first value of a query, as text; empty if it is NULL or there is none.
  [[nodiscard]] std::string ask(const std::string& query) {
    return translated([&] {
      pqxx::nontransaction session(connection_);
      const pqxx::result result = session.exec(query);
      return result.empty() || result[0][0].is_null() ? std::string() : std::string(result[0][0].c_str());
    });
  }

 private:
  void read(const pqxx::result& result) {
    table_.columns = std::max<std::size_t>(1, result.columns());
    table_.values.clear();
    for (const pqxx::row& row : result) {
      for (const pqxx::field& field : row) {
        table_.values.push_back(field.is_null() ? kSqlNull : number({field.c_str(), field.size()}));
      }
    }
  }
  static std::int64_t number(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) {
      throw StoreError("\"" + std::string(text) + "\" is no value of a store");
    }
    return value;
  }

  pqxx::connection connection_;
  std::optional<pqxx::work> transaction_;
  std::vector<std::string> names_;
  SqlTable table_;
};

}  // namespace

Result<std::unique_ptr<Store>> open_postgres_store(const std::string& url, const std::string& connection,
                                                   StoreUse use) {
  try {
    auto opened = translated([&] { return std::make_unique<PostgresConnection>(connection); });
    const bool there = opened->ask("SELECT 1 FROM pg_namespace WHERE nspname = 'headroom'") == "1";
    const std::string mark =
        opened->ask("SELECT obj_description(oid, 'pg_namespace') FROM pg_namespace WHERE nspname = 'headroom'");
    if (there && mark != kMark) {
      return store_fault(url, "the schema headroom of the database is somebody else's",
                         "another database, or one without that schema, would be right");
    }
    if (opened->ask("SELECT has_database_privilege(current_database(), 'CREATE')") != "t") {
      return store_fault(url, "its user may not make the schema headroom", "a user that may would be right");
    }
    if (use == StoreUse::alone && opened->ask(kLock) != "t") {
      return store_fault(url, "another run uses the store", "another database would be right");
    }
    return std::unique_ptr<Store>(std::make_unique<SqlStore>(std::move(opened), kDialect));
  } catch (const StoreError& error) {
    return store_fault(url, error.what(), "the connection string of a server that runs would be right");
  }
}

}  // namespace headroom
