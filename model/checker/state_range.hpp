// States of a visited set in one order: partition by partition, in a partition by number. A level of the search is such
// a range, and so are all states, whose places in it are the vertices of the stored graph.
//
//   const StateRange level(begin, visited.counts());
//   level.for_each(0, level.size(), [&](std::uint64_t place, StateId id) { expand(id); });
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "model/checker/packed_set.hpp"

namespace headroom::checker {

class StateRange {
 public:
  // In each partition, the numbers from `begin` to before `end`.
  StateRange(const PackedSet::Counts& begin, const PackedSet::Counts& end) : begin_(begin) {
    for (unsigned partition = 0; partition < PackedSet::kPartitions; ++partition) {
      offset_[partition + 1] = offset_[partition] + (end[partition] - begin[partition]);
    }
  }

  [[nodiscard]] std::uint64_t size() const { return offset_.back(); }

  // Needs an id in the range.
  [[nodiscard]] std::uint64_t place_of(StateId id) const {
    const unsigned partition = PackedSet::partition_of_id(id);
    return offset_[partition] + (PackedSet::number_of(id) - begin_[partition]);
  }
  // Needs place < size().
  [[nodiscard]] StateId id_at(std::uint64_t place) const {
    const auto after = std::upper_bound(offset_.begin(), offset_.end(), place);
    const auto partition = static_cast<unsigned>(after - offset_.begin()) - 1;
    return PackedSet::id_of(partition, begin_[partition] + static_cast<std::uint32_t>(place - offset_[partition]));
  }

  // Calls visit(place, id) for the places from `from` to before `to`, in order.
  template <class Visit>
  void for_each(std::uint64_t from, std::uint64_t to, Visit visit) const {
    for (unsigned partition = 0; partition < PackedSet::kPartitions; ++partition) {
      const std::uint64_t end = std::min(to, offset_[partition + 1]);
      for (std::uint64_t place = std::max(from, offset_[partition]); place < end; ++place) {
        const auto number = begin_[partition] + static_cast<std::uint32_t>(place - offset_[partition]);
        visit(place, PackedSet::id_of(partition, number));
      }
    }
  }

 private:
  PackedSet::Counts begin_;
  std::array<std::uint64_t, PackedSet::kPartitions + 1> offset_{};
};

}  // namespace headroom::checker
