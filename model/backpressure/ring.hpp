// What the planners that go round share: the ring of active namespaces, and giving out what was decided for them.
#pragma once

#include "model/backpressure/planner.hpp"

namespace headroom {

// Readies a plan for a sweep.
void begin_plan(const SweepView& view, std::uint32_t batch, Plan& plan);

// The first active namespace after `name` in the ring of all names, perhaps itself (none: the first of all). Needs an
// active namespace.
[[nodiscard]] NamespaceId next_in_ring(const SweepView& view, NamespaceId name);

// Lets an active namespace take part, with the most that it can take as its cap.
void take_part(NamespaceId name, const NamespaceView& seen, Plan& plan);

// Turns the parts in the plan's scratch, which are in ring order, into grants, and into claims that are made in that
// order. Of each grant min(grant, floor(batch / active)) is reported as guaranteed.
void give_out(const SweepView& view, PlannerMemory& memory, Plan& plan);

// Splits `rows` over the routes of a namespace that have claimable rows: max-min fair, the units that do not divide to
// the next routes after the namespace's route cursor. Claims are in route order, so the route without a pool comes
// before those whose claims may take its rows too, and every claim finds its rows.
void claim_over_routes(const SweepView& view, NamespaceId name, std::uint32_t rows, PlannerMemory& memory, Plan& plan);

}  // namespace headroom
