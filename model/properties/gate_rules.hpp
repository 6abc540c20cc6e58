// What the gates promise (spec 1.4), as functions of what stands at a gate at one instant. Properties that watch a run
// and properties of the checker ask the same ones; each gives words where something is wrong.
//
//   if (const auto wrong = wrong_start(tenant, process)) violate(who + ": " + *wrong);
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "model/admission/config.hpp"
#include "model/admission/refusal.hpp"
#include "model/admission/resource_pool.hpp"
#include "model/base/ids.hpp"
#include "model/base/ordered_bitmap.hpp"
#include "model/cluster/effect.hpp"
#include "model/cluster/requests.hpp"

namespace headroom {

// Counts are signed: what is released twice shows as a negative one.
struct TenantAtGate {
  TenantLimits limits;
  std::int64_t inflight = 0;
  std::int64_t waiting = 0;
  [[nodiscard]] bool below_cap() const { return !limits.max_inflight || inflight < *limits.max_inflight; }
  [[nodiscard]] bool queue_full() const { return limits.max_queue_depth && waiting >= *limits.max_queue_depth; }
  // Whether a waiter of it may run as soon as the process has room.
  [[nodiscard]] bool stands_in_line() const { return waiting > 0 && below_cap(); }
};

struct ProcessAtGate {
  GateLimits limits;
  std::int64_t inflight = 0;
  std::int64_t waiting = 0;
  bool draining = false;
  [[nodiscard]] bool below_cap() const { return !limits.max_inflight || inflight < *limits.max_inflight; }
  [[nodiscard]] bool queue_full() const { return limits.max_queue_depth && waiting >= *limits.max_queue_depth; }
};

// The gate with its tenant just before the effect.
struct AtGate {
  const TenantAtGate& tenant;
  const ProcessAtGate& process;
  bool may_wait = false;  // queue_wait > 0
};

// "with 6 of 6 in flight and 2 of 8 waiting; process: 8 of 8 and 3 of any number".
[[nodiscard]] std::string in_words(const AtGate& gate);

// A change of counts by an effect: of the tenant at the process, and of the process.
struct GateDelta {
  std::int64_t inflight = 0;
  std::int64_t waiting = 0;
};
[[nodiscard]] GateDelta delta_of(const Effect& effect);

// -- gate_safety ------------------------------------------------------------------------------------------------------

[[nodiscard]] std::optional<std::string> wrong_start(const AtGate& gate);
[[nodiscard]] std::optional<std::string> wrong_wait(const AtGate& gate);
// What a request that is refused has to be told, its tenant's bounds first; none: it should not have been refused.
// `tokens`: of its rate limit, where there is one.
[[nodiscard]] std::optional<Refusal> right_refusal(const AtGate& gate, bool had_waited,
                                                   std::optional<std::int64_t> tokens);
[[nodiscard]] std::optional<std::string> wrong_refusal(const Effect& effect, const AtGate& gate,
                                                       std::optional<std::int64_t> tokens, const RetryAfter& promised);
// What a gate counts against what went in and out.
[[nodiscard]] std::optional<std::string> wrong_counts(std::int64_t permits, std::int64_t waiters, std::int64_t inflight,
                                                      std::int64_t waiting);

enum class Whereabouts : std::uint8_t { outside, waiting, running };
// How an effect of a request moves it; nothing: it does not.
struct Move {
  Whereabouts from;
  Whereabouts to;
};
[[nodiscard]] std::optional<Move> move_of(const Effect& effect);
[[nodiscard]] std::optional<std::string> wrong_move(Whereabouts is, const Move& move);

// -- gate_safety: what handlers share -------------------------------------------------------------------------------

struct UnitsOut {
  std::int64_t ordinary = 0;    // to requests and rows
  std::int64_t privileged = 0;  // to health checks
};
[[nodiscard]] std::optional<std::string> wrong_units(Resource which, const UnitsOut& units, const ResourcePool* pool);
// A claimant begins to wait for a connection while so many handlers and rows that need one are there.
[[nodiscard]] std::optional<std::string> wrong_checkout_wait(std::int64_t handlers, std::int64_t executions,
                                                             const UnitsOut& units, const ResourcePool& pool);
// What a pool counts against what its claimants hold.
[[nodiscard]] std::optional<std::string> wrong_pool_counts(Resource which, const UnitsOut& units,
                                                           const ResourcePool& pool);

// -- gate_progress ----------------------------------------------------------------------------------------------------

// After a step.
[[nodiscard]] std::optional<std::string> waits_in_vain(const AtGate& gate);
// Whose turn it is among the tenants that stand in line: the first in name order after the cursor. Needs one.
// `in_turn`: the name of the tenant whose turn it was, empty if nobody who waited was below its cap.
[[nodiscard]] std::string out_of_turn(bool of_that_tenant, const std::string& in_turn);
[[nodiscard]] NamespaceId after_cursor(const OrderedBitmap& in_line, NamespaceId cursor);

// -- readiness --------------------------------------------------------------------------------------------------------

struct WaiterCounts {
  std::int64_t depth = 0;
  std::int64_t lagging = 0;  // of lag_low or more
  std::int64_t too_old = 0;  // of more than lag_high
};
// What the marks make of the waiters: not calm above a high one, calm below the low ones, as before in between.
[[nodiscard]] bool calm_after(const std::optional<ReadinessMarks>& marks, const WaiterCounts& waiters, bool calm);

struct ReadinessAtGate {
  WaiterCounts waiters;
  bool calm = true;
  bool up = true;
  bool draining = false;
};
// `reported`: what the last change said; `answers`: what the process says itself.
[[nodiscard]] std::optional<std::string> wrong_readiness(const ReadinessAtGate& gate, bool reported, bool answers);

// -- ledger -----------------------------------------------------------------------------------------------------------

void count_request(const Effect& effect, RequestCounts& counts);
[[nodiscard]] std::optional<std::string> wrong_ledger(const RequestCounts& is, const RequestCounts& want);

}  // namespace headroom
