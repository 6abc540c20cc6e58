#include "model/properties/quota_use.hpp"

#include <fmt/format.h>

namespace headroom {

QuotaUse quota_use(const Cluster& cluster, NamespaceId name) {
  return {.executing = cluster.executing_live(name),
          .quota = cluster.quota(name),
          .charged_nodes = cluster.charges().charged_nodes(name)};
}

std::string text_of(const QuotaUse& use, std::int64_t slack, const Cluster& cluster, NamespaceId name) {
  return fmt::format("tenant {}: {} rows execute with a live fence; quota {} + {} charged nodes - 1 + slack {}",
                     cluster.layout().config(name).name, use.executing, use.quota, use.charged_nodes, slack);
}

bool quota_still_changes(const Cluster& cluster, NamespaceId name) {
  for (std::uint16_t i = 0; i < cluster.nodes(); ++i) {
    const NodeId node(i);
    const Holding& held = cluster.holding(node, name);
    const bool heard = !cluster.up(node) || cluster.believed_quota(node, name) == cluster.quota(name);
    if (!heard || cluster.claimed(held) > held.ceiling) {
      return true;
    }
  }
  return false;
}

std::optional<CeilingSum> ceiling_sum(const Cluster& cluster, NamespaceId name) {
  if (!cluster.every_shard_owned() || cluster.charges().unsettled(name)) {
    return std::nullopt;
  }
  CeilingSum ceilings{.quota = cluster.quota(name)};
  for (std::uint16_t node = 0; node < cluster.nodes(); ++node) {
    ceilings.sum += cluster.holding(NodeId(node), name).ceiling;
    ceilings.owners += cluster.owned(NodeId(node)) > 0 ? 1 : 0;
  }
  return ceilings;
}

std::string text_of(const CeilingSum& ceilings, const Cluster& cluster, NamespaceId name) {
  return fmt::format("tenant {}: the ceilings of {} owning nodes sum to {}; quota {} allows {} to {}",
                     cluster.layout().config(name).name, ceilings.owners, ceilings.sum, ceilings.quota, ceilings.quota,
                     ceilings.quota + ceilings.owners - 1);
}

}  // namespace headroom
