// `headroom run --store` as a user sees it.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/cli/program.hpp"
#include "tests/conformance/suite/tested_store.hpp"

namespace headroom::test {
namespace {

using Names = std::vector<std::string>;

// Crashes, handoffs, failures, paused and ended workflows, and duplicates, in two seconds.
const char* const kScenario = R"({
  "schema": 1, "name": "stored", "seed": 3, "duration": "2s", "window": "100ms",
  "cluster": {"nodes": 2, "shards": 8, "workers": 4, "detection_delay": "50ms", "stale_after": "300ms",
              "reconcile_interval": "100ms"},
  "tenants": [
    {"name": "b", "quota": 4, "rows": {"arrivals": {"kind": "poisson", "rate": "100/s"}, "failure": 0.1}},
    {"name": "a", "quota": 2, "rows": {"arrivals": {"kind": "poisson", "rate": "50/s"}, "workflows": 3}}],
  "faults": [{"kind": "handoff", "shard": 1, "to": "n2", "every": "100ms"},
             {"kind": "crash", "node": "n1", "at": "1s"},
             {"kind": "restart", "node": "n1", "at": "1200ms"},
             {"kind": "duplicate_append", "tenant": "b", "every": "90ms"}],
  "expect": [{"property": "exactly_once"}]})";

}  // namespace

TEST_CASE("a run with a store gives the bytes of the run without, and says that the store said the same") {
  const TestedPlace place;
  const ProgramFolder folder;
  folder.write("x.json", kScenario);
  const Outcome without = folder.run({"run", "x.json", "--out", "without"});
  const Outcome with = folder.run({"run", "x.json", "--out", "with", "--store", place.url()});
  INFO(without.errors << with.errors);
  CHECK(without.status == 0);
  CHECK(with.status == 0);
  CHECK_THAT(with.output, Catch::Contains("said the same in all"));
  CHECK(folder.read("with/result.json") == folder.read("without/result.json"));
  CHECK(folder.read("with/report.md") == folder.read("without/report.md"));
  const Outcome json = folder.run({"run", "x.json", "--json", "--store", place.url()});
  CHECK(json.output == folder.read("without/result.json"));
}

TEST_CASE("what a run leaves in the store is what it says of the rows") {
  const TestedPlace place;
  const ProgramFolder folder;
  folder.write("x.json", kScenario);
  const Outcome outcome = folder.run({"run", "x.json", "--json", "--set", "/drain=0s", "--store", place.url()});
  const auto tenants = nlohmann::json::parse(outcome.output).at("tenants");
  const std::unique_ptr<Store> store = place.open();
  store->attach({.namespaces = 2});
  const auto counts = in_transaction(*store, [&] { return store->counts(); });
  for (const auto& [name, index] : std::vector<std::pair<std::string, std::size_t>>{{"a", 0}, {"b", 1}}) {
    INFO(name);
    CHECK(tenants.at(name).at("appended") == counts.at(index).appended);
    CHECK(tenants.at(name).at("completed") == counts.at(index).done);
    CHECK(tenants.at(name).at("pending_at_end") == counts.at(index).pending);
    CHECK(tenants.at(name).at("duplicates_ignored") == counts.at(index).duplicates_ignored);
    CHECK(counts.at(index).appended > 0);
  }
}

TEST_CASE("a database that holds something else is refused, and nothing is written") {
  const TestedPlace place;
  place.occupy();
  const ProgramFolder folder;
  folder.write("x.json", kScenario);
  const Outcome outcome = folder.run({"run", "x.json", "--out", "out", "--store", place.url()});
  CHECK(outcome.status == 2);
  CHECK(outcome.output.empty());
  CHECK(outcome.errors == outcome.last_error_line() + "\n");
  CHECK_THAT(outcome.errors, Catch::StartsWith("--store " + place.url() + ": "));
  CHECK(folder.names() == Names{"x.json"});
}

TEST_CASE("a store that is used alone is refused to everybody else") {
  const TestedPlace place;
  const std::unique_ptr<Store> store = place.open(StoreUse::alone);
  store->reset(small_setup());
  const auto second = open_store(place.url(), StoreUse::alone);
  REQUIRE_FALSE(second);
  CHECK(second.faults().size() == 1);
}

TEST_CASE("a store that another run has left is emptied first") {
  const TestedPlace place;
  for (int time = 0; time < 2; ++time) {
    const std::unique_ptr<Store> store = place.open(StoreUse::alone);
    store->reset(small_setup());
    CHECK(in_transaction(*store, [&] { return store->append(new_row(0, 1)); }).has_value());
    store->reset(small_setup());
    CHECK(in_transaction(*store, [&] { return store->all_rows(); }).empty());
    CHECK(in_transaction(*store, [&] { return store->append(new_row(0, 1)); }).has_value());
  }
}

}  // namespace headroom::test
