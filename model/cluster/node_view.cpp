#include "model/cluster/node_view.hpp"

#include <algorithm>

namespace headroom {

NamespaceId NodeView::next_active(NamespaceId from) const {
  const OrderedBitmap& active = cluster_.active(node_);
  const std::uint32_t found = active.next(from.value());
  return found == active.size() ? NamespaceId::none() : NamespaceId(found);
}

NamespaceView NodeView::namespace_view(NamespaceId name) const {
  return {.headroom = cluster_.headroom(node_, name),
          .claimable = cluster_.holding(node_, name).claimable,
          .weight = cluster_.layout().weight(name)};
}

std::span<const RouteView> NodeView::routes(NamespaceId name) const {
  const Layout& layout = cluster_.layout();
  routes_.clear();
  for (std::uint32_t i = layout.first_route(name.value()); i < layout.first_route(name.value() + 1); ++i) {
    const RouteId route(i);
    const std::uint64_t claimable = cluster_.outbox().claimable(node_, route);
    const std::uint64_t due = claimable + cluster_.outbox().held(node_, route);
    if (due > 0) {
      routes_.push_back({route, layout.route(route).unpinned, claimable, due});
    }
  }
  return routes_;
}

KeptScopeView::KeptScopeView(const Cluster& cluster, NodeId node)
    : cluster_(cluster), node_(node), own_(cluster, node) {
  for (std::uint32_t i = 0; i < cluster.namespaces(); ++i) {
    const NamespaceId name(i);
    const bool kept = kept_of(name) > 0;
    present_ += kept || cluster.present(node).test(i) ? 1 : 0;
    if (cluster.active(node).test(i) || (kept && cluster.headroom(node, name) > 0)) {
      active_.push_back(name);
    }
  }
}

std::uint32_t KeptScopeView::kept_of(NamespaceId name) const {
  std::uint32_t rows = 0;
  for (std::uint32_t i = cluster_.layout().first_route(name.value());
       i < cluster_.layout().first_route(name.value() + 1); ++i) {
    rows += cluster_.kept_rows(node_)[i];
  }
  return rows;
}

NamespaceId KeptScopeView::next_active(NamespaceId from) const {
  const auto found = std::ranges::lower_bound(active_, from);
  return found == active_.end() ? NamespaceId::none() : *found;
}

NamespaceView KeptScopeView::namespace_view(NamespaceId name) const {
  NamespaceView view = own_.namespace_view(name);
  view.claimable += kept_of(name);
  return view;
}

std::span<const RouteView> KeptScopeView::routes(NamespaceId name) const {
  const Layout& layout = cluster_.layout();
  routes_.clear();
  for (std::uint32_t i = layout.first_route(name.value()); i < layout.first_route(name.value() + 1); ++i) {
    const RouteId route(i);
    const std::uint64_t kept = cluster_.kept_rows(node_)[i];
    const std::uint64_t claimable = cluster_.outbox().claimable(node_, route) + kept;
    const std::uint64_t due = claimable + cluster_.outbox().held(node_, route);
    if (due > 0) {
      routes_.push_back({route, layout.route(route).unpinned, claimable, due});
    }
  }
  return routes_;
}

}  // namespace headroom
