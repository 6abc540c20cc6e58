// The sweep planner: how many rows a node may claim for whom, from which route, in which order.
//
// A planner is a pure function of what it is shown. It reads no clock, no store and no randomness; what it must
// remember from one sweep to the next is passed in and given back.
//
//   Plan plan;
//   planner_for(PlannerKind::rotating).plan(view, batch_size, memory, plan);
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "model/backpressure/fair_split.hpp"
#include "model/base/ids.hpp"

namespace headroom {

enum class PlannerKind : std::uint8_t { unscoped, fixed_order, rotating, deficit_round_robin };

// One route of a namespace, as a node sees it at the start of a sweep.
struct RouteView {
  RouteId route;
  // Routes of one queue are neighbours; the one without a pool comes first. A claim on a pinned route also takes rows
  // of `unpinned`, its queue's route without a pool (none: there is no such route).
  RouteId unpinned = RouteId::none();
  std::uint64_t claimable = 0;  // rows of this route itself, not those of `unpinned`
  std::uint64_t due = 0;        // claimable or paused
};

// One namespace, as a node sees it at the start of a sweep.
struct NamespaceView {
  std::uint32_t headroom = 0;   // max(0, ceiling - claimed)
  std::uint64_t claimable = 0;  // over all routes
  std::uint32_t weight = 1;     // divided by the gcd of all weights
};

// What a node knows when its sweep starts. Namespaces are asked for in name order, by successor, so that a plan costs
// on the order of the batch and not of the namespaces.
class SweepView {
 public:
  virtual ~SweepView() = default;

  // Namespaces with a claimable row and headroom.
  [[nodiscard]] virtual std::uint32_t active_count() const = 0;
  // The first active namespace not before `from`; none if there is no more.
  [[nodiscard]] virtual NamespaceId next_active(NamespaceId from) const = 0;
  // Namespaces with a due row on an owned shard, paused or at their ceiling or not.
  [[nodiscard]] virtual std::uint32_t present_count() const = 0;
  [[nodiscard]] virtual NamespaceView namespace_view(NamespaceId name) const = 0;
  // Routes of the namespace that have a due row, in order; valid until the next call.
  [[nodiscard]] virtual std::span<const RouteView> routes(NamespaceId name) const = 0;
};

// What one namespace is given in a sweep.
struct Grant {
  NamespaceId name;
  std::uint32_t rows = 0;
  std::uint32_t guaranteed = 0;  // the rest is extra
  friend bool operator==(const Grant&, const Grant&) = default;
};

// One scoped claim: at most `rows` of the oldest due rows of the route. `name` and `route` none: of any (unscoped).
struct ScopedClaim {
  NamespaceId name;
  RouteId route;
  std::uint32_t rows = 0;
  friend bool operator==(const ScopedClaim&, const ScopedClaim&) = default;
};

// Room that planners work in and that a Plan keeps for the next sweep, so that planning does not allocate. It has no
// value: copies start empty, all are equal.
struct PlannerScratch {
  std::vector<NamespaceId> names;  // namespaces that take part, in the order in which they are visited
  std::vector<FairPart> parts;     // theirs
  std::vector<std::uint32_t> weights;
  std::vector<std::uint32_t> lap;
  std::vector<FairPart> route_parts;
  std::vector<std::uint64_t> rows_left;

  PlannerScratch() = default;
  PlannerScratch(const PlannerScratch&) {}
  PlannerScratch(PlannerScratch&&) noexcept = default;
  PlannerScratch& operator=(const PlannerScratch&) { return *this; }
  PlannerScratch& operator=(PlannerScratch&&) noexcept = default;
  ~PlannerScratch() = default;
  friend bool operator==(const PlannerScratch&, const PlannerScratch&) { return true; }
};

struct Plan {
  std::vector<Grant> grants;        // in name order; only namespaces that are given rows
  std::vector<ScopedClaim> claims;  // in the order in which they are to be made
  std::uint32_t active = 0;         // active namespaces that the plan saw
  std::uint32_t batch = 0;
  PlannerScratch scratch;

  void clear() {
    grants.clear();
    claims.clear();
    active = 0;
    batch = 0;
  }
  // Rows given to a namespace; 0 if it is given none. O(log grants).
  [[nodiscard]] std::uint32_t granted_to(NamespaceId name) const;
  friend bool operator==(const Plan&, const Plan&) = default;
};

// What a planner keeps from one sweep of a node to the next. A crash puts it back to its initial value.
struct PlannerMemory {
  NamespaceId cursor = NamespaceId::none();  // none: before the first name
  std::uint32_t deficit = 0;                 // of the namespace at the cursor (deficit_round_robin)
  bool turn_is_open = false;                 // the batch ended within the turn of the namespace at the cursor
  // By namespace: the route that last got a unit which did not divide; none: before the first. Empty while no namespace
  // has had use for one.
  std::vector<RouteId> route_cursors;
  friend bool operator==(const PlannerMemory&, const PlannerMemory&) = default;
};

// Whose turn it is: what a sweep that comes to nothing gives back of the memory, since it has served nobody.
struct PlannerTurn {
  NamespaceId cursor = NamespaceId::none();
  std::uint32_t deficit = 0;
  bool is_open = false;
  friend bool operator==(const PlannerTurn&, const PlannerTurn&) = default;
};
[[nodiscard]] inline PlannerTurn turn_of(const PlannerMemory& memory) {
  return {memory.cursor, memory.deficit, memory.turn_is_open};
}
inline void give_back(PlannerMemory& memory, const PlannerTurn& turn) {
  memory.cursor = turn.cursor;
  memory.deficit = turn.deficit;
  memory.turn_is_open = turn.is_open;
}

class Planner {
 public:
  virtual ~Planner() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;
  // One sentence for `headroom list`.
  [[nodiscard]] virtual std::string_view summary() const = 0;
  // Whether ceilings limit what it grants; false for `unscoped` alone.
  [[nodiscard]] virtual bool heeds_ceilings() const { return true; }
  // Fills `plan` (cleared first). Needs batch >= 1. Never more than the batch in all.
  virtual void plan(const SweepView& view, std::uint32_t batch, PlannerMemory& memory, Plan& plan) const = 0;
};

[[nodiscard]] const Planner& planner_for(PlannerKind kind);
[[nodiscard]] std::span<const PlannerKind> all_planners();

}  // namespace headroom
