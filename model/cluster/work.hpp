// Rows on their way through the workers of a node.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "model/admission/resource_pool.hpp"
#include "model/base/ids.hpp"
#include "model/base/time.hpp"
#include "model/outbox/dispatch_key.hpp"

namespace headroom {

// A row as its dispatcher handed it on. The row itself may have gone other ways since: `fence` tells.
struct WorkItem {
  DispatchKey key;
  Fence fence;  // none: Done when pushed
  RowSlot row;
  RouteId route;
  Time due_since;   // payload for reports
  Time claimed_at;  // payload for reports
  NodeId dispatcher;
  std::uint16_t attempt = 0;          // failed tries before this one
  std::uint32_t dispatcher_life = 0;  // which life of the dispatcher (crashes end one)
  [[nodiscard]] NamespaceId name() const { return key.name(); }
  friend bool operator==(const WorkItem&, const WorkItem&) = default;
};

// One run of a row's work on a worker of `node`.
struct Execution {
  WorkItem item;
  NodeId node;
  bool running = false;
  CheckoutId connection;  // of the database pool, where the row needs one
  friend bool operator==(const Execution&, const Execution&) = default;
};

// Executions by id; ids are used again.
class ExecutionTable {
 public:
  ExecutionId start(const WorkItem& item, NodeId node) {
    if (free_.empty()) {
      executions_.push_back({item, node, true, {}});
      return ExecutionId(static_cast<std::uint32_t>(executions_.size() - 1));
    }
    const ExecutionId id = free_.back();
    free_.pop_back();
    executions_[id.value()] = {item, node, true, {}};
    return id;
  }
  // What the id stood for can be read until the next start.
  void finish(ExecutionId id) {
    executions_[id.value()].running = false;
    free_.push_back(id);
  }
  void hold(ExecutionId id, CheckoutId connection) { executions_[id.value()].connection = connection; }
  [[nodiscard]] const Execution& operator[](ExecutionId id) const { return executions_[id.value()]; }
  [[nodiscard]] bool running(ExecutionId id) const {
    return id.value() < executions_.size() && executions_[id.value()].running;
  }
  // Ids are below this.
  [[nodiscard]] std::uint32_t places() const { return static_cast<std::uint32_t>(executions_.size()); }
  void clear() {
    executions_.clear();
    free_.clear();
  }
  [[nodiscard]] std::size_t running_count() const { return executions_.size() - free_.size(); }
  friend bool operator==(const ExecutionTable&, const ExecutionTable&) = default;

 private:
  std::vector<Execution> executions_;
  std::vector<ExecutionId> free_;
};

// The workers of a node: rows wait in claim order until one is free.
struct Workers {
  std::optional<std::uint32_t> size;  // absent: unlimited
  std::uint32_t busy = 0;
  std::deque<WorkItem> queue;
  [[nodiscard]] bool has_free() const { return !size || busy < *size; }
  friend bool operator==(const Workers&, const Workers&) = default;
};

}  // namespace headroom
