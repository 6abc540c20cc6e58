// quota_sum (spec 1.3, 2.4): whenever all shards are owned and settled, the ceilings of the owning nodes sum to
// [quota, quota + owning nodes - 1]; executing rows with a live fence never exceed quota + charged nodes - 1 + slack.
#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "model/properties/properties.hpp"

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

  // A quota has changed: until every node goes by the new one and has claimed no more than fits into its part of it
  // (some of that may yet wait for a worker), nothing is judged.
  bool changes(NamespaceId name, const Cluster& cluster) {
    if (!changing_[name.value()]) {
      return false;
    }
    bool done = true;
    for (std::uint16_t i = 0; i < cluster.nodes() && done; ++i) {
      const NodeId node(i);
      const Holding& held = cluster.holding(node, name);
      const bool heard = !cluster.up(node) || cluster.believed_quota(node, name) == cluster.quota(name);
      done = heard && cluster.claimed(held) <= held.ceiling;
    }
    changing_[name.value()] = !done;
    return !done;
  }

  void check_executing(NamespaceId name, const Cluster& cluster, Time at) {
    const std::int64_t executing = cluster.executing_live(name);
    const std::int64_t nodes = cluster.charges().charged_nodes(name);
    const std::int64_t over = executing - (static_cast<std::int64_t>(cluster.quota(name)) + nodes - 1);
    if (changes(name, cluster)) {
      return;
    }
    peak_over_ = std::max(peak_over_, over);
    if (over > slack_) {
      violate(at, [&] {
        return fmt::format("tenant {}: {} rows execute with a live fence; quota {} + {} charged nodes - 1 + slack {}",
                           cluster.layout().config(name).name, executing, cluster.quota(name), nodes, slack_);
      });
    }
  }

  void check_ceilings(const Cluster& cluster, Time at) {
    for (std::uint32_t name = 0; name < cluster.namespaces(); ++name) {
      check_ceiling_sum(NamespaceId(name), cluster, at);
    }
  }

  void check_ceiling_sum(NamespaceId name, const Cluster& cluster, Time at) {
    if (!cluster.every_shard_owned() || cluster.charges().unsettled(name) || changing_[name.value()]) {
      return;
    }
    std::uint64_t sum = 0;
    std::uint64_t owners = 0;
    for (std::uint16_t node = 0; node < cluster.nodes(); ++node) {
      sum += cluster.holding(NodeId(node), name).ceiling;
      owners += cluster.owned(NodeId(node)) > 0 ? 1 : 0;
    }
    const std::uint64_t quota = cluster.quota(name);
    if (sum < quota || sum > quota + owners - 1) {
      violate(at, [&] {
        return fmt::format("tenant {}: the ceilings of {} owning nodes sum to {}; quota {} allows {} to {}",
                           cluster.layout().config(name).name, owners, sum, quota, quota, quota + owners - 1);
      });
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
