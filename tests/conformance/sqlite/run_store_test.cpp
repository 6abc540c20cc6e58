// Stores that cannot be: each is one line, and exit status 2.
#include <catch2/catch.hpp>
#include <sqlite3.h>

#include "tests/cli/program.hpp"
#include "tests/conformance/suite/tested_store.hpp"

namespace headroom::test {
namespace {

const char* const kScenario = R"({"schema": 1, "name": "x", "duration": "1s", "cluster": {"nodes": 1, "shards": 1},
  "tenants": [{"name": "a", "quota": 1, "rows": {"arrivals": {"kind": "poisson", "rate": "9/s"}}}]})";

}  // namespace

TEST_CASE("a store that cannot be is one line that says what would be right, and writes nothing") {
  const ProgramFolder folder;
  folder.write("x.json", kScenario);
  folder.write("text", "this is no database, and longer than the header of one would be, by some hundred letters more");
  for (const auto& [url, wrong] : std::vector<std::pair<std::string, std::string>>{
           {"mysql:x", "sqlite:FILE or postgres:URL would be right"},
           {"run.db", "sqlite:FILE or postgres:URL would be right"},
           {"sqlite:", "sqlite:FILE or postgres:URL would be right"},
           {"sqlite:no/such/folder/x.db", "the folder no/such/folder is not there"},
           {"sqlite:.", "is a folder"},
           {"sqlite:text", "file is not a database"},
           {"sqlite:/proc/x.db", "the name of a new file"},
           {"sqlite:/proc/version", "the name of a new file"},
           {"postgres:host=/no/such/folder", "would be right"},
           {"postgres://localhost:1/x", "would be right"},
           {"postgres:nonsense", "would be right"}}) {
    INFO(url);
    const Outcome outcome = folder.run({"run", "x.json", "--out", "out", "--store", url});
    CHECK(outcome.status == 2);
    CHECK(outcome.output.empty());
    CHECK(outcome.errors == outcome.last_error_line() + "\n");
    CHECK_THAT(outcome.errors, Catch::StartsWith("--store " + url + ": ") && Catch::Contains(wrong));
    CHECK(folder.names() == std::vector<std::string>{"text", "x.json"});
  }
  CHECK(folder.run({"run", "x.json", "--store", ""}).status == 2);
  CHECK(folder.run({"run", "x.json", "--out", "text/out", "--store", "sqlite:x.db"}).status == 2);
  CHECK(folder.names() == std::vector<std::string>{"text", "x.json"});
}

TEST_CASE("the journal of an SQLite store is written ahead") {
  const TestedPlace place;
  {
    const std::unique_ptr<Store> store = place.open();
    store->reset(small_setup());
  }
  sqlite3* database = nullptr;
  REQUIRE(sqlite3_open(after_scheme(place.url()).c_str(), &database) == SQLITE_OK);
  std::string mode;
  const auto keep = [](void* to, int, char** values, char**) {
    *static_cast<std::string*>(to) = values[0];
    return 0;
  };
  CHECK(sqlite3_exec(database, "PRAGMA journal_mode", keep, &mode, nullptr) == SQLITE_OK);
  sqlite3_close(database);
  CHECK(mode == "wal");
}

}  // namespace headroom::test
