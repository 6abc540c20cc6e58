// What stores hold, and what they are told, in words.
#pragma once

#include <string>

#include "model/cluster/layout.hpp"
#include "sim/store/store.hpp"

namespace headroom {

[[nodiscard]] std::string node_text(NodeId node);
[[nodiscard]] std::string status_text(StoredStatus status);
[[nodiscard]] std::string settled_text(Settled outcome);
[[nodiscard]] std::string row_text(const StoredRow& row);
[[nodiscard]] std::string counts_text(const RowCounts& counts);
[[nodiscard]] std::string claim_text(const StoreClaim& claim, const Layout& layout);

}  // namespace headroom
