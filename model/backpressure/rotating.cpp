// The default: each sweep is the integer max-min fair split, and what does not divide rotates.
#include <algorithm>

#include "model/backpressure/planners.hpp"
#include "model/backpressure/ring.hpp"
#include "model/base/mutation.hpp"

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
    if (mutated(Mutation::cursor_by_index)) {
      memory.cursor = name_at(view, memory.deficit % plan.active);
      memory.deficit = (memory.deficit + batch) % plan.active;
    }
    take_next_in_ring(view, std::min(plan.active, batch), memory.cursor, plan);
    cap_parts(view, plan);
    divide(plan, memory);
    give_out(view, memory, plan);
  }

 private:
  // The name at a place in the ring, where Mutation::cursor_by_index has kept a place instead of a name.
  static NamespaceId name_at(const SweepView& view, std::uint32_t place) {
    NamespaceId name = NamespaceId::none();
    for (std::uint32_t i = 0; i < place; ++i) {
      name = next_in_ring(view, name);
    }
    return name;
  }

  // Mutations that let a namespace have less than it could take: nothing else caps a part.
  static void cap_parts(const SweepView& view, Plan& plan) {
    if (!mutated(Mutation::second_pass_skipped) && !mutated(Mutation::present_divides_the_batch) &&
        !mutated(Mutation::budget_dealt_per_route)) {
      return;
    }
    const std::vector<NamespaceId>& names = plan.scratch.names;
    std::vector<FairPart>& parts = plan.scratch.parts;
    std::uint64_t routes = 0;
    for (std::size_t i = 0; i < parts.size() && mutated(Mutation::budget_dealt_per_route); ++i) {
      routes += view.routes(names[i]).size();
    }
    for (std::size_t i = 0; i < parts.size(); ++i) {
      std::uint64_t most = parts[i].cap;
      if (mutated(Mutation::second_pass_skipped)) {
        most = plan.batch / plan.active;
      } else if (mutated(Mutation::present_divides_the_batch)) {
        most = plan.batch / view.present_count();
      } else if (mutated(Mutation::budget_dealt_per_route)) {
        most = plan.batch * view.routes(names[i]).size() / routes;
      }
      parts[i].cap = std::min(parts[i].cap, std::max<std::uint64_t>(1, most));
    }
  }

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
      advance(memory, mutated(Mutation::cursor_one_on) ? names.front() : names.back());
      return;
    }
    const std::size_t last = fair_split(parts, plan.batch, 0);
    if (last < parts.size()) {
      advance(memory, mutated(Mutation::cursor_one_on) ? names.front() : names[last]);
    }
  }

  static void advance(PlannerMemory& memory, NamespaceId name) {
    if (!mutated(Mutation::cursor_not_kept)) {
      memory.cursor = name;
    }
  }
};

}  // namespace

const Planner& rotating_planner() {
  static const RotatingPlanner planner;
  return planner;
}

}  // namespace headroom
