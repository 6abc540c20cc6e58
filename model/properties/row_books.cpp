#include "model/properties/row_books.hpp"

#include <fmt/format.h>

#include "model/base/assert.hpp"

namespace headroom {

bool moves_row(EffectKind kind) {
  switch (kind) {
    case EffectKind::appended:
    case EffectKind::claimed:
    case EffectKind::retried:
    case EffectKind::rearmed:
    case EffectKind::released:
    case EffectKind::recorded:
    case EffectKind::dead_lettered:
    case EffectKind::cancelled:
      return true;
    default:
      return false;
  }
}

void count_row(const Effect& effect, RowCounts& counts) {
  switch (effect.kind) {
    case EffectKind::appended:
      ++counts.appended;
      ++counts.pending;
      break;
    case EffectKind::claimed:
      --counts.pending;
      ++counts.claimed;
      break;
    case EffectKind::retried:
    case EffectKind::rearmed:
    case EffectKind::released:
      --counts.claimed;
      ++counts.pending;
      break;
    case EffectKind::recorded:
      --(effect.live ? counts.pending : counts.claimed);
      ++counts.done;
      break;
    case EffectKind::dead_lettered:
      --counts.claimed;
      ++counts.failed;
      break;
    default:
      HEADROOM_ASSERT(effect.kind == EffectKind::cancelled, "an effect that moves no row");
      --(effect.live ? counts.claimed : counts.pending);
      ++counts.cancelled;
      break;
  }
}

bool books_agree(const RowCounts& is, const RowCounts& want) {
  const bool balanced = is.appended == is.pending + is.claimed + is.done + is.failed + is.cancelled;
  return balanced && is.appended == want.appended && is.pending == want.pending && is.claimed == want.claimed &&
         is.done == want.done && is.failed == want.failed && is.cancelled == want.cancelled;
}

std::string text_of_books(const RowCounts& is, const RowCounts& want, const Cluster& cluster, NamespaceId name) {
  return fmt::format(
      "tenant {}: appended {} = pending {} + claimed {} + done {} + failed {} + cancelled {}; its steps say {} "
      "= {} + {} + {} + {} + {}",
      cluster.layout().config(name).name, is.appended, is.pending, is.claimed, is.done, is.failed, is.cancelled,
      want.appended, want.pending, want.claimed, want.done, want.failed, want.cancelled);
}

std::optional<std::string> wrong_holdings(const Cluster& cluster, NamespaceId name) {
  std::uint64_t started = 0;
  for (std::uint16_t node = 0; node < cluster.nodes(); ++node) {
    started += cluster.holding(NodeId(node), name).started;
  }
  if (started == cluster.outbox().counts(name).claimed) {
    return std::nullopt;
  }
  return fmt::format("tenant {}: its nodes count {} rows as started, and {} are Claimed",
                     cluster.layout().config(name).name, started, cluster.outbox().counts(name).claimed);
}

std::optional<std::string_view> KeyLife::take(EffectKind kind) {
  const KeyLife before = *this;
  const auto wrong_unless = [](bool holds, std::string_view what) {
    return holds ? std::optional<std::string_view>() : what;
  };
  switch (kind) {
    case EffectKind::appended:
      *this = {.appended = true};
      return wrong_unless(before == KeyLife{}, "a second row for one key");
    case EffectKind::claimed:
      live = true;
      return !before.appended ? "claimed, but never appended"
             : before.live    ? "claimed while another fence is live"
                              : wrong_unless(!before.ended, "claimed after it was final");
    case EffectKind::retried:
    case EffectKind::rearmed:
    case EffectKind::released:
      live = false;
      return wrong_unless(before.live, "Pending again without a live fence");
    case EffectKind::recorded:
    case EffectKind::dead_lettered:
      live = false;
      ended = true;
      return before.ended ? "final twice: a second result was recorded"
                          : wrong_unless(before.live, "settled without a live fence");
    default:
      HEADROOM_ASSERT(kind == EffectKind::cancelled, "an effect that moves no row");
      live = false;
      ended = true;
      return wrong_unless(!before.ended, "final twice: a second result was recorded");
  }
}

bool over_ceiling(const Cluster& cluster, NodeId node, NamespaceId name) {
  const Holding& held = cluster.holding(node, name);
  return cluster.claimed(held) > held.ceiling;
}

std::string text_of_over_ceiling(const Cluster& cluster, NodeId node, NamespaceId name) {
  const Holding& held = cluster.holding(node, name);
  return fmt::format("tenant {} on node n{}: a claim took it to {} claimed rows over a ceiling of {}",
                     cluster.layout().config(name).name, node.value() + 1, cluster.claimed(held), held.ceiling);
}

bool over_batch(const Cluster& cluster, NodeId node) {
  return cluster.sweep(node).rows_claimed > cluster.config().batch_size;
}

std::string text_of_over_batch(const Cluster& cluster, NodeId node) {
  return fmt::format("node n{}: sweep {} claimed {} rows with a batch of {}", node.value() + 1,
                     cluster.sweep(node).number, cluster.sweep(node).rows_claimed, cluster.config().batch_size);
}

}  // namespace headroom
