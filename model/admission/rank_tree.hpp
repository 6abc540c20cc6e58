// Which of a fixed number of entries has the least rank: a tournament, played again only along the path that changed.
//
//   RankTree tree(tenants);
//   tree.set(3, 17);
//   tree.best();   // 3
//
// Every operation costs O(log entries); nothing is allocated after the construction.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

namespace headroom {

class RankTree {
 public:
  static constexpr std::uint64_t kOut = std::numeric_limits<std::uint64_t>::max();

  RankTree() : RankTree(0) {}
  explicit RankTree(std::uint32_t entries) : leaves_(std::bit_ceil(entries + 1U)), ranks_(2 * leaves_, kOut) {}

  // Ranks are unique among the entries that are in, and below kOut, which takes the entry out.
  void set(std::uint32_t entry, std::uint64_t rank) {
    std::size_t place = leaves_ + entry;
    ranks_[place] = rank;
    for (place /= 2; place > 0; place /= 2) {
      const std::uint64_t best = ranks_[2 * place] < ranks_[2 * place + 1] ? ranks_[2 * place] : ranks_[2 * place + 1];
      if (ranks_[place] == best) {
        return;
      }
      ranks_[place] = best;
    }
  }
  [[nodiscard]] bool empty() const { return ranks_[1] == kOut; }
  // Needs an entry that is in.
  [[nodiscard]] std::uint32_t best() const {
    std::size_t place = 1;
    while (place < leaves_) {
      place = 2 * place + (ranks_[2 * place] == ranks_[1] ? 0 : 1);
    }
    return static_cast<std::uint32_t>(place - leaves_);
  }

  friend bool operator==(const RankTree&, const RankTree&) = default;

 private:
  std::size_t leaves_;  // a power of two
  std::vector<std::uint64_t> ranks_;
};

}  // namespace headroom
