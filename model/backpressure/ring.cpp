#include "model/backpressure/ring.hpp"

#include <algorithm>

#include "model/base/assert.hpp"
#include "model/base/mutation.hpp"

namespace headroom {
namespace {

[[nodiscard]] RouteId route_cursor(const PlannerMemory& memory, NamespaceId name) {
  return name.value() < memory.route_cursors.size() ? memory.route_cursors[name.value()] : RouteId::none();
}

// The last cursor that is kept is never none, so that memories that mean the same are equal.
void set_route_cursor(PlannerMemory& memory, NamespaceId name, RouteId route) {
  if (name.value() >= memory.route_cursors.size()) {
    memory.route_cursors.resize(name.value() + 1, RouteId::none());
  }
  memory.route_cursors[name.value()] = route;
}

// The index of the first route after the cursor, 0 if that is the end.
[[nodiscard]] std::size_t first_after(std::span<const RouteView> routes, RouteId cursor) {
  if (cursor.is_none()) {
    return 0;
  }
  const auto next = std::ranges::upper_bound(routes, cursor, {}, &RouteView::route);
  return next == routes.end() ? 0 : static_cast<std::size_t>(next - routes.begin());
}

}  // namespace

void begin_plan(const SweepView& view, std::uint32_t batch, Plan& plan) {
  HEADROOM_ASSERT(batch >= 1, "a sweep needs a batch");
  plan.clear();
  plan.active = view.active_count();
  plan.batch = batch;
  plan.scratch.names.clear();
  plan.scratch.parts.clear();
  plan.scratch.weights.clear();
}

NamespaceId next_in_ring(const SweepView& view, NamespaceId name) {
  constexpr NamespaceId first(0);
  NamespaceId next = view.next_active(name.is_none() ? first : NamespaceId(name.value() + 1));
  if (next.is_none()) {
    next = view.next_active(first);
  }
  HEADROOM_ASSERT(!next.is_none(), "no active namespace where the view counts some");
  return next;
}

void take_part(NamespaceId name, const NamespaceView& seen, Plan& plan) {
  const std::uint64_t cap = std::min<std::uint64_t>(seen.headroom, seen.claimable);
  HEADROOM_ASSERT(cap >= 1, "namespace {} is called active with headroom {} and {} claimable rows", name.value(),
                  seen.headroom, seen.claimable);
  plan.scratch.names.push_back(name);
  plan.scratch.parts.push_back({cap, 0});
  plan.scratch.weights.push_back(seen.weight);
}

void give_out(const SweepView& view, PlannerMemory& memory, Plan& plan) {
  const std::vector<NamespaceId>& names = plan.scratch.names;
  const std::vector<FairPart>& parts = plan.scratch.parts;
  const std::uint32_t slice = plan.active == 0 ? 0 : plan.batch / plan.active;
  std::uint64_t sum = 0;
  std::size_t wrap = 0;  // where the ring passes the end of the names
  for (std::size_t i = 0; i < names.size(); ++i) {
    HEADROOM_ASSERT(parts[i].rows >= 1 && parts[i].rows <= parts[i].cap, "namespace {} is given {} rows of {}",
                    names[i].value(), parts[i].rows, parts[i].cap);
    if (i > 0 && names[i] < names[i - 1]) {
      HEADROOM_ASSERT(wrap == 0, "the ring of namespaces wraps twice");
      wrap = i;
    }
    sum += parts[i].rows;
    plan.grants.push_back({names[i], parts[i].rows, std::min(parts[i].rows, slice)});
    claim_over_routes(view, names[i], parts[i].rows, memory, plan);
  }
  HEADROOM_ASSERT(sum <= plan.batch, "{} rows are granted from a batch of {}", sum, plan.batch);
  std::rotate(plan.grants.begin(), plan.grants.begin() + static_cast<std::ptrdiff_t>(wrap), plan.grants.end());
}

void claim_over_routes(const SweepView& view, NamespaceId name, std::uint32_t rows, PlannerMemory& memory, Plan& plan) {
  const std::span<const RouteView> routes = view.routes(name);
  std::vector<FairPart>& parts = plan.scratch.route_parts;
  parts.clear();
  for (const RouteView& route : routes) {
    parts.push_back({route.claimable, 0});
  }
  const RouteId cursor = mutated(Mutation::route_cursor_missing) ? RouteId::none() : route_cursor(memory, name);
  const std::size_t last = fair_split(parts, rows, first_after(routes, cursor));
  if (last < routes.size()) {
    set_route_cursor(memory, name, routes[last].route);
  }
  std::uint64_t claimed = 0;
  for (std::size_t i = 0; i < routes.size(); ++i) {
    if (parts[i].rows > 0) {
      claimed += parts[i].rows;
      plan.claims.push_back({name, routes[i].route, parts[i].rows});
    }
  }
  HEADROOM_ASSERT(claimed == rows, "the routes of namespace {} take {} of its {} rows", name.value(), claimed, rows);
}

}  // namespace headroom
