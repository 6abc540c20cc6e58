// The checker's states of the gate walked beside a fleet of processes that nobody writes down, packs or restores.
#include "model/checker/gate/gate_model.hpp"

#include <algorithm>
#include <tuple>
#include <vector>

#include "tests/property/check.hpp"

namespace headroom::test {
namespace {

using checker::Allowance;
using checker::GateModel;
using checker::GateScope;

int any(int least, int most) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(least, most + 1));
}
std::optional<std::uint32_t> any_limit(int least, int most) {
  return any(0, 3) == 0 ? std::nullopt : std::optional(static_cast<std::uint32_t>(any(least, most)));
}

TenantLimits any_tenant_limits() {
  TenantLimits limits{.max_inflight = any_limit(1, 2), .max_queue_depth = any_limit(0, 2)};
  if (any(0, 2) == 0) {
    limits.rate_limit = RateLimit{1'000'000'000, static_cast<std::uint32_t>(any(1, 3))};
  }
  return limits;
}

AdmissionConfig any_admission() {
  AdmissionConfig config{.processes = static_cast<std::uint16_t>(any(1, 2))};
  config.gate.limits = {any_limit(1, 3), any_limit(0, 4)};
  config.gate.may_wait = any(0, 3) > 0;
  config.gate.order = static_cast<QueueOrder>(any(0, 2));
  if (any(0, 1) == 0) {
    config.gate.readiness = ReadinessMarks{
        .depth_high = 2, .depth_low = 1, .lag_high = Duration::milliseconds(20), .lag_low = Duration::milliseconds(10)};
  }
  if (any(0, 1) == 0) {
    config.database_pool = ResourceConfig{.size = static_cast<std::uint32_t>(any(2, 4)), .reserve = 1};
  }
  if (any(0, 1) == 0) {
    config.downstream = ResourceConfig{.size = static_cast<std::uint32_t>(any(1, 2))};
  }
  return config;
}

GateScope any_scope() {
  GateScope scope;
  scope.config.nodes = static_cast<std::uint16_t>(any(1, 2));
  scope.config.admission = any_admission();
  for (const char* name : {"a", "b", "c"}) {
    scope.config.namespaces.push_back({.name = name});
    scope.config.namespaces.back().limits = any_tenant_limits();
  }
  scope.requests = 40;
  scope.crashes = 1;
  scope.restarts = 1;
  scope.failures = 5;
  scope.cancels = std::nullopt;
  scope.drains = 2;
  scope.checkouts_expire = {true, true};
  scope.limit_changes = {{.max_inflight = std::optional<std::uint32_t>(2)},
                         {.tenant = NamespaceId(1), .max_queue_depth = std::optional<std::uint32_t>(1)}};
  return scope;
}

// An effect without what differs between two fleets with the same contents: which place a request has, and when.
auto what_happened(const Effect& effect, const std::vector<RequestId>& places) {
  const auto found = std::ranges::find(places, effect.request);
  const auto place = effect.request.is_none() ? -1 : found - places.begin();  // the size of it: the one that arrived
  const std::int64_t value = effect.kind == EffectKind::token_awaited ? 0 : effect.value;
  return std::tuple(effect.kind, effect.live, effect.detail, effect.node, effect.process, effect.name, place, value);
}

// A crash takes requests in the order of their places, which is not the same in the two.
void compare(GateModel::Kind kind, const GateModel::Effects& checked, const Effects& real,
             const std::vector<RequestId>& places) {
  std::vector<decltype(what_happened(real.front(), places))> expected;
  std::vector<decltype(what_happened(real.front(), places))> found;
  for (const Effect& effect : real) {
    expected.push_back(what_happened(effect, places));
  }
  for (const Effect& effect : checked.list) {
    found.push_back(what_happened(effect, checked.places));
  }
  if (kind == GateModel::Kind::crash) {
    std::ranges::sort(expected);
    std::ranges::sort(found);
  }
  RC_ASSERT(found == expected);
}

}  // namespace

TEST_CASE("the checker's gate and one that nobody restores take the same steps with the same effects", "[property]") {
  check_property("checker.gate_model.side_by_side", [] {
    const GateModel model(any_scope());
    GateModel::State state = model.initial_states().front();
    GateModel::State unpacked = state;
    GateModel::Effects effects;
    ApiFleet real = model.fleet();
    std::vector<RequestId> places;
    std::vector<std::byte> room(model.packed_size().most);
    for (int i = 0; i < 60; ++i) {
      std::vector<GateModel::Action> actions;
      model.enabled(state, actions);
      if (actions.empty()) {
        break;
      }
      const GateModel::Action action = actions[static_cast<std::size_t>(any(0, static_cast<int>(actions.size()) - 1))];
      Effects really;
      model.apply(state, action, places, real, really);
      const std::vector<RequestId> before = places;
      model.step(state, action, effects);
      compare(action.kind, effects, really, before);

      FleetContents contents;
      places = read_contents(real, contents);
      RC_ASSERT(contents == state.fleet);
      const std::size_t bytes = model.pack(state, room);
      model.unpack(std::span(room).first(bytes), unpacked);
      RC_ASSERT(unpacked == state);
    }
  });
}

TEST_CASE("contents that are restored are read again as they were", "[property]") {
  check_property("checker.gate_model.restored", [] {
    const GateModel model(any_scope());
    GateModel::State state = model.initial_states().front();
    GateModel::Effects effects;
    ApiFleet fleet = model.fleet();
    for (int i = 0; i < 60; ++i) {
      std::vector<GateModel::Action> actions;
      model.enabled(state, actions);
      if (actions.empty()) {
        break;
      }
      model.step(state, actions[static_cast<std::size_t>(any(0, static_cast<int>(actions.size()) - 1))], effects);
      fleet.restore(state.fleet);
      FleetContents contents;
      static_cast<void>(read_contents(fleet, contents));
      RC_ASSERT(contents == state.fleet);
    }
  });
}

}  // namespace headroom::test
