// The cluster as the checker explores it: every schedule of its steps and faults within a scope. The steps are those of
// Cluster, which the simulator runs too; what is here only says which are possible.
//
//   const ClusterModel model(scope);
//   const CheckResult result = check(model, {.threads = 2, .symmetry = model.scope().symmetry});
//   worst_wait_sweeps(model, result);
//
// A sweep is one step unless the scope splits it. Which rows a claim takes, of those that it may, is any choice, since
// the order of the store is by time and there is none here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/checker/cluster/packing.hpp"
#include "model/checker/cluster/scope.hpp"
#include "model/checker/cluster/state.hpp"
#include "model/checker/facts.hpp"
#include "model/checker/model.hpp"
#include "model/checker/options.hpp"
#include "model/checker/properties.hpp"
#include "model/checker/result.hpp"
#include "model/cluster/cluster.hpp"
#include "model/cluster/effect.hpp"
#include "model/properties/row_books.hpp"

namespace headroom::checker {

// Who follows the steps of Cluster that make up an action, and the instant that these carry. No guard reads it.
struct Following {
  Time at = Time::zero();
  std::function<void(const Cluster& cluster, std::span<const Effect> effects)> on_step = {};  // after each with effects
};

class ClusterModel {
 public:
  using State = ClusterState;
  using Action = ClusterAction;
  using Effects = headroom::Effects;
  using StepOf = Step<ClusterModel>;

  // Needs a scope in which find_fault finds none. The HTTP side of the configuration is left out, and so are wakes
  // unless they can be lost or there are no polls: no guard reads them.
  explicit ClusterModel(ClusterScope scope);

  [[nodiscard]] const ClusterScope& scope() const { return scope_; }
  [[nodiscard]] const RowRoster& roster() const { return roster_; }

  [[nodiscard]] std::vector<State> initial_states() const { return {initial_}; }
  void enabled(const State& state, std::vector<Action>& actions) const;
  void step(State& state, const Action& action, Effects& effects) const;

  // The same for engines that go on with one cluster: as it is before its rows are there; the one append of all of
  // them, which makes it the initial state; and a step that somebody follows.
  [[nodiscard]] State without_rows() const;
  void append_rows(State& state, Effects& effects, const Following& following) const;
  void step(State& state, const Action& action, Effects& effects, const Following& following) const;
  // One that the scope counts.
  [[nodiscard]] bool is_fault(const Action& action) const;

  [[nodiscard]] PackedSize packed_size() const { return {.most = ClusterPacking::kMostBytes, .fixed = false}; }
  [[nodiscard]] std::size_t pack(const State& state, std::span<std::byte> bytes) const;
  [[nodiscard]] std::size_t pack_canonical(const State& state, std::span<std::byte> bytes) const;
  void unpack(std::span<const std::byte> bytes, State& state) const;

  [[nodiscard]] Facts facts(const State& state) const;
  [[nodiscard]] std::string text(const StepOf& step) const;
  [[nodiscard]] Properties<ClusterModel> properties() const;

  // -- what properties ask ------------------------------------------------------------------------------------------

  // Whether a sweep of the node, or the next part of one, is a step.
  [[nodiscard]] bool sweep_enabled(const State& state, NodeId node) const;
  [[nodiscard]] const std::string& name(NamespaceId name) const { return initial_.cluster.layout().config(name).name; }
  [[nodiscard]] std::string row_name(std::uint32_t row) const;

 private:
  // properties.cpp
  [[nodiscard]] KeyLife life_of(const Cluster& cluster, DispatchKey key) const;
  [[nodiscard]] Reason exactly_once(const StepOf& step) const;
  [[nodiscard]] Reason ledger(const StepOf& step) const;
  [[nodiscard]] Reason slice(const StepOf& step) const;
  [[nodiscard]] Reason quota_sum(const State& state) const;
  [[nodiscard]] bool may_stop(const State& state) const;
  [[nodiscard]] bool has_abandoned_claim(const State& state) const;
  [[nodiscard]] bool rearm_enabled(const State& state, NodeId node) const;
  void add_safety(Properties<ClusterModel>& properties) const;
  void add_liveness(Properties<ClusterModel>& properties) const;
  void add_fairness(Properties<ClusterModel>& properties) const;
  void add_extremes(Properties<ClusterModel>& properties) const;

  // What may happen in a state is worked out on copies, which are kept for the next one.
  struct Room;
  static Room& room();

  void enabled_sweeps(const State& state, Room& room, std::vector<Action>& actions) const;
  void choose_claims(std::size_t depth, NodeId node, Action& action, Room& room, std::vector<Action>& actions) const;
  void choose_next_claim(const Cluster& cluster, NodeId node, Room& room,
                         std::vector<std::vector<std::uint32_t>>& choices) const;
  void enabled_work(const State& state, Room& room, std::vector<Action>& actions) const;
  void enabled_rows(const State& state, Room& room, std::vector<Action>& actions) const;
  void enabled_ownership(const State& state, Room& room, std::vector<Action>& actions) const;
  void enabled_nodes(const State& state, Room& room, std::vector<Action>& actions) const;
  void enabled_tenants(const State& state, Room& room, std::vector<Action>& actions) const;
  [[nodiscard]] bool interchangeable(const Room& room, std::uint32_t a, std::uint32_t b) const;

  void take(Cluster& cluster, const Action& action, Effects& effects, const Following& following) const;
  void take_claim(Cluster& cluster, NodeId node, std::span<const std::uint32_t> rows, Effects& effects,
                  const Following& following = {}) const;
  void use_up(FaultCounts& left, const Action& action) const;
  void renew(Cluster& cluster, const std::vector<bool>& was_final, Effects& effects, const Following& following) const;
  [[nodiscard]] NewRow new_row(std::uint32_t row, DispatchKey key, Time at) const;
  [[nodiscard]] RowSlot slot_of(const Cluster& cluster, std::uint32_t row) const;
  [[nodiscard]] ExecutionId execution_of(const Cluster& cluster, const ExecutionSnapshot& execution) const;

  ClusterScope scope_;
  RowRoster roster_;
  State initial_;
  ClusterPacking packing_;
  bool orders_claims_;
  bool splits_sweeps_;
  bool keeps_runs_;
};

// The checker for this model, compiled once.
[[nodiscard]] CheckResult check(const ClusterModel& model, const Options& options);

// Of the most sweeps that each tenant can wait on a node, the serving one included, the most over all nodes; no value:
// it can wait for ever. Empty unless the scope asks for no_starvation.
[[nodiscard]] std::map<std::string, std::optional<std::uint64_t>> worst_wait_sweeps(const ClusterModel& model,
                                                                                    const CheckResult& result);
// The most rows of each tenant that execute with a live fence, and the most beyond quota + charged nodes - 1.
[[nodiscard]] std::map<std::string, std::int64_t> executing_max(const ClusterModel& model, const CheckResult& result);
[[nodiscard]] std::map<std::string, std::int64_t> executing_over_bound(const ClusterModel& model,
                                                                       const CheckResult& result);

}  // namespace headroom::checker
