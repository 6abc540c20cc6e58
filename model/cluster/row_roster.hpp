// The rows of a bounded scope, each with a number of its own and a fixed place.
//
//   const RowRoster roster({{tenant, shard, route, workflow}, ...}, namespaces);
//   roster.row_of(key)      // the same for a row and for those that take its place once it is final
//   roster.key(row, 0)      // of the first row in that place
//
// Row r of a namespace of n rows has the ordinals r, r + n, r + 2n, ...: its generations.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/base/ids.hpp"
#include "model/outbox/dispatch_key.hpp"

namespace headroom {

struct RowPlace {
  NamespaceId name;
  ShardId shard;
  RouteId route;
  WorkflowId workflow;
  friend auto operator<=>(const RowPlace&, const RowPlace&) = default;
};

class RowRoster {
 public:
  // Rows are numbered in the order of their places.
  RowRoster(std::vector<RowPlace> places, std::uint32_t namespaces);

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(places_.size()); }
  [[nodiscard]] const RowPlace& place(std::uint32_t row) const { return places_[row]; }
  // Rows of a namespace: [first(name), first(name + 1)).
  [[nodiscard]] std::uint32_t first(std::uint32_t name) const { return first_[name]; }
  // Where rows of one place begin: equal places are neighbours. The last entry is size().
  [[nodiscard]] std::span<const std::uint32_t> groups() const { return groups_; }
  [[nodiscard]] std::uint32_t group_of(std::uint32_t row) const { return group_of_[row]; }

  [[nodiscard]] DispatchKey key(std::uint32_t row, std::uint64_t generation) const {
    const NamespaceId name = place(row).name;
    return {name, row - first(name.value()) + generation * count(name)};
  }
  [[nodiscard]] std::uint32_t row_of(DispatchKey key) const {
    std::uint64_t ordinal = key.ordinal();
    const std::uint64_t rows = count(key.name());
    if (ordinal >= rows) {
      ordinal = ordinal < 2 * rows ? ordinal - rows : ordinal % rows;
    }
    return first(key.name().value()) + static_cast<std::uint32_t>(ordinal);
  }
  // The key of the row that takes this one's place.
  [[nodiscard]] DispatchKey next(DispatchKey key) const { return {key.name(), key.ordinal() + count(key.name())}; }

 private:
  [[nodiscard]] std::uint32_t count(NamespaceId name) const { return first(name.value() + 1) - first(name.value()); }

  std::vector<RowPlace> places_;
  std::vector<std::uint32_t> first_;
  std::vector<std::uint32_t> groups_;
  std::vector<std::uint32_t> group_of_;
};

}  // namespace headroom
