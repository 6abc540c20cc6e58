// A small cluster that is stepped by hand while properties watch it. Work never ends unless it is told to.
//
//   WatchedCluster cluster(one_node({"a", "b"}, PlannerKind::rotating, 4));
//   cluster.watch("slice");
//   cluster.append(0, 10);
//   cluster.sweep(0);
//   cluster.outcome("slice").held;
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "model/cluster/cluster.hpp"
#include "model/properties/property_set.hpp"

namespace headroom::test {

inline constexpr std::uint32_t kAmple = 1'000'000;

// One shard on one node, ample quotas and workers, one route a tenant.
[[nodiscard]] inline ClusterConfig one_node(std::vector<std::string> names, PlannerKind planner, std::uint32_t batch) {
  ClusterConfig config;
  config.initial_owner = {NodeId(0)};
  config.planner = planner;
  config.batch_size = batch;
  for (std::string& name : names) {
    NamespaceConfig tenant;
    tenant.entity = config.namespaces.size();
    tenant.name = std::move(name);
    tenant.quota = kAmple;
    tenant.routes = {{"default", PoolId::none()}};
    config.namespaces.push_back(std::move(tenant));
  }
  return config;
}

// `shards` shards, all of them owned by the first of two nodes, and one tenant.
[[nodiscard]] inline ClusterConfig two_nodes(std::uint32_t shards, std::uint32_t quota) {
  ClusterConfig config = one_node({"a"}, PlannerKind::rotating, 16);
  config.nodes = 2;
  config.shards = shards;
  config.initial_owner.assign(shards, NodeId(0));
  config.namespaces[0].quota = quota;
  return config;
}

class WatchedCluster {
 public:
  explicit WatchedCluster(ClusterConfig config)
      : cluster_(std::move(config)), properties_(cluster_), appended_(cluster_.namespaces(), 0) {}

  void watch(std::string_view property, const PropertyBounds& bounds = {}) {
    properties_.add(find_property(property)->make(cluster_, bounds));
  }

  void step(const Action& action) {
    Effects effects;
    cluster_.step(action, now_, effects);
    show(effects);
  }
  // Shows the properties effects that the cluster need not have had.
  void show(const Effects& effects) {
    for (const Effect& effect : effects) {
      if (effect.kind == EffectKind::started) {
        running_.push_back(effect.execution);
      }
    }
    properties_.observe(cluster_, effects, now_);
  }

  // Rows of a tenant's route, visible at once.
  void append(std::uint32_t tenant, int count, std::uint32_t shard = 0, std::uint32_t route = 0) {
    std::vector<NewRow> rows;
    for (int i = 0; i < count; ++i) {
      rows.push_back({.key = DispatchKey(NamespaceId(tenant), appended_[tenant]++),
                      .workflow = WorkflowId(cluster_.layout().first_workflow(tenant)),
                      .route = RouteId(cluster_.layout().first_route(tenant) + route),
                      .shard = ShardId(shard),
                      .visible_after = now_});
    }
    step(AppendRows{rows});
  }
  void plan(std::uint16_t node) { step(PlanSweep{NodeId(node)}); }
  void claim_and_finish(std::uint16_t node) {
    while (cluster_.claims_left(NodeId(node))) {
      step(ClaimNext{NodeId(node)});
    }
    step(FinishSweep{NodeId(node)});
  }
  void sweep(std::uint16_t node) {
    plan(node);
    claim_and_finish(node);
  }
  void hand_off(std::uint32_t shard, std::uint16_t node) { step(Handoff{ShardId(shard), NodeId(node)}); }
  // Ends the oldest work that is running.
  void finish_one(bool succeeded = true) {
    const ExecutionId oldest = running_.front();
    running_.erase(running_.begin());
    step(FinishExecution{oldest, succeeded});
  }
  void finish_all() {
    while (!running_.empty()) {
      finish_one();
    }
  }
  void pass(Duration time) { now_ = now_ + time; }
  void end() { properties_.finish(cluster_, now_); }

  [[nodiscard]] PropertyOutcome outcome(std::string_view property) const {
    const auto found = std::ranges::find_if(properties_.all(), [&](const auto& p) { return p->name() == property; });
    return (*found)->outcome();
  }
  [[nodiscard]] Held held(std::string_view property) const { return outcome(property).held; }
  [[nodiscard]] const Cluster& cluster() const { return cluster_; }
  [[nodiscard]] PropertySet& properties() { return properties_; }
  [[nodiscard]] Time now() const { return now_; }
  [[nodiscard]] std::size_t running() const { return running_.size(); }

 private:
  Cluster cluster_;
  PropertySet properties_;
  std::vector<std::uint64_t> appended_;
  std::vector<ExecutionId> running_;
  Time now_;
};

}  // namespace headroom::test
