// A state of the cluster as the checker has it, and one step of it.
#pragma once

#include <cstdint>
#include <vector>

#include "model/checker/cluster/scope.hpp"
#include "model/cluster/cluster.hpp"

namespace headroom::checker {

// The run of unserved sweeps of a tenant on a node so far (spec 1.0).
struct Run {
  std::uint32_t sweeps = 0;
  std::uint32_t active = 0;  // tenants active in one of its sweeps, a bit each
  friend bool operator==(const Run&, const Run&) = default;
};

// What is left of the scope, and what properties must remember of the past.
struct Remembered {
  FaultCounts left;
  std::uint32_t changing = 0;  // tenants whose quota has changed and is not heard of everywhere, a bit each
  std::vector<Run> runs;       // by node, then tenant; empty unless a property looks at them
};

struct ClusterState {
  Cluster cluster;
  Remembered past;
};

enum class ClusterActionKind : std::uint8_t {
  sweep,         // node; rows
  plan,          // node
  claim,         // node; rows
  hand_over,     // node: the end of a sweep
  fail_sweep,    // node; good: what it has claimed goes back
  finish,        // execution; good: it succeeded
  kill,          // execution
  lose_wake,     // node
  go_stale,      // item: row
  rearm,         // node
  act_on_stale,  // node
  visible,       // item: row
  crash,         // node
  restart,       // node
  adopt,         // item: shard; node
  handoff,       // item: shard; node
  reappend,      // item: row
  cancel,        // item: workflow
  pause,         // item: workflow; good: paused
  quota,         // item: namespace; value
  read_quotas,   // node; good: it succeeded
  pause_node,    // node
  resume_node,   // node
  expel,         // node
  rejoin,        // node
  cut,           // node; good: only the replies are lost
  reconnect,     // node
};

// In `rows`, the end of what one claim takes.
inline constexpr std::uint32_t kClaimEnds = 0xFFFF'FFFF;

// Names rows and executions as snapshots do, so that it means the same to all clusters of one snapshot.
struct ClusterAction {
  ClusterActionKind kind = ClusterActionKind::sweep;
  NodeId node = {};
  std::uint32_t item = 0;
  bool good = true;
  std::uint32_t value = 0;
  ExecutionSnapshot execution = {};
  std::vector<std::uint32_t> rows = {};  // which rows claims take: each claim's, then kClaimEnds
  friend bool operator==(const ClusterAction&, const ClusterAction&) = default;
};

}  // namespace headroom::checker
