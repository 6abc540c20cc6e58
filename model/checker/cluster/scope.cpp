#include "model/checker/cluster/scope.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "model/checker/cluster/cluster_model.hpp"

namespace headroom::checker {

const std::vector<std::string>& all_cluster_properties() {
  static const std::vector<std::string> names = {"exactly_once", "ledger",        "ceiling",        "quota_sum",
                                                 "slice",        "no_starvation", "work_conserving"};
  return names;
}

std::optional<std::string> find_fault(const ClusterScope& scope) {
  const auto unknown = [](const std::vector<std::string>& given, const std::vector<std::string>& known) {
    const auto is_unknown = [&](const std::string& name) { return std::ranges::find(known, name) == known.end(); };
    const auto found = std::ranges::find_if(given, is_unknown);
    return found == given.end() ? std::optional<std::string>() : *found;
  };
  if (const auto name = unknown(scope.properties, all_cluster_properties())) {
    return fmt::format("no property of a cluster is called {}", *name);
  }
  if (const auto name = unknown(scope.sometimes, all_cluster_goals())) {
    return fmt::format("no step of a cluster is called {}", *name);
  }
  if (const auto name = unknown(scope.split, {"sweep"})) {
    return fmt::format("{} cannot be split", *name);
  }
  if (scope.config.namespaces.size() > 32) {
    return fmt::format("{} tenants; at most 32 can be checked", scope.config.namespaces.size());
  }
  const int ways =
      (scope.rows_per_tenant > 0 ? 1 : 0) + (scope.rows_per_shard > 0 ? 1 : 0) + (scope.placed.empty() ? 0 : 1);
  if (ways != 1) {
    return "rows are given per tenant or per shard, one of the two";
  }
  if (places_of(scope).size() > 4096) {
    return fmt::format("{} rows; at most 4096 can be checked", places_of(scope).size());
  }
  if (scope.counts.sweep_errors.any() && scope.split.empty()) {
    return "a store error ends a sweep that is in progress: split the sweep";
  }
  if (!scope.polls && !scope.config.wake) {
    return "without polls and without wakes no node ever sweeps";
  }
  if (scope.counts.lost_wakes.any() && !scope.config.wake) {
    return "there are no wakes that could be lost";
  }
  return std::nullopt;
}

std::vector<RowPlace> places_of(const ClusterScope& scope) {
  std::vector<RowPlace> places = scope.placed;
  const Layout layout(scope.config);
  const auto place = [&](std::uint32_t name, std::uint32_t row, std::uint32_t shard) {
    const NamespaceConfig& config = layout.config(NamespaceId(name));
    const auto routes = static_cast<std::uint32_t>(config.routes.size());
    places.push_back({.name = NamespaceId(name),
                      .shard = ShardId(shard),
                      .route = RouteId(layout.first_route(name) + row % routes),
                      .workflow = WorkflowId(layout.first_workflow(name) + row % config.workflows)});
  };
  for (std::uint32_t name = 0; name < layout.namespaces(); ++name) {
    for (std::uint32_t row = 0; row < scope.rows_per_tenant; ++row) {
      place(name, row, row % scope.config.shards);
    }
    for (std::uint32_t shard = 0; shard < scope.config.shards; ++shard) {
      for (std::uint32_t row = 0; row < scope.rows_per_shard; ++row) {
        place(name, row, shard);
      }
    }
  }
  return places;
}

}  // namespace headroom::checker
