// The admission gate of spec 1.4 in its plainest form: one list of waiters, scanned from end to end; tenants in name
// order. What it knows of a token bucket is how many tokens there are.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/admission/config.hpp"
#include "model/admission/refusal.hpp"
#include "model/base/ids.hpp"

namespace headroom::test {

class NaiveGate {
 public:
  struct Waiter {
    RequestId request;
    std::uint32_t tenant = 0;
    int age = 0;  // marks of age that it has passed
  };
  struct Outcome {
    enum class Kind : std::uint8_t { run, wait, refuse } kind = Kind::run;
    std::optional<Refusal> refusal;
  };

  NaiveGate(const GateConfig& config, std::vector<TenantLimits> limits)
      : config_(config), limits_(std::move(limits)), inflight_(limits_.size(), 0) {
    for (const TenantLimits& each : limits_) {
      tokens_.push_back(each.rate_limit ? each.rate_limit->burst : 0);
    }
  }

  Outcome arrive(std::uint32_t tenant, RequestId request) {
    if (draining_) {
      return {Outcome::Kind::refuse, Refusal::draining};
    }
    if (limits_[tenant].rate_limit && tokens_[tenant] == 0) {
      return {Outcome::Kind::refuse, Refusal::no_token};
    }
    const bool someone_could_run =
        std::ranges::any_of(waiters_, [&](const Waiter& waiter) { return tenant_below_cap(waiter.tenant); });
    if (tenant_below_cap(tenant) && process_below_cap() && !someone_could_run) {
      ++inflight_[tenant];
      take_token(tenant);
      return {Outcome::Kind::run, std::nullopt};
    }
    const bool tenant_full = full(waiting(tenant), limits_[tenant].max_queue_depth);
    const bool process_full = full(depth(), config_.limits.max_queue_depth);
    if (config_.may_wait && !tenant_full && !process_full) {
      waiters_.push_back({request, tenant, 0});
      take_token(tenant);
      judge_readiness();
      return {Outcome::Kind::wait, std::nullopt};
    }
    if (!tenant_below_cap(tenant)) {
      return {Outcome::Kind::refuse, Refusal::tenant_inflight};
    }
    if (config_.may_wait && tenant_full) {
      return {Outcome::Kind::refuse, Refusal::tenant_queue_full};
    }
    const bool nobody_may = !config_.may_wait || config_.limits.max_queue_depth == std::uint32_t{0};
    return {Outcome::Kind::refuse, nobody_may ? Refusal::process_inflight : Refusal::process_queue_full};
  }

  void release(std::uint32_t tenant) { --inflight_[tenant]; }

  std::optional<Waiter> grant_next() {
    if (draining_ || !process_below_cap()) {
      return std::nullopt;
    }
    const std::optional<std::size_t> chosen = next_in_order();
    if (!chosen) {
      return std::nullopt;
    }
    const Waiter granted = waiters_[*chosen];
    remove(granted.request);
    ++inflight_[granted.tenant];
    cursor_ = granted.tenant;
    return granted;
  }

  void remove(RequestId request) {
    waiters_.erase(find(request));
    judge_readiness();
  }
  Refusal expire(RequestId request) {
    const std::uint32_t tenant = find(request)->tenant;
    remove(request);
    return tenant_below_cap(tenant) ? Refusal::process_wait_expired : Refusal::tenant_wait_expired;
  }
  void pass_age(RequestId request) {
    ++find(request)->age;
    judge_readiness();
  }
  void refill(std::uint32_t tenant) { ++tokens_[tenant]; }
  void set_limits(const GateLimits& limits) { config_.limits = limits; }
  void set_limits(std::uint32_t tenant, const TenantLimits& limits) {
    if (limits.rate_limit != limits_[tenant].rate_limit) {
      tokens_[tenant] = limits.rate_limit ? limits.rate_limit->burst : 0;
    }
    limits_[tenant] = limits;
  }
  void set_draining(bool draining) { draining_ = draining; }

  [[nodiscard]] const std::vector<Waiter>& waiters() const { return waiters_; }
  [[nodiscard]] const TenantLimits& limits(std::uint32_t tenant) const { return limits_[tenant]; }
  [[nodiscard]] std::uint32_t tenants() const { return static_cast<std::uint32_t>(limits_.size()); }
  [[nodiscard]] std::uint32_t inflight(std::uint32_t tenant) const { return inflight_[tenant]; }
  [[nodiscard]] std::uint32_t tokens(std::uint32_t tenant) const { return tokens_[tenant]; }
  [[nodiscard]] std::uint32_t waiting(std::uint32_t tenant) const {
    return static_cast<std::uint32_t>(std::ranges::count(waiters_, tenant, &Waiter::tenant));
  }
  [[nodiscard]] std::uint32_t depth() const { return static_cast<std::uint32_t>(waiters_.size()); }
  [[nodiscard]] std::uint32_t inflight() const {
    std::uint32_t sum = 0;
    for (const std::uint32_t each : inflight_) {
      sum += each;
    }
    return sum;
  }
  [[nodiscard]] std::uint32_t older_than(int marks) const {
    return static_cast<std::uint32_t>(std::ranges::count_if(waiters_, [&](const Waiter& w) { return w.age >= marks; }));
  }
  [[nodiscard]] bool ready() const { return ready_ && !draining_; }
  [[nodiscard]] bool draining() const { return draining_; }

 private:
  static bool full(std::uint32_t n, const std::optional<std::uint32_t>& cap) { return cap && n >= *cap; }
  [[nodiscard]] bool tenant_below_cap(std::uint32_t tenant) const {
    return !full(inflight_[tenant], limits_[tenant].max_inflight);
  }
  [[nodiscard]] bool process_below_cap() const { return !full(inflight(), config_.limits.max_inflight); }
  std::vector<Waiter>::iterator find(RequestId request) {
    return std::ranges::find(waiters_, request, &Waiter::request);
  }
  void take_token(std::uint32_t tenant) { tokens_[tenant] -= limits_[tenant].rate_limit ? 1 : 0; }

  // Waiters stand in order of arrival.
  [[nodiscard]] std::optional<std::size_t> next_in_order() const {
    std::optional<std::size_t> chosen;
    const auto rank = [&](std::uint32_t tenant) {  // how far after the cursor
      const std::uint32_t first = cursor_ ? *cursor_ + 1 : 0;
      return (tenant + tenants() - first % tenants()) % tenants();
    };
    for (std::size_t i = 0; i < waiters_.size(); ++i) {
      if (!tenant_below_cap(waiters_[i].tenant)) {
        continue;
      }
      const bool better = !chosen || config_.order == QueueOrder::lifo ||
                          (config_.order == QueueOrder::tenant_round_robin &&
                           rank(waiters_[i].tenant) < rank(waiters_[*chosen].tenant));
      chosen = better ? i : chosen;
    }
    return chosen;
  }

  void judge_readiness() {
    if (!config_.readiness) {
      return;
    }
    const ReadinessMarks& marks = *config_.readiness;
    const bool above = (marks.depth_high && depth() > *marks.depth_high) || (marks.lag_high && older_than(2) > 0);
    const bool below = (!marks.depth_low || depth() < *marks.depth_low) && (!marks.lag_low || older_than(1) == 0);
    ready_ = above ? false : below ? true : ready_;
  }

  GateConfig config_;
  std::vector<TenantLimits> limits_;
  std::vector<std::uint32_t> inflight_;
  std::vector<std::uint32_t> tokens_;
  std::vector<Waiter> waiters_;
  std::optional<std::uint32_t> cursor_;
  bool ready_ = true;
  bool draining_ = false;
};

}  // namespace headroom::test
