// Charging as spec 1.3 tells it ("Quota while shards move"), for one tenant: to whom every single shard is charged, and
// in which order the unsettled ones changed hands. All counts are scans.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace headroom::test {

class NaiveCharges {
 public:
  NaiveCharges(bool settled, std::vector<std::uint32_t> owners)
      : settled_(settled), owner_(owners), charged_(std::move(owners)) {}

  // `started` by node: its rows with a live fence.
  void hand_over(std::uint32_t shard, std::uint32_t to, std::uint64_t quota,
                 const std::vector<std::uint32_t>& started) {
    owner_[shard] = to;
    const auto waiting = std::ranges::find(unsettled_, shard);
    if (!settled_) {
      charged_[shard] = to;
    } else if (charged_[shard] == to) {
      unsettled_.erase(waiting);
    } else if (waiting == unsettled_.end()) {
      unsettled_.push_back(shard);
    }
    settle(quota, started);
  }

  // Shard by shard, the first that can again and again.
  void settle(std::uint64_t quota, const std::vector<std::uint32_t>& started) {
    while (true) {
      const auto fits = std::ranges::find_if(unsettled_, [&](std::uint32_t shard) {
        const std::uint32_t holder = charged_[shard];
        return started[holder] <= part_of(quota, charged(holder) - 1);
      });
      if (fits == unsettled_.end()) {
        return;
      }
      charged_[*fits] = owner_[*fits];
      unsettled_.erase(fits);
    }
  }

  [[nodiscard]] const std::vector<std::uint32_t>& owners() const { return owner_; }
  [[nodiscard]] const std::vector<std::uint32_t>& charged_to() const { return charged_; }
  [[nodiscard]] const std::vector<std::uint32_t>& unsettled() const { return unsettled_; }

  [[nodiscard]] std::uint32_t charged(std::uint32_t node) const {
    return static_cast<std::uint32_t>(std::ranges::count(charged_, node));
  }
  [[nodiscard]] std::uint32_t owned_and_charged(std::uint32_t node) const {
    std::uint32_t count = 0;
    for (std::size_t shard = 0; shard < owner_.size(); ++shard) {
      count += owner_[shard] == node && charged_[shard] == node ? 1 : 0;
    }
    return count;
  }
  // The node's ceiling for new claims.
  [[nodiscard]] std::uint64_t ceiling(std::uint32_t node, std::uint64_t quota) const {
    return part_of(quota, owned_and_charged(node));
  }
  [[nodiscard]] std::uint32_t charged_nodes() const {
    std::vector<std::uint32_t> nodes = charged_;
    std::ranges::sort(nodes);
    return static_cast<std::uint32_t>(std::ranges::unique(nodes).begin() - nodes.begin());
  }

 private:
  // The least number that is no less than quota * shards / all of them.
  [[nodiscard]] std::uint64_t part_of(std::uint64_t quota, std::uint32_t shards) const {
    const std::uint64_t product = quota * shards;
    return product / owner_.size() + (product % owner_.size() == 0 ? 0 : 1);
  }

  bool settled_;
  std::vector<std::uint32_t> owner_;
  std::vector<std::uint32_t> charged_;
  std::vector<std::uint32_t> unsettled_;  // in the order of the handovers
};

}  // namespace headroom::test
