// The gate and a naive one walk the same random commands, and are compared after every one.
#include "model/admission/gate.hpp"

#include <map>

#include "tests/property/admission/naive_gate.hpp"
#include "tests/property/check.hpp"
#include "tests/property/commands.hpp"

namespace headroom::test {
namespace {

constexpr std::uint32_t kTenants = 4;

std::optional<std::uint32_t> any_cap(std::uint32_t most) {
  return below(3) == 0 ? std::nullopt : std::optional(below(most + 1));
}
GateLimits any_gate_limits() {
  return {.max_inflight = any_cap(4), .max_queue_depth = any_cap(8)};
}
TenantLimits any_tenant_limits() {
  TenantLimits limits{.max_queue_depth = any_cap(6)};
  if (below(2) == 0) {
    limits.max_inflight = below(4U);
  }
  if (below(4) == 0) {
    limits.rate_limit = RateLimit{.nanohertz = 1'000'000'000 * (1 + below<std::int64_t>(2)), .burst = 1 + below(5U)};
  }
  return limits;
}

GateConfig any_config(QueueOrder order) {
  GateConfig config{.limits = any_gate_limits(), .may_wait = below(6) != 0, .order = order};
  if (below(4) != 0) {
    const std::uint32_t low = below(3U);
    config.readiness = ReadinessMarks{.depth_high = low + below(3U), .depth_low = low};
    if (below(2) == 0) {
      config.readiness->lag_high = Duration::milliseconds(2);
      config.readiness->lag_low = Duration::milliseconds(1);
    }
    if (below(4) == 0) {
      config.readiness->depth_high.reset();
      config.readiness->depth_low.reset();
    }
  }
  return config;
}

// The gate under test, with the places of its waiters.
struct Sut {
  Gate gate;
  std::map<RequestId, WaiterId> waiters;
};
// The model of the commands: what they are generated from.
struct Model {
  NaiveGate gate;
  std::uint32_t arrived = 0;
};
using Step = BothCommand<Model, Sut>;

// Both hand over what they can, to the same waiters in the same order.
void grant_all(NaiveGate& naive, Sut* sut) {
  while (true) {
    const std::optional<NaiveGate::Waiter> expected = naive.grant_next();
    if (sut != nullptr) {
      const std::optional<Waiter> granted = sut->gate.grant_next();
      RC_ASSERT(granted.has_value() == expected.has_value());
      if (granted) {
        RC_ASSERT(granted->request == expected->request);
        RC_ASSERT(granted->tenant.value() == expected->tenant);
        sut->waiters.erase(granted->request);
      }
    }
    if (!expected) {
      return;
    }
  }
}

void compare(const Model& model, const Sut& sut) {
  const NaiveGate& naive = model.gate;
  const Gate& gate = sut.gate;
  RC_ASSERT(gate.inflight() == naive.inflight());
  RC_ASSERT(gate.depth() == naive.depth());
  RC_ASSERT(gate.ready() == naive.ready());
  RC_ASSERT(gate.draining() == naive.draining());
  RC_ASSERT(gate.waiters_of_age(WaiterAge::young) == naive.older_than(0));
  RC_ASSERT(gate.waiters_of_age(WaiterAge::lagging) == naive.older_than(1));
  RC_ASSERT(gate.waiters_of_age(WaiterAge::too_old) == naive.older_than(2));
  for (std::uint32_t i = 0; i < kTenants; ++i) {
    const Gate::Tenant& tenant = gate.tenant(NamespaceId(i));
    RC_ASSERT(tenant.inflight == naive.inflight(i));
    RC_ASSERT(tenant.waiting == naive.waiting(i));
    RC_ASSERT((!naive.limits(i).rate_limit || tenant.bucket.tokens() == naive.tokens(i)));
    RC_ASSERT(((gate.next_waiting(i) == i) == (naive.waiting(i) > 0)));
  }
}

// Has no precondition.
class Arrive final : public Step {
 public:
  explicit Arrive(const Model& model) : tenant_(below(kTenants)), request_(model.arrived) {}
  void show(std::ostream& out) const override { out << "arrive " << tenant_; }

 private:
  void act(Model& model, Sut* sut) const override {
    ++model.arrived;
    const NaiveGate::Outcome expected = model.gate.arrive(tenant_, request_);
    if (sut == nullptr) {
      return;
    }
    const bool was_full = sut->gate.tenant(NamespaceId(tenant_)).bucket.full();
    const Decision decision = sut->gate.arrive(NamespaceId(tenant_), request_, Time::zero());
    RC_ASSERT(static_cast<int>(decision.kind) == static_cast<int>(expected.kind));
    RC_ASSERT((!expected.refusal || decision.refusal == *expected.refusal));
    const bool entered = decision.kind != Decision::Kind::refuse;
    RC_ASSERT(decision.left_full == (entered && was_full && model.gate.limits(tenant_).rate_limit.has_value()));
    if (decision.kind == Decision::Kind::wait) {
      sut->waiters.emplace(request_, decision.waiter);
    }
  }
  std::uint32_t tenant_;
  RequestId request_;
};

class Release final : public Step {
 public:
  explicit Release(const Model& model) {
    std::vector<std::uint32_t> holders;
    for (std::uint32_t i = 0; i < kTenants; ++i) {
      holders.insert(holders.end(), model.gate.inflight(i) > 0 ? 1 : 0, i);
    }
    RC_PRE(!holders.empty());
    tenant_ = holders[below(holders.size())];
    hands_over_ = below(4) != 0;
  }
  void checkPreconditions(const Model& model) const override { RC_PRE(model.gate.inflight(tenant_) > 0); }
  void show(std::ostream& out) const override {
    out << "release " << tenant_ << (hands_over_ ? "" : ", and hand over later");
  }

 private:
  void act(Model& model, Sut* sut) const override {
    model.gate.release(tenant_);
    if (sut != nullptr) {
      sut->gate.release(NamespaceId(tenant_));
    }
    if (hands_over_) {
      grant_all(model.gate, sut);
    }
  }
  std::uint32_t tenant_ = 0;
  bool hands_over_ = true;
};

// One waiter leaves, expires or gets older.
class OfWaiter final : public Step {
 public:
  explicit OfWaiter(const Model& model) : kind_(below(4)) {
    const auto& waiters = model.gate.waiters();
    RC_PRE(!waiters.empty());
    request_ = waiters[below(waiters.size())].request;
  }
  void checkPreconditions(const Model& model) const override {
    const auto& waiters = model.gate.waiters();
    const auto found = std::ranges::find(waiters, request_, &NaiveGate::Waiter::request);
    RC_PRE(found != waiters.end() && (kind_ < 2 || found->age < 2));
  }
  void show(std::ostream& out) const override {
    out << (kind_ == 0 ? "leave " : kind_ == 1 ? "expire " : "pass age ") << request_.value();
  }

 private:
  void act(Model& model, Sut* sut) const override {
    const WaiterId waiter = sut == nullptr ? WaiterId::none() : sut->waiters.at(request_);
    if (kind_ == 0) {
      model.gate.remove(request_);
      if (sut != nullptr) {
        sut->gate.leave(waiter);
      }
    } else if (kind_ == 1) {
      const Refusal expected = model.gate.expire(request_);
      if (sut != nullptr) {
        RC_ASSERT(sut->gate.expire(waiter) == expected);
      }
    } else {
      model.gate.pass_age(request_);
      if (sut != nullptr) {
        sut->gate.pass_age(waiter);
      }
    }
    grant_all(model.gate, sut);
    if (sut != nullptr && kind_ < 2) {
      sut->waiters.erase(request_);
    }
  }
  int kind_;
  RequestId request_;
};

class Refill final : public Step {
 public:
  explicit Refill(const Model& model) : tenant_(below(kTenants)) { checkPreconditions(model); }
  void checkPreconditions(const Model& model) const override {
    const auto& limit = model.gate.limits(tenant_).rate_limit;
    RC_PRE(limit && model.gate.tokens(tenant_) < limit->burst);
  }
  void show(std::ostream& out) const override { out << "refill " << tenant_; }

 private:
  void act(Model& model, Sut* sut) const override {
    model.gate.refill(tenant_);
    if (sut != nullptr) {
      sut->gate.refill(NamespaceId(tenant_));
    }
  }
  std::uint32_t tenant_;
};

// Has no precondition.
class SetLimits final : public Step {
 public:
  explicit SetLimits(const Model& model)
      : of_tenant_(below(3) > 0), tenant_(below(kTenants)), gate_(any_gate_limits()), limits_(any_tenant_limits()) {
    if (below(2) == 0) {  // keeps the bucket
      limits_.rate_limit = model.gate.limits(tenant_).rate_limit;
    }
  }
  void show(std::ostream& out) const override {
    out << "limits of " << (of_tenant_ ? std::to_string(tenant_) : "the process");
    const auto cap = of_tenant_ ? limits_.max_inflight : gate_.max_inflight;
    out << ": " << (cap ? std::to_string(*cap) : "none");
  }

 private:
  void act(Model& model, Sut* sut) const override {
    if (of_tenant_) {
      model.gate.set_limits(tenant_, limits_);
      if (sut != nullptr) {
        sut->gate.set_limits(NamespaceId(tenant_), limits_);
      }
    } else {
      model.gate.set_limits(gate_);
      if (sut != nullptr) {
        sut->gate.set_limits(gate_);
      }
    }
    grant_all(model.gate, sut);
  }
  bool of_tenant_;
  std::uint32_t tenant_;
  GateLimits gate_;
  TenantLimits limits_;
};

// All waiters are refused, tenant by tenant; or arrivals are let in again.
class Drain final : public Step {
 public:
  explicit Drain(const Model& model) : draining_(!model.gate.draining()) { RC_PRE(!draining_ || below(5) == 0); }
  void show(std::ostream& out) const override { out << (draining_ ? "drain" : "resume"); }

 private:
  void act(Model& model, Sut* sut) const override {
    model.gate.set_draining(draining_);
    if (sut != nullptr) {
      sut->gate.set_draining(draining_);
    }
    while (draining_ && model.gate.depth() > 0) {
      const RequestId request = model.gate.waiters().front().request;
      model.gate.remove(request);
      if (sut != nullptr) {
        sut->gate.leave(sut->waiters.at(request));
        sut->waiters.erase(request);
      }
    }
    grant_all(model.gate, sut);
  }
  bool draining_;
};

void walk_both(QueueOrder order) {
  const GateConfig config = any_config(order);
  std::vector<TenantLimits> limits;
  for (std::uint32_t i = 0; i < kTenants; ++i) {
    limits.push_back(any_tenant_limits());
  }
  const Model model{.gate = NaiveGate(config, limits)};
  walk<Arrive, Arrive, Arrive, Release, Release, OfWaiter, Refill, SetLimits, Drain>(
      model, Sut{.gate = Gate(config, limits), .waiters = {}});
}

TEST_CASE("a gate and a list without cleverness decide alike, first in first out", "[property]") {
  check_property("gate.fifo", [] { walk_both(QueueOrder::fifo); });
}
TEST_CASE("a gate and a list without cleverness decide alike, last in first out", "[property]") {
  check_property("gate.lifo", [] { walk_both(QueueOrder::lifo); });
}
TEST_CASE("a gate and a list without cleverness decide alike, tenant by tenant", "[property]") {
  check_property("gate.tenant_round_robin", [] { walk_both(QueueOrder::tenant_round_robin); });
}

}  // namespace
}  // namespace headroom::test
