// How the gate, requests and their clients are read from a scenario.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "sim/scenario/cluster_config.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "tests/sim/scenario/malformed_cases.hpp"

using namespace headroom;
using headroom::test::sound_scenario;

namespace {

constexpr const char* kGated = R"({"schema": 1, "name": "x", "duration": "60s", "cluster": {}, "admission": {},
  "tenants": [{"name": "a", "requests": {"arrivals": {"kind": "poisson", "rate": "5/s"}}}]})";

Scenario read(const std::string& text, const std::vector<std::string>& overrides = {}) {
  Result<Scenario> scenario = read_scenario_text(text, "x.json", overrides);
  if (!scenario) {
    FAIL(scenario.faults().front().text());
  }
  return std::move(scenario.value());
}

AdmissionSection admission_with(const std::vector<std::string>& overrides) {
  return *read(kGated, overrides).admission;
}

std::string first_fault(const std::string& text, const std::vector<std::string>& overrides) {
  const Result<Scenario> scenario = read_scenario_text(text, "x.json", overrides);
  REQUIRE_FALSE(scenario);
  return scenario.faults().front().text();
}

std::optional<std::uint32_t> max_inflight(const std::vector<std::string>& overrides) {
  const Scenario scenario = read(kGated, overrides);
  return max_inflight_of(*scenario.admission, scenario.cluster);
}

}  // namespace

TEST_CASE("an empty admission section is a gate without limits at which nobody waits") {
  const AdmissionSection admission = admission_with({});
  CHECK_FALSE(admission.max_inflight);
  CHECK(admission.max_queue_depth == 0U);
  CHECK(admission.queue_wait == Duration::zero());
  CHECK(admission.queue_order == QueueOrder::tenant_round_robin);
  CHECK(admission.retry_after == 1);
  CHECK(admission.retry_after_jitter == 0);
  CHECK(admission.retry_after_form == RetryAfterForm::seconds);
  CHECK_FALSE(admission.readiness);
  CHECK_FALSE(admission.database_pool);
  CHECK_FALSE(admission.downstream);
  CHECK_FALSE(admission.health_check);
  CHECK(admission.tenant == TenantLimits{});
  const GateConfig gate = cluster_config(read(kGated)).admission->gate;
  CHECK(gate.limits == GateLimits{std::nullopt, 0});
  CHECK_FALSE(gate.may_wait);
}

TEST_CASE("every key of the admission section is read") {
  const AdmissionSection admission = *read(sound_scenario()).admission;
  CHECK(admission.max_inflight == std::optional<std::uint32_t>(16));
  CHECK(admission.max_queue_depth == 64U);
  CHECK(admission.queue_wait == Duration::milliseconds(200));
  CHECK(admission.queue_order == QueueOrder::fifo);
  CHECK(admission.retry_after == 1);
  CHECK(admission.retry_after_jitter == 2);
  CHECK(admission.retry_after_form == RetryAfterForm::http_date);
  CHECK(admission.readiness->depth_high == 48U);
  CHECK(admission.readiness->depth_low == 16U);
  CHECK(admission.readiness->lag_high == Duration::milliseconds(150));
  CHECK(admission.readiness->lag_low == Duration::milliseconds(50));
  CHECK(admission.database_pool->size == 100);
  CHECK(admission.database_pool->reserve == 4);
  CHECK(admission.database_pool->checkout_timeout == Duration::seconds(1));
  CHECK(admission.downstream->size == 50);
  CHECK(admission.downstream->checkout_timeout == Duration::seconds(1));
  CHECK(admission.downstream->part == Decimal{500'000'000});
  CHECK(admission.tenant == TenantLimits{8, 8, RateLimit{50'000'000'000, 20}});
  CHECK(admission.load_balancer.policy == BalancingPolicy::sticky);
  CHECK(admission.load_balancer.reaction_delay == Duration::seconds(1));
  CHECK(admission.load_balancer.panic_share == Decimal{500'000'000});
  CHECK(admission.health_check->interval == Duration::seconds(5));
  CHECK(admission.health_check->service == Duration::milliseconds(2));
  CHECK(admission.health_check->timeout == Duration::seconds(1));
}

TEST_CASE("every key of requests and their client is read") {
  const RequestsSpec requests = *read(sound_scenario()).tenants[0].requests;
  CHECK(std::get<ClosedLoopArrivals>(requests.arrivals).clients == 5);
  CHECK(std::get<ConstantSpec>(requests.service).value == Duration::milliseconds(10));
  CHECK(requests.failure == Decimal{100'000'000});
  CHECK(requests.fan_out == 2);
  CHECK(requests.client.timeout == Duration::seconds(1));
  CHECK(requests.client.on_timeout == OnTimeout::silent);
  CHECK(requests.client.idempotency_key);
  CHECK(std::get<ExponentialSpec>(*requests.client.patience).mean == Duration::seconds(30));
  const RetrySpec& retry = requests.client.retry;
  CHECK(retry.kind == RetryKind::exponential);
  CHECK(retry.delay == Duration::milliseconds(100));
  CHECK(retry.multiplier == Decimal::whole(2));
  CHECK(retry.max_delay == Duration::seconds(1));
  CHECK(retry.jitter == RetryJitter::full);
  CHECK(retry.attempts == 3U);
  CHECK(retry.budget == Decimal{100'000'000});
  CHECK(retry.honour_retry_after);
}

TEST_CASE("a client that says nothing waits without end and never tries again") {
  const ClientSpec client = read(kGated).tenants[0].requests->client;
  CHECK_FALSE(client.timeout);
  CHECK_FALSE(client.patience);
  CHECK(client.on_timeout == OnTimeout::disconnect);
  CHECK(client.retry.kind == RetryKind::none);
  CHECK(client.idempotency_key);
}

TEST_CASE("a bound of the queue that stands alone has no other beside it") {
  AdmissionSection admission = admission_with({"/admission/max_queue_depth=5"});
  CHECK(admission.max_queue_depth == 5U);
  CHECK_FALSE(admission.queue_wait);
  admission = admission_with({"/admission/queue_wait=2s"});
  CHECK_FALSE(admission.max_queue_depth);
  CHECK(admission.queue_wait == Duration::seconds(2));
  admission = admission_with({"/admission/queue_wait=unbounded", "/admission/max_queue_depth=unbounded"});
  CHECK_FALSE(admission.max_queue_depth);
  CHECK_FALSE(admission.queue_wait);
  CHECK(cluster_config(read(kGated, {"/admission/max_queue_depth=5"})).admission->gate.may_wait);
  CHECK_FALSE(cluster_config(read(kGated, {"/admission/queue_wait=0s"})).admission->gate.may_wait);
}

TEST_CASE("a semaphore that nobody sized has the pool without its reserve, divided by the processes of the fleet") {
  const std::string pool = R"(/admission/database_pool={"size":100,"reserve":4})";
  CHECK(max_inflight({}) == std::nullopt);
  CHECK(max_inflight({pool, "/cluster/nodes=3", "/cluster/processes=2"}) == 16U);  // 96 / 6
  CHECK(max_inflight({pool, "/cluster/nodes=7", "/cluster/processes=1"}) == 13U);  // 96 / 7 = 13.7
  CHECK(max_inflight({pool, "/cluster/nodes=97", "/cluster/processes=1"}) == 0U);
  CHECK(max_inflight({pool, "/admission/max_inflight=40"}) == 40U);
  CHECK(max_inflight({pool, "/admission/max_inflight=unbounded"}) == std::nullopt);
  CHECK(max_inflight({"/admission/max_inflight=40"}) == 40U);
}

TEST_CASE("a tenant's own limits replace those of all tenants key by key") {
  const std::string all = R"(/admission/tenant={"max_inflight":8,"max_queue_depth":9,"rate_limit":{"rate":"5/s"}})";
  const auto limits = [&](const std::string& own) {
    return read(kGated, {all, "/tenants/0/admission=" + own}).tenants[0].admission;
  };
  const RateLimit five{5'000'000'000, 1};
  CHECK(limits("{}") == TenantLimits{8, 9, five});
  CHECK(limits(R"({"max_inflight": 2})") == TenantLimits{2, 9, five});
  CHECK(limits(R"({"max_inflight": "unbounded", "max_queue_depth": 0})") == TenantLimits{std::nullopt, 0, five});
  CHECK(limits(R"({"rate_limit": {"rate": "1/m", "burst": 3}})") == TenantLimits{8, 9, RateLimit{16'666'667, 3}});
  CHECK(limits(R"({"rate_limit": "unbounded"})") == TenantLimits{8, 9, std::nullopt});
}

TEST_CASE("the model's configuration has what the scenario says of the HTTP side") {
  const ClusterConfig config = cluster_config(read(sound_scenario(), {"/tenants/1/rows/database_pool=true"}));
  REQUIRE(config.admission);
  CHECK(config.admission->processes == 2);
  CHECK(config.admission->gate.limits == GateLimits{16, 64});
  CHECK(config.admission->gate.may_wait);
  CHECK(config.admission->gate.order == QueueOrder::fifo);
  CHECK(config.admission->gate.retry_after.seconds == 1);
  CHECK(config.admission->gate.retry_after.jitter == 2);
  CHECK(config.admission->gate.readiness->depth_high == 48U);
  CHECK(config.admission->database_pool->size == 100);
  CHECK(config.admission->database_pool->reserve == 4);
  CHECK(config.admission->downstream->size == 50);
  CHECK(config.admission->downstream->reserve == 0);
  const NamespaceConfig& a = config.namespaces.front();
  CHECK(a.name == "a");
  CHECK(a.fan_out == 2);
  CHECK(a.limits == TenantLimits{std::nullopt, 4, RateLimit{50'000'000'000, 20}});
  CHECK_FALSE(a.rows_use_database_pool);
  const NamespaceConfig& noisy = config.namespaces.back();
  CHECK(noisy.name == "noisy");
  CHECK(noisy.fan_out == 0);
  CHECK(noisy.rows_use_database_pool);
  CHECK_FALSE(cluster_config(read(kGated, {"/admission/queue_wait=0s"})).admission->database_pool);
}

TEST_CASE("rows that come with requests need no arrivals of their own") {
  const Scenario plain = read(kGated, {"/tenants/0/requests/fan_out=3"});
  REQUIRE(plain.tenants[0].rows);
  CHECK_FALSE(plain.tenants[0].rows->arrivals);
  CHECK(std::get<ExponentialSpec>(plain.tenants[0].rows->service).mean == Duration::milliseconds(50));
  const Scenario told = read(kGated, {"/tenants/0/requests/fan_out=3", "/tenants/0/rows={\"workflows\":7}"});
  CHECK(told.tenants[0].rows->workflows == 7);
  CHECK_FALSE(read(kGated).tenants[0].rows);
  CHECK(first_fault(kGated, {"/tenants/0/rows={\"workflows\":7}"}) ==
        "--set: /tenants/0/rows/arrivals: is missing; the other keys need it, or requests with a \"fan_out\"");
}

TEST_CASE("a tenant whose requests are empty has none") {
  CHECK_FALSE(read(kGated, {"/tenants/0/requests={}"}).tenants[0].requests);
}

TEST_CASE("drains and changes of limits are read") {
  const Scenario scenario = read(kGated, {R"(/faults=[
    {"kind":"drain","at":"1s"}, {"kind":"drain","node":"n2","process":1,"for":"5s","every":"10s"},
    {"kind":"limit_change","at":"2s","max_inflight":0,"max_queue_depth":"unbounded"},
    {"kind":"limit_change","at":"2s","node":"n3","tenant":"a","rate_limit":{"rate":"2/s","burst":4}},
    {"kind":"limit_change","at":"3s","tenant":"a","rate_limit":"unbounded"}])"});
  const auto all = std::get<DrainFault>(scenario.faults[0].kind);
  CHECK(all.node.is_none());
  CHECK_FALSE(all.process);
  CHECK_FALSE(all.duration);
  const auto one = std::get<DrainFault>(scenario.faults[1].kind);
  CHECK(one.node == NodeId(1));
  CHECK(one.process == std::uint16_t{1});
  CHECK(one.duration == Duration::seconds(5));
  CHECK(scenario.faults[1].every == Duration::seconds(10));
  const auto process = std::get<LimitChangeFault>(scenario.faults[2].kind);
  CHECK(process.tenant.empty());
  CHECK(process.max_inflight == std::optional<std::uint32_t>(0));
  REQUIRE(process.max_queue_depth);
  CHECK_FALSE(*process.max_queue_depth);
  CHECK_FALSE(process.rate_limit);
  const auto tenant = std::get<LimitChangeFault>(scenario.faults[3].kind);
  CHECK(tenant.tenant == "a");
  CHECK(tenant.node == NodeId(2));
  CHECK_FALSE(tenant.max_inflight);
  CHECK(tenant.rate_limit == std::optional<RateLimit>(RateLimit{2'000'000'000, 4}));
  const auto lifted = std::get<LimitChangeFault>(scenario.faults[4].kind);
  REQUIRE(lifted.rate_limit);
  CHECK_FALSE(*lifted.rate_limit);
}

TEST_CASE("what handlers hold can slow down, where it is there") {
  const std::string pool = R"(/admission/database_pool={"size":9})";
  const std::string next = R"(/admission/downstream={"size":9})";
  const auto shift = [](const std::string& on) {
    return R"(/latency_shifts=[{"kind":"step","on":")" + on + R"(","factor":3,"at":"1s","for":"2s"}])";
  };
  CHECK(read(kGated, {pool, shift("database_pool")}).latency_shifts[0].target == ShiftTarget::database_pool);
  CHECK(read(kGated, {next, shift("downstream")}).latency_shifts[0].target == ShiftTarget::downstream);
  CHECK(first_fault(kGated, {next, shift("database_pool")}) ==
        "--set: /latency_shifts/0/on: there is no \"database_pool\"; \"database_pool\" under \"admission\"");
  CHECK(first_fault(kGated, {pool, shift("downstream")}) ==
        "--set: /latency_shifts/0/on: there is no \"downstream\"; \"downstream\" under \"admission\"");
}

TEST_CASE("requests and limits without a gate are refused with a way to get one") {
  const std::string without = R"({"schema": 1, "name": "x", "duration": "60s", "cluster": {}, "tenants": [
    {"name": "a", "requests": {"arrivals": {"kind": "poisson", "rate": "5/s"}}}]})";
  CHECK(first_fault(without, {}) ==
        "x.json: /tenants/0/requests: there is no gate that could admit them; a section \"admission\" of the scenario; "
        "{} "
        "is a gate without limits");
  CHECK_THAT(first_fault(without, {"/tenants/0/requests={}", "/tenants/0/admission={\"max_inflight\":1}"}),
             Catch::Contains("/tenants/0/admission: there is no gate that could heed it"));
  CHECK_FALSE(read(without, {"/tenants/0/requests={}", "/tenants/0/admission={}"}).admission);
  CHECK_THAT(first_fault(without, {"/tenants/0/requests={}", "/faults=[{\"kind\":\"drain\",\"at\":\"1s\"}]"}),
             Catch::Contains("/faults/0/kind: there is no gate"));
}

TEST_CASE("a client that does not think is refused where its answer may come in no time, and only there") {
  const std::string loop = R"(/tenants/0/requests/arrivals={"kind":"closed_loop","clients":3,
    "think":{"kind":"constant","value":"0s"}})";
  const std::string cap = "/admission/max_inflight=2";
  const std::string endless = "/admission/max_queue_depth=unbounded";
  const std::string instant = R"(/tenants/0/requests/service={"kind":"constant","value":"0s"})";
  const auto retry = [](const std::string& keys) {
    return R"(/tenants/0/requests/client={"retry":{"kind":"fixed",)" + keys + "}}";
  };
  const std::string crash = R"(/faults=[{"kind":"crash","node":"n1","at":"1s"}])";
  const std::vector<std::vector<std::string>> moving = {
      {loop},
      {loop, cap, endless},
      {loop, cap, retry(R"("delay":"1ms")")},
      {loop, cap, retry(R"("delay":"0s")")},  // waits as it is told
      {loop, crash, retry(R"("delay":"1ms")")},
  };
  for (const std::vector<std::string>& overrides : moving) {
    INFO(overrides.back());
    CHECK(read(kGated, overrides).admission);
  }
  const std::vector<std::pair<std::vector<std::string>, std::string>> standing = {
      {{loop, instant}, "served"},
      {{loop, cap}, "refused"},
      {{loop, cap, "/admission/queue_wait=1s", "/admission/max_queue_depth=4"}, "refused"},
      {{loop, cap, endless, "/admission/tenant={\"max_queue_depth\":4}"}, "refused"},
      {{loop, "/admission/tenant={\"rate_limit\":{\"rate\":\"1/s\"}}"}, "refused"},
      {{loop, cap, retry(R"("delay":"0s","honour_retry_after":false)")}, "refused"},
      {{loop, cap, retry(R"("delay":"1ms","budget":0.5)")}, "refused"},
      {{loop, R"(/faults=[{"kind":"drain","at":"1s"}])"}, "refused"},
      {{loop, crash}, "turned away"},
      {{loop, crash, retry(R"("delay":"0s")")}, "turned away"},
      {{loop, "/admission/load_balancer={\"panic_share\":0}"}, "turned away"},
  };
  for (const auto& [overrides, answered] : standing) {
    INFO(overrides.back());
    CHECK(first_fault(kGated, overrides) ==
          "--set: /tenants/0/requests/arrivals/think: 0s lets a client whose requests "
          "are " +
              answered + " at once send them for ever in no time; a time above 0");
  }
}

TEST_CASE("retries without a number and without a delay are refused") {
  const auto client = [](const std::string& keys) {
    return R"(/tenants/0/requests/client={"retry":{"kind":"fixed",)" + keys + "}}";
  };
  CHECK_THAT(first_fault(kGated, {client(R"("delay":"0s","attempts":"unbounded")")}),
             Catch::Contains("/retry/attempts: \"unbounded\" with a delay of 0s"));
  CHECK_FALSE(
      read(kGated, {client(R"("delay":"1ns","attempts":"unbounded")")}).tenants[0].requests->client.retry.attempts);
  CHECK(read(kGated, {client(R"("delay":"0s","attempts":"unbounded","budget":0.1)")}).admission);
  CHECK(read(kGated, {client(R"("delay":"0s","attempts":1000000)")}).admission);
}

TEST_CASE("gates keep a state for each tenant in each process, so their number is bounded") {
  const std::vector<std::string> fleet = {"/cluster/nodes=64", "/cluster/processes=64", "/cluster/shards=64"};
  std::vector<std::string> overrides = fleet;
  overrides.emplace_back("/tenants/0/count=4096");  // 2^12 processes, 2^12 tenants
  CHECK(read(kGated, overrides).cluster.processes == 64);
  overrides.back() = "/tenants/0/count=4097";
  CHECK(first_fault(kGated, overrides) ==
        "x.json: /tenants: 16781312 pairs of a process and a tenant; at most 16777216");
}
