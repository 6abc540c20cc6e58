#include "sim/store/open_store.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "sim/store/sqlite_store.hpp"
#ifdef HEADROOM_WITH_POSTGRES
#include "sim/store/postgres/postgres_store.hpp"
#endif

namespace headroom {
namespace {

constexpr std::string_view kSqlite = "sqlite:";
constexpr std::string_view kPostgres = "postgres:";
constexpr std::string_view kPostgresql = "postgresql:";

// What libpq takes: a URL keeps its scheme, the words of a connection string lose it.
std::string connection_string(const std::string& url) {
  const bool is_url = url.starts_with("postgres://") || url.starts_with(kPostgresql);
  return is_url ? url : url.substr(kPostgres.size());
}

Result<std::unique_ptr<Store>> open_postgres(const std::string& url, [[maybe_unused]] StoreUse use) {
  const std::string connection = connection_string(url);
#ifdef HEADROOM_WITH_POSTGRES
  return open_postgres_store(url, connection, use);
#else
  return store_fault(url, "this program was built without PostgreSQL",
                     "install libpqxx-dev and build again, or name sqlite:FILE");
#endif
}

}  // namespace

Diagnostic store_fault(const std::string& url, std::string wrong, std::string right) {
  std::ranges::replace(wrong, '\n', ' ');  // what databases say may take several lines; a fault is one
  wrong.erase(wrong.find_last_not_of(' ') + 1);
  return {"--store " + url, "", std::move(wrong), std::move(right)};
}

Result<std::unique_ptr<Store>> open_store(const std::string& url, StoreUse use) {
  if (url.starts_with(kSqlite) && url.size() > kSqlite.size()) {
    return open_sqlite_store(url.substr(kSqlite.size()), use);
  }
  if (url.starts_with(kPostgres) || url.starts_with(kPostgresql)) {
    return open_postgres(url, use);
  }
  return store_fault(url, "is not the name of a store", "sqlite:FILE or postgres:URL would be right");
}

}  // namespace headroom
