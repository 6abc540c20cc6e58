// The whole system under random steps: gates, pools, requests, rows, crashes, drains and changed limits, watched by all
// properties.
#include "tests/model/cluster/small_fleet.hpp"
#include "tests/property/check.hpp"

namespace headroom::test {
namespace {

template <class T>
T below(T bound) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<T>(0, bound));
}
bool any_bool() {
  return *rc::gen::arbitrary<bool>();
}
std::optional<std::uint32_t> any_cap(std::uint32_t most) {
  return below(3) == 0 ? std::nullopt : std::optional(below(most + 1));
}

GateLimits any_gate_limits() {
  return {.max_inflight = any_cap(4), .max_queue_depth = any_cap(8)};
}
TenantLimits any_tenant_limits() {
  TenantLimits limits{.max_queue_depth = any_cap(6)};
  if (any_bool()) {
    limits.max_inflight = below(4U);
  }
  if (below(3) == 0) {
    limits.rate_limit = RateLimit{.nanohertz = 1 + below<std::int64_t>(3'000'000'000), .burst = 1 + below(4U)};
  }
  return limits;
}

ClusterConfig any_config() {
  GateConfig gate{.limits = any_gate_limits(),
                  .may_wait = below(5) != 0,
                  .order = *rc::gen::element(QueueOrder::fifo, QueueOrder::lifo, QueueOrder::tenant_round_robin),
                  .retry_after = {.seconds = 1 + below(3U), .jitter = below(3U)}};
  if (any_bool()) {
    const std::uint32_t low = 1 + below(2U);
    gate.readiness = ReadinessMarks{.depth_high = low + below(2U), .depth_low = low};
    if (any_bool()) {
      gate.readiness->lag_high = Duration::milliseconds(20);
      gate.readiness->lag_low = Duration::milliseconds(10);
    }
  }
  std::vector<NamespaceConfig> tenants;
  for (const char* name : {"a", "b", "c"}) {
    tenants.push_back(api_tenant(name, any_tenant_limits(), below(4U)));
  }
  ClusterConfig config = fleet_of(std::move(tenants), gate);
  config.nodes = static_cast<std::uint16_t>(1 + below(2));
  config.shards = 2;
  config.initial_owner = {NodeId(0), NodeId(static_cast<std::uint16_t>(config.nodes - 1))};
  config.workers = 1 + below(2U);
  config.dispatch = *rc::gen::element(DispatchKind::parallel, DispatchKind::sequential, DispatchKind::push_then_done);
  config.admission->processes = static_cast<std::uint16_t>(1 + below(2));
  if (below(4) != 0) {
    const std::uint32_t reserve = below(2U);
    config.admission->database_pool = ResourceConfig{.size = reserve + 1 + below(4U), .reserve = reserve};
    config.namespaces[0].rows_use_database_pool = any_bool();
  }
  if (any_bool()) {
    config.admission->downstream = ResourceConfig{.size = 1 + below(2U)};
  }
  return config;
}

// A fleet that anything may happen to.
class Walk {
 public:
  explicit Walk(const ClusterConfig& config) : fleet_(config) {}

  void take_any_step() {
    switch (*rc::gen::weightedElement<int>({{12, 0},
                                            {8, 1},
                                            {2, 2},
                                            {3, 3},
                                            {2, 4},
                                            {3, 5},
                                            {2, 6},
                                            {2, 7},
                                            {1, 8},
                                            {1, 9},
                                            {3, 10},
                                            {1, 11},
                                            {3, 12},
                                            {3, 13},
                                            {4, 14}})) {
      case 0:
        arrive();
        break;
      case 1:
        with_any_request([&](const Answer& it) { fleet_.finish(it, below(4) != 0); });
        break;
      case 2:
        if (fleet_.cluster().api()->resource(Resource::downstream) != nullptr) {
          with_any_request([&](const Answer& it) { fleet_.step(EnterDownstream{it.id, it.serial}); });
        }
        break;
      case 3:
        with_any_request([&](const Answer& it) { fleet_.expire(it); });
        break;
      case 4:
        pass_age();
        break;
      case 5:
        with_any_request([&](const Answer& it) { fleet_.leave(it); });
        break;
      case 6:
        expire_checkout();
        break;
      case 7:
        change_limits();
        break;
      case 8:
        below(3) == 0 ? fleet_.step(DrainProcess{any_process(), below(100U)})
                      : fleet_.step(ResumeProcess{any_process()});
        break;
      case 9:
        below(4) == 0 ? fleet_.step(Crash{any_node()}) : fleet_.step(Restart{any_node()});
        break;
      case 10:
        fleet_.step(ResumeProcess{any_process()});
        break;
      case 11:
        any_bool() ? fleet_.step(BeginHealthCheck{any_process()}) : fleet_.step(EndHealthCheck{any_process()});
        break;
      case 12:
        if (const NodeId node = any_node(); fleet_.cluster().can_sweep(node)) {
          fleet_.sweep(node.value());
        }
        break;
      case 13:
        finish_execution(below(4) != 0);
        break;
      default:
        fleet_.pass(Duration::milliseconds(below<std::int64_t>(700)));
        break;
    }
  }

  // Everything ends.
  void drain() {
    for (std::uint16_t node = 0; node < fleet_.cluster().nodes(); ++node) {
      fleet_.step(Restart{NodeId(node)});
    }
    for (std::uint16_t process = 0; process < fleet_.cluster().api()->processes(); ++process) {
      fleet_.step(DrainProcess{ProcessId(process), 0});
    }
    // Health checks, rows and requests may wait for each other's units; each round ends somebody.
    for (int round = 0; round < 1'000 && someone_is_left(); ++round) {
      for (std::uint16_t process = 0; process < fleet_.cluster().api()->processes(); ++process) {
        fleet_.step(EndHealthCheck{ProcessId(process)});
      }
      finish_execution(true);
      for (const Answer& it : inside()) {
        fleet_.finish(it);
      }
    }
    RC_ASSERT(!someone_is_left());
    RC_ASSERT(fleet_.cluster().api()->quiet());
    fleet_.end();
  }

  void require_held() const {
    if (const std::string broken = fleet_.broken(); !broken.empty()) {
      RC_FAIL(broken);
    }
  }

 private:
  NodeId any_node() { return NodeId(below(fleet_.cluster().nodes())); }
  ProcessId any_process() { return ProcessId(below(fleet_.cluster().api()->processes())); }

  // A new logical request or another try of one.
  void arrive() {
    const ProcessId process = any_process();
    if (!fleet_.cluster().api()->up(process)) {
      return;
    }
    const std::uint64_t logical = below(3) == 0 && logical_ > 0 ? below(logical_) : logical_++;
    fleet_.try_again(below(fleet_.cluster().namespaces()), logical, process.value(),
                     *rc::gen::arbitrary<std::uint64_t>());
  }

  [[nodiscard]] bool someone_is_left() const {
    const ResourcePool* pool = fleet_.cluster().api()->resource(Resource::database_pool);
    return !inside().empty() || fleet_.cluster().executions().running_count() > 0 ||
           (pool != nullptr && pool->in_use() + pool->waiting() > 0);
  }
  [[nodiscard]] std::vector<Answer> inside() const {
    std::vector<Answer> found;
    for (std::uint32_t i = 0; i < fleet_.requests().places(); ++i) {
      const Request& request = fleet_.requests()[RequestId(i)];
      if (request.inside) {
        found.push_back({.id = RequestId(i), .serial = request.serial});
      }
    }
    return found;
  }
  // Now and then one that is no longer there.
  template <class F>
  void with_any_request(F f) {
    const std::vector<Answer> all = inside();
    if (!all.empty()) {
      Answer it = all[below(all.size())];
      it.serial -= below(10) == 0 ? 1 : 0;
      f(it);
    }
  }

  void pass_age() {
    with_any_request([&](const Answer& it) {
      const Request& request = fleet_.requests()[it.id];
      if (fleet_.waits(it) && fleet_.gate(request.process.value()).waiter(request.waiter).age != WaiterAge::too_old) {
        fleet_.age(it);
      }
    });
  }

  void expire_checkout() {
    const Resource which = any_bool() ? Resource::database_pool : Resource::downstream;
    const ResourcePool* pool = fleet_.cluster().api()->resource(which);
    if (pool == nullptr || pool->in_use() + pool->waiting() == 0) {
      return;
    }
    // The places of a pool are given out from 0 on.
    const CheckoutId any(below(pool->in_use() + pool->waiting()));
    fleet_.step(ExpireCheckout{which, any, pool->entry(any).use});
  }

  void change_limits() {
    if (any_bool()) {
      fleet_.set_limits(any_gate_limits(), any_process().value());
    } else {
      const auto tenant = below(fleet_.cluster().namespaces());
      const ProcessId process = any_process();
      TenantLimits limits = any_tenant_limits();
      if (any_bool()) {  // keeps the bucket
        limits.rate_limit = fleet_.gate(process.value()).tenant(NamespaceId(tenant)).limits.rate_limit;
      }
      fleet_.set_tenant_limits(tenant, limits, process.value());
    }
  }

  void finish_execution(bool succeeded) {
    const ExecutionTable& executions = fleet_.cluster().executions();
    for (std::uint32_t i = 0; executions.running_count() > 0; ++i) {
      if (executions.running(ExecutionId(i))) {
        fleet_.step(FinishExecution{ExecutionId(i), succeeded});
        return;
      }
    }
  }

  SmallFleet fleet_;
  std::uint64_t logical_ = 0;
};

TEST_CASE("whatever happens to gates, pools, requests and rows, what is promised holds", "[property]") {
  check_property("fleet.whole", [] {
    Walk walk(any_config());
    const int steps = below(400);
    for (int i = 0; i < steps; ++i) {
      walk.take_any_step();
      walk.require_held();
    }
    walk.drain();
    walk.require_held();
  });
}

}  // namespace
}  // namespace headroom::test
