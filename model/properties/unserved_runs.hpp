// Follows, per node and namespace, the sweeps in which it was active and the runs of those in which it was not served.
//
// A sweep costs on the order of its grants: runs are kept by the index of their first sweep, so that a namespace that
// waits is not touched while it waits.
#pragma once

#include <cstdint>
#include <vector>

#include "model/cluster/cluster.hpp"
#include "model/properties/property.hpp"

namespace headroom {

class UnservedRuns {
 public:
  explicit UnservedRuns(const Cluster& cluster);

  [[nodiscard]] static bool watches(EffectKind kind);
  // Runs that end with this effect are appended to `ended`, also those of no sweep at all when the namespace is served.
  void on(const Effect& effect, const Cluster& cluster, Time at, std::vector<UnservedRun>& ended);
  // The end of the run: all open runs are judged.
  void finish(const Cluster& cluster, Time at, std::vector<UnservedRun>& ended);

  // The runs that are open, as they would be if they ended now.
  [[nodiscard]] std::vector<UnservedRun> open_runs(const Cluster& cluster, Time at) const;

  // Starts a new window; a namespace is backlogged in it if it is active at every sweep from here on.
  void open_window();
  // Namespaces that were active at every sweep of every node that swept in the window, in name order.
  [[nodiscard]] std::vector<NamespaceId> backlogged(const Cluster& cluster) const;

 private:
  // Sweeps of a node are numbered from 0 in the order of their plans; an aborted one gives its number to the next.
  struct Entry {
    std::uint64_t first = 0;        // the first sweep of the open run
    std::uint64_t active_from = 0;  // since that sweep it was active at every one
    std::uint64_t last_active = 0;  // 1 + the last sweep at which it was active, as of when it became inactive
    Time first_at;                  // when sweep `first` was planned
    std::uint32_t not_counted = 0;  // sweeps of the open run, after its first, that do not count
    bool open = false;
    // As of the effects seen so far: the cluster is a whole step ahead, in which several may have left at once.
    bool active = false;
  };
  struct Node {
    std::uint64_t planned = 0;    // sweeps planned
    std::uint64_t completed = 0;  // sweeps completed
    std::uint64_t window_from = 0;
    std::uint32_t last_active_count = 0;
    std::vector<NamespaceId> fresh;  // open runs that have not seen a sweep yet
  };

  Entry& entry(NodeId node, NamespaceId name) { return entries_[node.value() * names_ + name.value()]; }
  [[nodiscard]] const Entry& entry(NodeId node, NamespaceId name) const {
    return entries_[node.value() * names_ + name.value()];
  }
  void open_run(NodeId node, NamespaceId name);
  void end_run(NodeId node, NamespaceId name, bool served, const Cluster& cluster, Time at,
               std::vector<UnservedRun>& ended);
  [[nodiscard]] UnservedRun describe(NodeId node, NamespaceId name, const Cluster& cluster, Time at) const;
  void abort_sweep(NodeId node);
  void stamp_fresh(NodeId node, Time at);
  void finish_sweep(NodeId node, const Cluster& cluster, Time at, std::vector<UnservedRun>& ended);
  [[nodiscard]] std::uint64_t active_names_since(NodeId node, std::uint64_t sweep) const;

  std::size_t names_;
  std::vector<Node> nodes_;
  std::vector<Entry> entries_;  // by node, then namespace
};

}  // namespace headroom
