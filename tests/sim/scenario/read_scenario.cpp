#include "sim/scenario/read_scenario.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "sim/scenario/cluster_config.hpp"
#include "tests/sim/scenario/malformed_cases.hpp"

using namespace headroom;
using headroom::test::sound_scenario;

namespace {

constexpr const char* kSmallest =
    R"({"schema": 1, "name": "x", "duration": "60s", "cluster": {}, "tenants": [{"name": "a"}]})";

Scenario read(const std::string& text, const std::vector<std::string>& overrides = {}) {
  Result<Scenario> scenario = read_scenario_text(text, "x.json", overrides);
  if (!scenario) {
    FAIL(scenario.faults().front().text());
  }
  return std::move(scenario.value());
}

Diagnostics refuse(const std::string& text, const std::vector<std::string>& overrides = {}) {
  const Result<Scenario> scenario = read_scenario_text(text, "x.json", overrides);
  REQUIRE_FALSE(scenario);
  return scenario.faults();
}

// The rows of the only tenant of kSmallest.
RowsSpec rows_with(const std::string& arrivals, const std::string& service = R"({"kind":"constant","value":"1ms"})") {
  const std::string rows = R"({"arrivals": )" + arrivals + R"(, "service": )" + service + "}";
  return *read(kSmallest, {"/tenants/0/rows=" + rows}).tenants[0].rows;
}

template <class T>
T arrivals(const std::string& text) {
  return std::get<T>(*rows_with(text).arrivals);
}
template <class T>
T service(const std::string& text) {
  return std::get<T>(rows_with(R"({"kind":"backlog","n":1})", text).service);
}

// A folder of its own that is gone after the test.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "headroom_XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return (path_ / name).string();
  }
  [[nodiscard]] std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

std::string first_fault(const std::string& path) {
  const Result<Scenario> scenario = read_scenario(path);
  REQUIRE_FALSE(scenario);
  return scenario.faults().front().text();
}

}  // namespace

TEST_CASE("what a scenario does not say has the defaults of the specification") {
  const Scenario scenario = read(kSmallest);
  CHECK(scenario.seed == 1);
  CHECK(scenario.warmup == Duration::zero());
  CHECK(scenario.drain == Duration::seconds(600));
  CHECK(scenario.window == Duration::seconds(1));
  CHECK(scenario.tie_break == TieBreak::sequence);
  const ClusterSection& cluster = scenario.cluster;
  CHECK(cluster.nodes == 3);
  CHECK(cluster.shards == 64);
  CHECK(cluster.initial_owner.size() == 64);
  CHECK(cluster.workers == 16U);
  CHECK(cluster.worker_pools.empty());
  CHECK(cluster.dispatch == DispatchKind::parallel);
  CHECK(cluster.poll_interval == Duration::milliseconds(20));
  CHECK(cluster.wake);
  CHECK(cluster.min_sweep_gap == Duration::milliseconds(1));
  CHECK(cluster.sweep_cost == Duration::zero());
  CHECK(cluster.claim_cost == Duration::zero());
  CHECK(cluster.detection_delay == Duration::seconds(1));
  CHECK(cluster.adoption_delay == Duration::milliseconds(500));
  CHECK(cluster.reconcile_interval == Duration::seconds(5));
  CHECK(cluster.stale_after == Duration::seconds(30));
  CHECK(scenario.outbox.backoff_base == Duration::milliseconds(50));
  CHECK(scenario.outbox.backoff_multiplier == 2);
  CHECK(scenario.outbox.backoff_max == Duration::seconds(1));
  CHECK(scenario.outbox.max_attempts == 5);
  CHECK(scenario.outbox.shard_by == ShardBy::dispatch_key);
  CHECK(scenario.backpressure.planner == PlannerKind::rotating);
  CHECK(scenario.backpressure.batch_size == 16);
  CHECK(scenario.backpressure.claimed_counts == ClaimedCounts::owned_or_started);
  CHECK(scenario.backpressure.ceiling_growth == CeilingGrowth::settled);
}

TEST_CASE("every section is read to the last key") {
  const Scenario scenario = read(R"({
    "schema": 1, "name": "all", "description": "every key", "seed": 18446744073709551615, "duration": "2m", "warmup": "10s",
    "drain": "0s", "window": "500ms", "tie_break": "random",
    "cluster": {"nodes": 2, "shards": 4, "ownership": {"explicit": [[3, 0], [1, 2]]}, "workers": "unlimited",
                "worker_pools": {"fast": ["n2", "n1"]}, "dispatch": "sequential", "poll_interval": "5ms", "wake": false,
                "min_sweep_gap": "2ms", "sweep_cost": "3ms", "claim_cost": "4ms", "detection_delay": "6s",
                "adoption_delay": "7ms", "reconcile_interval": "8s", "stale_after": "9s"},
    "outbox": {"backoff_base": "1ms", "backoff_multiplier": 3, "backoff_max": "4s", "max_attempts": 7, "shard_by": "workflow"},
    "backpressure": {"planner": "deficit_round_robin", "batch_size": 4, "claimed_counts": "started", "ceiling_growth": "immediate"},
    "tenants": [{"name": "a", "id": "alpha", "quota": 0, "weight": 5, "noisy": true,
                 "routes": [{"queue": "q", "worker_pool": "fast"}, "q"],
                 "rows": {"arrivals": {"kind": "constant", "rate": "5/s"}, "service": {"kind": "exponential", "mean": "50ms"},
                          "failure": 0.25, "workflows": 12, "visible_after": "30ms"}},
                {"name": "g", "count": 2}],
    "latency_shifts": [{"kind": "ramp", "on": {"route": "q"}, "factor": 2.5, "at": "1s", "over": "2s", "for": "3s"}],
    "faults": [{"kind": "restart", "node": "n2", "at": "30s", "every": "20s"}],
    "expect": [{"property": "quota_sum", "slack": 3, "broken": true}]
  })");
  CHECK(scenario.seed == ~std::uint64_t{0});
  CHECK(scenario.description == "every key");
  CHECK(scenario.drain == Duration::zero());
  CHECK(scenario.window == Duration::milliseconds(500));
  CHECK(scenario.tie_break == TieBreak::random);
  CHECK_FALSE(scenario.cluster.workers);
  CHECK(scenario.cluster.dispatch == DispatchKind::sequential);
  CHECK_FALSE(scenario.cluster.wake);
  CHECK(scenario.cluster.initial_owner == std::vector<NodeId>{NodeId(0), NodeId(1), NodeId(1), NodeId(0)});
  CHECK(scenario.cluster.stale_after == Duration::seconds(9));
  CHECK(scenario.outbox.max_attempts == 7);
  CHECK(scenario.outbox.shard_by == ShardBy::workflow);
  CHECK(scenario.backpressure.claimed_counts == ClaimedCounts::started);
  const TenantSpec& tenant = scenario.tenants[0];
  CHECK(tenant.id == "alpha");
  CHECK(tenant.quota == 0);
  CHECK(tenant.weight == 5);
  CHECK(tenant.noisy);
  CHECK(tenant.rows->failure == Decimal{250'000'000});
  CHECK(tenant.rows->workflows == 12);
  CHECK(tenant.rows->visible_after == Duration::milliseconds(30));
  CHECK(scenario.tenants[1].count == 2U);
  CHECK_FALSE(scenario.tenants[1].rows);
  const LatencyShift& shift = scenario.latency_shifts[0];
  CHECK(shift.target == ShiftTarget::route);
  CHECK(shift.name == "q");
  CHECK(shift.factor == Decimal{2'500'000'000});
  CHECK(std::get<RampShift>(shift.shape).over == Duration::seconds(2));
  CHECK(scenario.faults[0].at == Time::at(Duration::seconds(30)));
  CHECK(scenario.faults[0].every == Duration::seconds(20));
  CHECK(std::get<PropertyExpectation>(scenario.expect[0]).whole_bounds.at("slack") == 3);
}

TEST_CASE("the model's configuration follows the scenario") {
  const Scenario scenario = read(R"({"schema": 1, "name": "x", "duration": "1s",
    "cluster": {"worker_pools": {"slow": ["n3"], "fast": ["n2", "n1"]}},
    "tenants": [{"name": "b", "quota": 3, "count": 2}, {"name": "a", "id": "k", "weight": 4,
      "routes": ["z", {"queue": "q", "worker_pool": "slow"}, {"queue": "q", "worker_pool": "fast"}, "q"]}]})");
  const ClusterConfig config = cluster_config(scenario);
  REQUIRE(config.namespaces.size() == 3);
  CHECK(config.namespaces[0].name == "a");
  CHECK(config.namespaces[0].weight == 4);
  CHECK(config.namespaces[2].name == "b_2");
  CHECK(config.namespaces[2].quota == 3);
  REQUIRE(config.pool_nodes.size() == 2);  // fast, slow
  CHECK(config.pool_nodes[0] == std::vector<NodeId>{NodeId(0), NodeId(1)});
  const std::vector<RouteConfig>& routes = config.namespaces[0].routes;
  REQUIRE(routes.size() == 4);
  CHECK((routes[0].queue == "q" && routes[0].pool.is_none()));
  CHECK((routes[1].queue == "q" && routes[1].pool == PoolId(0)));
  CHECK((routes[2].queue == "q" && routes[2].pool == PoolId(1)));
  CHECK((routes[3].queue == "z" && routes[3].pool.is_none()));
}

TEST_CASE("every arrival process is read") {
  CHECK(arrivals<ConstantArrivals>(R"({"kind":"constant","rate":"60/m"})").rate.nanohertz == 1'000'000'000);
  CHECK(arrivals<PoissonArrivals>(R"({"kind":"poisson","rate":"0.5/s"})").rate.nanohertz == 500'000'000);
  const auto on_off =
      arrivals<OnOffArrivals>(R"({"kind":"on_off","rate_on":"50/s","rate_off":"0/s","mean_on":"1s","mean_off":"9s"})");
  CHECK(on_off.rate_off.nanohertz == 0);
  CHECK(on_off.mean_off == Duration::seconds(9));
  CHECK(arrivals<ParetoArrivals>(R"({"kind":"pareto","rate":"1/s","shape":1.5})").shape == Decimal{1'500'000'000});
  const auto schedule = arrivals<ScheduleArrivals>(R"({"kind":"schedule","at":[{"at":"1s","n":3},{"at":"2s"}]})");
  REQUIRE(schedule.at.size() == 2);
  CHECK(schedule.at[0].n == 3);
  CHECK(schedule.at[1].n == 1);
  CHECK(schedule.at[1].at == Time::at(Duration::seconds(2)));
  CHECK(arrivals<BacklogArrivals>(R"({"kind":"backlog","n":100})").n == 100);
  const auto loop =
      arrivals<ClosedLoopArrivals>(R"({"kind":"closed_loop","clients":7,"think":{"kind":"constant","value":"1s"}})");
  CHECK(loop.clients == 7);
  CHECK(std::get<ConstantSpec>(loop.think).value == Duration::seconds(1));
}

TEST_CASE("every distribution is read") {
  CHECK(service<ConstantSpec>(R"({"kind":"constant","value":"0s"})").value == Duration::zero());
  CHECK(service<UniformSpec>(R"({"kind":"uniform","low":"1ms","high":"1ms"})").high == Duration::milliseconds(1));
  CHECK(service<ExponentialSpec>(R"({"kind":"exponential","mean":"50ms"})").mean == Duration::milliseconds(50));
  CHECK(service<LognormalSpec>(R"({"kind":"lognormal","mean":"1s","sigma":0.5})").sigma == Decimal{500'000'000});
  CHECK(service<ParetoSpec>(R"({"kind":"pareto","mean":"1s","shape":2})").shape == Decimal::whole(2));
  CHECK(service<ErlangSpec>(R"({"kind":"erlang","mean":"1s","k":4})").k == 4);
  CHECK(service<EmpiricalSpec>(R"({"kind":"empirical","values":["1s","2s"]})").values.size() == 2);
}

TEST_CASE("every latency shift and fault is read") {
  const Scenario scenario = read(
      kSmallest,
      {R"(/latency_shifts=[{"kind":"step","on":{"tenant":"a"},"factor":3,"at":"1s","for":"2s"},
                           {"kind":"spike","on":{"node":"n3"},"factor":3,"at":"1s","for":"2s"},
                           {"kind":"periodic","on":"store","factor":3,"every":"5s","for":"2s"}])",
       R"(/faults=[{"kind":"crash","node":"n1","at":"1s"},{"kind":"handoff","shard":3,"to":"n2","every":"10s"}])"});
  CHECK(std::get<StepShift>(scenario.latency_shifts[0].shape).duration == Duration::seconds(2));
  CHECK(scenario.latency_shifts[1].target == ShiftTarget::node);
  CHECK(scenario.latency_shifts[1].name == "n3");
  CHECK(std::get<SpikeShift>(scenario.latency_shifts[1].shape).duration == Duration::seconds(2));
  CHECK(scenario.latency_shifts[2].target == ShiftTarget::store);
  CHECK(scenario.latency_shifts[2].at == Time::zero());
  CHECK(std::get<PeriodicShift>(scenario.latency_shifts[2].shape).every == Duration::seconds(5));
  CHECK(std::get<CrashFault>(scenario.faults[0].kind).node == NodeId(0));
  CHECK_FALSE(scenario.faults[0].every);
  const auto handoff = std::get<HandoffFault>(scenario.faults[1].kind);
  CHECK(handoff.shard == ShardId(3));
  CHECK(handoff.to == NodeId(1));
  CHECK(scenario.faults[1].at == Time::at(Duration::seconds(10)));  // after one period
}

TEST_CASE("every expectation is read") {
  const Scenario scenario = read(sound_scenario());
  REQUIRE(scenario.expect.size() == 5);
  const auto& starvation = std::get<PropertyExpectation>(scenario.expect[0]);
  CHECK(starvation.property == "no_starvation");
  CHECK(starvation.whole_bounds.at("at_most_sweeps") == 2);
  CHECK_FALSE(starvation.broken);
  CHECK(std::get<PropertyExpectation>(scenario.expect[1]).broken);
  const auto& metric = std::get<MetricExpectation>(scenario.expect[2]);
  CHECK(metric.metric == "/tenants/a/wait_ms/p99");
  CHECK(metric.at_most == 200.0);
  CHECK_FALSE(metric.at_least);
  CHECK(std::get<SometimesExpectation>(scenario.expect[3]).goal == "at_ceiling");
  CHECK(std::get<PropertyExpectation>(scenario.expect[4]).bounds.at("at_least") == Decimal{900'000'000});
}

TEST_CASE("all faults are found in one go, each with its place") {
  const Diagnostics faults = refuse(R"({"schema": 2, "name": "x", "name": "y", "duration": "5",
    "cluster": {"nodes": 0, "wrokers": 3, "ownership": "evn"}, "swarm": {},
    "tenants": [{"name": "a", "quota": -1}, {"name": "b", "rows": {"arrivals": {"kind": "poison"}}}],
    "faults": [{"kind": "crash", "node": "n1"}, {"kind": "stop"}],
    "expect": [{"sometimes": "nothing"}]})");
  std::vector<std::string> pointers;
  for (const Diagnostic& fault : faults) {
    pointers.push_back(fault.pointer);
  }
  CHECK(pointers == std::vector<std::string>{"/name", "/schema", "/duration", "/cluster/nodes", "/cluster/wrokers",
                                             "/cluster/ownership", "/swarm", "/tenants/0/quota",
                                             "/tenants/1/rows/arrivals/kind", "/faults/0/at", "/faults/1/kind",
                                             "/expect/0/sometimes"});
}

TEST_CASE("a backlog, wakes, no gap and no ceilings are refused together only") {
  const std::vector<std::string> standstill = {R"(/tenants/0/rows={"arrivals":{"kind":"backlog","n":1}})",
                                               "/backpressure/planner=unscoped", "/cluster/min_sweep_gap=0s"};
  CHECK(refuse(kSmallest, standstill).front().pointer == "/cluster/min_sweep_gap");
  for (const char* remedy : {"/cluster/wake=false", "/cluster/min_sweep_gap=1ns", "/backpressure/planner=rotating"}) {
    std::vector<std::string> overrides = standstill;
    overrides.emplace_back(remedy);
    INFO(remedy);
    CHECK(read(kSmallest, overrides).name == "x");
  }
}

TEST_CASE("an override replaces, creates and appends") {
  const Scenario scenario = read(kSmallest, {"/cluster/nodes=5", "/backpressure/planner=fixed_order", "/duration=90s",
                                             R"(/tenants/-={"name":"b","quota":7})", "/tenants/0/quota=9"});
  CHECK(scenario.cluster.nodes == 5);
  CHECK(scenario.backpressure.planner == PlannerKind::fixed_order);
  CHECK(scenario.duration == Duration::seconds(90));
  CHECK(scenario.tenants[0].quota == 9);
  CHECK(scenario.tenants[1].quota == 7);
}

TEST_CASE("the last of two overrides of one value holds") {
  CHECK(read(kSmallest, {"/cluster/nodes=5", "/cluster/nodes=6"}).cluster.nodes == 6);
}

TEST_CASE("a value that is not JSON is a text") {
  CHECK(read(kSmallest, {"/name=hello world", "/description=[x"}).description == "[x");
}

TEST_CASE("a fault that an override brings in is named as one") {
  const auto line = [](const std::string& override) { return refuse(kSmallest, {override}).front().text(); };
  CHECK_THAT(line("/backpressure/planer=x"), Catch::StartsWith("--set: /backpressure/planer: unknown key"));
  CHECK_THAT(line("/backpresure/planner=x"), Catch::StartsWith("--set: /backpresure: unknown key"));
  CHECK_THAT(line("/cluster/nodes=0"), Catch::StartsWith("--set: /cluster/nodes: 0 is out of range"));
  CHECK_THAT(line("/tenants/4/quota=1"), Catch::StartsWith("--set: /tenants/4: the list has 1 elements"));
  CHECK_THAT(line("/name/first=1"), Catch::StartsWith("--set: /name: \"x\" has no keys"));
  CHECK_THAT(line("/cluster={\"nodes\":1,\"nodes\":2}"), Catch::StartsWith("--set: /cluster/nodes: duplicate key"));
  CHECK_THAT(line("cluster/nodes=3"), Catch::Contains("is not an override"));
  CHECK_THAT(line("/cluster/nodes"), Catch::Contains("is not an override"));
  CHECK_THAT(line("=3"), Catch::Contains("is not an override"));
  CHECK_THAT(line("/a~2=3"), Catch::Contains("is not an override"));
}

TEST_CASE("the digest tells scenarios apart, and nothing else") {
  const std::uint64_t digest = read(kSmallest).digest;
  CHECK(digest ==
        read(R"({"tenants": [{"name": "a"}], /* same */ "cluster": {}, "duration": "60s", "name": "x", "schema": 1.0})")
            .digest);
  CHECK(digest == read(kSmallest, {"/seed=7"}).digest);
  CHECK(digest != read(kSmallest, {"/duration=61s"}).digest);
  CHECK(read(kSmallest, {"/cluster/nodes=4"}).digest ==
        read(R"({"schema": 1, "name": "x", "duration": "60s", "cluster": {"nodes": 4}, "tenants": [{"name": "a"}]})")
            .digest);
}

TEST_CASE("files that cannot be a scenario are refused without reading them") {
  const Folder folder;
  CHECK_THAT(first_fault(folder.path() + "/none.json"), Catch::Contains("no such file"));
  CHECK_THAT(first_fault(folder.path()), Catch::Contains("is a directory"));
  CHECK_THAT(first_fault("/dev/zero"), Catch::Contains("not a plain file"));
  CHECK_THAT(first_fault(folder.write("empty.json", "")), Catch::Contains("empty"));
  const std::string huge = folder.write("huge.json", "{}");
  std::filesystem::resize_file(huge, std::uintmax_t{1} << 30U);  // sparse
  CHECK_THAT(first_fault(huge), Catch::Contains("has 1073741824 bytes"));
  std::filesystem::create_symlink(folder.path() + "/loop.json", folder.path() + "/loop.json");
  CHECK_THAT(first_fault(folder.path() + "/loop.json"), Catch::Contains("cannot be found"));
}

TEST_CASE("traces are found beside the scenario and split by tenant id") {
  const Folder folder;
  folder.write("t.csv", "arrival_ms,who,work_ms\n5,a,10\n7,b,20\n9,a,30\n");
  const std::string path =
      folder.write("s.json", R"({"schema": 1, "name": "x", "duration": "60s", "cluster": {}, "tenants": [
    {"name": "renamed", "id": "a", "rows": {"arrivals": {"kind": "trace", "file": "t.csv", "time": "arrival_ms", "tenant": "who", "service": "work_ms"}}},
    {"name": "all", "rows": {"arrivals": {"kind": "trace", "file": "t.csv", "time": "arrival_ms"},
                             "service": {"kind": "empirical", "file": "t.csv", "column": "work_ms"}}}]})");
  const Result<Scenario> scenario = read_scenario(path);
  if (!scenario) {
    FAIL(scenario.faults().front().text());
  }
  const auto& mine = std::get<TraceArrivals>(*scenario.value().tenants[0].rows->arrivals);
  REQUIRE(mine.entries->size() == 2);
  CHECK(mine.has_service);
  CHECK((*mine.entries)[1].at == Time::at(Duration::milliseconds(9)));
  CHECK((*mine.entries)[1].service == Duration::milliseconds(30));
  const RowsSpec& all = *scenario.value().tenants[1].rows;
  CHECK(std::get<TraceArrivals>(*all.arrivals).entries->size() == 3);
  CHECK(std::get<EmpiricalSpec>(all.service).values.size() == 3);
}

TEST_CASE("requests come from traces as rows do") {
  const Folder folder;
  folder.write("t.csv", "arrival_ms,who,work_ms\n5,a,10\n7,b,20\n9,a,30\n");
  const std::string path = folder.write("s.json", R"({"schema": 1, "name": "x", "duration": "60s", "cluster": {},
    "admission": {}, "tenants": [{"name": "b", "requests": {"arrivals":
      {"kind": "trace", "file": "t.csv", "time": "arrival_ms", "tenant": "who", "service": "work_ms"}}}]})");
  const Result<Scenario> scenario = read_scenario(path);
  if (!scenario) {
    FAIL(scenario.faults().front().text());
  }
  const auto& trace = std::get<TraceArrivals>(scenario.value().tenants[0].requests->arrivals);
  REQUIRE(trace.entries->size() == 1);
  CHECK(trace.has_service);
  CHECK((*trace.entries)[0].at == Time::at(Duration::milliseconds(7)));
  CHECK((*trace.entries)[0].service == Duration::milliseconds(20));
}

TEST_CASE("a trace that is none is a fault of the scenario that names it") {
  const Folder folder;
  const std::string path = folder.path() + "/s.json";
  const std::string trace = R"(/tenants/0/rows={"arrivals":{"kind":"trace","file":"s.json","time":"t"}})";
  folder.write("s.json", kSmallest);
  const std::vector<std::string> overrides = {trace};
  const Result<Scenario> scenario = read_scenario(path, overrides);
  REQUIRE_FALSE(scenario);
  CHECK(scenario.faults().front().pointer == "/tenants/0/rows/arrivals/file");
}
