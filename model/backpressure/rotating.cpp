// The default: each sweep is the integer max-min fair split, and what does not divide rotates.
#include <algorithm>

#include "model/backpressure/planners.hpp"
#include "model/backpressure/ring.hpp"

namespace headroom {
namespace {

class RotatingPlanner final : public Planner {
 public:
  [[nodiscard]] std::string_view name() const override { return "rotating"; }
  [[nodiscard]] std::string_view summary() const override {
    return "Max-min fair split of the batch over tenants, then routes; units that do not divide go round by cursor.";
  }

  void plan(const SweepView& view, std::uint32_t batch, PlannerMemory& memory, Plan& plan) const override {
    begin_plan(view, batch, plan);
    if (plan.active == 0) {
      return;
    }
    take_next_in_ring(view, std::min(plan.active, batch), memory.cursor, plan);
    divide(plan, memory);
    give_out(view, memory, plan);
  }

 private:
  static void take_next_in_ring(const SweepView& view, std::uint32_t count, NamespaceId cursor, Plan& plan) {
    NamespaceId name = cursor;
    for (std::uint32_t taken = 0; taken < count; ++taken) {
      name = next_in_ring(view, name);
      take_part(name, view.namespace_view(name), plan);
    }
  }

  static void divide(Plan& plan, PlannerMemory& memory) {
    const std::vector<NamespaceId>& names = plan.scratch.names;
    std::vector<FairPart>& parts = plan.scratch.parts;
    if (plan.active > plan.batch) {
      // The level is 0, and those that take part are just the ones whose turn it is for a unit.
      for (FairPart& part : parts) {
        part.rows = 1;
      }
      memory.cursor = names.back();
      return;
    }
    const std::size_t last = fair_split(parts, plan.batch, 0);
    if (last < parts.size()) {
      memory.cursor = names[last];
    }
  }
};

}  // namespace

const Planner& rotating_planner() {
  static const RotatingPlanner planner;
  return planner;
}

}  // namespace headroom
