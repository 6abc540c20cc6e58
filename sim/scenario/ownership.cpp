#include "sim/scenario/ownership.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "sim/scenario/rule.hpp"

namespace headroom {
namespace {

constexpr const char* kPlace = "/cluster/ownership";

std::string place(const char* kind) {
  return std::string(kPlace) + "/" + kind;
}

// Blocks in node order, so many shards each.
std::vector<NodeId> blocks(const std::vector<std::uint32_t>& sizes) {
  std::vector<NodeId> owners;
  for (std::size_t node = 0; node < sizes.size(); ++node) {
    owners.insert(owners.end(), sizes[node], NodeId(static_cast<std::uint16_t>(node)));
  }
  return owners;
}

// Parts of `shards` in proportion to the weights: the whole parts, and what is left one each to the largest remainders,
// ties to the first. Needs a weight above 0.
std::vector<std::uint32_t> largest_remainders(const std::vector<std::uint32_t>& weights, std::uint32_t shards) {
  const std::uint64_t total = std::accumulate(weights.begin(), weights.end(), std::uint64_t{0});
  std::vector<std::uint32_t> sizes(weights.size());
  std::vector<std::size_t> order(weights.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::uint32_t left = shards;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    sizes[i] = static_cast<std::uint32_t>(std::uint64_t{weights[i]} * shards / total);
    left -= sizes[i];
  }
  const auto remainder = [&](std::size_t i) { return std::uint64_t{weights[i]} * shards % total; };
  std::ranges::sort(
      order, [&](std::size_t a, std::size_t b) { return std::pair(remainder(b), a) < std::pair(remainder(a), b); });
  for (std::uint32_t i = 0; i < left; ++i) {
    ++sizes[order[i]];
  }
  return sizes;
}

std::vector<NodeId> explicit_owners(const std::vector<std::vector<std::uint32_t>>& lists, std::uint32_t shards,
                                    Reading& reading) {
  std::vector<NodeId> owners(shards, NodeId::none());
  for (std::size_t node = 0; node < lists.size(); ++node) {
    for (std::size_t i = 0; i < lists[node].size(); ++i) {
      const std::uint32_t shard = lists[node][i];
      const std::string pointer = place("explicit") + "/" + std::to_string(node) + "/" + std::to_string(i);
      if (shard >= shards) {
        reading.fault_at(pointer, "there is no shard " + std::to_string(shard),
                         "shards are 0 to " + std::to_string(shards - 1));
      } else if (!owners[shard].is_none()) {
        reading.fault_at(pointer, "shard " + std::to_string(shard) + " is listed twice", "every shard once");
      } else {
        owners[shard] = NodeId(static_cast<std::uint16_t>(node));
      }
    }
  }
  if (const auto missing = std::ranges::find(owners, NodeId::none()); missing != owners.end()) {
    reading.fault_at(place("explicit"), "shard " + std::to_string(missing - owners.begin()) + " is not listed",
                     "every shard from 0 to " + std::to_string(shards - 1) + " once");
  }
  return owners;
}

// Whether a fault decides if its node is there, and which node it is.
struct Attendance {
  NodeId node;
  bool joins = false;
};

std::optional<Attendance> attendance(const FaultKind& kind) {
  if (const auto* join = std::get_if<JoinFault>(&kind)) {
    return Attendance{join->node, true};
  }
  if (const auto* leave = std::get_if<LeaveFault>(&kind)) {
    return Attendance{leave->node};
  }
  if (const auto* crash = std::get_if<CrashFault>(&kind)) {
    return Attendance{crash->node};
  }
  if (const auto* restart = std::get_if<RestartFault>(&kind)) {
    return Attendance{restart->node};
  }
  return std::nullopt;
}

// An absent node may not be promised shards.
bool owns_nothing(NodeId node, bool owns, const char* kind, Reading& reading) {
  if (owns) {
    reading.fault_at(place(kind) + "/" + std::to_string(node.value()),
                     name_of_node(node) + " joins later and owns no shard at the start",
                     std::string(kind) == "weights" ? "0" : "an empty list");
  }
  return !owns;
}

bool one_per_node(std::size_t entries, std::uint16_t nodes, const char* kind, Reading& reading) {
  if (entries == nodes) {
    return true;
  }
  reading.fault_at(place(kind), std::to_string(entries) + " entries for " + std::to_string(nodes) + " nodes",
                   "one per node");
  return false;
}

}  // namespace

std::vector<NodeId> absent_nodes(std::span<const Fault> faults, std::uint16_t nodes) {
  std::vector<std::optional<Time>> first(nodes);
  std::vector<bool> joins(nodes, false);
  for (const Fault& fault : faults) {
    const std::optional<Attendance> found = attendance(fault.kind);
    if (!found || fault.rate || found->node.value() >= nodes) {
      continue;
    }
    std::optional<Time>& known = first[found->node.value()];
    if (!known || fault.at < *known) {
      known = fault.at;
      joins[found->node.value()] = found->joins;
    }
  }
  std::vector<NodeId> absent;
  for (std::uint16_t i = 0; i < nodes; ++i) {
    if (joins[i]) {
      absent.emplace_back(i);
    }
  }
  return absent;
}

std::vector<NodeId> initial_owners(const Ownership& ownership, std::uint16_t nodes, std::span<const NodeId> absent,
                                   std::uint32_t shards, Reading& reading) {
  if (absent.size() == nodes) {
    reading.fault_at("/faults", "every node joins later: nobody is there at the start", "a node that does not");
    return {};
  }
  if (const auto* weighted = std::get_if<WeightedOwnership>(&ownership)) {
    if (!one_per_node(weighted->weights.size(), nodes, "weights", reading) ||
        !std::ranges::all_of(absent, [&](NodeId node) {
          return owns_nothing(node, weighted->weights[node.value()] > 0, "weights", reading);
        })) {
      return {};
    }
    if (std::ranges::count(weighted->weights, 0U) == static_cast<std::ptrdiff_t>(weighted->weights.size())) {
      reading.fault_at(place("weights"), "every weight is 0", "at least one above 0");
      return {};
    }
    return blocks(largest_remainders(weighted->weights, shards));
  }
  if (const auto* listed = std::get_if<ExplicitOwnership>(&ownership)) {
    const bool sound = one_per_node(listed->shards.size(), nodes, "explicit", reading) &&
                       std::ranges::all_of(absent, [&](NodeId node) {
                         return owns_nothing(node, !listed->shards[node.value()].empty(), "explicit", reading);
                       });
    return sound ? explicit_owners(listed->shards, shards, reading) : std::vector<NodeId>{};
  }
  std::vector<std::uint32_t> weights(nodes, 1);
  for (const NodeId node : absent) {
    weights[node.value()] = 0;
  }
  return blocks(largest_remainders(weights, shards));
}

}  // namespace headroom
