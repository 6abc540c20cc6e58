#include "model/cluster/row_roster.hpp"

#include <algorithm>
#include <utility>

namespace headroom {

RowRoster::RowRoster(std::vector<RowPlace> places, std::uint32_t namespaces) : places_(std::move(places)) {
  std::ranges::sort(places_);
  first_.reserve(namespaces + 1);
  for (std::uint32_t name = 0; name <= namespaces; ++name) {
    const auto begin = std::ranges::lower_bound(places_, NamespaceId(name), {}, &RowPlace::name);
    first_.push_back(static_cast<std::uint32_t>(begin - places_.begin()));
  }
  group_of_.reserve(places_.size());
  for (std::uint32_t row = 0; row < size(); ++row) {
    if (row == 0 || place(row) != place(row - 1)) {
      groups_.push_back(row);
    }
    group_of_.push_back(static_cast<std::uint32_t>(groups_.size()) - 1);
  }
  groups_.push_back(size());
}

}  // namespace headroom
