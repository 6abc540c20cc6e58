// The rule as first published, with its faults: a slice rounded up, given out in name order while the batch lasts; what
// is left to the first that can take it; what a route does not use is not given back to the routes before it.
#include <algorithm>

#include "model/backpressure/planners.hpp"
#include "model/base/arithmetic.hpp"
#include "model/base/assert.hpp"
#include "model/base/mutation.hpp"

namespace headroom {
namespace {

// The rows of one namespace that its route claims can still get. A claim on a pinned route takes rows of its queue's
// route without a pool too; which of them are older is not known here, so its own are reckoned to go first.
class RowsLeft {
 public:
  RowsLeft(std::span<const RouteView> routes, std::vector<std::uint64_t>& left) : routes_(routes), left_(left) {
    left_.clear();
    for (const RouteView& route : routes_) {
      left_.push_back(route.claimable);
    }
  }

  // Takes up to `share` rows by a claim on the route at `index`; gives back how many. Routes are claimed in order.
  std::uint32_t claim(std::size_t index, std::uint32_t share) {
    const auto own = static_cast<std::uint32_t>(std::min<std::uint64_t>(share, left_[index]));
    left_[index] -= own;
    const std::size_t unpinned = unpinned_of(index);
    if (unpinned == index) {
      return own;
    }
    const auto others = static_cast<std::uint32_t>(std::min<std::uint64_t>(share - own, left_[unpinned]));
    left_[unpinned] -= others;
    return own + others;
  }

  [[nodiscard]] std::size_t routes() const { return routes_.size(); }
  [[nodiscard]] RouteId route(std::size_t index) const { return routes_[index].route; }

 private:
  // Where the route without a pool of a pinned route's queue is; the route itself if it has none with due rows.
  [[nodiscard]] std::size_t unpinned_of(std::size_t index) const {
    const RouteId wanted = routes_[index].unpinned;
    if (wanted.is_none()) {
      return index;
    }
    const auto found = std::ranges::lower_bound(routes_, wanted, {}, &RouteView::route);
    return found == routes_.end() || found->route != wanted ? index : static_cast<std::size_t>(found - routes_.begin());
  }

  std::span<const RouteView> routes_;
  std::vector<std::uint64_t>& left_;
};

// claimRoutes of the published rule: one pass, equal shares of what remains, rounded up.
std::uint32_t claim_routes(NamespaceId name, std::uint32_t allocation, RowsLeft& rows,
                           std::vector<ScopedClaim>& claims) {
  std::uint32_t remaining = allocation;
  auto routes_left = static_cast<std::uint32_t>(rows.routes());
  for (std::size_t i = 0; i < rows.routes() && remaining > 0; ++i) {
    const std::uint32_t share = std::min(remaining, std::max(1U, div_ceil(remaining, routes_left)));
    const std::uint32_t got = rows.claim(i, share);
    if (got > 0) {
      claims.push_back({name, rows.route(i), got});
    }
    remaining -= got;
    routes_left = std::max(1U, routes_left - 1);
  }
  return allocation - remaining;
}

class FixedOrderPlanner final : public Planner {
 public:
  [[nodiscard]] std::string_view name() const override { return "fixed_order"; }
  [[nodiscard]] std::string_view summary() const override {
    return "As first published: slices rounded up, in name order while the batch lasts; the last names can starve.";
  }

  void plan(const SweepView& view, std::uint32_t batch, PlannerMemory&, Plan& plan) const override {
    HEADROOM_ASSERT(batch >= 1, "a sweep needs a batch");
    plan.clear();
    plan.active = view.active_count();
    plan.batch = batch;
    if (plan.active == 0) {
      return;  // whoever is present can be given nothing
    }
    HEADROOM_ASSERT(view.present_count() >= plan.active, "{} namespaces are active and {} present", plan.active,
                    view.present_count());
    std::uint32_t budget = batch;
    first_pass(view, div_ceil(batch, view.present_count()), budget, plan);
    if (!mutated(Mutation::published_second_pass_skipped)) {
      second_pass(view, budget, plan);
    }
  }

 private:
  // Only active namespaces get rows, and each of them gets at least one while the budget lasts.
  static void first_pass(const SweepView& view, std::uint32_t slice, std::uint32_t& budget, Plan& plan) {
    NamespaceId name = view.next_active(NamespaceId(0));
    while (budget > 0 && !name.is_none()) {
      const std::uint32_t headroom = view.namespace_view(name).headroom;
      RowsLeft rows(view.routes(name), plan.scratch.rows_left);
      const std::uint32_t got = claim_routes(name, std::min({slice, headroom, budget}), rows, plan.claims);
      HEADROOM_ASSERT(got >= 1, "active namespace {} is given nothing", name.value());
      budget -= got;
      plan.grants.push_back({name, got, got});
      name = view.next_active(NamespaceId(name.value() + 1));
    }
  }

  static void second_pass(const SweepView& view, std::uint32_t& budget, Plan& plan) {
    std::size_t first_claim = 0;  // of the claims of the first pass, the first of this namespace
    for (std::size_t i = 0; i < plan.grants.size() && budget > 0; ++i) {
      Grant& grant = plan.grants[i];
      const std::uint32_t headroom = view.namespace_view(grant.name).headroom - grant.rows;
      RowsLeft rows(view.routes(grant.name), plan.scratch.rows_left);
      first_claim = repeat_claims(grant.name, first_claim, plan.claims, rows);
      const std::uint32_t got = claim_routes(grant.name, std::min(headroom, budget), rows, plan.claims);
      grant.rows += got;
      budget -= got;
    }
  }

  // Takes once more what the claims of a namespace in the first pass took; gives back where the next one's start.
  static std::size_t repeat_claims(NamespaceId name, std::size_t first, std::span<const ScopedClaim> claims,
                                   RowsLeft& rows) {
    std::size_t claim = first;
    for (std::size_t i = 0; i < rows.routes() && claim < claims.size() && claims[claim].name == name; ++i) {
      if (claims[claim].route == rows.route(i)) {
        rows.claim(i, claims[claim].rows);
        ++claim;
      }
    }
    return claim;
  }
};

}  // namespace

const Planner& fixed_order_planner() {
  static const FixedOrderPlanner planner;
  return planner;
}

}  // namespace headroom
