#include "reports/metrics/row_slices.hpp"

#include <algorithm>
#include <utility>

namespace headroom {

std::string_view name_of(SliceEnd end) {
  switch (end) {
    case SliceEnd::completed:
      return "completed";
    case SliceEnd::retried:
      return "retried";
    case SliceEnd::dead_lettered:
      return "dead_lettered";
    case SliceEnd::stale:
      return "stale";
    case SliceEnd::delayed:
      return "delayed";
    case SliceEnd::died:
      return "died";
  }
  return {};
}

void RowSliceBook::add(const RowSlice& slice, bool in_asked) {
  ++ended_;
  std::vector<RowSlice>& slices = in_asked ? asked_ : first_;
  if (slices.size() < kMostSlices) {
    slices.push_back(slice);
  }
}

RowSlices RowSliceBook::finish() && {
  RowSlices kept{std::move(asked_), ended_};
  const std::size_t room = std::min(kMostSlices - kept.slices.size(), first_.size());
  kept.slices.insert(kept.slices.end(), first_.begin(), first_.begin() + static_cast<std::ptrdiff_t>(room));
  std::ranges::stable_sort(kept.slices, {}, &RowSlice::ended);
  return kept;
}

}  // namespace headroom
