// gate_safety (spec 1.4, 2.4): caps, permits, connections and refusals of every gate, each judged at its instant
// against counts that are kept here from the effects.
#include <array>
#include <fmt/format.h>

#include "model/properties/envelope_meter.hpp"
#include "model/properties/gate_mirror.hpp"
#include "model/properties/gate_rules.hpp"
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
    if (const std::optional<Move> move = move_of(effect)) {
      judge_move(effect, *move, cluster, at);
    }
    switch (effect.kind) {
      case EffectKind::request_admitted:
        judge_start(effect, cluster, at);
        if (effect.live) {
          take_token(effect, cluster, at);
        }
        break;
      case EffectKind::request_queued:
        judge_wait(effect, cluster, at);
        take_token(effect, cluster, at);
        break;
      case EffectKind::request_refused:
        judge_refusal(effect, cluster, at);
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
      if (auto wrong = wrong_counts(gate.inflight(), gate.depth(), process.inflight, process.waiting)) {
        violate(at, [&] { return process_name(cluster, id) + ": " + *wrong; });
      }
      if (name.is_none()) {
        continue;
      }
      const GateMirror::Tenant& tenant = mirror_->tenant(id, name);
      const Gate::Tenant& held = gate.tenant(name);
      if (auto wrong = wrong_counts(held.inflight, held.waiting, tenant.inflight, tenant.waiting)) {
        violate(at, [&] { return tenant_on(cluster, id, name) + ": " + *wrong; });
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
  Whereabouts& whereabouts(RequestId id) {
    if (id.value() >= whereabouts_.size()) {
      whereabouts_.resize(id.value() + std::size_t{1}, Whereabouts::outside);
    }
    return whereabouts_[id.value()];
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

  void judge_move(const Effect& effect, const Move& move, const Cluster& cluster, Time at) {
    Whereabouts& its = whereabouts(effect.request);
    if (auto wrong = wrong_move(its, move)) {
      violate_at(effect, *wrong, cluster, at);
    }
    inside_ += (move.to == Whereabouts::outside ? 0 : 1) - (its == Whereabouts::outside ? 0 : 1);
    its = move.to;
    pools_->count_handlers(move.to == Whereabouts::running ? +1 : effect.kind == EffectKind::request_finished ? -1 : 0);
  }

  void violate_at(const Effect& effect, const std::string& wrong, const Cluster& cluster, Time at) {
    violate(at, [&] { return tenant_on(cluster, effect.process, effect.name) + ": " + wrong; });
  }

  // So what is refused, which never had a permit, never touched a resource.
  void judge_claimant(const Effect& effect, const Cluster& cluster, Time at) {
    if (whereabouts(effect.request) != Whereabouts::running) {
      violate(at, [&] {
        return fmt::format("{}: a request without a permit uses a shared resource",
                           tenant_on(cluster, effect.process, effect.name));
      });
    }
  }

  void judge_start(const Effect& effect, const Cluster& cluster, Time at) {
    ++judged_;
    if (auto wrong = wrong_start(mirror_->at(effect, may_wait(cluster)))) {
      violate_at(effect, *wrong, cluster, at);
    }
  }

  void judge_wait(const Effect& effect, const Cluster& cluster, Time at) {
    ++judged_;
    if (auto wrong = wrong_wait(mirror_->at(effect, may_wait(cluster)))) {
      violate_at(effect, *wrong, cluster, at);
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
    const Bucket& from = buckets_[mirror_->place(effect.process, effect.name)];
    const std::optional<std::int64_t> tokens = from.limit ? std::optional(from.tokens) : std::nullopt;
    if (auto wrong = wrong_refusal(effect, mirror_->at(effect, may_wait(cluster)), tokens,
                                   cluster.config().admission->gate.retry_after)) {
      violate_at(effect, *wrong, cluster, at);
    }
  }

  static bool may_wait(const Cluster& cluster) { return cluster.config().admission->gate.may_wait; }

  std::optional<GateMirror> mirror_;
  std::optional<PoolMirror> pools_;
  std::vector<Bucket> buckets_;           // by process and tenant
  std::vector<Whereabouts> whereabouts_;  // by request
  std::vector<std::pair<ProcessId, NamespaceId>> touched_;
  std::int64_t inside_ = 0;  // requests
  std::uint64_t judged_ = 0;
};

}  // namespace

std::unique_ptr<Property> make_gate_safety(const Cluster& cluster, const PropertyBounds& /*bounds*/) {
  return std::make_unique<GateSafety>(cluster);
}

}  // namespace headroom
