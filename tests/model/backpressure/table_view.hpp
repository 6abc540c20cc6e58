// A sweep's view backed by a plain table, and what planner tests ask of a plan.
//
//   TableView view({{.routes = {{.claimable = 100}}}, {.headroom = 1, .routes = {{.claimable = 5}}}});
//   grants_of(PlannerKind::rotating, view, 16);
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "model/backpressure/planner.hpp"
#include "model/base/ordered_bitmap.hpp"

namespace headroom::test {

inline constexpr std::uint32_t kPlenty = std::numeric_limits<std::uint32_t>::max();
inline constexpr std::uint64_t kBusy = 1'000'000;

struct TableRoute {
  std::uint64_t claimable = 0;
  std::uint64_t paused = 0;
  bool pinned = false;  // to a pool of its own, in the queue of the last route before it that is not
};

struct TableTenant {
  std::uint32_t headroom = kPlenty;
  std::vector<TableRoute> routes;
  std::uint32_t weight = 1;

  [[nodiscard]] std::uint64_t claimable() const {
    std::uint64_t sum = 0;
    for (const TableRoute& route : routes) {
      sum += route.claimable;
    }
    return sum;
  }
  // min(headroom, claimable): the most that it can be granted.
  [[nodiscard]] std::uint32_t cap() const {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(headroom, claimable()));
  }
  [[nodiscard]] bool is_active() const { return cap() > 0; }
  [[nodiscard]] bool is_present() const {
    return std::ranges::any_of(routes, [](const TableRoute& r) { return r.claimable + r.paused > 0; });
  }
};

// Tenants are numbered in the order of the table. `calls` counts what a planner asked.
class TableView final : public SweepView {
 public:
  explicit TableView(std::vector<TableTenant> tenants)
      : tenants_(std::move(tenants)), active_(static_cast<std::uint32_t>(tenants_.size())) {
    std::uint32_t route = 0;
    for (std::uint32_t i = 0; i < tenants_.size(); ++i) {
      first_route_.push_back(route);
      route += static_cast<std::uint32_t>(tenants_[i].routes.size());
      active_.assign(i, tenants_[i].is_active());
      present_ += tenants_[i].is_present() ? 1 : 0;
    }
  }

  [[nodiscard]] std::uint32_t active_count() const override { return ++calls, active_.count(); }
  [[nodiscard]] std::uint32_t present_count() const override { return ++calls, present_; }
  [[nodiscard]] NamespaceId next_active(NamespaceId from) const override {
    ++calls;
    const std::uint32_t next = active_.next(from.value());
    return next == active_.size() ? NamespaceId::none() : NamespaceId(next);
  }
  [[nodiscard]] NamespaceView namespace_view(NamespaceId name) const override {
    ++calls;
    const TableTenant& tenant = tenants_[name.value()];
    return {tenant.headroom, tenant.claimable(), tenant.weight};
  }
  [[nodiscard]] std::span<const RouteView> routes(NamespaceId name) const override {
    ++calls;
    routes_.clear();
    RouteId unpinned = RouteId::none();
    RouteId id(first_route_[name.value()]);
    for (const TableRoute& route : tenants_[name.value()].routes) {
      if (!route.pinned) {
        unpinned = id;
      }
      if (route.claimable + route.paused > 0) {
        routes_.push_back(
            {id, route.pinned ? unpinned : RouteId::none(), route.claimable, route.claimable + route.paused});
      }
      id = RouteId(id.value() + 1);
    }
    return routes_;
  }

  [[nodiscard]] const std::vector<TableTenant>& tenants() const { return tenants_; }
  [[nodiscard]] RouteId first_route(std::uint32_t tenant) const { return RouteId(first_route_[tenant]); }

  mutable std::uint64_t calls = 0;

 private:
  std::vector<TableTenant> tenants_;
  std::vector<std::uint32_t> first_route_;
  OrderedBitmap active_;
  std::uint32_t present_ = 0;
  mutable std::vector<RouteView> routes_;
};

using Rows = std::vector<std::uint32_t>;

// What each tenant of a view is granted by a plan.
[[nodiscard]] inline Rows granted(const Plan& plan, std::size_t tenants) {
  Rows rows(tenants, 0);
  for (const Grant& grant : plan.grants) {
    rows[grant.name.value()] = grant.rows;
  }
  return rows;
}

// What the routes of one tenant may claim, all claims on a route together.
[[nodiscard]] inline Rows claimed_by_route(const Plan& plan, const TableView& view, std::uint32_t tenant) {
  Rows rows(view.tenants()[tenant].routes.size(), 0);
  for (const ScopedClaim& claim : plan.claims) {
    if (claim.name == NamespaceId(tenant)) {
      rows[claim.route.value() - view.first_route(tenant).value()] += claim.rows;
    }
  }
  return rows;
}

[[nodiscard]] inline Plan plan_of(PlannerKind kind, const TableView& view, std::uint32_t batch, PlannerMemory& memory) {
  Plan plan;
  planner_for(kind).plan(view, batch, memory, plan);
  return plan;
}
// The first sweep of a node.
[[nodiscard]] inline Plan plan_of(PlannerKind kind, const TableView& view, std::uint32_t batch) {
  PlannerMemory memory;
  return plan_of(kind, view, batch, memory);
}

// A sweep of a node that keeps its memory.
[[nodiscard]] inline Rows grants_of(PlannerKind kind, const TableView& view, std::uint32_t batch,
                                    PlannerMemory& memory) {
  return granted(plan_of(kind, view, batch, memory), view.tenants().size());
}
[[nodiscard]] inline Rows grants_of(PlannerKind kind, const TableView& view, std::uint32_t batch) {
  PlannerMemory memory;
  return grants_of(kind, view, batch, memory);
}

// A tenant with one route that always has more rows than a batch.
[[nodiscard]] inline TableTenant busy(std::uint32_t headroom = kPlenty) {
  return {headroom, {{.claimable = kBusy}}};
}
[[nodiscard]] inline TableTenant with_rows(std::uint64_t rows) {
  return {kPlenty, {{.claimable = rows}}};
}
[[nodiscard]] inline TableTenant at_ceiling() {
  return busy(0);
}
[[nodiscard]] inline TableTenant all_paused() {
  return {kPlenty, {{.claimable = 0, .paused = kBusy}}};
}

[[nodiscard]] inline TableView all_busy(std::size_t tenants) {
  return TableView(std::vector<TableTenant>(tenants, busy()));
}

// Rows that each tenant is granted in all over a number of sweeps in which nothing changes.
[[nodiscard]] inline std::vector<std::uint64_t> totals_of(PlannerKind kind, const TableView& view, std::uint32_t batch,
                                                          int sweeps) {
  PlannerMemory memory;
  std::vector<std::uint64_t> totals(view.tenants().size(), 0);
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    const Rows rows = grants_of(kind, view, batch, memory);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      totals[i] += rows[i];
    }
  }
  return totals;
}

}  // namespace headroom::test
