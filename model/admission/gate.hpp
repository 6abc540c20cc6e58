// The admission gate of one API process: a semaphore with nested caps, one queue in front of it, a rate limit beside.
//
//   Gate gate(config, tenants);
//   const Decision decision = gate.arrive(tenant, request, now);      // run, wait or refuse
//   ... later, when a handler is over:
//   gate.release(tenant);
//   while (const auto granted = gate.grant_next()) run(granted->request);   // in the same step
//
// A value: no clock, no randomness. It hands a freed permit to the first waiter in queue order whose tenant is below
// its cap; whoever changes what a gate lets in asks grant_next() until it gives nothing. Every operation costs O(1) or
// O(log n) in tenants and waiters.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "model/admission/config.hpp"
#include "model/admission/rank_tree.hpp"
#include "model/admission/refusal.hpp"
#include "model/admission/token_bucket.hpp"
#include "model/base/ids.hpp"
#include "model/base/ordered_bitmap.hpp"
#include "model/base/time.hpp"

namespace headroom {

struct Decision {
  enum class Kind : std::uint8_t { run, wait, refuse };
  Kind kind = Kind::run;
  Refusal refusal = Refusal::no_token;  // when refused
  WaiterId waiter = WaiterId::none();   // when it waits
  bool left_full = false;               // the tenant's bucket was full: its refill timer has to be set
};

// How old a waiter is, as far as the readiness marks care.
enum class WaiterAge : std::uint8_t {
  young,    // below lag_low
  lagging,  // lag_low or more
  too_old,  // above lag_high
};

struct Waiter {
  RequestId request;
  NamespaceId tenant;
  WaiterAge age = WaiterAge::young;
  std::uint64_t turn = 0;  // in order of arrival
  WaiterId before;         // of the same tenant
  WaiterId after;
  friend bool operator==(const Waiter&, const Waiter&) = default;
};

class Gate {
 public:
  // What the gate holds of a tenant.
  struct Tenant {
    TenantLimits limits;
    std::uint32_t inflight = 0;
    std::uint32_t waiting = 0;
    WaiterId first;
    WaiterId last;
    TokenBucket bucket;             // used where there is a rate limit
    std::uint32_t bucket_life = 0;  // grows when the bucket is replaced: tells a timer which one it was for
    [[nodiscard]] bool below_cap() const { return !limits.max_inflight || inflight < *limits.max_inflight; }
    friend bool operator==(const Tenant&, const Tenant&) = default;
  };

  // What decides its steps, without what no step can tell apart: places, turns, lives of buckets, instants.
  struct Standing {
    GateLimits limits;
    NamespaceId cursor;
    bool calm = true;  // what the readiness marks make of it
    bool draining = false;
    friend bool operator==(const Standing&, const Standing&) = default;
  };
  struct TenantStanding {
    TenantLimits limits;
    std::uint32_t inflight = 0;
    std::uint32_t tokens = 0;
    friend bool operator==(const TenantStanding&, const TenantStanding&) = default;
  };

  // `limits`: by NamespaceId.
  Gate(const GateConfig& config, std::span<const TenantLimits> limits);

  // The straight line of spec 1.4. A request that runs holds a permit until release(); one that waits is granted by
  // grant_next(), or leaves.
  Decision arrive(NamespaceId name, RequestId request, Time at);
  // A permit comes back.
  void release(NamespaceId name);
  // The waiter that may run now, if there is one; it holds a permit from here on.
  std::optional<Waiter> grant_next();
  // Its client has left.
  void leave(WaiterId id);
  // It has waited for `queue_wait`: leaves, and this is what its client is told.
  Refusal expire(WaiterId id);
  // It has become older than its present age class says.
  void pass_age(WaiterId id);
  // A token comes back; needs a bucket that is not full.
  void refill(NamespaceId name);

  // A lowered limit evicts nobody; a raised one may let waiters in (grant_next).
  void set_limits(const GateLimits& limits);
  void set_limits(NamespaceId name, const TenantLimits& limits);
  // From here on arrivals are refused; waiters are the caller's to refuse, one by one (first_waiter, leave).
  void set_draining(bool draining);
  // This gate takes the place of another: timers of its buckets are not for these.
  void continue_lives_of(const Gate& former);
  // A tenant with a waiter, by number; the number of tenants if there is none.
  [[nodiscard]] std::uint32_t next_waiting(std::uint32_t from) const { return with_waiters_.next(from); }

  // -- what it holds ------------------------------------------------------------------------------------------------

  [[nodiscard]] const GateLimits& limits() const { return limits_; }
  [[nodiscard]] QueueOrder order() const { return order_; }
  [[nodiscard]] std::uint32_t inflight() const { return inflight_; }
  [[nodiscard]] std::uint32_t depth() const { return depth_; }
  [[nodiscard]] bool has_room() const { return !limits_.max_inflight || inflight_ < *limits_.max_inflight; }
  [[nodiscard]] bool draining() const { return draining_; }
  // Hysteresis of the readiness marks; false while draining.
  [[nodiscard]] bool ready() const { return ready_ && !draining_; }
  [[nodiscard]] std::uint32_t tenants() const { return static_cast<std::uint32_t>(tenants_.size()); }
  [[nodiscard]] const Tenant& tenant(NamespaceId name) const { return tenants_[name.value()]; }
  [[nodiscard]] const Waiter& waiter(WaiterId id) const { return waiters_[id.value()]; }
  // The tenant that got the last permit that was handed over; none before the first.
  [[nodiscard]] NamespaceId cursor() const { return cursor_; }
  // Waiters of at least this age.
  [[nodiscard]] std::uint32_t waiters_of_age(WaiterAge age) const {
    return age == WaiterAge::young ? depth_ : age == WaiterAge::lagging ? lagging_ : too_old_;
  }

  // -- states that somebody else keeps ------------------------------------------------------------------------------

  [[nodiscard]] Standing standing() const { return {limits_, cursor_, ready_, draining_}; }
  [[nodiscard]] TenantStanding standing(NamespaceId name) const {
    const Tenant& tenant = tenants_[name.value()];
    return {tenant.limits, tenant.inflight, tenant.bucket.tokens()};
  }
  // Stands so from here on, with nobody in the queue; then each waiter in order of arrival. `tenants`: by NamespaceId.
  void restore(const Standing& standing, std::span<const TenantStanding> tenants);
  WaiterId restore_waiter(NamespaceId name, RequestId request, WaiterAge age);

  friend bool operator==(const Gate& a, const Gate& b);

 private:
  [[nodiscard]] bool queue_has_place(const Tenant& tenant) const;
  [[nodiscard]] Refusal refuse_arrival(const Tenant& tenant) const;
  WaiterId enqueue(NamespaceId name, RequestId request, WaiterAge age = WaiterAge::young);
  void unlink(WaiterId id);
  // The tenant's counts changed: whether, and with which waiter, it stands in line.
  void refresh(NamespaceId name);
  [[nodiscard]] NamespaceId next_tenant() const;
  void judge_readiness();

  bool may_wait_;
  QueueOrder order_;
  std::optional<ReadinessMarks> marks_;
  GateLimits limits_;
  std::vector<Tenant> tenants_;
  std::vector<Waiter> waiters_;
  std::vector<WaiterId> free_;
  OrderedBitmap with_waiters_;
  OrderedBitmap eligible_;  // tenants with a waiter and below their cap (tenant_round_robin)
  RankTree ranks_;          // the same tenants by their next waiter's turn (fifo, lifo)
  NamespaceId cursor_;
  std::uint64_t next_turn_ = 0;
  std::uint32_t inflight_ = 0;
  std::uint32_t depth_ = 0;
  std::uint32_t lagging_ = 0;
  std::uint32_t too_old_ = 0;
  bool ready_ = true;
  bool draining_ = false;
};

}  // namespace headroom
