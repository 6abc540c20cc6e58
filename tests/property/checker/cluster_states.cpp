// The checker's cluster beside the simulator's: one goes through bytes after every step, the other is a Cluster that
// just goes on. Whatever is configured and whatever happens, they stay the same and do the same.
#include <algorithm>
#include <tuple>

#include "model/checker/cluster/cluster_model.hpp"
#include "tests/model/cluster/small_cluster.hpp"
#include "tests/property/check.hpp"

namespace headroom::test {
namespace {

using namespace checker;

template <class Value>
Value one_of(std::initializer_list<Value> values) {
  return *rc::gen::elementOf(std::vector<Value>(values));
}
std::uint32_t any(std::uint32_t least, std::uint32_t most) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(least, most + 1));
}
bool any_bool() {
  return *rc::gen::arbitrary<bool>();
}

ClusterConfig any_config() {
  std::vector<NamespaceConfig> tenants;
  const std::uint32_t count = any(1, 3);
  for (std::uint32_t i = 0; i < count; ++i) {
    tenants.push_back(tenant(std::string(1, static_cast<char>('a' + i)), any(0, 6)));
    tenants.back().workflows = any(1, 2);
    tenants.back().weight = any(1, 3);
    if (any_bool()) {
      tenants.back().routes = {{"q", PoolId::none()}, {"q", PoolId(0)}, {"r", PoolId::none()}};
    }
  }
  ClusterConfig config = cluster_of(static_cast<std::uint16_t>(any(1, 3)), any(1, 4), std::move(tenants));
  config.pool_nodes = {{NodeId(0)}};
  if (any_bool()) {
    config.workers = any(1, 2);
  }
  config.dispatch = one_of({DispatchKind::parallel, DispatchKind::sequential, DispatchKind::push_then_done});
  config.planner = one_of(
      {PlannerKind::rotating, PlannerKind::fixed_order, PlannerKind::deficit_round_robin, PlannerKind::unscoped});
  config.batch_size = any(1, 5);
  config.claimed_counts =
      one_of({ClaimedCounts::owned_or_started, ClaimedCounts::started, ClaimedCounts::owned_shards});
  config.ceiling_growth = one_of({CeilingGrowth::settled, CeilingGrowth::immediate});
  config.fraction_refresh = one_of({FractionRefresh::live, FractionRefresh::at_boot});
  config.quota_cached = any_bool();
  config.on_quota_error = one_of({OnQuotaError::last_known, OnQuotaError::platform_default, OnQuotaError::closed});
  config.scope_on_loss = one_of({ScopeOnLoss::narrow, ScopeOnLoss::keep});
  config.zero_owned = one_of({ZeroOwned::zero, ZeroOwned::counts_as_one});
  config.settle_guard = one_of({SettleGuard::fence, SettleGuard::status, SettleGuard::none});
  config.rearm_pass = one_of({RearmPassKind::one_step, RearmPassKind::list_and_act});
  config.rearm_counts_attempt = any_bool();
  config.lease_renewal = any_bool();
  config.backoff.max_attempts = 3;
  return config;
}

ClusterScope any_scope() {
  ClusterScope scope{.config = any_config(), .rows_per_tenant = any(1, 5), .renew = any_bool()};
  constexpr Allowance ever = Allowance::unbounded();
  scope.counts = {.crashes = ever,
                  .restarts = ever,
                  .handoffs = ever,
                  .rearms = ever,
                  .reappends = ever,
                  .failures = ever,
                  .cancels = any(0, 1),
                  .pauses = ever,
                  .quota_changes = ever,
                  .quota_errors = ever,
                  .node_pauses = ever,
                  .expels = ever,
                  .cuts = ever,
                  .kills = ever};
  scope.config.wake = true;
  scope.polls = any_bool();
  scope.counts.lost_wakes = any_bool() ? ever : Allowance(0);
  if (any_bool()) {
    scope.split = {"sweep"};
    scope.counts.sweep_errors = ever;
  }
  scope.symmetry = any_bool();
  return scope;
}

// Effects without the names of slots, executions and generations of rows, in an order of their own.
auto plain(const ClusterModel& model, const Effects& effects) {
  using Plain = std::tuple<int, bool, int, NodeId, NamespaceId, std::uint32_t, std::int64_t>;
  std::vector<Plain> all;
  for (const Effect& effect : effects) {
    const bool has_row = effect.key != DispatchKey();
    all.emplace_back(static_cast<int>(effect.kind), effect.live, effect.detail, effect.node, effect.name,
                     has_row ? model.roster().row_of(effect.key) : 0, effect.value);
  }
  std::ranges::sort(all);
  return all;
}

void require_same(const ClusterModel& model, const ClusterState& on_state, const ClusterState& restored_state) {
  const Cluster& on = on_state.cluster;
  const Cluster& restored = restored_state.cluster;
  ClusterSnapshot of_on;
  ClusterSnapshot of_restored;
  on.snapshot(model.roster(), of_on);
  restored.snapshot(model.roster(), of_restored);
  if (of_on != of_restored) {
    RC_FAIL(text_of(model.facts(on_state)) + "unlike\n" + text_of(model.facts(restored_state)));
  }
  for (std::uint32_t i = 0; i < on.namespaces(); ++i) {
    const NamespaceId name(i);
    RC_ASSERT(on.executing_live(name) == restored.executing_live(name));
    RC_ASSERT(on.charges().charged_nodes(name) == restored.charges().charged_nodes(name));
    for (std::uint16_t node = 0; node < on.nodes(); ++node) {
      RC_ASSERT(on.holding(NodeId(node), name) == restored.holding(NodeId(node), name));
      RC_ASSERT(on.active(NodeId(node)).test(i) == restored.active(NodeId(node)).test(i));
      RC_ASSERT(on.present(NodeId(node)).test(i) == restored.present(NodeId(node)).test(i));
    }
  }
  RC_ASSERT(on.every_shard_owned() == restored.every_shard_owned());
  RC_ASSERT(on.outbox().live_rows() == restored.outbox().live_rows());
}

// Goes through bytes, as the checker's states do.
void renew_from_bytes(const ClusterModel& model, ClusterState& state) {
  std::vector<std::byte> bytes(model.packed_size().most);
  const std::size_t size = model.pack(state, bytes);
  model.unpack(std::span(bytes).first(size), state);
  std::vector<std::byte> again(model.packed_size().most);
  RC_ASSERT(model.pack(state, again) == size);
  RC_ASSERT(again == bytes);
}

TEST_CASE("a cluster that is packed and unpacked after every step does what one does that just goes on", "[property]") {
  check_property("checker.cluster_states", [] {
    const ClusterModel model(any_scope());
    ClusterState on = model.initial_states().front();
    ClusterState restored = on;
    const std::uint32_t steps = any(1, 60);
    for (std::uint32_t i = 0; i < steps; ++i) {
      renew_from_bytes(model, restored);
      require_same(model, on, restored);
      std::vector<ClusterAction> actions;
      std::vector<ClusterAction> same_actions;
      model.enabled(on, actions);
      model.enabled(restored, same_actions);
      RC_ASSERT(actions == same_actions);
      if (actions.empty()) {
        return;
      }
      const ClusterAction& action = actions[any(0, static_cast<std::uint32_t>(actions.size()) - 1)];
      Effects effects;
      Effects same_effects;
      model.step(on, action, effects);
      model.step(restored, action, same_effects);
      RC_ASSERT(plain(model, effects) == plain(model, same_effects));
    }
    require_same(model, on, restored);
  });
}

}  // namespace
}  // namespace headroom::test
