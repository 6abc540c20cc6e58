// The claim protocol: nodes that claim rows of several tenants from one outbox, crash, restart and hand shards over. A
// transition system whose number of states other tools (SPIN, Rumur, TLC) have counted.
//
//   const ClaimProtocol model({.tenants = 3, .nodes = 2, .shards = 2, .rows = 2, .batch = 2, .quota = 2,
//                              .crashes = 1, .handoffs = 1});
//
// Row k belongs to tenant k / rows and lies on shard k % shards. Rows start pending, shards without an owner, nodes up.
// A node sweeps if some tenant has pending rows on its shards and headroom: it claims at most `batch` rows, each tenant
// first its slice, then what is left, and executes them. Executions end, or are lost with a crashed node; the first
// that ends is recorded. A claimed row that its claimer does not execute any more is re-armed. A crash leaves the
// ownership of shards as it is.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fmt/format.h>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "model/base/arithmetic.hpp"
#include "model/base/assert.hpp"
#include "model/checker/check.hpp"

namespace headroom::test {

class ClaimProtocol {
 public:
  struct Scope {
    unsigned tenants = 0;
    unsigned nodes = 0;
    unsigned shards = 0;
    unsigned rows = 0;  // of each tenant
    unsigned batch = 0;
    unsigned quota = 0;
    unsigned crashes = 0;
    unsigned handoffs = 0;
  };
  static constexpr unsigned kMostNodes = 2;
  static constexpr unsigned kMostShards = 4;
  static constexpr unsigned kMostRows = 8;

  // Sets of rows, shards and nodes, a bit each.
  using Rows = std::uint8_t;
  using Shards = std::uint8_t;
  struct Node {
    Rows claimed = 0;    // by this node
    Rows executing = 0;  // here, claimed or not
    friend auto operator<=>(const Node&, const Node&) = default;
  };
  // A row that is neither done nor claimed is pending.
  struct State {
    std::array<Node, kMostNodes> nodes;
    Rows done = 0;
    Rows recorded = 0;  // have a result
    std::array<Shards, kMostNodes> owned{};
    std::uint8_t up = 0;
    std::uint8_t crashes = 0;   // left
    std::uint8_t handoffs = 0;  // left
  };
  enum class Kind : std::uint8_t { sweep, crash, restart, acquire, hand_off, complete, lose, rearm };
  struct Action {
    Kind kind;
    std::uint8_t node = 0;
    std::uint8_t item = 0;  // row or shard
  };
  using Effects = checker::NoEffects;

  explicit ClaimProtocol(const Scope& scope) : scope_(scope) {
    HEADROOM_ASSERT(scope.nodes == kMostNodes && scope.shards <= kMostShards &&
                        scope.tenants * scope.rows <= kMostRows && scope.crashes < 4 && scope.handoffs < 4,
                    "the scope does not fit into a packed state");
    for (unsigned row = 0; row < row_count(); ++row) {
      tenant_rows_[row / scope.rows] = with(tenant_rows_[row / scope.rows], row);
      for (unsigned shards = 0; shards < owned_rows_.size(); ++shards) {
        if (has(shards, row % scope.shards)) owned_rows_[shards] = with(owned_rows_[shards], row);
      }
    }
  }

  [[nodiscard]] std::vector<State> initial_states() const {
    State state;
    state.up = static_cast<std::uint8_t>((1U << scope_.nodes) - 1);
    state.crashes = static_cast<std::uint8_t>(scope_.crashes);
    state.handoffs = static_cast<std::uint8_t>(scope_.handoffs);
    return {state};
  }

  void enabled(const State& state, std::vector<Action>& actions) const {
    for (std::uint8_t node = 0; node < scope_.nodes; ++node) {
      if (has(state.up, node)) {
        enabled_while_up(state, node, actions);
      } else {
        actions.push_back({Kind::restart, node});
        each(state.nodes[node].executing, [&](std::uint8_t row) { actions.push_back({Kind::lose, node, row}); });
      }
      each(state.nodes[node].executing, [&](std::uint8_t row) { actions.push_back({Kind::complete, node, row}); });
      const Rows running = has(state.up, node) ? state.nodes[node].executing : Rows{0};
      each(without_all(state.nodes[node].claimed, running),
           [&](std::uint8_t row) { actions.push_back({Kind::rearm, node, row}); });
    }
  }

  void step(State& state, const Action& action, Effects& /*effects*/) const {
    Node& node = state.nodes[action.node];
    switch (action.kind) {
      case Kind::sweep:
        sweep(state, action.node);
        break;
      case Kind::crash:
        state.up = without(state.up, action.node);
        --state.crashes;
        break;
      case Kind::restart:
        state.up = with(state.up, action.node);
        break;
      case Kind::hand_off:
        --state.handoffs;
        [[fallthrough]];
      case Kind::acquire:
        for (Shards& owned : state.owned) owned = without(owned, action.item);
        state.owned[action.node] = with(state.owned[action.node], action.item);
        break;
      case Kind::complete:
        node.executing = without(node.executing, action.item);
        state.recorded = with(state.recorded, action.item);
        if (has(node.claimed, action.item)) {
          node.claimed = without(node.claimed, action.item);
          state.done = with(state.done, action.item);
        }
        break;
      case Kind::lose:
        node.executing = without(node.executing, action.item);
        break;
      case Kind::rearm:
        node.claimed = without(node.claimed, action.item);
        break;
    }
  }

  // Two bytes a node, done, recorded, a byte of ownership (four bits a node), a byte of the rest.
  [[nodiscard]] checker::PackedSize packed_size() const { return {.most = 8, .fixed = true}; }
  std::size_t pack(const State& state, std::span<std::byte> bytes) const {
    const std::array<std::uint8_t, 8> packed = {
        state.nodes[0].claimed,
        state.nodes[0].executing,
        state.nodes[1].claimed,
        state.nodes[1].executing,
        state.done,
        state.recorded,
        static_cast<std::uint8_t>(state.owned[0] | state.owned[1] << 4U),
        static_cast<std::uint8_t>(state.up | state.crashes << 2U | state.handoffs << 4U)};
    std::memcpy(bytes.data(), packed.data(), packed.size());
    return packed.size();
  }
  void unpack(std::span<const std::byte> bytes, State& state) const {
    std::array<std::uint8_t, 8> packed{};
    std::memcpy(packed.data(), bytes.data(), packed.size());
    state.nodes = {Node{packed[0], packed[1]}, Node{packed[2], packed[3]}};
    state.done = packed[4];
    state.recorded = packed[5];
    state.owned = {static_cast<Shards>(packed[6] & 15U), static_cast<Shards>(packed[6] >> 4U)};
    state.up = packed[7] & 3U;
    state.crashes = packed[7] >> 2U & 3U;
    state.handoffs = packed[7] >> 4U;
  }

  // Nodes have no order: what belongs to a node moves with it.
  void canonicalise(State& state) const {
    const auto of = [&](unsigned node) {
      return std::tuple(state.nodes[node], state.owned[node], has(state.up, node));
    };
    if (of(1) < of(0)) {
      std::swap(state.nodes[0], state.nodes[1]);
      std::swap(state.owned[0], state.owned[1]);
      state.up = static_cast<std::uint8_t>((state.up & 1U) << 1U | state.up >> 1U);
    }
  }

  [[nodiscard]] checker::Facts facts(const State& state) const {
    checker::Facts facts;
    for (unsigned row = 0; row < row_count(); ++row) {
      std::string text = has(state.done, row) ? "done" : "pending";
      for (unsigned node = 0; node < scope_.nodes; ++node) {
        if (has(state.nodes[node].claimed, row)) text = fmt::format("claimed by n{}", node + 1);
      }
      for (unsigned node = 0; node < scope_.nodes; ++node) {
        if (has(state.nodes[node].executing, row)) text += fmt::format(", runs on n{}", node + 1);
      }
      facts.push_back({fmt::format("row {}", row), text + (has(state.recorded, row) ? ", recorded" : "")});
    }
    for (unsigned shard = 0; shard < scope_.shards; ++shard) {
      std::string owner = "nobody";
      for (unsigned node = 0; node < scope_.nodes; ++node) {
        if (has(state.owned[node], shard)) owner = fmt::format("n{}", node + 1);
      }
      facts.push_back({fmt::format("shard {}", shard), owner});
    }
    for (unsigned node = 0; node < scope_.nodes; ++node) {
      facts.push_back({fmt::format("n{}", node + 1), has(state.up, node) ? "up" : "down"});
    }
    return facts;
  }

  [[nodiscard]] std::string text(const checker::Step<ClaimProtocol>& step) const {
    static constexpr std::array names = {"sweep",           "crash",    "restart",  "acquire shard",
                                         "hand over shard", "complete", "lose row", "re-arm"};
    return fmt::format("{} n{} {}", names[static_cast<std::size_t>(step.action.kind)], step.action.node + 1,
                       step.action.item);
  }

  [[nodiscard]] checker::Properties<ClaimProtocol> properties() const {
    return {.safety = {{.name = "no_lost_row",
                        .on_state = [](const State& state) -> checker::Reason {
                          if ((state.done & ~state.recorded) == 0) return std::nullopt;
                          return fmt::format("rows {:b} are done, results exist of {:b}", state.done, state.recorded);
                        }},
                       {.name = "claimed_within_ceilings",
                        .on_state = [this](const State& state) { return over_ceilings(state); }}},
            .sometimes = {{.name = "all_done",
                           .on_state = [this](const State& state) { return state.done == owned_rows_.back(); }}}};
  }

 private:
  template <class Set>
  [[nodiscard]] static bool has(Set set, unsigned bit) {
    return (static_cast<unsigned>(set) >> bit & 1U) != 0;
  }
  [[nodiscard]] static std::uint8_t with(std::uint8_t set, unsigned bit) {
    return static_cast<std::uint8_t>(set | 1U << bit);
  }
  [[nodiscard]] static std::uint8_t without(std::uint8_t set, unsigned bit) {
    return static_cast<std::uint8_t>(set & ~(1U << bit));
  }
  [[nodiscard]] static std::uint8_t without_all(std::uint8_t set, std::uint8_t others) {
    return static_cast<std::uint8_t>(set & ~others);
  }
  [[nodiscard]] static unsigned count(std::uint8_t set) { return static_cast<unsigned>(std::popcount(set)); }
  template <class Visit>
  static void each(std::uint8_t set, Visit visit) {
    for (unsigned left = set; left != 0; left &= left - 1) {
      visit(static_cast<std::uint8_t>(std::countr_zero(left)));
    }
  }

  [[nodiscard]] unsigned row_count() const { return scope_.tenants * scope_.rows; }
  [[nodiscard]] unsigned ceiling(const State& state, unsigned node) const {
    return div_ceil(scope_.quota * count(state.owned[node]), scope_.shards);
  }
  [[nodiscard]] static Rows claimed(const State& state) {
    return static_cast<Rows>(state.nodes[0].claimed | state.nodes[1].claimed);
  }

  void enabled_while_up(const State& state, std::uint8_t node, std::vector<Action>& actions) const {
    if (can_sweep(state, node)) actions.push_back({Kind::sweep, node});
    if (state.crashes > 0) actions.push_back({Kind::crash, node});
    for (std::uint8_t shard = 0; shard < scope_.shards; ++shard) {
      if (has(state.owned[node], shard)) continue;
      if (!has(state.owned[0] | state.owned[1], shard)) {
        actions.push_back({Kind::acquire, node, shard});
      } else if (state.handoffs > 0) {
        actions.push_back({Kind::hand_off, node, shard});
      }
    }
  }

  // What a sweep of the node sees of a tenant.
  struct View {
    Rows pending = 0;
    unsigned headroom = 0;
  };
  [[nodiscard]] View view(const State& state, unsigned node, unsigned tenant) const {
    const Rows rows = owned_rows_[state.owned[node]] & tenant_rows_[tenant];
    const Rows all_claimed = claimed(state);
    const unsigned most = ceiling(state, node);
    const unsigned used = count(rows & all_claimed);
    return {.pending = without_all(rows, static_cast<Rows>(all_claimed | state.done)),
            .headroom = most > used ? most - used : 0};
  }

  [[nodiscard]] bool can_sweep(const State& state, unsigned node) const {
    for (unsigned tenant = 0; tenant < scope_.tenants; ++tenant) {
      const View seen = view(state, node, tenant);
      if (seen.pending != 0 && seen.headroom > 0) return true;
    }
    return false;
  }

  void sweep(State& state, unsigned node) const {
    std::array<View, kMostRows> views;
    std::array<unsigned, kMostRows> granted{};
    unsigned present = 0;
    for (unsigned tenant = 0; tenant < scope_.tenants; ++tenant) {
      views[tenant] = view(state, node, tenant);
      present += views[tenant].pending != 0 ? 1 : 0;
    }
    unsigned left = scope_.batch;
    for (const unsigned slice : {std::max(div_ceil(scope_.batch, present), 1U), scope_.batch}) {
      for (unsigned tenant = 0; tenant < scope_.tenants; ++tenant) {
        const View& seen = views[tenant];
        const unsigned wanted = std::min(seen.headroom, count(seen.pending)) - granted[tenant];
        const unsigned given = std::min({slice, wanted, left});
        granted[tenant] += given;
        left -= given;
      }
    }
    for (unsigned tenant = 0; tenant < scope_.tenants; ++tenant) {
      Rows rows = 0;
      unsigned pending = views[tenant].pending;
      for (unsigned i = 0; i < granted[tenant]; ++i, pending &= pending - 1) {
        rows = static_cast<Rows>(rows | (pending & -pending));
      }
      state.nodes[node].claimed = static_cast<Rows>(state.nodes[node].claimed | rows);
      state.nodes[node].executing = static_cast<Rows>(state.nodes[node].executing | rows);
    }
  }

  // While no shard was handed over: after that, rows may run on where they were claimed.
  [[nodiscard]] checker::Reason over_ceilings(const State& state) const {
    if (state.handoffs != scope_.handoffs) return std::nullopt;
    unsigned ceilings = 0;
    for (unsigned node = 0; node < scope_.nodes; ++node) ceilings += ceiling(state, node);
    for (unsigned tenant = 0; tenant < scope_.tenants; ++tenant) {
      const unsigned rows = count(claimed(state) & tenant_rows_[tenant]);
      if (rows > ceilings) {
        return fmt::format("tenant {} has {} rows claimed, its ceilings sum to {}", tenant, rows, ceilings);
      }
    }
    return std::nullopt;
  }

  Scope scope_;
  std::array<Rows, kMostRows> tenant_rows_{};
  std::array<Rows, 1U << kMostShards> owned_rows_{};  // on these shards
};

}  // namespace headroom::test
