#include "model/properties/sweep_dues.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace headroom {

void slices_due(const Cluster& cluster, NodeId node, std::vector<SliceDue>& due) {
  due.clear();
  const OrderedBitmap& active = cluster.active(node);
  const std::uint32_t batch = cluster.config().batch_size;
  if (active.empty() || active.count() > batch) {
    return;
  }
  const std::uint32_t part = batch / active.count();
  for (std::uint32_t i = active.next(0); i < active.size(); i = active.next(i + 1)) {
    const std::uint32_t headroom = cluster.headroom(node, NamespaceId(i));
    const std::uint32_t claimable = cluster.holding(node, NamespaceId(i)).claimable;
    due.push_back({NamespaceId(i), headroom, claimable, std::min({headroom, claimable, part})});
  }
}

std::string text_of(const SliceDue& due, std::size_t active, const Cluster& cluster, NodeId node) {
  return fmt::format(
      "tenant {} on node n{}: granted {} rows in sweep {}, its slice is {} (headroom {}, "
      "claimable {}, batch {}, active {})",
      cluster.layout().config(due.name).name, node.value() + 1, cluster.sweep(node).plan.granted_to(due.name),
      cluster.sweep(node).number, due.rows, due.headroom, due.claimable, cluster.config().batch_size, active);
}

void sweep_demands(const Cluster& cluster, NodeId node, std::vector<SweepDemand>& demands) {
  demands.clear();
  std::uint64_t sum = 0;
  const OrderedBitmap& active = cluster.active(node);
  for (std::uint32_t i = active.next(0); i < active.size() && sum < cluster.config().batch_size;
       i = active.next(i + 1)) {
    const NamespaceId name(i);
    const std::uint64_t rows = std::min(cluster.headroom(node, name), cluster.holding(node, name).claimable);
    demands.push_back({name, rows});
    sum += rows;
  }
}

std::string text_of(const SweepDemand& demand, std::uint64_t granted, const Cluster& cluster, NodeId node) {
  return fmt::format("node n{}, sweep {}: {} of batch {} granted, while tenant {} got {} and could take {}",
                     node.value() + 1, cluster.sweep(node).number, granted, cluster.config().batch_size,
                     cluster.layout().config(demand.name).name, cluster.sweep(node).plan.granted_to(demand.name),
                     demand.rows);
}

}  // namespace headroom
