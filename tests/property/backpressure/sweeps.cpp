// The sweeps of one node while rows arrive and end, routes are paused and ceilings move: `rotating` beside its rule
// taken literally, beside the max-min split found by trying all, and against the promises of spec 1.3 one by one.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tests/property/backpressure/naive_rotation.hpp"
#include "tests/property/backpressure/promises.hpp"
#include "tests/property/check.hpp"
#include "tests/property/commands.hpp"

namespace headroom::test {
namespace {

constexpr std::size_t kRoutes = 2;  // of each tenant

struct NodeTenant {
  std::uint32_t ceiling = 0;
  std::uint32_t claimed = 0;
  std::vector<TableRoute> routes = std::vector<TableRoute>(kRoutes);
  NaiveCursor route_cursor = {};

  [[nodiscard]] std::uint32_t headroom() const { return ceiling > claimed ? ceiling - claimed : 0; }
};
// A node as it is, with the naive planner's memory.
struct NodeModel {
  std::uint32_t batch = 1;
  std::vector<NodeTenant> tenants;
  NaiveCursor cursor = {};

  [[nodiscard]] TableView view() const {
    std::vector<TableTenant> table;
    for (const NodeTenant& tenant : tenants) {
      table.push_back({tenant.headroom(), tenant.routes});
    }
    return TableView(std::move(table));
  }
};

// What is held against every sweep.
using Judge = Breach (*)(const History&, const Outcome&);
struct PlannerSut {
  PlannerKind kind = PlannerKind::rotating;
  Judge judge = nullptr;
  bool like_naive = false;
  PlannerMemory memory = {};
  History history = {};
  Outcome outcome = {};
};
using NodeCommand = BothCommand<NodeModel, PlannerSut>;

// All is compared in the sweeps.
void compare(const NodeModel& /*model*/, const PlannerSut& /*sut*/) {}

// Has no precondition.
class Sweep final : public NodeCommand {
 public:
  Sweep() = default;
  void show(std::ostream& out) const override { out << "sweep"; }

 private:
  void act(NodeModel& model, PlannerSut* sut) const override {
    const TableView view = model.view();
    Rows caps;
    for (const TableTenant& tenant : view.tenants()) {
      caps.push_back(tenant.cap());
    }
    const Rows grants = model.cursor.split(caps, model.batch);
    std::vector<Rows> by_route;
    for (std::size_t i = 0; i < grants.size(); ++i) {
      by_route.push_back(claim(model.tenants[i], grants[i]));
    }
    if (sut != nullptr) {
      const Plan plan = plan_of(sut->kind, view, model.batch, sut->memory);
      if (sut->like_naive) {
        RC_ASSERT(granted(plan, caps.size()) == grants);
        for (std::uint32_t i = 0; i < grants.size(); ++i) {
          RC_ASSERT(claimed_by_route(plan, view, i) == by_route[i]);
        }
      }
      judge(*sut, caps, model.batch, plan);
    }
  }

  static Rows claim(NodeTenant& tenant, std::uint32_t grant) {
    Rows caps;
    for (const TableRoute& route : tenant.routes) {
      caps.push_back(static_cast<std::uint32_t>(route.claimable));
    }
    const Rows rows = grant == 0 ? Rows(caps.size(), 0) : tenant.route_cursor.split(caps, grant);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      tenant.routes[i].claimable -= rows[i];
    }
    tenant.claimed += grant;
    return rows;
  }

  static void judge(PlannerSut& sut, const Rows& caps, std::uint32_t batch, const Plan& plan) {
    sut.history.batch = batch;
    sut.history.weights.assign(caps.size(), 1);
    sut.history.caps.push_back(caps);
    sut.outcome.grants.push_back(granted(plan, caps.size()));
    sut.outcome.plans.push_back(plan);
    if (sut.judge != nullptr) {
      if (const Breach found = sut.judge(sut.history, sut.outcome)) {
        RC_FAIL(*found);
      }
    }
  }
};

// A command on one tenant.
class OfTenant : public NodeCommand {
 public:
  explicit OfTenant(const NodeModel& model) : tenant_(below(model.tenants.size())) {}

 protected:
  [[nodiscard]] NodeTenant& of(NodeModel& model) const { return model.tenants[tenant_]; }
  [[nodiscard]] const NodeTenant& of(const NodeModel& model) const { return model.tenants[tenant_]; }
  [[nodiscard]] std::size_t tenant() const { return tenant_; }

 private:
  std::size_t tenant_;
};

class Arrive final : public OfTenant {
 public:
  explicit Arrive(const NodeModel& model) : OfTenant(model), route_(below(kRoutes)), rows_(1 + below(8U)) {}
  void show(std::ostream& out) const override {
    out << fmt::format("{} rows for tenant {} on route {}", rows_, tenant(), route_);
  }

 private:
  void act(NodeModel& model, PlannerSut* /*sut*/) const override { of(model).routes[route_].claimable += rows_; }
  std::size_t route_;
  std::uint32_t rows_;
};

class Finish final : public OfTenant {
 public:
  explicit Finish(const NodeModel& model) : OfTenant(model) {
    checkPreconditions(model);
    all_ = below(2) == 0;
  }
  void checkPreconditions(const NodeModel& model) const override { RC_PRE(of(model).claimed > 0); }
  void show(std::ostream& out) const override {
    out << fmt::format("{} of tenant {} ends", all_ ? "all" : "a row", tenant());
  }

 private:
  void act(NodeModel& model, PlannerSut* /*sut*/) const override { of(model).claimed -= all_ ? of(model).claimed : 1; }
  bool all_ = true;
};

class SetCeiling final : public OfTenant {
 public:
  explicit SetCeiling(const NodeModel& model) : OfTenant(model), ceiling_(below(12U)) {}
  void show(std::ostream& out) const override { out << fmt::format("ceiling of tenant {} is {}", tenant(), ceiling_); }

 private:
  void act(NodeModel& model, PlannerSut* /*sut*/) const override { of(model).ceiling = ceiling_; }
  std::uint32_t ceiling_;
};

class PauseOrResume final : public OfTenant {
 public:
  explicit PauseOrResume(const NodeModel& model) : OfTenant(model), route_(below(kRoutes)) {
    checkPreconditions(model);
  }
  void checkPreconditions(const NodeModel& model) const override {
    const TableRoute& route = of(model).routes[route_];
    RC_PRE(route.claimable + route.paused > 0);
  }
  void show(std::ostream& out) const override {
    out << fmt::format("pause or resume route {} of tenant {}", route_, tenant());
  }

 private:
  void act(NodeModel& model, PlannerSut* /*sut*/) const override {
    TableRoute& route = of(model).routes[route_];
    std::swap(route.claimable, route.paused);
  }
  std::size_t route_;
};

void sweep_under(PlannerSut sut) {
  NodeModel model{.batch = 1 + below(8U), .tenants = {}};
  model.tenants.resize(1 + below<std::size_t>(5));
  for (NodeTenant& tenant : model.tenants) {
    tenant.ceiling = below(3) == 2 ? below(5U) : 1000;
    tenant.routes[0].claimable = below(2) == 0 ? 100 : below(6U);
  }
  walk<Sweep, Sweep, Sweep, Sweep, Arrive, Arrive, Finish, SetCeiling, PauseOrResume>(model, std::move(sut));
}

// ---- what is held against a sweep

Breach not_max_min(const History& history, const Outcome& outcome) {
  Rows rows = outcome.grants.back();
  std::ranges::sort(rows);
  Rows caps = history.caps.back();
  for (std::uint32_t& cap : caps) {
    cap = std::min(cap, history.batch);  // nobody can be granted more
  }
  const Rows best = max_min_by_trying_all(caps, history.batch);
  return rows == best ? Breach() : fmt::format("granted {}, could be {}", fmt::join(rows, " "), fmt::join(best, " "));
}
Breach claims_disagree(const History&, const Outcome& outcome) {
  return breach_of_claims(outcome);
}
Breach uncapped_differ(const History& history, const Outcome& outcome) {
  return breach_of_equality(history, outcome);
}

TEST_CASE("rotating plans every sweep of a node as its rule taken literally", "[property]") {
  check_property("rotating.sweeps.naive", [] { sweep_under({.like_naive = true}); });
}

TEST_CASE("rotating splits every sweep of a node max-min fairly", "[property]") {
  check_property("rotating.sweeps.max_min", [] { sweep_under({.judge = not_max_min}); });
  check_broken("fixed_order.sweeps.max_min",
               [] { sweep_under({.kind = PlannerKind::fixed_order, .judge = not_max_min}); });
}

TEST_CASE("rotating keeps its promises over all sweeps of a node", "[property]") {
  check_property("rotating.sweeps.slice", [] { sweep_under({.judge = breach_of_slice}); });
  check_property("rotating.sweeps.turns", [] { sweep_under({.judge = breach_of_turns}); });
  check_property("rotating.sweeps.equality", [] { sweep_under({.judge = uncapped_differ}); });
  check_property("rotating.sweeps.limits", [] { sweep_under({.judge = breach_of_limits}); });
  check_property("rotating.sweeps.work_conservation", [] { sweep_under({.judge = breach_of_work_conservation}); });
  check_property("rotating.sweeps.guarantee", [] { sweep_under({.judge = breach_of_guarantee}); });
  check_property("rotating.sweeps.claims", [] { sweep_under({.judge = claims_disagree}); });
}

TEST_CASE("fixed_order is seen to break its promises over the sweeps of a node", "[property]") {
  const auto fixed = [](Judge judge) {
    return [judge] { sweep_under({.kind = PlannerKind::fixed_order, .judge = judge}); };
  };
  check_broken("fixed_order.sweeps.slice", fixed(breach_of_slice));
  check_broken("fixed_order.sweeps.turns", fixed(breach_of_turns));
  check_broken("fixed_order.sweeps.equality", fixed(uncapped_differ));
}

}  // namespace
}  // namespace headroom::test
