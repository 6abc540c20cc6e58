#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "sim/scenario/read_scenario.hpp"
#include "sim/scenario/warnings.hpp"

using namespace headroom;

namespace {

// 6 processes that run 10 handlers each, and 80 connections without the reserve; "a" keeps 200/s * 100ms = 20 busy.
constexpr const char* kCalm = R"({
  "schema": 1, "name": "calm", "duration": "60s", "cluster": {"nodes": 3, "processes": 2, "workers": 4},
  "admission": {"max_inflight": 10, "max_queue_depth": 20, "queue_wait": "200ms",
                "readiness": {"depth_high": 15, "depth_low": 5, "lag_high": "150ms", "lag_low": "50ms"},
                "database_pool": {"size": 84, "reserve": 4}, "downstream": {"size": 20, "part": 0.5}},
  "tenants": [{"name": "a", "requests": {"arrivals": {"kind": "poisson", "rate": "200/s"},
                                         "service": {"kind": "constant", "value": "100ms"},
                                         "client": {"timeout": "1s"}}}]
})";

Diagnostics warnings_with(const std::vector<std::string>& overrides) {
  const Result<Scenario> scenario = read_scenario_text(kCalm, "x.json", overrides);
  if (!scenario) {
    FAIL(scenario.faults().front().text());
  }
  return warnings(scenario.value());
}

void check_only(const std::vector<std::string>& overrides, const std::string& line) {
  const Diagnostics found = warnings_with(overrides);
  INFO("expected only " << line << ", got " << (found.empty() ? "none" : found.back().text()));
  REQUIRE(found.size() == 1);
  CHECK(found.front().text() == "x.json: " + line);
}

std::string retry(const std::string& keys) {
  return R"(/tenants/0/requests/client={"timeout":"1s","retry":{"kind":"fixed",)" + keys + "}}";
}

constexpr const char* kAnotherTenant =
    R"(/tenants/-={"name":"b","requests":{"arrivals":{"kind":"poisson","rate":"1/s"}}})";

}  // namespace

TEST_CASE("nothing is warned of where the gate fits what it protects") {
  CHECK(warnings_with({}).empty());
  CHECK(warnings_with({"/admission/max_inflight=13"}).empty());  // 6 * 13 = 78 of 80
}

TEST_CASE("handlers that may hold more connections than there are are warned of") {
  check_only(
      {"/admission/max_inflight=14"},
      "/admission/max_inflight: 6 processes may run 84 handlers at once, and the pool has 80 connections without "
      "its reserve; limits that fit into the pool, or none written");
  check_only({"/admission/max_inflight=unbounded"},
             "/admission/max_inflight: no limit on what runs at once, and the pool has 80 connections without its "
             "reserve; limits that fit into the pool, or none written");
  CHECK(warnings_with({"/admission/max_inflight=14", "/admission/tenant={\"max_inflight\":13}"}).empty());
  CHECK(warnings_with({"/admission/max_inflight=14", "/admission/database_pool/size=88"}).empty());
}

TEST_CASE("rows beside the handlers may be too many for the pool") {
  // 3 nodes with 4 workers: 12 rows beside 60 handlers.
  const std::string rows = R"(/tenants/0/rows={"arrivals":{"kind":"poisson","rate":"1/s"},"database_pool":true})";
  CHECK(warnings_with({rows, "/tenants/0/quota=12", "/admission/database_pool/size=76"}).empty());
  check_only(
      {rows, "/tenants/0/quota=12", "/admission/database_pool/size=75"},
      "/admission/database_pool/size: 60 handlers and 12 rows may hold a connection at once, and the pool has 71 "
      "without its reserve; a larger pool, or less work at once");
  CHECK(warnings_with({rows, "/tenants/0/quota=11", "/admission/database_pool/size=75"}).empty());  // 11 by quota
}

TEST_CASE("a pool with less than a connection for each process is warned of") {
  const Diagnostics found =
      warnings_with({R"(/admission={"max_queue_depth":1,"queue_wait":"1ms","database_pool":{"size":8,"reserve":3}})"});
  REQUIRE(found.size() == 2);
  CHECK_THAT(found[0].text(),
             Catch::Contains("/admission/database_pool/size: 5 connections without the reserve are not "
                             "one for each of 6 processes: nothing is admitted"));
  CHECK_THAT(found[1].text(), Catch::Contains("processes run 0 at once"));
}

TEST_CASE("queues without bounds are warned of, written or not") {
  check_only({"/admission/max_queue_depth=unbounded"},
             "/admission/max_queue_depth: any number of requests may wait; a bound");
  check_only({"/admission/queue_wait=unbounded"},
             "/admission/queue_wait: requests may wait without end; a bound, shorter than clients wait");
  check_only({R"(/admission={"max_inflight":10,"queue_wait":"1ms"})"},
             "/admission/max_queue_depth: any number of requests may wait; a bound");
  CHECK(warnings_with({R"(/admission={"max_inflight":10})"}).empty());
  CHECK(warnings_with({R"(/admission={"max_inflight":10,"queue_wait":"0s","max_queue_depth":"unbounded"})"}).empty());
}

TEST_CASE("waits that are longer than clients wait are warned of") {
  check_only(
      {"/tenants/0/requests/client/timeout=200ms"},
      "/admission/queue_wait: lets requests wait for 200ms, and clients of \"a\" wait for 200ms; less than 200ms");
  CHECK(warnings_with({"/tenants/0/requests/client/timeout=201ms"}).empty());
}

TEST_CASE("marks that are never passed are warned of") {
  check_only(
      {"/admission/readiness/depth_high=20"},
      "/admission/readiness/depth_high: is never passed: at most 20 requests wait; less than \"max_queue_depth\"");
  CHECK(warnings_with({"/admission/readiness/depth_high=19"}).empty());
  check_only({"/admission/readiness/lag_high=200ms"},
             "/admission/readiness/lag_high: is never passed: no request waits for more than 200ms; less than "
             "\"queue_wait\"");
}

TEST_CASE("caps of different tenants that overlap are warned of") {
  const std::string caps = R"(/admission/tenant={"max_inflight":6})";
  check_only(
      {kAnotherTenant, caps},
      "/admission/max_inflight: tenants may run 12 requests in a process that runs 10: one tenant's load can take "
      "another's room; caps of tenants that sum to at most that");
  CHECK(warnings_with({kAnotherTenant, R"(/admission/tenant={"max_inflight":5})"}).empty());
  CHECK(warnings_with({caps, "/tenants/0/count=2"}).empty());  // members of a group are alike
}

TEST_CASE("requests above what can run at once are warned of") {
  check_only({"/tenants/0/requests/arrivals/rate=601/s", "/admission/downstream/part=0.1"},
             "/admission/max_inflight: requests keep 60.1 handlers busy on average, and processes run 60 at once; more "
             "capacity, or fewer or shorter requests");
  const Diagnostics found = warnings_with({"/tenants/0/requests/arrivals/rate=500/s",
                                           "/admission/database_pool/size=50", "/admission/downstream/part=0.1"});
  REQUIRE(found.size() == 2);  // 60 handlers over 46 connections, and 50 busy ones
  CHECK_THAT(found[1].text(),
             Catch::Contains("/admission/database_pool/size: requests keep 50 handlers busy on average, "
                             "and the pool has connections for 46 at once"));
  check_only({"/tenants/0/requests/arrivals/rate=500/s"},
             "/admission/downstream/size: requests keep 25 handlers busy on average, and the next service takes 20 at "
             "once; more capacity, or fewer or shorter requests");
}

TEST_CASE("the load of a group is that of its members") {
  check_only({"/tenants/0/count=4", "/admission/downstream/part=0.1"},
             "/admission/max_inflight: requests keep 80 handlers busy on average, and processes run 60 at once; more "
             "capacity, or fewer or shorter requests");
}

TEST_CASE("requests above a tenant's own limits are warned of") {
  check_only(
      {R"(/tenants/0/admission={"max_inflight":3})"},
      "/tenants/0/requests/arrivals: requests keep 20 handlers busy on average, and \"max_inflight\" lets 18 run; "
      "a higher cap, or fewer or shorter requests");
  check_only({R"(/tenants/0/admission={"rate_limit":{"rate":"33/s"}})"},
             "/tenants/0/requests/arrivals: 200/s come, and \"rate_limit\" lets 198/s in; a higher limit, or fewer "
             "requests");
  CHECK(warnings_with({R"(/tenants/0/admission={"max_inflight":4,"rate_limit":{"rate":"34/s"}})"}).empty());
  // All of a sticky tenant's requests come to one process.
  check_only(
      {R"(/tenants/0/admission={"rate_limit":{"rate":"34/s"}})", R"(/admission/load_balancer={"policy":"sticky"})"},
      "/tenants/0/requests/arrivals: 200/s come, and \"rate_limit\" lets 34/s in; a higher limit, or fewer "
      "requests");
}

// D.9: vulnerable iff lambda (1 + r) > capacity; 20 busy handlers, 60 that can run.
TEST_CASE("retries that can hold a load above capacity are warned of") {
  CHECK(warnings_with({retry(R"("attempts":2)")}).empty());
  check_only(
      {retry(R"("attempts":3)")},
      "/tenants/0/requests/client/retry: retries can raise the load from 20 busy handlers to 80, and 60 can run: an "
      "overload may outlast its cause; fewer retries, or a budget");
  check_only(
      {retry(R"("attempts":"unbounded")")},
      "/tenants/0/requests/client/retry: retries can raise the load from 20 busy handlers without bound, and 60 can "
      "run: an overload may outlast its cause; fewer retries, or a budget");
  CHECK(warnings_with({retry(R"("attempts":"unbounded","budget":2)")}).empty());
  CHECK(warnings_with({retry(R"("attempts":"unbounded","budget":2.1)")}).size() == 1);
}

TEST_CASE("a gate that nobody uses, and processes without one, are warned of") {
  const std::string rows = R"(/tenants/0={"name":"a","rows":{"arrivals":{"kind":"poisson","rate":"1/s"}},"quota":12})";
  check_only({rows}, "/admission: no tenant has requests: the gates have nothing to do; \"requests\" of a tenant");
  const std::string alone = R"({"schema": 1, "name": "x", "duration": "60s", "cluster": {"processes": 2}, "tenants": [
    {"name": "a", "rows": {"arrivals": {"kind": "poisson", "rate": "1/s"}}, "quota": 12}]})";
  const Diagnostics found = warnings(read_scenario_text(alone, "x.json").value());
  REQUIRE(found.size() == 1);
  CHECK(found.front().text() ==
        "x.json: /cluster/processes: have no effect: there is no gate; a section \"admission\"");
}

TEST_CASE("rows that requests append are part of the rows' load") {
  // 3 nodes with 4 workers; 200/s * 2 rows * 50ms = 20 busy workers.
  const Diagnostics found = warnings_with({"/tenants/0/requests/fan_out=2", "/tenants/0/quota=12"});
  REQUIRE(found.size() == 2);
  CHECK_THAT(found[0].text(), Catch::Contains("/tenants/0/quota: rows keep 20 workers busy on average"));
  CHECK_THAT(found[1].text(), Catch::Contains("/cluster/workers: rows keep 20 workers busy on average"));
}
