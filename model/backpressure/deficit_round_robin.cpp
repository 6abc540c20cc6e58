// Weighted shares in rounds of visits. Every visit gives at least one row, so a sweep costs on the order of the batch.
//
// Source: Shreedhar and Varghese, Efficient Fair Queuing using Deficit Round Robin, SIGCOMM 1995, with rows of size 1:
// a namespace that is not cut short uses its whole deficit, so that only the one at the cursor can have any left.
#include <algorithm>
#include <numeric>

#include "model/backpressure/planners.hpp"
#include "model/backpressure/ring.hpp"
#include "model/base/assert.hpp"
#include "model/base/mutation.hpp"

namespace headroom {
namespace {

// The turn of the namespace at `index` of those that take part.
void visit(std::size_t index, std::uint32_t& budget, PlannerMemory& memory, PlannerScratch& scratch) {
  FairPart& part = scratch.parts[index];
  memory.cursor = scratch.names[index];
  if (!memory.turn_is_open) {
    memory.deficit = mutated(Mutation::weights_ignored) ? 1 : scratch.weights[index];
  }
  const auto taken =
      static_cast<std::uint32_t>(std::min<std::uint64_t>({memory.deficit, part.cap - part.rows, budget}));
  part.rows += taken;
  budget -= taken;
  memory.deficit -= taken;
  memory.turn_is_open = memory.deficit > 0 && part.rows < part.cap && !mutated(Mutation::deficit_lost);
  if (mutated(Mutation::deficit_kept_by_the_idle) && memory.deficit > 0) {
    memory.turn_is_open = budget == 0;
  }
  if (!memory.turn_is_open) {
    memory.deficit = 0;
  }
  HEADROOM_ASSERT(!memory.turn_is_open || budget == 0, "a turn stays open with {} rows of the batch left", budget);
}

class DeficitRoundRobinPlanner final : public Planner {
 public:
  [[nodiscard]] std::string_view name() const override { return "deficit_round_robin"; }
  [[nodiscard]] std::string_view summary() const override {
    return "Weighted: tenants are visited in turn, each for as many rows as its weight; a turn cut by the batch "
           "resumes.";
  }

  void plan(const SweepView& view, std::uint32_t batch, PlannerMemory& memory, Plan& plan) const override {
    begin_plan(view, batch, plan);
    if (memory.turn_is_open && view.next_active(memory.cursor) != memory.cursor) {
      memory.turn_is_open = false;
      memory.deficit = 0;
    }
    std::uint32_t budget = batch;
    first_lap(view, budget, memory, plan);
    later_laps(budget, memory, plan.scratch);
    give_out(view, memory, plan);
  }

 private:
  static void first_lap(const SweepView& view, std::uint32_t& budget, PlannerMemory& memory, Plan& plan) {
    for (std::size_t met = 0; met < plan.active && budget > 0; ++met) {
      const NamespaceId name = memory.turn_is_open ? memory.cursor : next_in_ring(view, memory.cursor);
      const NamespaceView seen = view.namespace_view(name);
      HEADROOM_ASSERT(seen.weight >= 1, "namespace {} has no weight", name.value());
      take_part(name, seen, plan);
      visit(met, budget, memory, plan.scratch);
    }
  }

  // Goes round among those met in the first lap, each time without those that can take no more.
  static void later_laps(std::uint32_t& budget, PlannerMemory& memory, PlannerScratch& scratch) {
    std::vector<std::uint32_t>& lap = scratch.lap;
    lap.resize(scratch.parts.size());
    std::iota(lap.begin(), lap.end(), 0U);
    const auto is_sated = [&scratch](std::uint32_t index) {
      return scratch.parts[index].rows == scratch.parts[index].cap;
    };
    while (budget > 0) {
      std::erase_if(lap, is_sated);
      if (lap.empty()) {
        return;
      }
      for (std::size_t i = 0; i < lap.size() && budget > 0; ++i) {
        visit(lap[i], budget, memory, scratch);
      }
    }
  }
};

}  // namespace

const Planner& deficit_round_robin_planner() {
  static const DeficitRoundRobinPlanner planner;
  return planner;
}

}  // namespace headroom
