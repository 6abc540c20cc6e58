// Whole sequences at a gate with rate limits, in time: requests come, run, wait, expire and go. The gate agrees with a
// list of waiters beside a bucket in rational arithmetic, and over every pair of instants those that entered keep to
// the envelope burst + rate x T.
#include <fmt/format.h>
#include <map>

#include "model/admission/gate.hpp"
#include "tests/property/admission/naive_gate.hpp"
#include "tests/property/check.hpp"
#include "tests/property/commands.hpp"

namespace headroom::test {
namespace {

__extension__ using Wide = __int128;
constexpr Wide kPerToken = 1'000'000'000'000'000'000;  // nanoseconds x nanohertz
constexpr std::uint32_t kTenants = 2;

// What a tenant's tokens and envelope hang on, since its bucket was last made anew.
struct Budget {
  RateLimit limit;
  Time left_full;                  // when a token was last taken of a full bucket
  std::uint32_t returned = 0;      // tokens since then
  std::vector<Time> entered = {};  // who ran or began to wait
};

struct RateModel {
  NaiveGate gate;
  std::vector<Budget> budgets;  // by tenant
  std::uint32_t arrived = 0;
  Time now;
};
struct RateSut {
  Gate gate;
  std::map<RequestId, WaiterId> waiters;
};
using RateCommand = BothCommand<RateModel, RateSut>;

// No window that ends now holds more than its length allows.
void require_envelope(const Budget& budget) {
  for (std::size_t first = 0; first < budget.entered.size(); ++first) {
    const Wide over = static_cast<Wide>(budget.entered.size() - first) - budget.limit.burst;
    const Wide passed = (budget.entered.back() - budget.entered[first]).count();
    RC_ASSERT((over * kPerToken <= passed * budget.limit.nanohertz));
  }
}

void compare(const RateModel& model, const RateSut& sut) {
  RC_ASSERT(sut.gate.inflight() == model.gate.inflight());
  RC_ASSERT(sut.gate.depth() == model.gate.depth());
  for (std::uint32_t i = 0; i < kTenants; ++i) {
    RC_ASSERT(sut.gate.tenant(NamespaceId(i)).bucket.tokens() == model.gate.tokens(i));
    require_envelope(model.budgets[i]);
  }
}

// Both hand over what they can, to the same waiters.
void grant_all(NaiveGate& naive, RateSut* sut) {
  while (true) {
    const std::optional<NaiveGate::Waiter> expected = naive.grant_next();
    if (sut != nullptr) {
      const std::optional<Waiter> granted = sut->gate.grant_next();
      RC_ASSERT(granted.has_value() == expected.has_value());
      if (granted) {
        RC_ASSERT(granted->request == expected->request);
        sut->waiters.erase(granted->request);
      }
    }
    if (!expected) {
      return;
    }
  }
}

// Has no precondition.
class Arrive final : public RateCommand {
 public:
  explicit Arrive(const RateModel& model) : tenant_(below(kTenants)), request_(model.arrived) {}
  void show(std::ostream& out) const override { out << "arrive " << tenant_; }

 private:
  void act(RateModel& model, RateSut* sut) const override {
    ++model.arrived;
    Budget& budget = model.budgets[tenant_];
    const bool was_full = model.gate.tokens(tenant_) == budget.limit.burst;
    const NaiveGate::Outcome expected = model.gate.arrive(tenant_, request_);
    if (expected.kind != NaiveGate::Outcome::Kind::refuse) {
      budget.entered.push_back(model.now);
      if (was_full) {
        budget.left_full = model.now;
        budget.returned = 0;
      }
    }
    if (sut != nullptr) {
      const Decision decision = sut->gate.arrive(NamespaceId(tenant_), request_, model.now);
      RC_ASSERT(static_cast<int>(decision.kind) == static_cast<int>(expected.kind));
      RC_ASSERT((!expected.refusal || decision.refusal == *expected.refusal));
      if (decision.kind == Decision::Kind::wait) {
        sut->waiters.emplace(request_, decision.waiter);
      }
    }
  }
  std::uint32_t tenant_;
  RequestId request_;
};

// None, about what a token of some tenant takes (to the nanosecond before it is back, and the one at which it is), or
// any up to twice that. Tokens come back at their instants, before who arrives then. Has no precondition.
class Pass final : public RateCommand {
 public:
  explicit Pass(const RateModel& model) {
    const RateLimit& limit = model.budgets[below(kTenants)].limit;
    const auto token = static_cast<std::int64_t>(kPerToken / limit.nanohertz);
    gap_ = Duration::nanoseconds(below(3) == 0 ? token + below<std::int64_t>(2) : below(2 * token + 2));
  }
  void show(std::ostream& out) const override { out << gap_.count() << " ns pass"; }

 private:
  void act(RateModel& model, RateSut* sut) const override {
    model.now = model.now + gap_;
    for (std::uint32_t i = 0; i < kTenants; ++i) {
      Budget& budget = model.budgets[i];
      // Token k is back k seconds / rate after the bucket left full, rounded up to a nanosecond.
      while (model.gate.tokens(i) < budget.limit.burst &&
             Wide{(model.now - budget.left_full).count()} * budget.limit.nanohertz >=
                 (budget.returned + Wide{1}) * kPerToken) {
        ++budget.returned;
        model.gate.refill(i);
      }
      while (sut != nullptr && due(sut->gate.tenant(NamespaceId(i)).bucket, model.now)) {
        sut->gate.refill(NamespaceId(i));
      }
    }
  }
  static bool due(const TokenBucket& bucket, Time now) { return !bucket.full() && bucket.next_return() <= now; }
  Duration gap_;
};

class Release final : public RateCommand {
 public:
  explicit Release(const RateModel& model) : tenant_(below(kTenants)) { checkPreconditions(model); }
  void checkPreconditions(const RateModel& model) const override { RC_PRE(model.gate.inflight(tenant_) > 0); }
  void show(std::ostream& out) const override { out << "release " << tenant_; }

 private:
  void act(RateModel& model, RateSut* sut) const override {
    model.gate.release(tenant_);
    if (sut != nullptr) {
      sut->gate.release(NamespaceId(tenant_));
    }
    grant_all(model.gate, sut);
  }
  std::uint32_t tenant_;
};

// A wait that expires, or whose client leaves, does not give its token back.
class EndWait final : public RateCommand {
 public:
  explicit EndWait(const RateModel& model) : expires_(below(2) == 0) {
    const auto& waiters = model.gate.waiters();
    RC_PRE(!waiters.empty());
    request_ = waiters[below(waiters.size())].request;
  }
  void checkPreconditions(const RateModel& model) const override {
    const auto& waiters = model.gate.waiters();
    RC_PRE(std::ranges::find(waiters, request_, &NaiveGate::Waiter::request) != waiters.end());
  }
  void show(std::ostream& out) const override { out << (expires_ ? "expire " : "leave ") << request_.value(); }

 private:
  void act(RateModel& model, RateSut* sut) const override {
    model.gate.remove(request_);
    if (sut != nullptr) {
      const WaiterId waiter = sut->waiters.at(request_);
      if (expires_) {
        (void)sut->gate.expire(waiter);
      } else {
        sut->gate.leave(waiter);
      }
      sut->waiters.erase(request_);
    }
    grant_all(model.gate, sut);
  }
  bool expires_;
  RequestId request_;
};

RateLimit any_rate() {
  const std::int64_t rate = *rc::gen::element<std::int64_t>(1'000'000'000, 3'000'000'000, 333'333'333, 7'777'777'777,
                                                            100'000, 1'000'000'000'000'000'000);
  return {.nanohertz = rate, .burst = 1 + below(6U)};
}

// Another limit fills the bucket; the same one leaves it as it is. Has no precondition.
class SetRate final : public RateCommand {
 public:
  explicit SetRate(const RateModel& model)
      : tenant_(below(kTenants)), limit_(below(3) == 0 ? model.budgets[tenant_].limit : any_rate()) {}
  void show(std::ostream& out) const override {
    out << fmt::format("rate of {}: {} nHz, burst {}", tenant_, limit_.nanohertz, limit_.burst);
  }

 private:
  void act(RateModel& model, RateSut* sut) const override {
    TenantLimits limits = model.gate.limits(tenant_);
    if (limits.rate_limit != limit_) {
      model.budgets[tenant_] = {.limit = limit_, .left_full = model.now};
    }
    limits.rate_limit = limit_;
    model.gate.set_limits(tenant_, limits);
    if (sut != nullptr) {
      sut->gate.set_limits(NamespaceId(tenant_), limits);
    }
    grant_all(model.gate, sut);
  }
  std::uint32_t tenant_;
  RateLimit limit_;
};

std::optional<std::uint32_t> any_cap(std::uint32_t most) {
  return below(2) == 0 ? std::nullopt : std::optional(below(most + 1));
}

TEST_CASE("over every pair of instants those that entered keep to burst + rate x T", "[property]") {
  check_property("rate_limit.envelope", [] {
    const GateConfig config{.limits = {.max_inflight = any_cap(4), .max_queue_depth = any_cap(8)},
                            .may_wait = below(4) != 3,
                            .order = *rc::gen::element(QueueOrder::fifo, QueueOrder::tenant_round_robin)};
    std::vector<TenantLimits> limits;
    std::vector<Budget> budgets;
    for (std::uint32_t i = 0; i < kTenants; ++i) {
      const RateLimit rate = any_rate();
      limits.push_back({.max_inflight = any_cap(3), .max_queue_depth = any_cap(6), .rate_limit = rate});
      budgets.push_back({.limit = rate});
    }
    const RateModel model{.gate = NaiveGate(config, limits), .budgets = budgets};
    walk<Arrive, Arrive, Arrive, Arrive, Pass, Pass, Release, EndWait, SetRate>(
        model, RateSut{.gate = Gate(config, limits), .waiters = {}});
  });
}

}  // namespace
}  // namespace headroom::test
