#include "model/checker/cluster/runs.hpp"

#include <algorithm>
#include <bit>

#include "model/base/arithmetic.hpp"
#include "model/properties/quota_use.hpp"
#include "model/properties/sweep_dues.hpp"

namespace headroom::checker {
namespace {

class Runs {
 public:
  Runs(std::vector<Run>& runs, const Cluster& after) : runs_(runs), after_(after) {}

  void see(const Effect& effect, std::span<const std::uint32_t> active) {
    switch (effect.kind) {
      case EffectKind::sweep_planned:
        for (std::uint32_t name = 0; name < after_.namespaces(); ++name) {
          if ((active[effect.node.value()] >> name & 1U) != 0) {
            run(effect.node, name).active |= active[effect.node.value()];
          }
        }
        break;
      case EffectKind::became_inactive:
        end(effect.node, effect.name.value());
        break;
      case EffectKind::sweep_finished:
        for (std::uint32_t name = 0; name < after_.namespaces(); ++name) {
          if (run(effect.node, name).active != 0) {
            count_sweep(effect.node, name);
          }
        }
        break;
      default:
        break;
    }
  }
  [[nodiscard]] const std::optional<LongRun>& too_long() const { return too_long_; }

 private:
  Run& run(NodeId node, std::uint32_t name) { return runs_[node.value() * after_.namespaces() + name]; }

  void count_sweep(NodeId node, std::uint32_t name) {
    const Sweep& sweep = after_.sweep(node);
    const auto grant = std::ranges::find(sweep.plan.grants, NamespaceId(name), &Grant::name);
    const bool granted = grant != sweep.plan.grants.end();
    if (granted && sweep.claimed[static_cast<std::size_t>(grant - sweep.plan.grants.begin())] > 0) {
      end(node, name);
    } else if (!granted) {  // else what it was granted went away before the claim: the sweep does not count
      Run& of = run(node, name);
      const std::uint32_t longest = div_ceil(after_.namespaces(), after_.config().batch_size);
      of.sweeps = std::min(of.sweeps + 1, longest);
      if (of.sweeps == longest) {
        judge(node, name);
      }
    }
  }

  void end(NodeId node, std::uint32_t name) {
    judge(node, name);
    run(node, name) = {};
  }

  void judge(NodeId node, std::uint32_t name) {
    const Run& of = run(node, name);
    const auto active = static_cast<std::uint32_t>(std::popcount(of.active));
    const auto allowed = static_cast<std::uint32_t>(longest_run(active, after_.config().batch_size));
    if (of.sweeps > 0 && of.sweeps >= allowed && !too_long_) {
      too_long_ = LongRun{node, NamespaceId(name), of.sweeps, active, allowed};
    }
  }

  std::vector<Run>& runs_;
  const Cluster& after_;
  std::optional<LongRun> too_long_;
};

}  // namespace

void active_tenants(const Cluster& cluster, std::vector<std::uint32_t>& out) {
  out.assign(cluster.nodes(), 0);
  for (std::uint16_t node = 0; node < cluster.nodes(); ++node) {
    for (std::uint32_t name = 0; name < cluster.namespaces(); ++name) {
      out[node] |= cluster.active(NodeId(node)).test(name) ? 1U << name : 0U;
    }
  }
}

std::optional<LongRun> advance_runs(std::vector<Run>& runs, std::span<const std::uint32_t> active, const Cluster& after,
                                    std::span<const Effect> effects) {
  Runs seen(runs, after);
  for (const Effect& effect : effects) {
    seen.see(effect, active);
  }
  return seen.too_long();
}

std::uint32_t changing_after(std::uint32_t before, const Cluster& after, std::span<const Effect> effects) {
  std::uint32_t changing = before;
  for (const Effect& effect : effects) {
    changing |= effect.kind == EffectKind::quota_changed ? 1U << effect.name.value() : 0U;
  }
  for (std::uint32_t name = 0; name < after.namespaces(); ++name) {
    if (!quota_still_changes(after, NamespaceId(name))) {
      changing &= ~(1U << name);
    }
  }
  return changing;
}

}  // namespace headroom::checker
