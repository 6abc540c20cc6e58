#include "model/checker/gate/gate_model.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "model/checker/check.hpp"
#include "model/checker/confirm.hpp"
#include "model/checker/gate/gate_judge.hpp"

using namespace headroom;
using checker::GateModel;
using checker::GateScope;

namespace {

GateScope scope_of(const std::vector<const char*>& tenants, const GateConfig& gate) {
  GateScope scope;
  scope.config.nodes = 1;
  scope.config.admission = AdmissionConfig{.gate = gate};
  for (const char* name : tenants) scope.config.namespaces.push_back({.name = name});
  return scope;
}

GateConfig one_at_a_time(std::uint32_t queue, QueueOrder order = QueueOrder::tenant_round_robin) {
  return {.limits = {1, queue}, .may_wait = queue > 0, .order = order};
}

const checker::Finding& finding(const checker::CheckResult& result, const std::string& name,
                                checker::FindingKind kind = checker::FindingKind::safety) {
  const auto found = std::ranges::find_if(
      result.findings, [&](const checker::Finding& each) { return each.name == name && each.kind == kind; });
  REQUIRE(found != result.findings.end());
  return *found;
}

void require_all_proved(const checker::CheckResult& result) {
  CHECK(result.exhausted());
  for (const checker::Finding& each : result.findings) {
    INFO(each.name << ": " << each.reason);
    CHECK(each.verdict == checker::Verdict::pass);
  }
}

const checker::WaitFound& passed_over(const checker::CheckResult& result, const std::string& tenant) {
  const auto found = std::ranges::find(result.waits, "worst_passed_over/" + tenant, &checker::WaitFound::name);
  REQUIRE(found != result.waits.end());
  return *found;
}

}  // namespace

// By hand: a request is to come, runs, or is over; of n requests of one tenant k are running and the rest are either to
// come or over, so with no limit there are (n + 1)(n + 2) / 2 states.
TEST_CASE("requests without any limit have as many states as there are ways to place them") {
  for (const std::uint32_t requests : {1U, 2U, 5U}) {
    GateScope scope = scope_of({"a"}, {});
    scope.requests = requests;
    const checker::CheckResult result = check(GateModel(scope), {});
    CHECK(result.states == (requests + 1) * (requests + 2) / 2);
    require_all_proved(result);
  }
}

// One permit, no queue: at most one runs, and what comes meanwhile is refused. States: k left (0 to n) with nothing
// running, or k left (0 to n - 1) with one running.
TEST_CASE("a gate without a queue runs one and refuses the others") {
  GateScope scope = scope_of({"a"}, one_at_a_time(0));
  scope.requests = 4;
  scope.goals = {"refused_503"};
  const checker::CheckResult result = check(GateModel(scope), {});
  CHECK(result.states == 9);
  require_all_proved(result);
}

TEST_CASE("a round robin passes a tenant over at most once for each other tenant") {
  GateScope scope = scope_of({"a", "b", "c"}, one_at_a_time(3));
  scope.requests = std::nullopt;
  scope.goals = {"handed_over", "refused_503"};
  const checker::CheckResult result = check(GateModel(scope), {});
  require_all_proved(result);
  for (const char* tenant : {"a", "b", "c"}) {
    CHECK(passed_over(result, tenant).verdict == checker::Verdict::pass);
    CHECK(passed_over(result, tenant).steps == 2);
  }
}

TEST_CASE("last in, first out lets the one that has waited longest wait for ever") {
  GateScope scope = scope_of({"a", "b"}, one_at_a_time(2, QueueOrder::lifo));
  scope.requests = std::nullopt;
  const GateModel model(scope);
  const checker::CheckResult result = check(model, {});
  CHECK(finding(result, "gate_progress").verdict == checker::Verdict::pass);
  const checker::Finding& starves = finding(result, "gate_progress", checker::FindingKind::liveness);
  REQUIRE(starves.verdict == checker::Verdict::fail);
  REQUIRE(starves.trace);
  // One arrives, and the permit is handed to it.
  CHECK(starves.trace->loop_steps() == 2);
  CHECK(passed_over(result, "a").verdict == checker::Verdict::fail);
  CHECK(confirm(model, *starves.trace, {checker::ClaimKind::liveness, "gate_progress"}) == starves.reason);
}

TEST_CASE("first in, first out keeps no one waiting for ever") {
  GateScope scope = scope_of({"a", "b"}, one_at_a_time(3, QueueOrder::fifo));
  scope.requests = std::nullopt;
  require_all_proved(check(GateModel(scope), {}));
}

TEST_CASE("a waiter at a limit of 0 is not passed over, and a gate that stays so is no deadlock") {
  GateScope scope = scope_of({"a"}, one_at_a_time(2));
  scope.requests = 2;
  scope.expiries = 0;
  scope.limit_changes = {{.max_inflight = std::optional<std::uint32_t>(0)}};
  require_all_proved(check(GateModel(scope), {}));
}

TEST_CASE("a confirmed trace shows the value that it was found for, and a changed one is not taken") {
  GateScope scope = scope_of({"a"}, one_at_a_time(1));
  scope.requests = 2;
  const GateModel model(scope);
  const checker::CheckResult result = check(model, {});
  const auto depth = std::ranges::find(result.extremes, "queue_depth_max/n1", &checker::ExtremeFound::name);
  REQUIRE(depth != result.extremes.end());
  CHECK(depth->value == 1);
  REQUIRE(depth->trace);
  CHECK(depth->trace->steps.size() == 2);
  CHECK(confirm(model, *depth->trace, {checker::ClaimKind::extreme, "queue_depth_max/n1"}) == "1");
  checker::Trace changed = *depth->trace;
  changed.steps.front().state += "one line more\n";
  CHECK_FALSE(confirm(model, changed, {checker::ClaimKind::extreme, "queue_depth_max/n1"}));
}

// -- judges: steps as they should not be ------------------------------------------------------------------------------

namespace {

// A step of a sound model, and what a fault in the gate would have made of it.
struct Taken {
  GateModel::State before;
  GateModel::Action action;
  GateModel::Effects effects;
  GateModel::State after;

  [[nodiscard]] checker::GateStep step() const { return {before, action, effects, after}; }
};

// After as many arrivals of tenants in turn as there are in `tenants`; the last of them is the step.
Taken arrivals(const GateModel& model, const std::vector<std::uint32_t>& tenants) {
  Taken taken;
  taken.after = model.initial_states().front();
  for (const std::uint32_t tenant : tenants) {
    taken.before = taken.after;
    taken.action = {.kind = GateModel::Kind::arrive, .process = ProcessId(0), .tenant = NamespaceId(tenant)};
    model.step(taken.after, taken.action, taken.effects);
  }
  return taken;
}

Taken then(const GateModel& model, Taken taken, const GateModel::Action& action) {
  taken.before = taken.after;
  taken.action = action;
  model.step(taken.after, taken.action, taken.effects);
  return taken;
}

GateModel::Action finish(std::uint32_t request, std::uint32_t tenant) {
  return {.kind = GateModel::Kind::finish, .process = ProcessId(0), .tenant = NamespaceId(tenant), .request = request};
}

GateScope two_tenants(QueueOrder order = QueueOrder::tenant_round_robin) {
  GateScope scope = scope_of({"a", "b"}, one_at_a_time(2, order));
  scope.requests = 3;
  return scope;
}

}  // namespace

TEST_CASE("a refusal with another reason than the right one is seen") {
  const GateModel model(two_tenants());
  Taken taken = arrivals(model, {0, 0, 1, 1});
  REQUIRE(taken.effects.list.front().kind == EffectKind::request_refused);
  CHECK_FALSE(judge_gate_safety(model.scope(), taken.step()));
  taken.effects.list.front().detail = static_cast<std::uint8_t>(Refusal::tenant_inflight);
  CHECK(
      judge_gate_safety(model.scope(), taken.step()) ==
      "tenant b on n1: refused with 429 (tenant_inflight), but 503 (process_queue_full) is right with 0 of any number "
      "in flight and 1 of any number waiting; process: 1 of 1 and 2 of 2");
}

TEST_CASE("a permit that does not come back, and one that comes back unseen, are seen") {
  const GateModel model(two_tenants());
  Taken taken = then(model, arrivals(model, {0}), finish(0, 0));
  CHECK_FALSE(judge_gate_safety(model.scope(), taken.step()));
  FleetContents leaked = taken.after.fleet;
  leaked.tenants.front().inflight = 1;
  taken.effects.fleet->restore(leaked);
  CHECK(judge_gate_safety(model.scope(), taken.step()) ==
        "n1: holds 1 permits and 0 waiters; its requests say 0 and 0");
}

TEST_CASE("a permit that is handed over out of turn is seen") {
  for (const QueueOrder order : {QueueOrder::fifo, QueueOrder::tenant_round_robin}) {
    const GateModel model(two_tenants(order));
    Taken taken = then(model, arrivals(model, {0, 0, 1}), finish(2, 0));
    CHECK_FALSE(judge_gate_progress(model.scope(), taken.step()));
    for (Effect& effect : taken.effects.list) {
      if (effect.kind == EffectKind::request_admitted) {
        effect.name = NamespaceId(1);
        effect.request = RequestId(1);
      }
    }
    CHECK(judge_gate_progress(model.scope(), taken.step()) ==
          "tenant b on n1: a waiter got a permit although it was the turn of tenant a");
  }
}

TEST_CASE("a waiter that is left where it could run is seen") {
  const GateModel model(two_tenants());
  Taken taken = then(model, arrivals(model, {0, 1}), finish(1, 0));
  std::erase_if(taken.effects.list, [](const Effect& effect) { return effect.kind == EffectKind::request_admitted; });
  CHECK(judge_gate_progress(model.scope(), taken.step()) ==
        "tenant b on n1: 1 of its requests wait, 0 are in flight, and the process has room (0 in flight)");
}

TEST_CASE("a change of readiness that is not reported, or reported twice, is seen") {
  GateScope scope = two_tenants();
  scope.config.admission->gate.readiness = ReadinessMarks{.depth_high = 1, .depth_low = 1};
  const GateModel model(scope);
  Taken taken = arrivals(model, {0, 0, 1});
  REQUIRE(taken.effects.list.back().kind == EffectKind::became_unready);
  CHECK_FALSE(judge_readiness(model.scope(), taken.step()));
  Taken twice = taken;
  twice.effects.list.push_back(twice.effects.list.back());
  CHECK(judge_readiness(model.scope(), twice.step()) == "n1: became not ready a second time");
  taken.effects.list.pop_back();
  CHECK(judge_readiness(model.scope(), taken.step()) ==
        "n1: ready, but it should be not ready: depth 2, 0 waiters of lag_low or more, 0 above lag_high");
}

TEST_CASE("a request that is counted where it is not is seen") {
  const GateModel model(two_tenants());
  Taken taken = arrivals(model, {0, 0});
  CHECK_FALSE(judge_request_ledger(model.scope(), taken.step()));
  taken.effects.list.clear();
  CHECK(judge_request_ledger(model.scope(), taken.step()) ==
        "tenant a: arrived 2 = running 1 + waiting 1 + finished 0 + refused 429 0 + refused 503 0 + gone 0; its steps "
        "say 1 = 1 + 0 + 0 + 0 + 0 + 0");
}
