// The properties of the HTTP side (spec 2.4): each kind of breach is seen, and what is right is not mistaken for one.
// Breaches are effects that the cluster did not have: what would be seen if it broke its word.
#include <catch2/catch.hpp>

#include "tests/model/cluster/small_fleet.hpp"

namespace headroom::test {
namespace {

constexpr RateLimit kOneASecond{.nanohertz = 1'000'000'000, .burst = 1};

Effect effect_on(EffectKind kind, std::uint32_t request, std::uint32_t tenant = 0) {
  return {.kind = kind,
          .node = NodeId(0),
          .process = ProcessId(0),
          .name = NamespaceId(tenant),
          .request = RequestId(request)};
}
Effect starts(std::uint32_t request, bool waited = false, std::uint32_t tenant = 0) {
  Effect effect = effect_on(EffectKind::request_admitted, request, tenant);
  effect.live = !waited;
  return effect;
}
Effect ends(std::uint32_t request, HandlerOutcome outcome = HandlerOutcome::succeeded) {
  Effect effect = effect_on(EffectKind::request_finished, request);
  effect.detail = static_cast<std::uint8_t>(outcome);
  return effect;
}
Effect refused(std::uint32_t request, Refusal refusal, std::int64_t retry_after = 1, bool waited = false) {
  Effect effect = effect_on(EffectKind::request_refused, request);
  effect.detail = static_cast<std::uint8_t>(refusal);
  effect.value = retry_after;
  effect.live = waited;
  return effect;
}

SmallFleet small(const GateLimits& limits = {}, const TenantLimits& tenant = {}, bool may_wait = true,
                 QueueOrder order = QueueOrder::fifo) {
  return SmallFleet(fleet_of({api_tenant("a", tenant), api_tenant("b", tenant), api_tenant("c", tenant)},
                             {.limits = limits, .may_wait = may_wait, .order = order}));
}

std::string reason(const SmallFleet& fleet, std::string_view property) {
  const PropertyOutcome outcome = fleet.outcome(property);
  return outcome.held == Held::no ? outcome.reason : "";
}

// -- gate_safety ------------------------------------------------------------------------------------------------------

TEST_CASE("a start beyond a cap is seen", "[gate_safety]") {
  SmallFleet own = small({.max_inflight = 5}, {.max_inflight = 1});
  own.arrive(0);
  own.show({starts(1)});
  CHECK(reason(own, "gate_safety") ==
        "tenant a on n1: a request started with 1 of 1 in flight and 0 of any number waiting; process: 1 of 5 and 0 of "
        "any number");
  SmallFleet shared = small({.max_inflight = 1});
  shared.arrive(1);
  shared.show({starts(1)});
  CHECK(reason(shared, "gate_safety") ==
        "tenant a on n1: a request started with 0 of any number in flight and 0 of any number waiting; process: 1 of 1 "
        "and 0 of any number");
}

TEST_CASE("a wait beyond a depth, or where nobody may wait, is seen", "[gate_safety]") {
  SmallFleet full = small({.max_inflight = 1, .max_queue_depth = 1});
  full.arrive_times(2, 0);
  full.show({effect_on(EffectKind::request_queued, 2)});
  CHECK(
      reason(full, "gate_safety") ==
      "tenant a on n1: a request began to wait with 1 of any number in flight and 1 of any number waiting; process: 1 "
      "of 1 and 1 of 1");
  SmallFleet no_wait = small({.max_inflight = 1}, {}, false);
  no_wait.arrive(0);
  no_wait.show({effect_on(EffectKind::request_queued, 1)});
  CHECK(!reason(no_wait, "gate_safety").empty());
}

TEST_CASE("anything that begins while a process drains is seen", "[gate_safety]") {
  SmallFleet fleet = small();
  fleet.step(DrainProcess{ProcessId(0)});
  fleet.show({starts(0)});
  CHECK(reason(fleet, "gate_safety").ends_with("draining"));
}

TEST_CASE("a permit that is leaked or released twice is seen", "[gate_safety]") {
  SmallFleet leaked = small();
  leaked.arrive(0);
  leaked.show({ends(0)});
  CHECK(reason(leaked, "gate_safety") == "n1: holds 1 permits and 0 waiters; its requests say 0 and 0");
  SmallFleet twice = small();
  twice.finish(twice.arrive(0));
  twice.show({ends(0)});
  CHECK(reason(twice, "gate_safety") ==
        "tenant a on n1: a request that was outside is outside, which only one that is running can become");
}

TEST_CASE("a waiter that is granted after it left is seen", "[gate_safety]") {
  SmallFleet fleet = small({.max_inflight = 1});
  fleet.arrive(0);
  fleet.leave(fleet.arrive(0));
  fleet.show({ends(0), starts(1, true)});
  CHECK(reason(fleet, "gate_safety") ==
        "tenant a on n1: a request that was outside is running, which only one that is waiting can become");
}

std::string reason_of_refusal(const Effect& refusal, const GateLimits& limits, const TenantLimits& tenant = {},
                              bool may_wait = false) {
  SmallFleet fleet = small(limits, tenant, may_wait);
  fleet.arrive(0);
  const auto other = fleet.arrive(0);  // whose place the refusal is shown for; it is not inside any more
  fleet.leave(other);
  fleet.finish(other);
  fleet.show({refusal});
  return reason(fleet, "gate_safety");
}

TEST_CASE("a refusal with another reason than the tenant-first rule gives is seen", "[gate_safety]") {
  using enum Refusal;
  const GateLimits one{.max_inflight = 1};
  CHECK(reason_of_refusal(refused(1, process_inflight), one).empty());
  CHECK(reason_of_refusal(refused(1, process_inflight), one, {.max_inflight = 1}) ==
        "tenant a on n1: refused with 503 (process_inflight), but 429 (tenant_inflight) is right with 1 of 1 in flight "
        "and 0 of any number waiting; process: 1 of 1 and 0 of any number");
  CHECK(!reason_of_refusal(refused(1, tenant_inflight), one).empty());
  CHECK(!reason_of_refusal(refused(1, draining), one).empty());
  CHECK(!reason_of_refusal(refused(1, tenant_inflight), one, {.max_inflight = 1, .rate_limit = kOneASecond}).empty());
  CHECK(reason_of_refusal(refused(1, no_token), one, {.rate_limit = kOneASecond}).empty());
  CHECK(!reason_of_refusal(refused(1, no_token), one).empty());
}

TEST_CASE("a refusal of what could have run or waited is seen", "[gate_safety]") {
  CHECK(reason_of_refusal(refused(1, Refusal::process_inflight), {.max_inflight = 2}) ==
        "tenant a on n1: refused with 503 (process_inflight), but it should have run or waited with 1 of any number in "
        "flight and 0 of any number waiting; process: 1 of 2 and 0 of any number");
  CHECK(!reason_of_refusal(refused(1, Refusal::process_queue_full), {.max_inflight = 1}, {}, true).empty());
  CHECK(!reason_of_refusal(refused(1, Refusal::tenant_inflight), {}, {.max_inflight = 1}, true).empty());
}

TEST_CASE("an expired wait with the wrong status is seen", "[gate_safety]") {
  SmallFleet fleet = small({.max_inflight = 1});
  fleet.arrive_times(2, 0);
  fleet.show({refused(1, Refusal::tenant_wait_expired, 1, true)});
  CHECK(reason(fleet, "gate_safety").starts_with("tenant a on n1: refused with 429 (tenant_wait_expired), but 503"));
}

TEST_CASE("a Retry-After below 1 or out of its range is seen", "[gate_safety]") {
  const GateLimits one{.max_inflight = 1};
  CHECK(reason_of_refusal(refused(1, Refusal::process_inflight, 0), one) ==
        "tenant a on n1: Retry-After 0, which should be from 1 to 1");
  CHECK(!reason_of_refusal(refused(1, Refusal::process_inflight, 2), one).empty());
}

TEST_CASE("a request that comes in without a token, or with one that came back too early, is seen", "[gate_safety]") {
  SmallFleet none = small({}, {.rate_limit = kOneASecond});
  none.arrive(0);
  none.show({starts(1)});
  CHECK(reason(none, "gate_safety") == "tenant a on n1: a request came in without a rate token");
  SmallFleet early = small({}, {.rate_limit = kOneASecond});
  early.arrive(0);
  early.pass(Duration::nanoseconds(999'999'999));
  early.step(RefillToken{ProcessId(0), NamespaceId(0), 0});
  early.arrive(0);
  CHECK(reason(early, "gate_safety") ==
        "tenant a on n1: more requests came in than burst 1 and a rate of 1000000000 nHz allow");
}

SmallFleet with_pool(const ResourceConfig& pool) {
  ClusterConfig config = fleet_of({api_tenant("a")}, {});
  config.admission->database_pool = pool;
  return SmallFleet(config);
}

TEST_CASE("connections beyond the pool, or out of the reserve, are seen", "[gate_safety]") {
  SmallFleet over = with_pool({.size = 1});
  over.arrive(0);
  over.show({starts(1), effect_on(EffectKind::resource_granted, 1)});
  CHECK(reason(over, "gate_safety") ==
        "the database pool: 2 units are out to requests and rows and 0 to health checks; size 1, reserve 0");
  SmallFleet reserved = with_pool({.size = 2, .reserve = 1});
  reserved.arrive(0);
  reserved.show({starts(1), effect_on(EffectKind::resource_granted, 1)});
  CHECK(reason(reserved, "gate_safety").ends_with("size 2, reserve 1"));
}

TEST_CASE("a connection that comes back twice or never is seen", "[gate_safety]") {
  SmallFleet twice = with_pool({.size = 2});
  twice.arrive(0);
  twice.show({effect_on(EffectKind::resource_returned, 0), effect_on(EffectKind::resource_returned, 0)});
  CHECK(reason(twice, "gate_safety") == "the database pool: units came back that were not out");
  SmallFleet kept = with_pool({.size = 2});
  kept.arrive(0);
  kept.show({effect_on(EffectKind::resource_returned, 0)});
  CHECK(reason(kept, "gate_safety") ==
        "the database pool: 1 units are out, 0 of them to health checks; its claimants say 0 and 0");
}

TEST_CASE("a wait for a connection while all claimants fit in the pool is seen", "[gate_safety]") {
  SmallFleet fleet = with_pool({.size = 4, .reserve = 1});
  fleet.arrive(0);
  fleet.show({starts(1), effect_on(EffectKind::resource_awaited, 1)});
  CHECK(reason(fleet, "gate_safety") ==
        "the database pool: a claimant waits although 2 handlers and 0 rows fit in 4 less 1 units");
}

TEST_CASE("a request that touches the pool without a permit is seen", "[gate_safety]") {
  SmallFleet fleet = with_pool({.size = 4});
  fleet.set_limits({.max_inflight = 0});
  fleet.show({effect_on(EffectKind::resource_granted, 0)});
  CHECK(reason(fleet, "gate_safety") == "tenant a on n1: a request without a permit uses a shared resource");
}

// -- gate_progress ----------------------------------------------------------------------------------------------------

TEST_CASE("room beside a waiter that could run is seen", "[gate_progress]") {
  SmallFleet fleet = small({.max_inflight = 1});
  fleet.arrive_times(2, 0);
  fleet.show({ends(0)});
  CHECK(reason(fleet, "gate_progress") ==
        "tenant a on n1: 1 of its requests wait, 0 are in flight, and the process has room (0 in flight)");
}

TEST_CASE("room is none for a waiter whose tenant is at its cap", "[gate_progress]") {
  SmallFleet fleet = small({.max_inflight = 5}, {.max_inflight = 1});
  fleet.arrive_times(3, 0);
  fleet.require_held();
}

TEST_CASE("an arrival that starts before a waiter is seen", "[gate_progress]") {
  SmallFleet fleet = small({.max_inflight = 1});
  fleet.arrive_times(2, 0);
  fleet.show({ends(0), starts(2, false, 1)});
  CHECK(reason(fleet, "gate_progress") ==
        "tenant b on n1: a request started at once while tenant a, below its cap, had 1 waiting");
}

// What is said when the waiter of this place is granted out of a, b, a.
std::string reason_of_grant(QueueOrder order, std::uint32_t request, std::uint32_t tenant) {
  SmallFleet fleet = small({.max_inflight = 1}, {}, true, order);
  fleet.arrive(0);
  fleet.arrive(1);
  fleet.arrive(0);
  fleet.arrive(1);
  fleet.show({ends(0), starts(request, true, tenant)});
  return reason(fleet, "gate_progress");
}

TEST_CASE("a hand-over out of order is seen", "[gate_progress]") {
  using enum QueueOrder;
  CHECK(reason_of_grant(fifo, 1, 1).empty());
  CHECK(reason_of_grant(fifo, 2, 0) ==
        "tenant a on n1: a waiter got a permit although it was the turn of tenant b "
        "(hand-over 1)");
  CHECK(reason_of_grant(fifo, 3, 1) ==
        "tenant b on n1: a waiter got a permit although another of the same tenant was "
        "before it (hand-over 1)");
  CHECK(reason_of_grant(lifo, 3, 1).empty());
  CHECK(!reason_of_grant(lifo, 1, 1).empty());
  CHECK(reason_of_grant(tenant_round_robin, 2, 0).empty());
  CHECK(!reason_of_grant(tenant_round_robin, 1, 1).empty());
}

TEST_CASE("how often a tenant was passed over is counted in hand-overs", "[gate_progress]") {
  SmallFleet fleet = small({.max_inflight = 1}, {}, true, QueueOrder::lifo);
  Answer running = fleet.arrive(0);
  fleet.arrive(0);  // is passed over for ever
  for (int i = 0; i < 7; ++i) {
    const Answer next = fleet.arrive(1);
    fleet.finish(running);
    running = next;
  }
  fleet.require_held();
  CHECK(fleet.outcome("gate_progress").value == 7.0);
  CHECK(!fleet.outcome("gate_progress").bound);
}

TEST_CASE("in turn nobody is passed over as often as there are tenants", "[gate_progress]") {
  SmallFleet fleet = small({.max_inflight = 1}, {}, true, QueueOrder::tenant_round_robin);
  std::vector<Answer> all;
  for (std::uint32_t i = 0; i < 30; ++i) {
    all.push_back(fleet.arrive(i % 3));
  }
  for (int ended = 0; ended < 30; ++ended) {
    const auto runs = std::ranges::find_if(all, [&](const Answer& answer) { return fleet.runs(answer); });
    fleet.finish(*runs);
  }
  fleet.require_held();
  CHECK(fleet.outcome("gate_progress").value == 2.0);
  CHECK(fleet.outcome("gate_progress").bound == 2.0);
}

// -- readiness, end_to_end, ledger ------------------------------------------------------------------------------------

SmallFleet with_marks() {
  return SmallFleet(fleet_of(
      {api_tenant("a")},
      {.limits = {.max_inflight = 1}, .may_wait = true, .readiness = ReadinessMarks{.depth_high = 1, .depth_low = 1}}));
}

TEST_CASE("a readiness that depth does not explain is seen", "[readiness]") {
  SmallFleet low = with_marks();
  low.show({effect_on(EffectKind::became_unready, 0)});
  CHECK(reason(low, "readiness") ==
        "n1: not ready, but it should be ready: depth 0, 0 waiters of lag_low or more, 0 above lag_high");
  SmallFleet between = with_marks();
  between.arrive_times(2, 0);
  between.show({effect_on(EffectKind::became_unready, 0)});
  CHECK(reason(between, "readiness").starts_with("n1: not ready, but it should be ready: depth 1"));
  SmallFleet high = with_marks();
  high.arrive_times(3, 0);
  high.show({effect_on(EffectKind::became_ready, 0)});
  CHECK(reason(high, "readiness").starts_with("n1: ready, but it should be not ready: depth 2"));
  SmallFleet twice = with_marks();
  twice.show({effect_on(EffectKind::became_ready, 0)});
  CHECK(reason(twice, "readiness") == "n1: became ready a second time");
}

SmallFleet with_fan_out() {
  return SmallFleet(fleet_of({api_tenant("a", {}, 3)}, {.limits = {.max_inflight = 1}}));
}
NewRow row_of(std::uint64_t logical, std::uint32_t row) {
  return {.key = DispatchKey::of_request(NamespaceId(0), logical, 3, row),
          .workflow = WorkflowId(0),
          .route = RouteId(0),
          .shard = ShardId(0)};
}

TEST_CASE("an answer without its rows is seen", "[end_to_end]") {
  SmallFleet fleet = with_fan_out();
  const Answer request = fleet.try_again(0, 5);
  const NewRow rows[] = {row_of(5, 0), row_of(5, 2)};
  fleet.step(FinishRequest{request.id, request.serial, true, rows});
  CHECK(reason(fleet, "end_to_end") ==
        "tenant a on n1: request 5 was answered 2xx, and 2 of its 3 rows are in the outbox");
}

TEST_CASE("rows of a request that was not answered 2xx are seen", "[end_to_end]") {
  SmallFleet fleet = with_fan_out();
  const Answer request = fleet.try_again(0, 5);
  const NewRow rows[] = {row_of(5, 1)};
  fleet.step(AppendRows{rows});
  CHECK(reason(fleet, "end_to_end") ==
        "tenant a: requests appended 1 rows; 0 of them had an effect, with a fan-out of 3");
  fleet.step(FinishRequest{request.id, request.serial, false, {}});
  CHECK(fleet.outcome("end_to_end").violations == 3);  // the sum twice, and the request itself
}

TEST_CASE("a request that the counters of its tenant do not know is seen", "[ledger]") {
  SmallFleet fleet = small();
  fleet.arrive(0);
  fleet.show({starts(1)});
  CHECK(reason(fleet, "ledger") ==
        "tenant a: arrived 1 = running 1 + waiting 0 + finished 0 + refused 429 0 + refused 503 0 + gone 0; its steps "
        "say 2 = 2 + 0 + 0 + 0 + 0 + 0");
}

TEST_CASE("rows of requests are one key each, however far apart their numbers are", "[exactly_once]") {
  SmallFleet fleet = with_fan_out();
  fleet.finish(fleet.try_again(0, 1'000));
  fleet.finish(fleet.try_again(0, 3));
  fleet.finish(fleet.try_again(0, 1'000));
  fleet.require_held();
  CHECK(fleet.outcome("exactly_once").held == Held::yes);
  Effect again = effect_on(EffectKind::appended, 0);
  again.key = DispatchKey::of_request(NamespaceId(0), 1'000, 3, 2);
  fleet.show({again});
  CHECK(fleet.outcome("exactly_once").held == Held::no);
}

// -- nothing to judge -------------------------------------------------------------------------------------------------

TEST_CASE("without an HTTP side, or without a request, there is nothing to judge", "[gate_safety]") {
  ClusterConfig rows_only = fleet_of({api_tenant("a")}, {});
  rows_only.admission.reset();
  for (const ClusterConfig& config : {rows_only, fleet_of({api_tenant("a")}, {})}) {
    SmallFleet fleet(config);
    fleet.end();
    for (const char* property : {"end_to_end", "gate_safety", "gate_progress", "readiness"}) {
      CHECK(fleet.outcome(property).held == Held::undefined);
    }
  }
}

TEST_CASE("processes are named after their nodes, and numbered where a node has several", "[gate_safety]") {
  for (const std::uint16_t processes : {std::uint16_t{1}, std::uint16_t{2}}) {
    ClusterConfig config = fleet_of({api_tenant("a")}, {.limits = {.max_inflight = 1}});
    config.nodes = 2;
    config.admission->processes = processes;
    SmallFleet fleet(config);
    const auto process = static_cast<std::uint16_t>(processes == 1 ? 1 : 3);
    fleet.arrive(0, process);
    Effect effect = starts(1);
    effect.process = ProcessId(process);
    fleet.show({effect});
    CHECK(reason(fleet, "gate_safety").starts_with(processes == 1 ? "tenant a on n2: " : "tenant a on n2/p2: "));
  }
}

}  // namespace
}  // namespace headroom::test
