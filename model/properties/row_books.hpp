// The books of rows, kept from effects: what ledger, exactly_once and ceiling hold against the outbox (spec 1.1, 2.4).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/cluster/cluster.hpp"
#include "model/cluster/effect.hpp"
#include "model/outbox/outbox.hpp"

namespace headroom {

// Whether the effect moves a row from one status to another.
[[nodiscard]] bool moves_row(EffectKind kind);
// Needs an effect that does.
void count_row(const Effect& effect, RowCounts& counts);
// appended = pending + claimed + done + failed + cancelled in `is`, and each is what `want` says.
[[nodiscard]] bool books_agree(const RowCounts& is, const RowCounts& want);
[[nodiscard]] std::string text_of_books(const RowCounts& is, const RowCounts& want, const Cluster& cluster,
                                        NamespaceId name);
// What the nodes hold as started must be the rows that are Claimed: both are counted, each in its place.
[[nodiscard]] std::optional<std::string> wrong_holdings(const Cluster& cluster, NamespaceId name);

// The life of a key, in a byte.
struct KeyLife {
  bool appended : 1 = false;
  bool live : 1 = false;   // a fence is
  bool ended : 1 = false;  // its row is final
  // Takes an effect that moves the key's row; what is wrong with it, if anything is.
  [[nodiscard]] std::optional<std::string_view> take(EffectKind kind);
  friend bool operator==(const KeyLife&, const KeyLife&) = default;
};
static_assert(sizeof(KeyLife) == 1);

// Whether what the node counts of the tenant is over its ceiling.
[[nodiscard]] bool over_ceiling(const Cluster& cluster, NodeId node, NamespaceId name);
[[nodiscard]] std::string text_of_over_ceiling(const Cluster& cluster, NodeId node, NamespaceId name);
// Whether the node's present sweep has claimed more than the batch.
[[nodiscard]] bool over_batch(const Cluster& cluster, NodeId node);
[[nodiscard]] std::string text_of_over_batch(const Cluster& cluster, NodeId node);

}  // namespace headroom
