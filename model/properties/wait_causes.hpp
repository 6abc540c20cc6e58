// Why rows wait: every nanosecond of every row between becoming Pending and its result has exactly one cause
// (spec 2.5).
//
//   WaitCauses causes(cluster);
//   causes.observe(cluster, effects, now);          // after every step
//   causes.settle_all(cluster, now);
//   causes.of(name)[WaitCause::own_ceiling]          // row-nanoseconds so far
//
// Claimable rows of a namespace on a node share their intervals: those between two sweeps of the node. The interval
// before a sweep that passes rows over takes that sweep's reason, the one before a claim is `awaiting_sweep`. Only
// namespaces that a sweep grants something (or could have, when they are fewer than the batch) are touched by it; the
// others keep their reason until they are touched, so that a sweep costs on the order of the batch here as well.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "model/base/ids.hpp"
#include "model/base/time.hpp"
#include "model/cluster/cluster.hpp"
#include "model/properties/wait_cause.hpp"

namespace headroom {

// Nanoseconds times rows.
__extension__ using RowTime = __int128;

class CauseTimes {
 public:
  RowTime& operator[](WaitCause cause) { return times_[static_cast<std::size_t>(cause)]; }
  const RowTime& operator[](WaitCause cause) const { return times_[static_cast<std::size_t>(cause)]; }
  [[nodiscard]] RowTime before_claim() const {
    RowTime sum = 0;
    for (std::size_t i = 0; i < kCausesBeforeClaim; ++i) {
      sum += times_[i];
    }
    return sum;
  }

 private:
  std::array<RowTime, kWaitCauses> times_{};
};

class WaitCauses {
 public:
  explicit WaitCauses(const Cluster& cluster);

  void observe(const Cluster& cluster, std::span<const Effect> effects, Time at);
  // Brings all namespaces up to date. What no sweep has judged yet counts as `awaiting_sweep`, or `own_ceiling` where
  // the namespace stands at it.
  void settle_all(const Cluster& cluster, Time at);

  // Why the sweep in progress (or, of namespaces that it does not decide on, any sweep) leaves rows of the namespace
  // where they are, if it grants it `granted`. Ask before the end of the sweep is observed.
  [[nodiscard]] WaitCause reason_of(NodeId node, NamespaceId name, std::uint32_t granted) const;
  // When the node's last sweep was planned.
  [[nodiscard]] Time planned(NodeId node) const { return sweeps_[node.value()].planned; }
  // What a live row waits for as it stands; `awaiting_sweep` while sweeps decide.
  [[nodiscard]] static WaitCause cause_of_row(const Cluster& cluster, RowSlot slot);

  [[nodiscard]] const CauseTimes& of(NamespaceId name) const { return times_[name.value()]; }
  // The integral of Pending rows over time, counted apart: what the causes before the claim sum to.
  [[nodiscard]] RowTime pending_time(NamespaceId name, Time at) const;
  // What of it has no cause yet, since the next sweep of its node decides.
  [[nodiscard]] RowTime open_time(NamespaceId name, Time at) const;

 private:
  // Where a live row stands.
  enum class Place : std::uint8_t {
    nowhere,
    no_owner,
    out_of_reach,
    not_visible,
    paused,
    claimable,
    claimed,
    executing
  };
  static constexpr std::size_t kPlaces = 8;
  struct RowPlace {
    DispatchKey key;
    Time since;
    NodeId node;  // where it is claimable
    Place place = Place::nowhere;
    [[nodiscard]] NamespaceId name() const { return key.name(); }
    [[nodiscard]] bool pending() const { return place >= Place::no_owner && place <= Place::claimable; }
  };
  // Rows of a namespace whose place alone is the cause.
  struct Still {
    std::uint32_t rows = 0;
    Time since;
  };
  // Claimable rows of a namespace on a node.
  struct Line {
    std::uint32_t rows = 0;
    bool judged = false;      // by the sweep in progress: `before` waits for its reason
    bool at_ceiling = false;  // what sweeps say that do not touch it
    Time since;
    RowTime before = 0;  // up to the last sweep's plan
    RowTime after = 0;   // since then
  };
  // What a sweep decides on one by one.
  struct Judged {
    NamespaceId name;
    std::uint32_t headroom = 0;
    std::uint32_t part = 0;  // max-min, of the batch
  };
  [[nodiscard]] static WaitCause reason_for(const Judged& judged, std::uint32_t granted);
  struct NodeSweep {
    Time planned;   // the last one
    Time previous;  // the one before
    std::vector<Judged> judged;
  };

  void on(const Effect& effect, const Cluster& cluster, Time at);
  void on_row(const Effect& effect, const Cluster& cluster, Time at);
  [[nodiscard]] static RowPlace place_of(RowSlot slot, DispatchKey key, const Cluster& cluster, Time at);
  void move(RowSlot slot, const RowPlace& to, const Cluster& cluster, Time at);
  void leave(const RowPlace& row, bool claimed, const Cluster& cluster, Time at);
  void enter(const RowPlace& row, const Cluster& cluster, Time at);
  void count(Still& still, WaitCause cause, NamespaceId name, std::int32_t change, Time at);
  void count_pending(NamespaceId name, std::int32_t change, Time at);
  // Brings the line up to now. What sweeps have judged by not touching it is charged, unless one judges it just now.
  void touch(NodeId node, NamespaceId name, const Cluster& cluster, Time at);
  void plan(NodeId node, const Cluster& cluster, Time at);
  [[nodiscard]] std::vector<Judged> judged_by(NodeId node, const Cluster& cluster) const;
  void finish(NodeId node, const Cluster& cluster);
  void abort(NodeId node, WaitCause cause);
  void place_shard(ShardId shard, const Cluster& cluster, Time at);

  Line& line(NodeId node, NamespaceId name) { return lines_[std::size_t{name.value()} * nodes_ + node.value()]; }
  Still& still(Place place, NamespaceId name) {
    return still_[std::size_t{name.value()} * kPlaces + static_cast<std::size_t>(place)];
  }

  std::uint16_t nodes_;
  bool ceilings_;                  // limit what sweeps grant
  std::vector<CauseTimes> times_;  // by namespace
  std::vector<RowTime> pending_time_;
  std::vector<Still> pending_;     // by namespace
  std::vector<Still> still_;       // by namespace, then place
  std::vector<Line> lines_;        // by namespace, then node
  std::vector<NodeSweep> sweeps_;  // by node
  std::vector<RowPlace> rows_;     // by slot
  Time settled_;
};

}  // namespace headroom
