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
  recorded,  // row's key, node of the execution: the one result of the row, which is Done. Without a guard, live: it
             // was Pending; detail 1: it was final, and this is another result
  retried,   // row, value: nanoseconds until it becomes visible
  dead_lettered,     // key
  result_ignored,    // key, node: its fence was stale
  went_stale,        // row
  rearmed,           // row, node; live: it was executing, and will be executed again
  cancelled,         // key; live: it was Claimed
  work_lost,         // key, node: claimed, not started, and its dispatcher or worker is gone
  became_active,     // node, name
  became_inactive,   // node, name
  crashed,           // node
  restarted,         // node
  owner_changed,     // shard (value), node: the new owner or none; live: it was ownerless
  ceilings_changed,  // name (none: all), because shards moved or settled
  released,          // row, node: back to Pending at once, its sweep met a store error
  sweep_failed,      // node: a store error ended its sweep
  claim_refused,     // node, name: the shard is another's by now
  execution_died,    // execution, node: its worker died; live: its fence was live. There will be no result
  result_delayed,    // execution, node: the store cannot be reached; live: it was applied, the reply is lost
  lease_renewed,     // row
  stale_listed,      // node: it has listed the stale claims of its shards
  wake_lost,         // node
  workflow_paused,   // value: workflow; live: paused, else resumed
  quota_changed,     // name, value: the new quota
  quotas_read,       // node; live: without an error
  node_paused,       // node
  node_resumed,      // node
  node_expelled,     // node: taken for dead, while it is not
  node_rejoined,     // node: a member again
  node_cut_off,      // node: the store is out of its reach; live: its writes arrive, the replies do not
  node_reconnected,  // node
  node_left,         // node: as planned

  // The HTTP side. All have process and name, unless they say otherwise; `request` where it is one's.
  request_admitted,    // it runs; live: without having waited
  request_queued,      // it waits
  request_aged,        // a waiter passed lag_low or lag_high
  request_refused,     // detail: Refusal, value: Retry-After in seconds; live: it had waited
  request_gone,        // its client left, or its process died, before its handler started
  request_abandoned,   // its client left; the handler goes on
  stage_begun,         // the handler works; detail: Stage
  request_finished,    // detail: HandlerOutcome; live: its client had not left
  token_awaited,       // value: nanoseconds until the tenant's next token comes back
  bucket_full,         // the tenant's last token came back
  resource_awaited,    // detail: Resource; of a request, an execution or (neither) a health check
  resource_granted,    // the same; live: it had waited
  resource_returned,   // the same
  resource_timed_out,  // the same; live: it waited
  became_ready,        // process
  became_unready,      // process
  limits_changed,      // process
  drain_began,         // process
  drain_ended,         // process
  process_down,        // process
  process_up,          // process
};
inline constexpr std::size_t kEffectKinds = static_cast<std::size_t>(EffectKind::process_up) + 1;

struct Effect {
  EffectKind kind;
  bool live = false;
  std::uint8_t detail = 0;
  NodeId node = NodeId::none();
  ProcessId process = ProcessId::none();
  NamespaceId name = NamespaceId::none();
  RowSlot row = RowSlot::none();
  ExecutionId execution = ExecutionId::none();
  RequestId request = RequestId::none();
  DispatchKey key = {};
  std::int64_t value = 0;
};

using Effects = std::vector<Effect>;

}  // namespace headroom
