// A database of its own for every place, on the server that HEADROOM_POSTGRES names.
#include "tests/conformance/suite/tested_store.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <pqxx/pqxx>
#include <unistd.h>

namespace headroom::test {
namespace {

std::string server() {
  const char* const set = std::getenv("HEADROOM_POSTGRES");
  INFO("HEADROOM_POSTGRES is set by ./dev test --postgres");
  REQUIRE(set != nullptr);
  return set;
}

void run_alone(const std::string& connection, const std::string& command) {
  pqxx::connection opened(connection);
  pqxx::nontransaction(opened).exec(command);
}

}  // namespace

TestedPlace::TestedPlace() {
  static int places = 0;
  path_ = "headroom_" + std::to_string(getpid()) + "_" + std::to_string(++places);
  run_alone(server() + " dbname=postgres", "CREATE DATABASE " + path_);
  url_ = "postgres:" + server() + " dbname=" + path_;
}

TestedPlace::~TestedPlace() {
  try {
    run_alone(server() + " dbname=postgres", "DROP DATABASE IF EXISTS " + path_ + " WITH (FORCE)");
  } catch (const pqxx::failure&) {
    // The server goes with all of its databases.
  }
}

void TestedPlace::occupy() const {
  run_alone(after_scheme(url_), "CREATE SCHEMA headroom");
}

}  // namespace headroom::test
