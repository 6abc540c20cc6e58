#include "sim/store/store_text.hpp"

#include <fmt/format.h>

#include "model/base/assert.hpp"

namespace headroom {

std::string node_text(NodeId node) {
  return node.is_none() ? "nobody" : fmt::format("n{}", node.value() + 1);
}

std::string status_text(StoredStatus status) {
  switch (status) {
    case StoredStatus::pending:
      return "Pending";
    case StoredStatus::claimed:
      return "Claimed";
    case StoredStatus::done:
      return "Done";
    case StoredStatus::failed:
      return "Failed";
    case StoredStatus::cancelled:
      return "Cancelled";
  }
  HEADROOM_ASSERT(false, "unknown status");
}

std::string settled_text(Settled outcome) {
  switch (outcome) {
    case Settled::recorded:
      return "records it";
    case Settled::retried:
      return "tries the row again";
    case Settled::dead_lettered:
      return "gives the row up";
    case Settled::stale:
      return "ignores it as stale";
    case Settled::recorded_again:
      return "records it for a row that is final";
  }
  HEADROOM_ASSERT(false, "unknown outcome");
}

std::string row_text(const StoredRow& row) {
  std::string text = status_text(row.status);
  if (row.status == StoredStatus::claimed) {
    text += fmt::format(" by {} at {} ns under fence {}{}", node_text(row.claimed_by), row.claimed_at.nanoseconds(),
                        row.fence.is_none() ? "none" : std::to_string(row.fence.value()), row.stale ? ", stale" : "");
  }
  return text + fmt::format(" ({} after {} ns, attempt {}, results {}, shard {}, route {}, workflow {})",
                            row.visible ? "visible" : "not visible yet, due", row.visible_after.nanoseconds(),
                            row.attempt, row.results, row.shard.value(), row.route.value(), row.workflow.value());
}

std::string counts_text(const RowCounts& counts) {
  return fmt::format(
      "{} appended, {} pending, {} claimed, {} done, {} failed, {} cancelled, {} duplicates, {} results, {} stale "
      "results, {} claims, {} retries, {} re-arms",
      counts.appended, counts.pending, counts.claimed, counts.done, counts.failed, counts.cancelled,
      counts.duplicates_ignored, counts.results_recorded, counts.stale_settlements, counts.claims, counts.retries,
      counts.rearms);
}

std::string claim_text(const StoreClaim& claim, const Layout& layout) {
  std::string text = fmt::format("{} claims {} rows at most", node_text(claim.node), claim.limit);
  if (claim.route.is_none()) {
    return text;
  }
  const NamespaceConfig& name = layout.config(layout.route(claim.route).name);
  const std::uint32_t first = layout.first_route(layout.route(claim.route).name.value());
  text += fmt::format(" of {}, queue {}", name.name, name.routes[claim.route.value() - first].queue);
  return layout.route(claim.route).pool.is_none()
             ? text
             : text + fmt::format(", worker pool {}", layout.route(claim.route).pool.value());
}

}  // namespace headroom
