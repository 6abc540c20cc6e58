#include "model/admission/gate.hpp"

#include "model/base/assert.hpp"
#include "model/base/mutation.hpp"

namespace headroom {

Gate::Gate(const GateConfig& config, std::span<const TenantLimits> limits)
    : may_wait_(config.may_wait),
      order_(config.order),
      marks_(config.readiness),
      limits_(config.limits),
      tenants_(limits.size()),
      with_waiters_(static_cast<std::uint32_t>(limits.size())),
      eligible_(order_ == QueueOrder::tenant_round_robin ? static_cast<std::uint32_t>(limits.size()) : 0),
      ranks_(order_ == QueueOrder::tenant_round_robin ? 0 : static_cast<std::uint32_t>(limits.size())) {
  for (std::size_t i = 0; i < limits.size(); ++i) {
    tenants_[i].limits = limits[i];
    if (limits[i].rate_limit) {
      tenants_[i].bucket = TokenBucket(*limits[i].rate_limit);
    }
  }
}

// -- arrivals ---------------------------------------------------------------------------------------------------------

bool Gate::queue_has_place(const Tenant& tenant) const {
  const std::uint32_t over = mutated(Mutation::queue_depth_off_by_one) ? 1 : 0;
  const bool own = !tenant.limits.max_queue_depth || tenant.waiting < *tenant.limits.max_queue_depth;
  return may_wait_ && (!limits_.max_queue_depth || depth_ < *limits_.max_queue_depth + over) &&
         (own || mutated(Mutation::tenant_queue_unbounded));
}

// The caller's own bounds first.
Refusal Gate::refuse_arrival(const Tenant& tenant) const {
  if (mutated(Mutation::statuses_swapped)) {
    return tenant.below_cap() ? Refusal::tenant_queue_full : Refusal::process_queue_full;
  }
  if (!tenant.below_cap()) {
    return Refusal::tenant_inflight;
  }
  const bool own_queue_full = tenant.limits.max_queue_depth && tenant.waiting >= *tenant.limits.max_queue_depth;
  if (may_wait_ && own_queue_full) {
    return Refusal::tenant_queue_full;
  }
  return may_wait_ && limits_.max_queue_depth != std::uint32_t{0} ? Refusal::process_queue_full
                                                                  : Refusal::process_inflight;
}

Decision Gate::arrive(NamespaceId name, RequestId request, Time at) {
  Tenant& tenant = tenants_[name.value()];
  if (draining_ && !mutated(Mutation::drained_process_admits)) {
    return {.kind = Decision::Kind::refuse, .refusal = Refusal::draining};
  }
  if (tenant.limits.rate_limit && tenant.bucket.tokens() == 0) {
    return {.kind = Decision::Kind::refuse, .refusal = Refusal::no_token};
  }
  const bool room = has_room() || (mutated(Mutation::process_cap_off_by_one) && inflight_ == *limits_.max_inflight);
  const bool below_cap = tenant.below_cap() || mutated(Mutation::tenant_cap_not_looked_at);
  const bool runs = below_cap && room && (next_tenant().is_none() || mutated(Mutation::barging));
  if (!runs && !queue_has_place(tenant)) {
    if (mutated(Mutation::permit_leaked_on_nested_refusal) && tenant.below_cap()) {
      ++tenant.inflight;
    }
    if (mutated(Mutation::token_charged_on_refusal) && tenant.limits.rate_limit) {
      tenant.bucket.take(at);
    }
    return {.kind = Decision::Kind::refuse, .refusal = refuse_arrival(tenant)};
  }
  Decision decision;
  if (tenant.limits.rate_limit && (runs || !mutated(Mutation::token_not_taken_by_waiter))) {
    decision.left_full = tenant.bucket.full();
    tenant.bucket.take(at);
  }
  if (runs) {
    ++tenant.inflight;
    ++inflight_;
    refresh(name);
    return decision;
  }
  decision.kind = Decision::Kind::wait;
  decision.waiter = enqueue(name, request);
  judge_readiness();
  return decision;
}

// -- permits ----------------------------------------------------------------------------------------------------------

void Gate::release(NamespaceId name) {
  Tenant& tenant = tenants_[name.value()];
  HEADROOM_ASSERT(tenant.inflight > 0 && inflight_ > 0, "tenant {} released a permit that it did not hold",
                  name.value());
  --tenant.inflight;
  --inflight_;
  refresh(name);
}

NamespaceId Gate::next_tenant() const {
  if (order_ != QueueOrder::tenant_round_robin) {
    return ranks_.empty() ? NamespaceId::none() : NamespaceId(ranks_.best());
  }
  if (eligible_.empty()) {
    return NamespaceId::none();
  }
  if (mutated(Mutation::blocked_tenant_blocks_the_queue) && !tenants_[with_waiters_.next(0)].below_cap()) {
    return NamespaceId::none();
  }
  const std::uint32_t after = cursor_.is_none() ? eligible_.size() : eligible_.next(cursor_.value() + 1);
  return NamespaceId(after < eligible_.size() ? after : eligible_.next(0));
}

std::optional<Waiter> Gate::grant_next() {
  if (!has_room() || (draining_ && !mutated(Mutation::drained_waiter_granted))) {
    return std::nullopt;
  }
  const NamespaceId name = next_tenant();
  if (name.is_none()) {
    return std::nullopt;
  }
  Tenant& tenant = tenants_[name.value()];
  const bool from_end = order_ == QueueOrder::lifo || mutated(Mutation::youngest_waiter_first);
  const WaiterId id = from_end ? tenant.last : tenant.first;
  const Waiter granted = waiters_[id.value()];
  ++tenant.inflight;
  ++inflight_;
  if (!mutated(Mutation::hand_over_cursor_not_kept)) {
    cursor_ = name;
  }
  unlink(id);
  return granted;
}

// -- waiters ----------------------------------------------------------------------------------------------------------

WaiterId Gate::enqueue(NamespaceId name, RequestId request, WaiterAge age) {
  if (free_.empty()) {
    free_.push_back(WaiterId(static_cast<std::uint32_t>(waiters_.size())));
    waiters_.emplace_back();
  }
  const WaiterId id = free_.back();
  free_.pop_back();
  Tenant& tenant = tenants_[name.value()];
  waiters_[id.value()] = {.request = request, .tenant = name, .age = age, .turn = next_turn_++, .before = tenant.last};
  if (tenant.last.is_none()) {
    tenant.first = id;
    with_waiters_.set(name.value());
  } else {
    waiters_[tenant.last.value()].after = id;
  }
  tenant.last = id;
  ++tenant.waiting;
  ++depth_;
  lagging_ += age >= WaiterAge::lagging ? 1 : 0;
  too_old_ += age == WaiterAge::too_old ? 1 : 0;
  refresh(name);
  return id;
}

void Gate::unlink(WaiterId id) {
  const Waiter waiter = waiters_[id.value()];
  Tenant& tenant = tenants_[waiter.tenant.value()];
  (waiter.before.is_none() ? tenant.first : waiters_[waiter.before.value()].after) = waiter.after;
  (waiter.after.is_none() ? tenant.last : waiters_[waiter.after.value()].before) = waiter.before;
  if (tenant.first.is_none()) {
    with_waiters_.assign(waiter.tenant.value(), false);
  }
  --tenant.waiting;
  --depth_;
  lagging_ -= waiter.age >= WaiterAge::lagging ? 1 : 0;
  too_old_ -= waiter.age == WaiterAge::too_old ? 1 : 0;
  waiters_[id.value()] = Waiter{};
  free_.push_back(id);
  refresh(waiter.tenant);
  judge_readiness();
}

void Gate::leave(WaiterId id) {
  unlink(id);
}

Refusal Gate::expire(WaiterId id) {
  const NamespaceId name = waiters_[id.value()].tenant;
  unlink(id);
  if (mutated(Mutation::permit_leaked_on_expiry)) {
    ++inflight_;
  }
  if (mutated(Mutation::expired_wait_told_429)) {
    return Refusal::tenant_wait_expired;
  }
  return tenants_[name.value()].below_cap() ? Refusal::process_wait_expired : Refusal::tenant_wait_expired;
}

void Gate::pass_age(WaiterId id) {
  Waiter& waiter = waiters_[id.value()];
  HEADROOM_ASSERT(waiter.age != WaiterAge::too_old, "waiter {} cannot get older", id.value());
  if (waiter.age == WaiterAge::young) {
    waiter.age = WaiterAge::lagging;
    ++lagging_;
  } else {
    waiter.age = WaiterAge::too_old;
    ++too_old_;
  }
  judge_readiness();
}

void Gate::refill(NamespaceId name) {
  tenants_[name.value()].bucket.give_back();
}

// -- limits and readiness ---------------------------------------------------------------------------------------------

void Gate::set_limits(const GateLimits& limits) {
  limits_ = limits;
}

void Gate::set_limits(NamespaceId name, const TenantLimits& limits) {
  Tenant& tenant = tenants_[name.value()];
  if (limits.rate_limit != tenant.limits.rate_limit) {
    tenant.bucket = limits.rate_limit ? TokenBucket(*limits.rate_limit) : TokenBucket();
    ++tenant.bucket_life;
  }
  tenant.limits = limits;
  refresh(name);
}

void Gate::set_draining(bool draining) {
  draining_ = draining;
}

void Gate::continue_lives_of(const Gate& former) {
  for (std::size_t i = 0; i < tenants_.size(); ++i) {
    tenants_[i].bucket_life = former.tenants_[i].bucket_life + 1;
  }
}

void Gate::refresh(NamespaceId name) {
  const Tenant& tenant = tenants_[name.value()];
  const bool stands_in_line = tenant.waiting > 0 && tenant.below_cap();
  if (order_ == QueueOrder::tenant_round_robin) {
    eligible_.assign(name.value(), stands_in_line);
    return;
  }
  if (!stands_in_line) {
    ranks_.set(name.value(), RankTree::kOut);
  } else if (order_ == QueueOrder::fifo) {
    ranks_.set(name.value(), waiters_[tenant.first.value()].turn);
  } else {
    ranks_.set(name.value(), RankTree::kOut - 1 - waiters_[tenant.last.value()].turn);
  }
}

void Gate::judge_readiness() {
  if (!marks_) {
    return;
  }
  const ReadinessMarks& marks = *marks_;
  if ((marks.depth_high && depth_ > *marks.depth_high) || (marks.lag_high && too_old_ > 0)) {
    ready_ = false;
  } else if (mutated(Mutation::no_hysteresis) ||
             ((!marks.depth_low || depth_ < *marks.depth_low) && (!marks.lag_low || lagging_ == 0))) {
    ready_ = true;
  }
}

// -- states that somebody else keeps ----------------------------------------------------------------------------------

void Gate::restore(const Standing& standing, std::span<const TenantStanding> tenants) {
  limits_ = standing.limits;
  cursor_ = standing.cursor;
  ready_ = standing.calm;
  draining_ = standing.draining;
  waiters_.clear();
  free_.clear();
  next_turn_ = 0;
  inflight_ = 0;
  depth_ = 0;
  lagging_ = 0;
  too_old_ = 0;
  for (std::uint32_t i = 0; i < tenants_.size(); ++i) {
    Tenant& tenant = tenants_[i];
    tenant = {.limits = tenants[i].limits, .inflight = tenants[i].inflight};
    if (tenant.limits.rate_limit) {
      tenant.bucket = TokenBucket::holding(*tenant.limits.rate_limit, tenants[i].tokens);
    }
    inflight_ += tenant.inflight;
    with_waiters_.assign(i, false);
    refresh(NamespaceId(i));
  }
}

WaiterId Gate::restore_waiter(NamespaceId name, RequestId request, WaiterAge age) {
  return enqueue(name, request, age);
}

bool operator==(const Gate& a, const Gate& b) {
  return a.limits_ == b.limits_ && a.tenants_ == b.tenants_ && a.waiters_ == b.waiters_ && a.free_ == b.free_ &&
         a.cursor_ == b.cursor_ && a.next_turn_ == b.next_turn_ && a.inflight_ == b.inflight_ && a.depth_ == b.depth_ &&
         a.lagging_ == b.lagging_ && a.too_old_ == b.too_old_ && a.ready_ == b.ready_ && a.draining_ == b.draining_;
}

}  // namespace headroom
