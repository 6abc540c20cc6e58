// A cluster with an HTTP side to be driven by hand, watched by every property that judges it. Nothing happens because
// time passed but the return of tokens, at their instants.
//
//   SmallFleet fleet(fleet_of({api_tenant("a")}, {.limits = {.max_inflight = 1}, .may_wait = true}));
//   const Answer first = fleet.arrive(0);
//   const Answer second = fleet.arrive(0);   // waits
//   fleet.finish(first);
//   fleet.runs(second);                      // handed over in the same step
//   fleet.require_held();
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "model/cluster/cluster.hpp"
#include "model/properties/property_set.hpp"

namespace headroom::test {

inline NamespaceConfig api_tenant(std::string name, const TenantLimits& limits = {}, std::uint32_t fan_out = 0) {
  return {.name = std::move(name),
          .quota = 1'000,
          .routes = {{"default", PoolId::none()}},
          .limits = limits,
          .fan_out = fan_out};
}

// One node, one shard, one process; change what the test is about.
inline ClusterConfig fleet_of(std::vector<NamespaceConfig> tenants, const GateConfig& gate) {
  ClusterConfig config{.initial_owner = {NodeId(0)}, .namespaces = std::move(tenants)};
  for (std::size_t i = 0; i < config.namespaces.size(); ++i) {
    config.namespaces[i].entity = i;
  }
  config.admission = AdmissionConfig{.gate = gate};
  return config;
}

// What became of a request in the step of its arrival.
struct Answer {
  RequestId id;
  std::uint64_t serial = 0;
  bool ran = false;
  bool waits = false;
  std::optional<Refusal> refusal;
  std::int64_t retry_after = 0;
};

class SmallFleet {
 public:
  static constexpr const char* kProperties[] = {"end_to_end", "gate_safety",  "gate_progress", "readiness",
                                                "ledger",     "exactly_once", "ceiling",       "quota_sum"};

  explicit SmallFleet(ClusterConfig config) : cluster_(std::move(config)), properties_(cluster_) {
    for (const char* property : kProperties) {
      properties_.add(find_property(property)->make(cluster_, {}));
    }
  }

  void step(const Action& action) {
    effects_.clear();
    cluster_.step(action, now_, effects_);
    for (const Effect& effect : effects_) {
      if (effect.kind == EffectKind::token_awaited) {
        const std::uint32_t life = gate(effect.process.value()).tenant(effect.name).bucket_life;
        tokens_.insert({now_ + Duration::nanoseconds(effect.value), effect.process, effect.name, life});
      }
    }
    properties_.observe(cluster_, effects_, now_);
  }
  // Shows the properties effects that the cluster need not have had.
  void show(const Effects& effects) { properties_.observe(cluster_, effects, now_); }
  // Tokens come back on the way.
  void pass(Duration time) {
    const Time until = now_ + time;
    while (!tokens_.empty() && std::get<0>(*tokens_.begin()) <= until) {
      const auto [at, process, tenant, life] = *tokens_.begin();
      tokens_.erase(tokens_.begin());
      now_ = at;
      step(RefillToken{process, tenant, life});
    }
    now_ = until;
  }

  Answer arrive(std::uint32_t tenant, std::uint16_t process = 0) { return try_again(tenant, next_logical_++, process); }
  Answer try_again(std::uint32_t tenant, std::uint64_t logical, std::uint16_t process = 0, std::uint64_t draw = 0) {
    step(ArriveRequest{ProcessId(process), NamespaceId(tenant), logical, draw});
    Answer answer;
    for (const Effect& effect : effects_) {
      if (effect.kind == EffectKind::request_admitted || effect.kind == EffectKind::request_queued ||
          effect.kind == EffectKind::request_refused) {
        answer.id = effect.request;
        answer.ran = effect.kind == EffectKind::request_admitted;
        answer.waits = effect.kind == EffectKind::request_queued;
        if (effect.kind == EffectKind::request_refused) {
          answer.refusal = static_cast<Refusal>(effect.detail);
          answer.retry_after = effect.value;
        }
      }
    }
    answer.serial = requests()[answer.id].serial;
    return answer;
  }
  // `n` requests of the tenant, of which the last is given.
  Answer arrive_times(int n, std::uint32_t tenant) {
    Answer answer;
    for (int i = 0; i < n; ++i) {
      answer = arrive(tenant);
    }
    return answer;
  }
  void finish(const Answer& request, bool succeeded = true) {
    const Request& it = requests()[request.id];
    std::vector<NewRow> rows;
    const std::uint32_t fan_out = cluster_.layout().config(it.tenant).fan_out;
    for (std::uint32_t i = 0; i < fan_out; ++i) {
      const DispatchKey key = DispatchKey::of_request(it.tenant, it.logical, fan_out, i);
      const WorkflowId workflow(cluster_.layout().first_workflow(it.tenant.value()));
      rows.push_back({.key = key,
                      .workflow = workflow,
                      .route = RouteId(cluster_.layout().first_route(it.tenant.value())),
                      .shard = cluster_.layout().shard_of(key, workflow),
                      .visible_after = now_});
    }
    step(FinishRequest{request.id, request.serial, succeeded, rows});
  }
  void expire(const Answer& request) { step(ExpireWait{request.id, request.serial, 0}); }
  void leave(const Answer& request) { step(AbandonRequest{request.id, request.serial}); }
  void age(const Answer& request) { step(PassAge{request.id, request.serial}); }
  void set_limits(const GateLimits& limits, std::uint16_t process = 0) {
    step(ChangeLimits{ProcessId(process), limits});
  }
  void set_tenant_limits(std::uint32_t tenant, const TenantLimits& limits, std::uint16_t process = 0) {
    step(ChangeTenantLimits{ProcessId(process), NamespaceId(tenant), limits});
  }
  // A whole sweep; what it claimed starts if a worker is free.
  void sweep(std::uint16_t node = 0) {
    step(PlanSweep{NodeId(node)});
    while (cluster_.claims_left(NodeId(node))) {
      step(ClaimNext{NodeId(node)});
    }
    step(FinishSweep{NodeId(node)});
  }

  [[nodiscard]] bool inside(const Answer& request) const { return requests().inside(request.id, request.serial); }
  [[nodiscard]] bool waits(const Answer& request) const { return inside(request) && !requests()[request.id].running(); }
  [[nodiscard]] bool runs(const Answer& request) const { return inside(request) && requests()[request.id].running(); }
  [[nodiscard]] Stage stage(const Answer& request) const { return requests()[request.id].stage; }
  // The effects of this kind in the last step.
  [[nodiscard]] std::vector<Effect> seen(EffectKind kind) const {
    std::vector<Effect> found;
    std::ranges::copy_if(effects_, std::back_inserter(found), [&](const Effect& e) { return e.kind == kind; });
    return found;
  }
  // Why the last step refused somebody.
  [[nodiscard]] Refusal refusal() const { return static_cast<Refusal>(seen(EffectKind::request_refused).at(0).detail); }

  [[nodiscard]] const Cluster& cluster() const { return cluster_; }
  [[nodiscard]] const Gate& gate(std::uint16_t process = 0) const { return cluster_.api()->gate(ProcessId(process)); }
  [[nodiscard]] const RequestTable& requests() const { return cluster_.api()->requests(); }
  [[nodiscard]] const RequestCounts& counts(std::uint32_t tenant) const {
    return cluster_.api()->counts(NamespaceId(tenant));
  }
  [[nodiscard]] const ResourcePool& pool(Resource which = Resource::database_pool) const {
    return *cluster_.api()->resource(which);
  }
  [[nodiscard]] Time now() const { return now_; }

  void end() { properties_.finish(cluster_, now_); }
  [[nodiscard]] PropertyOutcome outcome(std::string_view property) const {
    return (*std::ranges::find(properties_.all(), property, [](const auto& p) { return p->name(); }))->outcome();
  }
  // The first reason for which a property is broken; empty if none is.
  [[nodiscard]] std::string broken() const {
    for (const auto& property : properties_.all()) {
      if (property->outcome().held == Held::no) {
        return std::string(property->name()) + ": " + property->outcome().reason;
      }
    }
    return {};
  }
  void require_held() {
    end();
    CHECK(broken() == "");
  }

 private:
  Cluster cluster_;
  PropertySet properties_;
  Effects effects_;
  std::set<std::tuple<Time, ProcessId, NamespaceId, std::uint32_t>> tokens_;  // that are on their way
  Time now_;
  std::uint64_t next_logical_ = 0;
};

}  // namespace headroom::test
