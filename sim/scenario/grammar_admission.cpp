// The section `admission`, and the limits of a tenant in it.
#include "sim/scenario/grammar.hpp"
#include "sim/scenario/object_rule.hpp"

namespace headroom {
namespace {

constexpr Duration kShortest = Duration::nanoseconds(1);
constexpr std::string_view kUnbounded = "unbounded";

Rule<TenantLimitsAsWritten> make_tenant_limits_rule() {
  ObjectRule<TenantLimitsAsWritten> object;
  using T = TenantLimitsAsWritten;
  object.key("max_inflight", &T::max_inflight, inflight_rule(1), "its requests that run at once in a process");
  object.key("max_queue_depth", &T::max_queue_depth, queue_depth_rule(), "its requests that wait in a process");
  object.key("rate_limit", &T::rate_limit, rate_limit_rule(), "its arrivals in a process, beside the caps");
  return object.rule();
}

// Both or neither, and the low one not above the high one.
template <class M, class InWords>
void check_marks(const std::optional<M>& high, const std::optional<M>& low, const std::string& name, InWords in_words,
                 Reading& reading) {
  const std::string high_name = name + "_high";
  const std::string low_name = name + "_low";
  if (high.has_value() != low.has_value()) {
    const auto step = reading.enter(high ? low_name : high_name);
    reading.fault("is missing", in_quotes(high_name) + " and " + in_quotes(low_name) + " belong together");
  } else if (high && *low > *high) {
    const auto step = reading.enter(low_name);
    reading.fault(in_words(*low) + " is above " + in_quotes(high_name), "at most " + in_words(*high));
  }
}

Rule<ReadinessMarks> readiness_rule() {
  ObjectRule<ReadinessMarks> object;
  using M = ReadinessMarks;
  object.key("depth_high", &M::depth_high, whole<std::uint32_t>(0, kMaxCount), "not ready with more waiters");
  object.key("depth_low", &M::depth_low, whole<std::uint32_t>(1, kMaxCount), "ready again with fewer waiters");
  object.key("lag_high", &M::lag_high, duration(), "not ready when the oldest waiter is older");
  object.key("lag_low", &M::lag_low, duration(kShortest), "ready again when the oldest waiter is younger");
  object.check([](const M& marks, Reading& reading) {
    check_marks(marks.depth_high, marks.depth_low, "depth", [](std::uint32_t n) { return std::to_string(n); }, reading);
    check_marks(marks.lag_high, marks.lag_low, "lag", format_duration, reading);
    if (!marks.depth_high && !marks.depth_low && !marks.lag_high && !marks.lag_low) {
      reading.fault("has no marks", "\"depth_high\" and \"depth_low\", \"lag_high\" and \"lag_low\", or all four");
    }
  });
  return object.rule();
}

Rule<DatabasePoolSection> database_pool_rule() {
  ObjectRule<DatabasePoolSection> object;
  using S = DatabasePoolSection;
  object.required("size", &S::size, whole<std::uint32_t>(1, kMaxCount), "connections of the whole fleet");
  object.key("reserve", &S::reserve, whole<std::uint32_t>(0, kMaxCount), "of these, kept for health checks");
  object.key("checkout_timeout", &S::checkout_timeout, duration(kShortest),
             "how long a handler waits for one (default: without end)");
  object.check([](const S& pool, Reading& reading) {
    if (pool.reserve >= pool.size) {
      const auto step = reading.enter("reserve");
      reading.fault(std::to_string(pool.reserve) + " leaves no connection to handlers",
                    "less than the size of " + std::to_string(pool.size));
    }
  });
  return object.rule();
}

Rule<DownstreamSection> downstream_rule() {
  ObjectRule<DownstreamSection> object;
  using S = DownstreamSection;
  object.required("size", &S::size, whole<std::uint32_t>(1, kMaxCount), "requests that the next service takes at once");
  object.key("checkout_timeout", &S::checkout_timeout, duration(kShortest),
             "how long a handler waits for a place (default: without end)");
  object.key("part", &S::part, decimal(Decimal{0}, Decimal::whole(1), true),
             "of a handler's time, its last part, for which it holds a place");
  return object.rule();
}

Rule<LoadBalancerSpec> load_balancer_rule() {
  ObjectRule<LoadBalancerSpec> object;
  using S = LoadBalancerSpec;
  object.key("policy", &S::policy, choice<BalancingPolicy>(), "which process a request goes to");
  object.key("reaction_delay", &S::reaction_delay, duration(), "from a change of readiness until it is heeded");
  object.key("panic_share", &S::panic_share, decimal(Decimal{0}, Decimal::whole(1)),
             "with a smaller share of processes ready, readiness is ignored");
  return object.rule();
}

Rule<HealthCheckSection> health_check_rule() {
  ObjectRule<HealthCheckSection> object;
  using S = HealthCheckSection;
  object.key("interval", &S::interval, duration(kShortest), "from one check of a process to the next");
  object.key("service", &S::service, duration(), "how long a check holds its connection");
  object.key("timeout", &S::timeout, duration(kShortest), "how long it waits for one");
  return object.rule();
}

// Of the bounds of the queue it matters whether they are there.
struct AdmissionKeys : AdmissionSection {
  std::optional<std::optional<std::uint32_t>> depth;
  std::optional<std::optional<Duration>> wait;
  TenantLimitsAsWritten each_tenant;
};

// A bound of the queue that is there alone stands alone; without either nobody waits.
AdmissionSection to_admission(const AdmissionKeys& keys, Reading&) {
  auto section = static_cast<const AdmissionSection&>(keys);
  if (keys.depth || keys.wait) {
    section.max_queue_depth = keys.depth.value_or(std::nullopt);
    section.queue_wait = keys.wait.value_or(std::nullopt);
  }
  section.tenant = overridden(TenantLimits{}, keys.each_tenant);
  return section;
}

void add_gate(ObjectRule<AdmissionKeys>& object) {
  using K = AdmissionKeys;
  object.key("max_inflight", &K::max_inflight, inflight_rule(1),
             "requests that run at once in a process (default: what the database pool has for it, else \"unbounded\")");
  object.key("max_queue_depth", &K::depth, queue_depth_rule(),
             "requests that wait in a process (default: \"unbounded\" with a \"queue_wait\", else 0)");
  object.key("queue_wait", &K::wait, or_none(kUnbounded, duration()),
             "how long a request waits (default: \"unbounded\" with a \"max_queue_depth\", else 0s)");
  object.key("queue_order", &K::queue_order, choice<QueueOrder>(), "who gets a permit that comes free");
  object.key("retry_after", &K::retry_after, whole<std::uint32_t>(1, kMaxCount), "seconds that a refusal tells");
  object.key("retry_after_jitter", &K::retry_after_jitter, whole<std::uint32_t>(0, kMaxCount),
             "seconds that are added to it at most");
  object.key("retry_after_form", &K::retry_after_form, choice<RetryAfterForm>(), "how it is written");
}

Rule<AdmissionSection> make_admission_rule() {
  ObjectRule<AdmissionKeys> object;
  using K = AdmissionKeys;
  add_gate(object);
  object.key("readiness", &K::readiness, readiness_rule(), "when a process is taken out of rotation (default: never)");
  object.key("database_pool", &K::database_pool, database_pool_rule(), "the connections that handlers hold");
  object.key("downstream", &K::downstream, downstream_rule(), "the next service, which handlers hold for a part");
  object.key("tenant", &K::each_tenant, tenant_limits_rule(), "limits of each tenant in each process");
  object.key("load_balancer", &K::load_balancer, load_balancer_rule(), "in front of the processes");
  object.key("health_check", &K::health_check, health_check_rule(), "checks that may use the reserve (default: none)");
  return mapped<AdmissionSection>(object.rule(), to_admission);
}

Rule<std::optional<RateLimit>> make_rate_limit_rule() {
  struct Keys {
    Rate rate;
    std::uint32_t burst = 1;
  };
  ObjectRule<Keys> object;
  object.required("rate", &Keys::rate, rate(), "of the tokens that come back");
  object.key("burst", &Keys::burst, whole<std::uint32_t>(1, kMaxCount), "tokens that a full bucket holds");
  const auto limit = [](Keys keys, Reading&) { return RateLimit{keys.rate.nanohertz, keys.burst}; };
  return or_none(kUnbounded, mapped<RateLimit>(object.rule(), limit));
}

}  // namespace

Rule<std::optional<std::uint32_t>> inflight_rule(std::uint32_t least) {
  return or_none(kUnbounded, whole<std::uint32_t>(least, kMaxCount));
}

Rule<std::optional<std::uint32_t>> queue_depth_rule() {
  return or_none(kUnbounded, whole<std::uint32_t>(0, kMaxCount));
}

const Rule<std::optional<RateLimit>>& rate_limit_rule() {
  static const Rule<std::optional<RateLimit>> rule = defined_as("rate_limit", make_rate_limit_rule());
  return rule;
}

const Rule<TenantLimitsAsWritten>& tenant_limits_rule() {
  static const Rule<TenantLimitsAsWritten> rule = defined_as("tenant_limits", make_tenant_limits_rule());
  return rule;
}

const Rule<AdmissionSection>& admission_rule() {
  static const Rule<AdmissionSection> rule = make_admission_rule();
  return rule;
}

}  // namespace headroom
