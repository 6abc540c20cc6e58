// What a sweep's plan costs by the number of active namespaces: it must hang on the batch, not on them.
//
// The view is as cheap as a node's can be, so that what is measured is the planner: an ordered bitmap and one route
// each.
#include "model/backpressure/planner.hpp"

#include <benchmark/benchmark.h>

#include "model/base/hash.hpp"
#include "model/base/ordered_bitmap.hpp"

namespace headroom {
namespace {

class BusyView final : public SweepView {
 public:
  explicit BusyView(std::uint32_t namespaces) : active_(namespaces) {
    for (std::uint32_t i = 0; i < namespaces; ++i) {
      active_.set(i);
    }
  }

  [[nodiscard]] std::uint32_t active_count() const override { return active_.count(); }
  [[nodiscard]] std::uint32_t present_count() const override { return active_.count(); }
  [[nodiscard]] NamespaceId next_active(NamespaceId from) const override {
    const std::uint32_t next = active_.next(from.value());
    return next == active_.size() ? NamespaceId::none() : NamespaceId(next);
  }
  // Rows and weights differ, so that splits meet caps.
  [[nodiscard]] NamespaceView namespace_view(NamespaceId name) const override {
    return {8, rows(name), 1 + static_cast<std::uint32_t>(mix(name.value()) % 4)};
  }
  [[nodiscard]] std::span<const RouteView> routes(NamespaceId name) const override {
    route_ = {RouteId(name.value()), RouteId::none(), rows(name), rows(name)};
    return {&route_, 1};
  }

 private:
  [[nodiscard]] static std::uint64_t rows(NamespaceId name) { return 1 + mix(name.value() + 1ULL) % 16; }

  OrderedBitmap active_;
  mutable RouteView route_;
};

void sweep(benchmark::State& state, PlannerKind kind) {
  const BusyView view(static_cast<std::uint32_t>(state.range(0)));
  const auto batch = static_cast<std::uint32_t>(state.range(1));
  const Planner& planner = planner_for(kind);
  PlannerMemory memory;
  Plan plan;
  for (auto _ : state) {
    planner.plan(view, batch, memory, plan);
    benchmark::DoNotOptimize(plan.claims.data());
  }
  state.counters["claims"] = static_cast<double>(plan.claims.size());
}

BENCHMARK_CAPTURE(sweep, rotating, PlannerKind::rotating)->ArgsProduct({{10, 1'000, 1'000'000}, {16, 256}});
BENCHMARK_CAPTURE(sweep, deficit_round_robin, PlannerKind::deficit_round_robin)
    ->ArgsProduct({{10, 1'000, 1'000'000}, {16, 256}});
BENCHMARK_CAPTURE(sweep, fixed_order, PlannerKind::fixed_order)->ArgsProduct({{10, 1'000, 1'000'000}, {16, 256}});

}  // namespace
}  // namespace headroom
