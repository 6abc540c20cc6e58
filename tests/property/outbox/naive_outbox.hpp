// The outbox of spec 1.1 as a plain table: every row ever appended is kept, every question is a scan of them all.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "model/outbox/outbox.hpp"

namespace headroom::test {

enum class NaiveStatus : std::uint8_t { pending, claimed, done, failed, cancelled };

struct NaiveRow {
  NewRow added;
  NaiveStatus status = NaiveStatus::pending;
  bool visible = true;
  Time visible_after;
  Time due_since;
  int attempt = 0;
  // Of the present claim.
  Fence fence;
  NodeId claimed_by;
  Time claimed_at;
  std::uint64_t claim_number = 0;
  bool stale = false;
  bool executing = false;

  [[nodiscard]] bool live() const { return status == NaiveStatus::pending || status == NaiveStatus::claimed; }
};

class NaiveOutbox {
 public:
  explicit NaiveOutbox(const OutboxConfig& config)
      : config_(config),
        holders_(config.shards, NodeId::none()),
        epochs_(config.shards, 0),
        paused_(config.workflows, false),
        events_(config.namespaces) {}

  void assign_shard(ShardId shard, NodeId holder, Epoch epoch) {
    holders_[shard.value()] = holder;
    epochs_[shard.value()] = epoch;
  }

  bool append(const NewRow& added, Time at) {
    if (rows_.contains(added.key)) {
      ++events_[added.key.name().value()].duplicates_ignored;
      return false;
    }
    rows_[added.key] = {
        .added = added, .visible = added.visible, .visible_after = added.visible_after, .due_since = at};
    return true;
  }

  void become_visible(DispatchKey key, Time at) {
    rows_.at(key).visible = true;
    rows_.at(key).due_since = at;
  }

  [[nodiscard]] bool claimable_by(DispatchKey key, NodeId node, Epoch epoch) const {
    const NaiveRow& row = rows_.at(key);
    const std::uint32_t shard = row.added.shard.value();
    return row.status == NaiveStatus::pending && row.visible && !paused_[row.added.workflow.value()] &&
           holders_[shard] == node && epochs_[shard] == epoch;
  }

  void claim(DispatchKey key, NodeId node, Fence fence, Time at) {
    NaiveRow& row = rows_.at(key);
    row.status = NaiveStatus::claimed;
    row.fence = fence;
    row.claimed_by = node;
    row.claimed_at = at;
    row.claim_number = ++claims_;
    row.stale = row.executing = false;
    ++events_[key.name().value()].claims;
  }

  [[nodiscard]] bool live_fence(DispatchKey key, Fence fence) const {
    return rows_.at(key).status == NaiveStatus::claimed && rows_.at(key).fence == fence;
  }

  Settled complete(DispatchKey key, Fence fence) {
    if (!live_fence(key, fence)) {
      ++events_[key.name().value()].stale_settlements;
      return Settled::stale;
    }
    rows_.at(key).status = NaiveStatus::done;
    ++events_[key.name().value()].results_recorded;
    return Settled::recorded;
  }

  Settled fail(DispatchKey key, Fence fence, Time at) {
    if (!live_fence(key, fence)) {
      ++events_[key.name().value()].stale_settlements;
      return Settled::stale;
    }
    NaiveRow& row = rows_.at(key);
    if (row.attempt + 1 >= config_.backoff.max_attempts) {
      row.status = NaiveStatus::failed;
      dead_letters_.push_back(key);
      return Settled::dead_lettered;
    }
    std::int64_t delay = config_.backoff.base.count();
    for (int i = 0; i < row.attempt; ++i) {
      delay *= config_.backoff.multiplier;
    }
    row.status = NaiveStatus::pending;
    row.visible = false;
    row.visible_after = at + std::min(Duration::nanoseconds(delay), config_.backoff.max);
    ++row.attempt;
    ++events_[key.name().value()].retries;
    return Settled::retried;
  }

  bool begin_execution(DispatchKey key, Fence fence) {
    const bool live = live_fence(key, fence);
    rows_.at(key).executing = rows_.at(key).executing || live;
    return live;
  }

  bool go_stale(DispatchKey key, Fence fence) {
    if (!live_fence(key, fence) || rows_.at(key).stale) {
      return false;
    }
    return rows_.at(key).stale = true;
  }

  bool rearm(DispatchKey key, Epoch epoch, Time at) {
    NaiveRow& row = rows_.at(key);
    if (row.status != NaiveStatus::claimed || !row.stale || epochs_[row.added.shard.value()] != epoch) {
      return false;
    }
    row.status = NaiveStatus::pending;
    row.due_since = at;
    ++events_[key.name().value()].rearms;
    return true;
  }

  void cancel(DispatchKey key) { rows_.at(key).status = NaiveStatus::cancelled; }
  void set_paused(WorkflowId workflow, bool paused) { paused_[workflow.value()] = paused; }

  // -- questions ----------------------------------------------------------------------------------------------------

  [[nodiscard]] const std::map<DispatchKey, NaiveRow>& rows() const { return rows_; }
  [[nodiscard]] NodeId holder(ShardId shard) const { return holders_[shard.value()]; }
  [[nodiscard]] Epoch epoch(ShardId shard) const { return epochs_[shard.value()]; }
  [[nodiscard]] bool paused(WorkflowId workflow) const { return paused_[workflow.value()]; }
  [[nodiscard]] const std::vector<DispatchKey>& dead_letters() const { return dead_letters_; }

  template <class F>
  [[nodiscard]] std::vector<DispatchKey> keys_where(F wanted) const {
    std::vector<DispatchKey> keys;
    for (const auto& [key, row] : rows_) {
      if (wanted(row)) {
        keys.push_back(key);
      }
    }
    return keys;
  }

  // Due rows in a lane of the node, claimable or paused, oldest first.
  [[nodiscard]] std::vector<DispatchKey> lane(NodeId node, RouteId route, bool paused) const {
    std::vector<DispatchKey> keys = keys_where([&](const NaiveRow& row) {
      return row.status == NaiveStatus::pending && row.visible && holder(row.added.shard) == node &&
             (config_.one_lane_per_node || row.added.route == route) && this->paused(row.added.workflow) == paused;
    });
    std::ranges::sort(keys, {}, [&](DispatchKey key) { return std::tuple(rows_.at(key).visible_after, key); });
    return keys;
  }

  // The claim that is not marked stale and was made before all others.
  [[nodiscard]] std::optional<DispatchKey> oldest_claim() const {
    std::vector<DispatchKey> keys =
        keys_where([](const NaiveRow& row) { return row.status == NaiveStatus::claimed && !row.stale; });
    if (keys.empty()) {
      return std::nullopt;
    }
    return *std::ranges::min_element(keys, {}, [&](DispatchKey key) { return rows_.at(key).claim_number; });
  }

  [[nodiscard]] RowCounts counts(NamespaceId name) const {
    RowCounts counts = events_[name.value()];
    for (const auto& [key, row] : rows_) {
      if (key.name() == name) {
        ++counts.appended;
        counts.pending += row.status == NaiveStatus::pending ? 1 : 0;
        counts.claimed += row.status == NaiveStatus::claimed ? 1 : 0;
        counts.done += row.status == NaiveStatus::done ? 1 : 0;
        counts.failed += row.status == NaiveStatus::failed ? 1 : 0;
        counts.cancelled += row.status == NaiveStatus::cancelled ? 1 : 0;
      }
    }
    return counts;
  }

 private:
  OutboxConfig config_;
  std::map<DispatchKey, NaiveRow> rows_;
  std::vector<NodeId> holders_;
  std::vector<Epoch> epochs_;
  std::vector<bool> paused_;
  std::vector<RowCounts> events_;  // only what the rows do not show
  std::vector<DispatchKey> dead_letters_;
  std::uint64_t claims_ = 0;
};

}  // namespace headroom::test
