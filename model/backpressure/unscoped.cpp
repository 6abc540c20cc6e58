// The baseline without backpressure: one batch of the oldest claimable rows, no tenants, no ceilings.
#include "model/backpressure/planners.hpp"
#include "model/base/assert.hpp"

namespace headroom {
namespace {

class UnscopedPlanner final : public Planner {
 public:
  [[nodiscard]] std::string_view name() const override { return "unscoped"; }
  [[nodiscard]] std::string_view summary() const override {
    return "No backpressure: one batch of the oldest claimable rows, whoever they belong to, without ceilings.";
  }
  [[nodiscard]] bool heeds_ceilings() const override { return false; }

  void plan(const SweepView& view, std::uint32_t batch, PlannerMemory&, Plan& plan) const override {
    HEADROOM_ASSERT(batch >= 1, "a sweep needs a batch");
    plan.clear();
    plan.active = view.active_count();
    plan.batch = batch;
    plan.claims.push_back({NamespaceId::none(), RouteId::none(), batch});
  }
};

}  // namespace

const Planner& unscoped_planner() {
  static const UnscopedPlanner planner;
  return planner;
}

}  // namespace headroom
