#include "model/checker/cluster/interchange.hpp"

#include <algorithm>
#include <tuple>

namespace headroom::checker {
namespace {

// A use as a number: what holds the work (and whose that is), the place in it, and what the work itself says.
constexpr unsigned kItemBits = 20;
constexpr unsigned kPlaceBits = 20;
enum class Holder : std::uint8_t { execution, queue, batch, sweep, unsent, listed };

std::uint64_t container(Holder holder, NodeId node) {
  return (static_cast<std::uint64_t>(holder) << 16U | node.value()) << (kItemBits + kPlaceBits);
}

std::uint64_t number_of(const ItemSnapshot& item) {
  return static_cast<std::uint64_t>(item.dispatcher.value()) << 3U | static_cast<std::uint64_t>(item.fence) << 1U |
         (item.former_life ? 1U : 0U);
}

std::uint64_t number_of(const RowSnapshot& row) {
  return static_cast<std::uint64_t>(row.fate) << 40U | static_cast<std::uint64_t>(row.claimed_by.value()) << 24U |
         static_cast<std::uint64_t>(row.attempt) << 8U | (row.awaits_pass ? 8U : 0U) | (row.visible ? 4U : 0U) |
         (row.stale ? 2U : 0U) | (row.executing ? 1U : 0U);
}

}  // namespace

void Interchange::look_at(const RowRoster& roster, const ClusterSnapshot& snapshot, bool orders_claims) {
  own_.resize(roster.size());
  for (std::uint32_t row = 0; row < roster.size(); ++row) {
    own_[row] = number_of(snapshot.rows[row]);
  }
  uses_.clear();
  for (const ExecutionSnapshot& execution : snapshot.executions) {
    uses_.push_back({execution.item.row, container(Holder::execution, execution.node) | number_of(execution.item)});
  }
  for (std::uint16_t i = 0; i < snapshot.nodes.size(); ++i) {
    const NodeSnapshot& node = snapshot.nodes[i];
    note_items(node.queue, container(Holder::queue, NodeId(i)), true);
    note_items(node.batch, container(Holder::batch, NodeId(i)), true);
    note_items(node.sweep.items, container(Holder::sweep, NodeId(i)), orders_claims);
    for (std::uint64_t place = 0; place < node.unsent.size(); ++place) {
      const ResultSnapshot& result = node.unsent[place];
      uses_.push_back({result.item.row, container(Holder::unsent, NodeId(i)) | place << (kItemBits + 1) |
                                            (result.succeeded ? std::uint64_t{1} << kItemBits : 0) |
                                            number_of(result.item)});
    }
    for (const std::uint32_t row : node.listed) {
      uses_.push_back({row, container(Holder::listed, NodeId(i))});
    }
  }
  std::ranges::sort(uses_, {}, [](const Use& use) { return std::tuple(use.row, use.how); });
  first_.assign(roster.size() + 1, 0);
  for (const Use& use : uses_) {
    ++first_[use.row + 1];
  }
  for (std::uint32_t row = 0; row < roster.size(); ++row) {
    first_[row + 1] += first_[row];
  }
}

void Interchange::note_items(const std::vector<ItemSnapshot>& items, std::uint64_t where, bool ordered) {
  for (std::uint64_t place = 0; place < items.size(); ++place) {
    uses_.push_back({items[place].row, where | (ordered ? place : 0) << kItemBits | number_of(items[place])});
  }
}

int Interchange::compare(std::uint32_t a, std::uint32_t b) const {
  if (own_[a] != own_[b]) {
    return own_[a] < own_[b] ? -1 : 1;
  }
  if (uses(a) != uses(b)) {
    return uses(a) < uses(b) ? -1 : 1;
  }
  for (std::uint32_t i = 0; i < uses(a); ++i) {
    const std::uint64_t of_a = uses_[first_[a] + i].how;
    const std::uint64_t of_b = uses_[first_[b] + i].how;
    if (of_a != of_b) {
      return of_a < of_b ? -1 : 1;
    }
  }
  return 0;
}

void sort_rows(const RowRoster& roster, const Interchange& rows, ClusterSnapshot& snapshot, bool orders_claims) {
  thread_local std::vector<std::uint32_t> order;   // by new number
  thread_local std::vector<std::uint32_t> number;  // by old number
  thread_local std::vector<RowSnapshot> sorted;
  order.resize(roster.size());
  number.resize(roster.size());
  bool moved = false;
  for (std::size_t group = 0; group + 1 < roster.groups().size(); ++group) {
    const std::uint32_t begin = roster.groups()[group];
    const std::uint32_t end = roster.groups()[group + 1];
    for (std::uint32_t row = begin; row < end; ++row) {
      // By insertion: groups are small, and states come from sorted ones.
      std::uint32_t place = row;
      for (; place > begin && rows.compare(row, order[place - 1]) < 0; --place) {
        order[place] = order[place - 1];
      }
      order[place] = row;
      moved = moved || place != row;
    }
  }
  if (!moved) {
    return;
  }
  sorted.resize(roster.size());
  for (std::uint32_t row = 0; row < roster.size(); ++row) {
    number[order[row]] = row;
    sorted[row] = snapshot.rows[order[row]];
  }
  snapshot.rows.swap(sorted);
  const auto renumber = [&](ItemSnapshot& item) { item.row = number[item.row]; };
  for (ExecutionSnapshot& execution : snapshot.executions) {
    renumber(execution.item);
  }
  std::ranges::sort(snapshot.executions);
  for (NodeSnapshot& node : snapshot.nodes) {
    std::ranges::for_each(node.queue, renumber);
    std::ranges::for_each(node.batch, renumber);
    std::ranges::for_each(node.sweep.items, renumber);
    if (!orders_claims) {
      std::ranges::sort(node.sweep.items);
    }
    for (ResultSnapshot& result : node.unsent) {
      renumber(result.item);
    }
    for (std::uint32_t& row : node.listed) {
      row = number[row];
    }
    std::ranges::sort(node.listed);
  }
}

}  // namespace headroom::checker
