// Which rows of a snapshot are interchangeable: those of one place of which all else says the same.
//
//   Interchange rows;
//   rows.look_at(roster, snapshot, orders_claims);
//   if (rows.same(a, b)) ...         // an automorphism of the state swaps them
//   sort_rows(roster, rows, snapshot, orders_claims);  // the representative of all states that differ only in the
//   rows' numbers
//
// What a row is, and every piece of work that is its own, with its place where places count, makes up its signature.
// Each piece of work belongs to one row, so states are images of each other under renumbering of rows within their
// places just if the signatures in each place are the same, counted.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/cluster/row_roster.hpp"
#include "model/cluster/snapshot.hpp"

namespace headroom::checker {

class Interchange {
 public:
  // `orders_claims`: the order of the rows that a sweep has claimed matters.
  void look_at(const RowRoster& roster, const ClusterSnapshot& snapshot, bool orders_claims);
  // Needs both rows in one place to say yes.
  [[nodiscard]] bool same(std::uint32_t a, std::uint32_t b) const { return compare(a, b) == 0; }
  // -1, 0 or 1: an order of signatures.
  [[nodiscard]] int compare(std::uint32_t a, std::uint32_t b) const;
  // Pieces of work that are this row's.
  [[nodiscard]] std::uint32_t uses(std::uint32_t row) const { return first_[row + 1] - first_[row]; }

 private:
  struct Use {
    std::uint32_t row;
    std::uint64_t how;
  };
  void note_items(const std::vector<ItemSnapshot>& items, std::uint64_t where, bool ordered);

  std::vector<std::uint64_t> own_;    // by row
  std::vector<std::uint32_t> first_;  // by row: its uses are [first_[row], first_[row + 1])
  std::vector<Use> uses_;             // sorted
};

// `rows` has looked at `snapshot`, and has to look at it again afterwards.
void sort_rows(const RowRoster& roster, const Interchange& rows, ClusterSnapshot& snapshot, bool orders_claims);

}  // namespace headroom::checker
