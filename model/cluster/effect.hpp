// What a step did. Engines turn effects into later steps (set a timer, start a service), properties and reports observe
// them.
#pragma once

#include <cstdint>
#include <vector>

#include "model/base/ids.hpp"
#include "model/outbox/dispatch_key.hpp"

namespace headroom {

enum class EffectKind : std::uint8_t {
  appended,           // row; node: the shard's owner or none
  duplicate_ignored,  // key
  became_due,         // row; node: the shard's owner or none
  wake,               // node: a sweep is wanted, and none was wanted before
  sweep_planned,      // node: its plan stands in Cluster::sweep
  claimed,            // row, node
  sweep_finished,     // node
  sweep_aborted,      // node: it crashed in the middle
  started,            // execution, node; live: its fence was live then
  finished,           // execution, node
  recorded,           // row's key, node of the execution: the one result of the row; the row is Done
  retried,            // row, value: nanoseconds until it becomes visible
  dead_lettered,      // key
  result_ignored,     // key, node: its fence was stale
  went_stale,         // row
  rearmed,            // row, node; live: it was executing, and will be executed again
  cancelled,          // key; live: it was Claimed
  work_lost,          // key, node: claimed, not started, and its dispatcher or worker is gone
  became_active,      // node, name
  became_inactive,    // node, name
  crashed,            // node
  restarted,          // node
  owner_changed,      // shard (value), node: the new owner or none; live: it was ownerless
  ceilings_changed,   // name (none: all), because shards moved or settled
};

struct Effect {
  EffectKind kind;
  bool live = false;
  NodeId node = NodeId::none();
  NamespaceId name = NamespaceId::none();
  RowSlot row = RowSlot::none();
  ExecutionId execution = ExecutionId::none();
  DispatchKey key = {};
  std::int64_t value = 0;
};

using Effects = std::vector<Effect>;

}  // namespace headroom
