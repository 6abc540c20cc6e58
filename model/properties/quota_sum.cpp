// quota_sum (spec 1.3, 2.4): whenever all shards are owned and settled, the ceilings of the owning nodes sum to
// [quota, quota + owning nodes - 1]; executing rows with a live fence never exceed quota + charged nodes - 1 + slack.
#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "model/properties/properties.hpp"
#include "model/properties/quota_use.hpp"

namespace headroom {
namespace {

class QuotaSum final : public Property {
 public:
  QuotaSum(const Cluster& cluster, const PropertyBounds& bounds)
      : slack_(bounds.slack.value_or(0)), changing_(cluster.namespaces(), false) {
    check_ceilings(cluster, Time::zero());
  }

  [[nodiscard]] std::string_view name() const override { return "quota_sum"; }
  [[nodiscard]] std::span<const EffectKind> watches() const override { return kWatched; }

  void on(const Effect& effect, const Cluster& cluster, Time at) override {
    if (effect.kind == EffectKind::started) {
      if (effect.live) {
        check_executing(effect.name, cluster, at);
      }
      return;
    }
    if (effect.kind == EffectKind::quota_changed) {
      changing_[effect.name.value()] = true;
    }
    // Shards moved: a bound may have fallen, or sums may have changed.
    if (effect.name.is_none()) {
      all_changed_ = true;
    } else {
      changed_.push_back(effect.name);
    }
  }

  void after_step(const Cluster& cluster, Time at) override {
    if (all_changed_) {
      check_ceilings(cluster, at);
      for (std::uint32_t name = 0; name < cluster.namespaces(); ++name) {
        check_executing(NamespaceId(name), cluster, at);
      }
    } else {
      for (const NamespaceId name : changed_) {
        check_ceiling_sum(name, cluster, at);
        check_executing(name, cluster, at);
      }
    }
    all_changed_ = false;
    changed_.clear();
  }

  [[nodiscard]] PropertyOutcome outcome() const override {
    PropertyOutcome outcome = first();
    outcome.value = static_cast<double>(peak_over_);
    outcome.bound = static_cast<double>(slack_);
    if (!violated()) {
      outcome.reason = fmt::format("executing rows stayed within quota + charged nodes - 1 + {}; at most {} beyond it",
                                   slack_, peak_over_);
    }
    return outcome;
  }

 private:
  static constexpr std::array kWatched{EffectKind::started, EffectKind::ceilings_changed, EffectKind::quota_changed};

  bool changes(NamespaceId name, const Cluster& cluster) {
    changing_[name.value()] = changing_[name.value()] && quota_still_changes(cluster, name);
    return changing_[name.value()];
  }

  void check_executing(NamespaceId name, const Cluster& cluster, Time at) {
    if (changes(name, cluster)) {
      return;
    }
    const QuotaUse use = quota_use(cluster, name);
    peak_over_ = std::max(peak_over_, use.over());
    if (use.over() > slack_) {
      violate(at, [&] { return text_of(use, slack_, cluster, name); });
    }
  }

  void check_ceilings(const Cluster& cluster, Time at) {
    for (std::uint32_t name = 0; name < cluster.namespaces(); ++name) {
      check_ceiling_sum(NamespaceId(name), cluster, at);
    }
  }

  void check_ceiling_sum(NamespaceId name, const Cluster& cluster, Time at) {
    const std::optional<CeilingSum> ceilings = ceiling_sum(cluster, name);
    if (ceilings && !ceilings->within() && !changing_[name.value()]) {
      violate(at, [&] { return text_of(*ceilings, cluster, name); });
    }
  }

  std::int64_t slack_;
  std::vector<bool> changing_;  // by namespace
  std::int64_t peak_over_ = 0;
  bool all_changed_ = false;
  std::vector<NamespaceId> changed_;
};

}  // namespace

std::unique_ptr<Property> make_quota_sum(const Cluster& cluster, const PropertyBounds& bounds) {
  return std::make_unique<QuotaSum>(cluster, bounds);
}

}  // namespace headroom
