// Command sequences of the admission gate: it and a naive one do the same, and are compared after every command.
#include "model/admission/gate.hpp"

#include <map>
#include <vector>

#include "tests/fuzz/choices.hpp"
#include "tests/fuzz/target.hpp"
#include "tests/property/admission/naive_gate.hpp"

namespace headroom::fuzz {
namespace {

using test::NaiveGate;

constexpr std::uint32_t kTenants = 4;

GateLimits any_gate_limits(Choices& choices) {
  return {.max_inflight = choices.cap(4), .max_queue_depth = choices.cap(8)};
}

TenantLimits any_tenant_limits(Choices& choices) {
  TenantLimits limits{.max_inflight = choices.cap(3), .max_queue_depth = choices.cap(6)};
  if (choices.one_in(3)) {
    limits.rate_limit = RateLimit{.nanohertz = 1'000'000'000 * (1 + choices.below<std::int64_t>(2)),
                                  .burst = 1 + choices.below<std::uint32_t>(5)};
  }
  return limits;
}

GateConfig any_config(Choices& choices) {
  GateConfig config{.limits = any_gate_limits(choices),
                    .may_wait = !choices.one_in(6),
                    .order = static_cast<QueueOrder>(choices.below(3))};
  if (!choices.one_in(4)) {
    const std::uint32_t low = choices.below<std::uint32_t>(3);
    config.readiness = ReadinessMarks{.depth_high = low + choices.below<std::uint32_t>(3), .depth_low = low};
    if (choices.one_in(2)) {
      config.readiness->lag_high = Duration::milliseconds(2);
      config.readiness->lag_low = Duration::milliseconds(1);
    }
  }
  return config;
}

std::vector<TenantLimits> any_limits(Choices& choices) {
  std::vector<TenantLimits> limits;
  while (limits.size() < kTenants) {
    limits.push_back(any_tenant_limits(choices));
  }
  return limits;
}

class Pair {
 public:
  Pair(const GateConfig& config, const std::vector<TenantLimits>& limits)
      : config_(config), gate_(config, limits), naive_(config, limits) {}

  void take_step(Choices& choices) {
    const std::uint32_t tenant = choices.below(kTenants);
    switch (choices.below(9)) {
      case 0:
      case 1:
      case 2:
        return arrive(tenant);
      case 3:
      case 4:
        return release(tenant, choices);
      case 5:
        return change_waiter(choices);
      case 6:
        return refill(tenant);
      case 7:
        return set_limits(tenant, choices);
      default:
        return set_draining(choices.one_in(2));
    }
  }

  void compare() const {
    HEADROOM_ASSERT(gate_.inflight() == naive_.inflight(), "in flight");
    HEADROOM_ASSERT(gate_.depth() == naive_.depth(), "depth");
    HEADROOM_ASSERT(gate_.ready() == naive_.ready(), "readiness");
    HEADROOM_ASSERT(gate_.draining() == naive_.draining(), "draining");
    HEADROOM_ASSERT(gate_.waiters_of_age(WaiterAge::lagging) == naive_.older_than(1), "lagging waiters");
    HEADROOM_ASSERT(gate_.waiters_of_age(WaiterAge::too_old) == naive_.older_than(2), "old waiters");
    for (std::uint32_t i = 0; i < kTenants; ++i) {
      const Gate::Tenant& tenant = gate_.tenant(NamespaceId(i));
      HEADROOM_ASSERT(tenant.inflight == naive_.inflight(i), "in flight of tenant {}", i);
      HEADROOM_ASSERT(tenant.waiting == naive_.waiting(i), "waiters of tenant {}", i);
      HEADROOM_ASSERT(!naive_.limits(i).rate_limit || tenant.bucket.tokens() == naive_.tokens(i), "tokens of {}", i);
      HEADROOM_ASSERT((gate_.next_waiting(i) == i) == (naive_.waiting(i) > 0), "tenant {} in the queue", i);
    }
  }

  // One that is put together from what this one holds is the same, waiters, turns and all: it hands over alike.
  void check_restored() {
    Gate restored(config_, std::vector<TenantLimits>(kTenants));
    std::vector<Gate::TenantStanding> standings;
    for (std::uint32_t i = 0; i < kTenants; ++i) {
      standings.push_back(gate_.standing(NamespaceId(i)));
    }
    restored.restore(gate_.standing(), standings);
    for (const NaiveGate::Waiter& waiter : naive_.waiters()) {
      restored.restore_waiter(NamespaceId(waiter.tenant), waiter.request, static_cast<WaiterAge>(waiter.age));
    }
    HEADROOM_ASSERT(restored.ready() == gate_.ready() && restored.depth() == gate_.depth(), "restored differently");
    for (std::uint32_t i = 0; i < kTenants; ++i) {
      while (gate_.tenant(NamespaceId(i)).inflight > 0) {
        gate_.release(NamespaceId(i));
        restored.release(NamespaceId(i));
        while (const std::optional<Waiter> granted = gate_.grant_next()) {
          const std::optional<Waiter> also = restored.grant_next();
          HEADROOM_ASSERT(also && also->request == granted->request, "a restored gate hands over to another");
        }
        HEADROOM_ASSERT(!restored.grant_next(), "a restored gate hands over once more");
      }
    }
  }

 private:
  void arrive(std::uint32_t tenant) {
    const RequestId request(arrived_++);
    const NaiveGate::Outcome expected = naive_.arrive(tenant, request);
    const Decision decision = gate_.arrive(NamespaceId(tenant), request, Time::zero());
    HEADROOM_ASSERT(static_cast<int>(decision.kind) == static_cast<int>(expected.kind), "another decision");
    HEADROOM_ASSERT(!expected.refusal || decision.refusal == *expected.refusal, "another reason to refuse");
    if (decision.kind == Decision::Kind::wait) {
      places_.emplace(request, decision.waiter);
    }
  }

  // Now and then what was freed is handed over later.
  void release(std::uint32_t tenant, Choices& choices) {
    if (naive_.inflight(tenant) == 0) {
      return;
    }
    naive_.release(tenant);
    gate_.release(NamespaceId(tenant));
    if (!choices.one_in(4)) {
      hand_over();
    }
  }

  // It leaves, its wait expires, or it gets older.
  void change_waiter(Choices& choices) {
    if (naive_.depth() == 0) {
      return;
    }
    const NaiveGate::Waiter waiter = naive_.waiters()[choices.below(naive_.depth())];
    const WaiterId place = places_.at(waiter.request);
    switch (choices.below(3)) {
      case 0:
        leave(waiter.request);
        break;
      case 1: {
        const Refusal expected = naive_.expire(waiter.request);
        HEADROOM_ASSERT(gate_.expire(place) == expected, "another reason why the wait was in vain");
        places_.erase(waiter.request);
        break;
      }
      default:
        if (waiter.age < 2) {
          naive_.pass_age(waiter.request);
          gate_.pass_age(place);
        }
        break;
    }
    hand_over();
  }

  void leave(RequestId request) {
    naive_.remove(request);
    gate_.leave(places_.at(request));
    places_.erase(request);
  }

  void refill(std::uint32_t tenant) {
    const std::optional<RateLimit>& limit = naive_.limits(tenant).rate_limit;
    if (limit && naive_.tokens(tenant) < limit->burst) {
      naive_.refill(tenant);
      gate_.refill(NamespaceId(tenant));
    }
  }

  void set_limits(std::uint32_t tenant, Choices& choices) {
    if (choices.one_in(3)) {
      const GateLimits limits = any_gate_limits(choices);
      naive_.set_limits(limits);
      gate_.set_limits(limits);
    } else {
      TenantLimits limits = any_tenant_limits(choices);
      if (choices.one_in(2)) {
        limits.rate_limit = naive_.limits(tenant).rate_limit;  // keeps the bucket
      }
      naive_.set_limits(tenant, limits);
      gate_.set_limits(NamespaceId(tenant), limits);
    }
    hand_over();
  }

  void set_draining(bool draining) {
    naive_.set_draining(draining);
    gate_.set_draining(draining);
    while (draining && naive_.depth() > 0) {
      leave(naive_.waiters().front().request);
    }
    hand_over();
  }

  void hand_over() {
    while (const std::optional<NaiveGate::Waiter> expected = naive_.grant_next()) {
      const std::optional<Waiter> granted = gate_.grant_next();
      HEADROOM_ASSERT(granted && granted->request == expected->request, "handed over to another");
      HEADROOM_ASSERT(granted->tenant.value() == expected->tenant, "handed over to another tenant");
      places_.erase(granted->request);
    }
    HEADROOM_ASSERT(!gate_.grant_next(), "handed over once more");
  }

  GateConfig config_;
  Gate gate_;
  NaiveGate naive_;
  std::map<RequestId, WaiterId> places_;
  std::uint32_t arrived_ = 0;
};

}  // namespace
}  // namespace headroom::fuzz

FUZZ_TARGET(bytes) {
  using namespace headroom::fuzz;
  Choices choices(bytes);
  const headroom::GateConfig config = any_config(choices);
  Pair both(config, any_limits(choices));
  both.compare();
  while (!choices.spent()) {
    both.take_step(choices);
    both.compare();
  }
  both.check_restored();
}
