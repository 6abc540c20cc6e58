// The formulas of quota_sum (spec 1.3, 2.4), for whoever asks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "model/cluster/cluster.hpp"

namespace headroom {

// Rows of a tenant that execute with a live fence, against quota + charged nodes - 1.
struct QuotaUse {
  std::int64_t executing = 0;
  std::int64_t quota = 0;
  std::int64_t charged_nodes = 0;
  [[nodiscard]] std::int64_t over() const { return executing - (quota + charged_nodes - 1); }
};
[[nodiscard]] QuotaUse quota_use(const Cluster& cluster, NamespaceId name);
[[nodiscard]] std::string text_of(const QuotaUse& use, std::int64_t slack, const Cluster& cluster, NamespaceId name);

// After a quota has changed: until every node goes by the new one and has claimed no more than fits into its part of it
// (some of that may yet wait for a worker), nothing is judged.
[[nodiscard]] bool quota_still_changes(const Cluster& cluster, NamespaceId name);

// The sum of a tenant's ceilings on the owning nodes.
struct CeilingSum {
  std::uint64_t sum = 0;
  std::uint64_t quota = 0;
  std::uint64_t owners = 0;
  [[nodiscard]] bool within() const { return sum >= quota && sum <= quota + owners - 1; }
};
// Nothing while a shard is ownerless or not settled: then sums are not promised.
[[nodiscard]] std::optional<CeilingSum> ceiling_sum(const Cluster& cluster, NamespaceId name);
[[nodiscard]] std::string text_of(const CeilingSum& ceilings, const Cluster& cluster, NamespaceId name);

}  // namespace headroom
