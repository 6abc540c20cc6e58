#include "tests/conformance/suite/tested_store.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <sqlite3.h>

namespace headroom::test {

TestedPlace::TestedPlace() : path_((std::filesystem::temp_directory_path() / "headroom_XXXXXX").string()) {
  REQUIRE(mkdtemp(path_.data()) != nullptr);
  url_ = "sqlite:" + path_ + "/store.db";
}

TestedPlace::~TestedPlace() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

void TestedPlace::occupy() const {
  sqlite3* database = nullptr;
  REQUIRE(sqlite3_open(after_scheme(url_).c_str(), &database) == SQLITE_OK);
  REQUIRE(sqlite3_exec(database, "CREATE TABLE outbox (mine TEXT)", nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(database);
}

}  // namespace headroom::test
