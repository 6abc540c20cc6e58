#include "model/cluster/node_view.hpp"

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

}  // namespace headroom
