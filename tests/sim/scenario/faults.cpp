// Every kind of fault, every switch, and what scenarios without a gate may not ask for.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <variant>
#include <vector>

#include "sim/run/marks.hpp"
#include "sim/scenario/cluster_config.hpp"
#include "sim/scenario/read_scenario.hpp"

using namespace headroom;

namespace {

constexpr const char* kWithRequests = R"({
  "schema": 1, "name": "x", "duration": "60s", "cluster": {"nodes": 3}, "backpressure": {"quota_cache_ttl": "2s"},
  "admission": {},
  "tenants": [{"name": "a", "rows": {"workflows": 3},
               "requests": {"arrivals": {"kind": "poisson", "rate": "5/s"}, "fan_out": 1}},
              {"name": "many", "count": 100, "rows": {"arrivals": {"kind": "poisson", "rate": "5/s"}}}]
})";

Result<Scenario> with_fault(const std::string& fault, const std::string& text = kWithRequests) {
  const std::vector<std::string> sets = {"/faults=[" + fault + "]"};
  return read_scenario_text(text, "x.json", sets);
}

Fault read_fault(const std::string& text) {
  Result<Scenario> scenario = with_fault(text);
  if (!scenario) {
    FAIL(scenario.faults().front().text());
  }
  return scenario.value().faults.at(0);
}

template <class Kind>
Kind kind_of(const std::string& text) {
  return std::get<Kind>(read_fault(text).kind);
}

std::string refusal(const std::string& fault, const std::string& text = kWithRequests) {
  const Result<Scenario> scenario = with_fault(fault, text);
  REQUIRE_FALSE(scenario);
  return scenario.faults().front().text();
}

const NodeId kNode1(0);
const NodeId kNode2(1);

}  // namespace

TEST_CASE("a fault comes at an instant, at a period, or at random") {
  const Fault once = read_fault(R"({"kind": "crash", "node": "n2", "at": "3s"})");
  CHECK(once.at == Time::at(Duration::seconds(3)));
  CHECK_FALSE(once.every);
  CHECK_FALSE(once.rate);
  const Fault periodic = read_fault(R"({"kind": "crash", "node": "n2", "every": "4s"})");
  CHECK(periodic.at == Time::at(Duration::seconds(4)));
  CHECK(periodic.every == Duration::seconds(4));
  CHECK(read_fault(R"({"kind": "crash", "node": "n2", "at": "1s", "every": "4s"})").at ==
        Time::at(Duration::seconds(1)));
  const Fault random = read_fault(R"({"kind": "crash", "node": "n2", "rate": "0.5/s"})");
  CHECK(random.at == Time::zero());
  REQUIRE(random.rate);
  CHECK(random.rate->nanohertz == 500'000'000);
  CHECK(random.dwell == Duration::zero());
  const Fault late = read_fault(R"({"kind": "crash", "node": "n2", "rate": "1/m", "at": "9s", "dwell": "250ms"})");
  CHECK(late.at == Time::at(Duration::seconds(9)));
  CHECK(late.dwell == Duration::milliseconds(250));
}

TEST_CASE("faults of nodes are read to the last key") {
  CHECK(kind_of<CrashFault>(R"({"kind": "crash", "node": "n2", "at": "1s"})").node == kNode2);
  CHECK(kind_of<RestartFault>(R"({"kind": "restart", "node": "n2", "at": "1s"})").node == kNode2);
  CHECK(kind_of<JoinFault>(R"({"kind": "join", "node": "n2", "at": "1s"})").node == kNode2);
  CHECK(kind_of<LeaveFault>(R"({"kind": "leave", "node": "n2", "at": "1s"})").node == kNode2);
  CHECK(kind_of<LostWakeUpFault>(R"({"kind": "lost_wake_up", "node": "n2", "at": "1s"})").node == kNode2);
  const auto pause = kind_of<PauseFault>(R"({"kind": "pause", "node": "n2", "for": "7s", "at": "1s"})");
  CHECK(pause.node == kNode2);
  CHECK(pause.duration == Duration::seconds(7));
  const auto partition = kind_of<PartitionFault>(R"({"kind": "partition", "node": "n2", "for": "7s", "at": "1s"})");
  CHECK(partition.node == kNode2);
  CHECK(partition.duration == Duration::seconds(7));
  CHECK_FALSE(partition.one_way);
  CHECK(kind_of<PartitionFault>(R"({"kind": "partition", "node": "n1", "for": "7s", "at": "1s", "one_way": true})")
            .one_way);
  const auto skew = kind_of<ClockSkewFault>(R"({"kind": "clock_skew", "node": "n2", "offset": "-11s", "at": "1s"})");
  CHECK(skew.node == kNode2);
  CHECK(skew.offset == Duration::zero() - Duration::seconds(11));
}

TEST_CASE("faults of the store, its quotas and the workers are read to the last key") {
  CHECK(kind_of<StoreErrorFault>(R"({"kind": "store_error", "at": "1s"})").node.is_none());
  CHECK(kind_of<StoreErrorFault>(R"({"kind": "store_error", "at": "1s"})").release);
  const auto leak =
      kind_of<StoreErrorFault>(R"({"kind": "store_error", "node": "n1", "claimed": "leak", "rate": "1/s"})");
  CHECK(leak.node == kNode1);
  CHECK_FALSE(leak.release);
  CHECK(kind_of<StoreErrorFault>(R"({"kind": "store_error", "claimed": "release", "at": "1s"})").release);
  const auto slow =
      kind_of<StoreSlownessFault>(R"({"kind": "store_slowness", "factor": 2.5, "for": "1s", "at": "1s"})");
  CHECK(slow.factor.billionths == 2'500'000'000);
  CHECK(slow.duration == Duration::seconds(1));
  CHECK(kind_of<WorkerDeathFault>(R"({"kind": "worker_death", "at": "1s"})").node.is_none());
  CHECK(kind_of<WorkerDeathFault>(R"({"kind": "worker_death", "node": "n2", "at": "1s"})").node == kNode2);
  const auto hang = kind_of<WorkerHangFault>(R"({"kind": "worker_hang", "node": "n2", "for": "9s", "every": "5s"})");
  CHECK(hang.node == kNode2);
  CHECK(hang.duration == Duration::seconds(9));  // other rows may hang meanwhile
  const auto unread = kind_of<QuotaErrorFault>(R"({"kind": "quota_error", "node": "n2", "for": "9s", "at": "5s"})");
  CHECK(unread.node == kNode2);
  CHECK(unread.duration == Duration::seconds(9));
}

TEST_CASE("faults of tenants and clients are read to the last key") {
  const auto append =
      kind_of<DuplicateAppendFault>(R"({"kind": "duplicate_append", "tenant": "a", "n": 7, "at": "1s"})");
  CHECK(append.tenant == "a");
  CHECK(append.n == 7);
  using What = WorkflowFault::What;
  const auto pause =
      kind_of<WorkflowFault>(R"({"kind": "workflow_pause", "tenant": "a", "workflow": 3, "for": "2s", "at": "1s"})");
  CHECK(pause.what == What::pause);
  CHECK(pause.tenant == "a");
  CHECK(pause.workflow == 3U);
  CHECK(pause.duration == Duration::seconds(2));
  const auto resume = kind_of<WorkflowFault>(R"({"kind": "workflow_resume", "tenant": "a", "at": "1s"})");
  CHECK(resume.what == What::resume);
  CHECK_FALSE(resume.workflow);
  CHECK(kind_of<WorkflowFault>(R"({"kind": "workflow_end", "tenant": "many", "at": "1s"})").what == What::end);
  const auto quota = kind_of<QuotaChangeFault>(R"({"kind": "quota_change", "tenant": "many", "quota": 0, "at": "1s"})");
  CHECK(quota.tenant == "many");
  CHECK(quota.quota == 0);
  using Stage = ClientDisconnectFault::Stage;
  const auto leaving = [](const std::string& more) {
    return kind_of<ClientDisconnectFault>(R"({"kind": "client_disconnect", "tenant": "a", "at": "1s")" + more + "}");
  };
  CHECK(leaving("").tenant == "a");
  CHECK(leaving("").stage == Stage::any);
  CHECK(leaving(R"(, "stage": "waiting")").stage == Stage::waiting);
  CHECK(leaving(R"(, "stage": "running")").stage == Stage::running);
  CHECK(kind_of<HandlerFailureFault>(R"({"kind": "handler_failure", "tenant": "a", "at": "1s"})").tenant == "a");
}

TEST_CASE("a fault of the HTTP side needs the section admission") {
  const std::string without = R"({"schema": 1, "name": "x", "duration": "60s", "cluster": {},
    "tenants": [{"name": "a", "rows": {"arrivals": {"kind": "poisson", "rate": "5/s"}}}]})";
  for (const std::string kind : {"client_disconnect", "handler_failure"}) {
    CHECK(refusal(R"({"tenant": "a", "at": "1s", "kind": ")" + kind + "\"}", without)
              .find("/faults/0/kind: there is no gate; a section \"admission\"") != std::string::npos);
  }
}

TEST_CASE("a workflow, a tenant with rows and a tenant with requests must be there") {
  CHECK(refusal(R"({"kind": "workflow_end", "tenant": "a", "workflow": 4, "at": "1s"})")
            .find("tenant \"a\" has no workflow 4; workflows are 1 to 3") != std::string::npos);
  CHECK(refusal(R"({"kind": "handler_failure", "tenant": "many", "at": "1s"})")
            .find("tenant \"many\" sends no requests") != std::string::npos);
  CHECK(refusal(R"({"kind": "duplicate_append", "tenant": "many", "n": 1000000, "at": "1s"})")
            .find("100000000 rows at once; at most 67108864") != std::string::npos);
  const std::string idle =
      R"({"schema": 1, "name": "x", "duration": "60s", "cluster": {}, "tenants": [{"name": "a"}]})";
  CHECK(refusal(R"({"kind": "workflow_pause", "tenant": "a", "at": "1s"})", idle).find("tenant \"a\" has no rows") !=
        std::string::npos);
}

TEST_CASE("switches are read, and their defaults are the safe values") {
  const Result<Scenario> safe = read_scenario_text(kWithRequests, "x.json");
  REQUIRE(safe);
  CHECK_FALSE(safe.value().swarm);
  CHECK(safe.value().outbox.settle_guard == SettleGuard::fence);
  CHECK(safe.value().outbox.rearm_pass == RearmPassKind::one_step);
  CHECK_FALSE(safe.value().outbox.rearm_counts_attempt);
  CHECK_FALSE(safe.value().outbox.lease_renewal);
  CHECK(safe.value().backpressure.fraction_refresh == FractionRefresh::live);
  CHECK(safe.value().backpressure.on_quota_error == OnQuotaError::last_known);
  CHECK(safe.value().backpressure.scope_on_loss == ScopeOnLoss::narrow);
  CHECK(safe.value().backpressure.zero_owned == ZeroOwned::zero);
  CHECK_FALSE(safe.value().tenants[1].rows->visible_jitter);

  const std::vector<std::string> sets = {
      "/swarm=true",
      R"(/outbox={"settle_guard": "none", "rearm_pass": "list_and_act", "rearm_act_delay": "7ms",
                  "rearm_counts_attempt": true, "lease_renewal": true})",
      R"(/backpressure={"fraction_refresh": "at_boot", "quota_cache_ttl": "3s", "on_quota_error": "closed",
                        "scope_on_loss": "keep", "zero_owned": "counts_as_one"})",
      R"(/tenants/1/rows/visible_jitter={"kind": "uniform", "low": "0s", "high": "9ms"})"};
  const Result<Scenario> read = read_scenario_text(kWithRequests, "x.json", sets);
  REQUIRE(read);
  const Scenario& unsafe = read.value();
  CHECK(unsafe.swarm);
  CHECK(unsafe.outbox.rearm_act_delay == Duration::milliseconds(7));
  CHECK(unsafe.backpressure.quota_cache_ttl == Duration::seconds(3));
  CHECK(std::get<UniformSpec>(*unsafe.tenants[1].rows->visible_jitter).high == Duration::milliseconds(9));
  CHECK(unsafe.digest != safe.value().digest);
  const ClusterConfig config = cluster_config(unsafe);
  CHECK(config.settle_guard == SettleGuard::none);
  CHECK(config.rearm_pass == RearmPassKind::list_and_act);
  CHECK(config.rearm_counts_attempt);
  CHECK(config.lease_renewal);
  CHECK(config.fraction_refresh == FractionRefresh::at_boot);
  CHECK(config.quota_cached);
  CHECK(config.on_quota_error == OnQuotaError::closed);
  CHECK(config.scope_on_loss == ScopeOnLoss::keep);
  CHECK(config.zero_owned == ZeroOwned::counts_as_one);
}

TEST_CASE("a node that joins is absent before, and the others own its shards") {
  const Result<Scenario> scenario = with_fault(R"({"kind": "join", "node": "n2", "at": "5s"})");
  REQUIRE(scenario);
  const ClusterConfig config = cluster_config(scenario.value());
  CHECK(config.absent == std::vector<NodeId>{kNode2});
  CHECK(std::ranges::count(config.initial_owner, kNode1) == 32);
  CHECK(std::ranges::count(config.initial_owner, kNode2) == 0);
}

TEST_CASE("what lasts for a while is marked for so long, and what the seed draws is not marked") {
  const auto marks = [](const std::string& fault) {
    const Result<Scenario> scenario = with_fault(fault);
    REQUIRE(scenario);
    return marks_of(scenario.value());
  };
  const std::vector<Mark> pause = marks(R"({"kind": "pause", "node": "n2", "at": "50s", "for": "4s"})");
  REQUIRE(pause.size() == 1);
  CHECK(pause[0].label == "pause of n2");
  CHECK(pause[0].until == Time::at(Duration::seconds(54)));
  const std::vector<Mark> partition =
      marks(R"({"kind": "partition", "one_way": true, "node": "n2", "at": "50s", "for": "40s"})");
  REQUIRE(partition.size() == 1);
  CHECK(partition[0].label == "one-way partition of n2");
  CHECK(partition[0].until == Time::at(Duration::seconds(60)));
  CHECK(marks(R"({"kind": "clock_skew", "node": "n2", "offset": "-11s", "at": "5s"})").at(0).label ==
        "clock of n2 off by -11s");
  CHECK(marks(R"({"kind": "workflow_end", "tenant": "a", "workflow": 2, "every": "20s"})").size() == 2);
  CHECK(marks(R"({"kind": "crash", "node": "n2", "rate": "5/s"})").empty());
}
