// gate_safety (spec 1.4, 2.4): caps, permits, connections and refusals of every gate, each judged at its instant
// against counts that are kept here from the effects.
#include <array>
#include <fmt/format.h>

#include "model/properties/envelope_meter.hpp"
#include "model/properties/gate_mirror.hpp"
#include "model/properties/pool_mirror.hpp"
#include "model/properties/properties.hpp"

namespace headroom {
namespace {

class GateSafety final : public Property {
 public:
  explicit GateSafety(const Cluster& cluster) {
    if (cluster.api() != nullptr) {
      mirror_.emplace(cluster);
      pools_.emplace(cluster);
      buckets_.resize(mirror_->places());
      for (std::uint16_t process = 0; process < mirror_->processes(); ++process) {
        fill_buckets(ProcessId(process), cluster);
      }
    }
  }

  [[nodiscard]] std::string_view name() const override { return "gate_safety"; }
  [[nodiscard]] std::span<const EffectKind> watches() const override {
    return mirror_ ? std::span<const EffectKind>(kWatched) : std::span<const EffectKind>();
  }

  void on(const Effect& effect, const Cluster& cluster, Time at) override {
    if (PoolMirror::watches(effect.kind)) {
      if (std::optional<std::string> wrong = pools_->on(effect, cluster)) {
        violate(at, [&] { return *std::move(wrong); });
      }
      if (!effect.request.is_none()) {
        judge_claimant(effect, cluster, at);
      }
      return;
    }
    switch (effect.kind) {
      case EffectKind::request_admitted:
        judge_stage(effect, effect.live ? Stage::outside : Stage::waiting, Stage::running, cluster, at);
        judge_start(effect, cluster, at);
        if (effect.live) {
          take_token(effect, cluster, at);
        }
        break;
      case EffectKind::request_queued:
        judge_stage(effect, Stage::outside, Stage::waiting, cluster, at);
        judge_wait(effect, cluster, at);
        take_token(effect, cluster, at);
        break;
      case EffectKind::request_refused:
        judge_stage(effect, effect.live ? Stage::waiting : Stage::outside, Stage::outside, cluster, at);
        judge_refusal(effect, cluster, at);
        break;
      case EffectKind::request_gone:
        judge_stage(effect, Stage::waiting, Stage::outside, cluster, at);
        break;
      case EffectKind::request_finished:
        judge_stage(effect, Stage::running, Stage::outside, cluster, at);
        break;
      case EffectKind::token_awaited:
      case EffectKind::bucket_full:
        // After a request of the same step it tells that the bucket left full; else a token has come back.
        if (touched_.empty()) {
          ++bucket(effect).tokens;
        }
        return;
      default:
        break;
    }
    mirror_->on(effect, cluster);
    if (effect.kind == EffectKind::process_up) {
      fill_buckets(effect.process, cluster);
    } else if (effect.kind == EffectKind::limits_changed && !effect.name.is_none()) {
      change_bucket(effect);
    }
    touched_.push_back({effect.process, effect.name});
  }

  // Permits neither leaked nor released twice: the gates count what went in and out.
  void after_step(const Cluster& cluster, Time at) override {
    for (const auto& [id, name] : touched_) {
      const Gate& gate = cluster.api()->gate(id);
      const GateMirror::Process& process = mirror_->process(id);
      if (gate.inflight() != process.inflight || gate.depth() != process.waiting) {
        violate(at, [&] {
          return fmt::format("{}: holds {} permits and {} waiters; its requests say {} and {}",
                             process_name(cluster, id), gate.inflight(), gate.depth(), process.inflight,
                             process.waiting);
        });
      }
      if (name.is_none()) {
        continue;
      }
      const GateMirror::Tenant& tenant = mirror_->tenant(id, name);
      if (gate.tenant(name).inflight != tenant.inflight || gate.tenant(name).waiting != tenant.waiting) {
        violate(at, [&] {
          return fmt::format("{}: holds {} permits and {} waiters; its requests say {} and {}",
                             tenant_on(cluster, id, name), gate.tenant(name).inflight, gate.tenant(name).waiting,
                             tenant.inflight, tenant.waiting);
        });
      }
      const Bucket& bucket = buckets_[mirror_->place(id, name)];
      if (bucket.limit && gate.tenant(name).bucket.tokens() != bucket.tokens) {
        violate(at, [&] {
          return fmt::format("{}: has {} rate tokens left; its requests say {}", tenant_on(cluster, id, name),
                             gate.tenant(name).bucket.tokens(), bucket.tokens);
        });
      }
    }
    if (std::optional<std::string> wrong = pools_->compare(cluster)) {
      violate(at, [&] { return *std::move(wrong); });
    }
    touched_.clear();
  }

  void finish(const Cluster& cluster, Time at) override {
    if (!mirror_ || inside_ > 0 || cluster.executions().running_count() > 0 || pools_->checks_health()) {
      return;
    }
    if (!cluster.api()->quiet()) {
      violate(at, [&] { return "everything has ended, but a permit, a unit or a place in a queue is still taken"; });
    }
  }

  [[nodiscard]] PropertyOutcome outcome() const override {
    PropertyOutcome outcome = first();
    if (!violated()) {
      outcome.held = judged_ == 0 ? Held::undefined : Held::yes;
      outcome.reason = fmt::format("{} starts, waits and refusals were right; every permit came back once", judged_);
    }
    return outcome;
  }

 private:
  enum class Stage : std::uint8_t { outside, waiting, running };
  struct Bucket {
    std::optional<RateLimit> limit;
    std::int64_t tokens = 0;
    EnvelopeMeter meter;
  };
  static constexpr std::array kWatched{
      EffectKind::request_admitted, EffectKind::request_queued,    EffectKind::request_refused,
      EffectKind::request_gone,     EffectKind::request_finished,  EffectKind::limits_changed,
      EffectKind::drain_began,      EffectKind::drain_ended,       EffectKind::process_up,
      EffectKind::token_awaited,    EffectKind::bucket_full,       EffectKind::resource_awaited,
      EffectKind::resource_granted, EffectKind::resource_returned, EffectKind::resource_timed_out,
      EffectKind::started,          EffectKind::finished,          EffectKind::process_down};

  Bucket& bucket(const Effect& effect) { return buckets_[mirror_->place(effect.process, effect.name)]; }
  Stage& stage_of(RequestId id) {
    if (id.value() >= stages_.size()) {
      stages_.resize(id.value() + std::size_t{1}, Stage::outside);
    }
    return stages_[id.value()];
  }

  void fill_buckets(ProcessId id, const Cluster& cluster) {
    for (std::uint32_t i = 0; i < cluster.namespaces(); ++i) {
      const std::optional<RateLimit>& limit = cluster.config().namespaces[i].limits.rate_limit;
      buckets_[mirror_->place(id, NamespaceId(i))] = {.limit = limit, .tokens = limit ? limit->burst : 0};
    }
  }
  // Another rate limit begins with a full bucket.
  void change_bucket(const Effect& effect) {
    const std::optional<RateLimit>& limit = mirror_->tenant(effect.process, effect.name).limits.rate_limit;
    if (bucket(effect).limit != limit) {
      bucket(effect) = {.limit = limit, .tokens = limit ? limit->burst : 0};
    }
  }

  void judge_stage(const Effect& effect, Stage from, Stage to, const Cluster& cluster, Time at) {
    static constexpr std::array<std::string_view, 3> names{"outside", "waiting", "running"};
    Stage& its = stage_of(effect.request);
    if (its != from) {
      violate(at, [&] {
        return fmt::format("{}: a request that was {} is {}, which only one that is {} can become",
                           tenant_on(cluster, effect.process, effect.name), names[static_cast<std::size_t>(its)],
                           names[static_cast<std::size_t>(to)], names[static_cast<std::size_t>(from)]);
      });
    }
    inside_ += (to == Stage::outside ? 0 : 1) - (its == Stage::outside ? 0 : 1);
    its = to;
    pools_->count_handlers(to == Stage::running ? +1 : effect.kind == EffectKind::request_finished ? -1 : 0);
  }

  // So what is refused, which never had a permit, never touched a resource.
  void judge_claimant(const Effect& effect, const Cluster& cluster, Time at) {
    if (stage_of(effect.request) != Stage::running) {
      violate(at, [&] {
        return fmt::format("{}: a request without a permit uses a shared resource",
                           tenant_on(cluster, effect.process, effect.name));
      });
    }
  }

  void judge_start(const Effect& effect, const Cluster& cluster, Time at) {
    ++judged_;
    const GateMirror::Tenant& tenant = mirror_->tenant(effect.process, effect.name);
    const GateMirror::Process& process = mirror_->process(effect.process);
    if (!tenant.below_cap() || !process.below_cap() || process.draining) {
      violate(at, [&] {
        return fmt::format("{}: a request started {}", tenant_on(cluster, effect.process, effect.name),
                           state_of(effect));
      });
    }
  }

  void judge_wait(const Effect& effect, const Cluster& cluster, Time at) {
    ++judged_;
    const GateMirror::Tenant& tenant = mirror_->tenant(effect.process, effect.name);
    const GateMirror::Process& process = mirror_->process(effect.process);
    if (!may_wait(cluster) || tenant.queue_full() || process.queue_full() || process.draining) {
      violate(at, [&] {
        return fmt::format("{}: a request began to wait {}", tenant_on(cluster, effect.process, effect.name),
                           state_of(effect));
      });
    }
  }

  void take_token(const Effect& effect, const Cluster& cluster, Time at) {
    Bucket& from = bucket(effect);
    if (!from.limit) {
      return;
    }
    if (--from.tokens < 0) {
      violate(at, [&] {
        return fmt::format("{}: a request came in without a rate token",
                           tenant_on(cluster, effect.process, effect.name));
      });
    }
    if (!from.meter.enter(*from.limit, at)) {
      violate(at, [&] {
        return fmt::format("{}: more requests came in than burst {} and a rate of {} nHz allow",
                           tenant_on(cluster, effect.process, effect.name), from.limit->burst, from.limit->nanohertz);
      });
    }
  }

  void judge_refusal(const Effect& effect, const Cluster& cluster, Time at) {
    ++judged_;
    const auto given = static_cast<Refusal>(effect.detail);
    const std::optional<Refusal> right = right_refusal(effect, cluster);
    if (given != right) {
      violate(at, [&] {
        return fmt::format("{}: refused with {} ({}), but {} {}", tenant_on(cluster, effect.process, effect.name),
                           status_of(given), name_of(given),
                           right ? fmt::format("{} ({}) is right", status_of(*right), name_of(*right))
                                 : "it should have run or waited",
                           state_of(effect));
      });
    }
    const RetryAfter& promised = cluster.config().admission->gate.retry_after;
    const std::int64_t most = std::int64_t{promised.seconds} + promised.jitter;
    if (effect.value < 1 || effect.value < promised.seconds || effect.value > most) {
      violate(at, [&] {
        return fmt::format("{}: Retry-After {}, which should be from {} to {}",
                           tenant_on(cluster, effect.process, effect.name), effect.value, promised.seconds, most);
      });
    }
  }

  // Spec 1.4, tenant first; none: it should not have been refused.
  [[nodiscard]] std::optional<Refusal> right_refusal(const Effect& effect, const Cluster& cluster) const {
    const GateMirror::Tenant& tenant = mirror_->tenant(effect.process, effect.name);
    const GateMirror::Process& process = mirror_->process(effect.process);
    if (process.draining) {
      return Refusal::draining;
    }
    if (effect.live) {
      return tenant.below_cap() ? Refusal::process_wait_expired : Refusal::tenant_wait_expired;
    }
    const Bucket& from = buckets_[mirror_->place(effect.process, effect.name)];
    if (from.limit && from.tokens <= 0) {
      return Refusal::no_token;
    }
    const bool may = may_wait(cluster);
    if (!tenant.below_cap()) {
      const bool queue_open = may && !tenant.queue_full() && !process.queue_full();
      return queue_open ? std::nullopt : std::optional(Refusal::tenant_inflight);
    }
    if (process.below_cap()) {
      return std::nullopt;
    }
    if (may && tenant.queue_full()) {
      return Refusal::tenant_queue_full;
    }
    if (may && process.queue_full()) {
      return process.limits.max_queue_depth == std::uint32_t{0} ? Refusal::process_inflight
                                                                : Refusal::process_queue_full;
    }
    return may ? std::nullopt : std::optional(Refusal::process_inflight);
  }

  static bool may_wait(const Cluster& cluster) { return cluster.config().admission->gate.may_wait; }

  // "with 6 of 6 in flight and 2 of 8 waiting; process: 8 of 8 and 3 of any number".
  [[nodiscard]] std::string state_of(const Effect& effect) const {
    const GateMirror::Tenant& tenant = mirror_->tenant(effect.process, effect.name);
    const GateMirror::Process& process = mirror_->process(effect.process);
    const auto of = [](std::int64_t n, const std::optional<std::uint32_t>& cap) {
      return cap ? fmt::format("{} of {}", n, *cap) : fmt::format("{} of any number", n);
    };
    return fmt::format(
        "with {} in flight and {} waiting; process: {} and {}{}", of(tenant.inflight, tenant.limits.max_inflight),
        of(tenant.waiting, tenant.limits.max_queue_depth), of(process.inflight, process.limits.max_inflight),
        of(process.waiting, process.limits.max_queue_depth), process.draining ? ", draining" : "");
  }

  std::optional<GateMirror> mirror_;
  std::optional<PoolMirror> pools_;
  std::vector<Bucket> buckets_;  // by process and tenant
  std::vector<Stage> stages_;    // by request
  std::vector<std::pair<ProcessId, NamespaceId>> touched_;
  std::int64_t inside_ = 0;  // requests
  std::uint64_t judged_ = 0;
};

}  // namespace

std::unique_ptr<Property> make_gate_safety(const Cluster& cluster, const PropertyBounds& /*bounds*/) {
  return std::make_unique<GateSafety>(cluster);
}

}  // namespace headroom
