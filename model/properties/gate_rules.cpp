#include "model/properties/gate_rules.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string_view>

namespace headroom {
namespace {

std::string of_cap(std::int64_t n, const std::optional<std::uint32_t>& cap) {
  return cap ? fmt::format("{} of {}", n, *cap) : fmt::format("{} of any number", n);
}

std::string_view name_of(Resource which) {
  return which == Resource::database_pool ? "database pool" : "downstream";
}

}  // namespace

std::string in_words(const AtGate& gate) {
  return fmt::format("with {} in flight and {} waiting; process: {} and {}{}",
                     of_cap(gate.tenant.inflight, gate.tenant.limits.max_inflight),
                     of_cap(gate.tenant.waiting, gate.tenant.limits.max_queue_depth),
                     of_cap(gate.process.inflight, gate.process.limits.max_inflight),
                     of_cap(gate.process.waiting, gate.process.limits.max_queue_depth),
                     gate.process.draining ? ", draining" : "");
}

GateDelta delta_of(const Effect& effect) {
  switch (effect.kind) {
    case EffectKind::request_admitted:
      return {+1, effect.live ? 0 : -1};
    case EffectKind::request_queued:
      return {0, +1};
    case EffectKind::request_refused:
      return {0, effect.live ? -1 : 0};
    case EffectKind::request_gone:
      return {0, -1};
    case EffectKind::request_finished:
      return {-1, 0};
    default:
      return {};
  }
}

// -- gate_safety ------------------------------------------------------------------------------------------------------

std::optional<std::string> wrong_start(const AtGate& gate) {
  if (gate.tenant.below_cap() && gate.process.below_cap() && !gate.process.draining) {
    return std::nullopt;
  }
  return "a request started " + in_words(gate);
}

std::optional<std::string> wrong_wait(const AtGate& gate) {
  if (gate.may_wait && !gate.tenant.queue_full() && !gate.process.queue_full() && !gate.process.draining) {
    return std::nullopt;
  }
  return "a request began to wait " + in_words(gate);
}

std::optional<Refusal> right_refusal(const AtGate& gate, bool had_waited, std::optional<std::int64_t> tokens) {
  const auto& [tenant, process, may_wait] = gate;
  if (process.draining) {
    return Refusal::draining;
  }
  if (had_waited) {
    return tenant.below_cap() ? Refusal::process_wait_expired : Refusal::tenant_wait_expired;
  }
  if (tokens && *tokens <= 0) {
    return Refusal::no_token;
  }
  if (!tenant.below_cap()) {
    const bool queue_open = may_wait && !tenant.queue_full() && !process.queue_full();
    return queue_open ? std::nullopt : std::optional(Refusal::tenant_inflight);
  }
  if (process.below_cap()) {
    return std::nullopt;
  }
  if (may_wait && tenant.queue_full()) {
    return Refusal::tenant_queue_full;
  }
  if (may_wait && process.queue_full()) {
    return process.limits.max_queue_depth == std::uint32_t{0} ? Refusal::process_inflight : Refusal::process_queue_full;
  }
  return may_wait ? std::nullopt : std::optional(Refusal::process_inflight);
}

std::optional<std::string> wrong_refusal(const Effect& effect, const AtGate& gate, std::optional<std::int64_t> tokens,
                                         const RetryAfter& promised) {
  const auto given = static_cast<Refusal>(effect.detail);
  const std::optional<Refusal> right = right_refusal(gate, effect.live, tokens);
  if (given != right) {
    return fmt::format(
        "refused with {} ({}), but {} {}", status_of(given), name_of(given),
        right ? fmt::format("{} ({}) is right", status_of(*right), name_of(*right)) : "it should have run or waited",
        in_words(gate));
  }
  const std::int64_t most = std::int64_t{promised.seconds} + promised.jitter;
  if (effect.value < 1 || effect.value < promised.seconds || effect.value > most) {
    return fmt::format("Retry-After {}, which should be from {} to {}", effect.value, promised.seconds, most);
  }
  return std::nullopt;
}

std::optional<std::string> wrong_counts(std::int64_t permits, std::int64_t waiters, std::int64_t inflight,
                                        std::int64_t waiting) {
  if (permits == inflight && waiters == waiting) {
    return std::nullopt;
  }
  return fmt::format("holds {} permits and {} waiters; its requests say {} and {}", permits, waiters, inflight,
                     waiting);
}

std::optional<Move> move_of(const Effect& effect) {
  using W = Whereabouts;
  switch (effect.kind) {
    case EffectKind::request_admitted:
      return Move{effect.live ? W::outside : W::waiting, W::running};
    case EffectKind::request_queued:
      return Move{W::outside, W::waiting};
    case EffectKind::request_refused:
      return Move{effect.live ? W::waiting : W::outside, W::outside};
    case EffectKind::request_gone:
      return Move{W::waiting, W::outside};
    case EffectKind::request_finished:
      return Move{W::running, W::outside};
    default:
      return std::nullopt;
  }
}

std::optional<std::string> wrong_move(Whereabouts is, const Move& move) {
  static constexpr std::array<std::string_view, 3> names{"outside", "waiting", "running"};
  if (is == move.from) {
    return std::nullopt;
  }
  return fmt::format("a request that was {} is {}, which only one that is {} can become",
                     names[static_cast<std::size_t>(is)], names[static_cast<std::size_t>(move.to)],
                     names[static_cast<std::size_t>(move.from)]);
}

std::optional<std::string> wrong_units(Resource which, const UnitsOut& units, const ResourcePool* pool) {
  if (pool == nullptr || units.ordinary < 0 || units.privileged < 0) {
    return fmt::format("the {}: units came back that were not out", name_of(which));
  }
  if (units.ordinary + units.privileged > pool->size() || units.ordinary + pool->reserve() > pool->size()) {
    return fmt::format("the {}: {} units are out to requests and rows and {} to health checks; size {}, reserve {}",
                       name_of(which), units.ordinary, units.privileged, pool->size(), pool->reserve());
  }
  return std::nullopt;
}

// Health checks beyond the reserve take what ordinary claimants could have.
std::optional<std::string> wrong_checkout_wait(std::int64_t handlers, std::int64_t executions, const UnitsOut& units,
                                               const ResourcePool& pool) {
  const std::int64_t kept = std::max<std::int64_t>(pool.reserve(), units.privileged);
  if (handlers + executions + kept > pool.size()) {
    return std::nullopt;
  }
  return fmt::format("the database pool: a claimant waits although {} handlers and {} rows fit in {} less {} units",
                     handlers, executions, pool.size(), kept);
}

std::optional<std::string> wrong_pool_counts(Resource which, const UnitsOut& units, const ResourcePool& pool) {
  if (pool.in_use() == units.ordinary + units.privileged && pool.in_use_by_privileged() == units.privileged) {
    return std::nullopt;
  }
  return fmt::format("the {}: {} units are out, {} of them to health checks; its claimants say {} and {}",
                     name_of(which), pool.in_use(), pool.in_use_by_privileged(), units.ordinary + units.privileged,
                     units.privileged);
}

// -- gate_progress ----------------------------------------------------------------------------------------------------

std::optional<std::string> waits_in_vain(const AtGate& gate) {
  if (!gate.tenant.stands_in_line() || !gate.process.below_cap()) {
    return std::nullopt;
  }
  return fmt::format("{} of its requests wait, {} are in flight, and the process has room ({} in flight)",
                     gate.tenant.waiting, gate.tenant.inflight, gate.process.inflight);
}

std::string out_of_turn(bool of_that_tenant, const std::string& in_turn) {
  return fmt::format("a waiter got a permit although {}", of_that_tenant    ? "another of the same tenant was before it"
                                                          : in_turn.empty() ? "nobody who waited was below its cap"
                                                                            : "it was the turn of tenant " + in_turn);
}

NamespaceId after_cursor(const OrderedBitmap& in_line, NamespaceId cursor) {
  const std::uint32_t after = cursor.is_none() ? in_line.size() : in_line.next(cursor.value() + 1);
  return NamespaceId(after < in_line.size() ? after : in_line.next(0));
}

// -- readiness --------------------------------------------------------------------------------------------------------

bool calm_after(const std::optional<ReadinessMarks>& marks, const WaiterCounts& waiters, bool calm) {
  if (!marks) {
    return calm;
  }
  if ((marks->depth_high && waiters.depth > *marks->depth_high) || (marks->lag_high && waiters.too_old > 0)) {
    return false;
  }
  const bool below =
      (!marks->depth_low || waiters.depth < *marks->depth_low) && (!marks->lag_low || waiters.lagging == 0);
  return below || calm;
}

std::optional<std::string> wrong_readiness(const ReadinessAtGate& gate, bool reported, bool answers) {
  const bool ready = gate.calm && gate.up && !gate.draining;
  if (reported == ready && answers == ready) {
    return std::nullopt;
  }
  const std::string why = !gate.up        ? "it is down"
                          : gate.draining ? "it drains"
                                          : fmt::format("depth {}, {} waiters of lag_low or more, {} above lag_high",
                                                        gate.waiters.depth, gate.waiters.lagging, gate.waiters.too_old);
  return fmt::format("{}, but it should be {}: {}", reported ? "ready" : "not ready", ready ? "ready" : "not ready",
                     why);
}

// -- ledger -----------------------------------------------------------------------------------------------------------

void count_request(const Effect& effect, RequestCounts& counts) {
  switch (effect.kind) {
    case EffectKind::request_admitted:
      counts.arrived += effect.live ? 1 : 0;
      counts.waiting -= effect.live ? 0 : 1;
      ++counts.admitted;
      ++counts.running;
      break;
    case EffectKind::request_queued:
      ++counts.arrived;
      ++counts.waiting;
      break;
    case EffectKind::request_refused:
      counts.arrived += effect.live ? 0 : 1;
      counts.waiting -= effect.live ? 1 : 0;
      ++(status_of(static_cast<Refusal>(effect.detail)) == 429 ? counts.refused_429 : counts.refused_503);
      break;
    case EffectKind::request_gone:
      --counts.waiting;
      ++counts.gone;
      break;
    case EffectKind::request_finished:
      --counts.running;
      ++counts.finished;
      break;
    default:
      break;
  }
}

std::optional<std::string> wrong_ledger(const RequestCounts& is, const RequestCounts& want) {
  const std::uint64_t sum = is.running + is.waiting + is.finished + is.refused_429 + is.refused_503 + is.gone;
  if (is.arrived == sum && is == want) {
    return std::nullopt;
  }
  return fmt::format(
      "arrived {} = running {} + waiting {} + finished {} + refused 429 {} + refused 503 {} + gone {}; its steps say "
      "{} = {} + {} + {} + {} + {} + {}",
      is.arrived, is.running, is.waiting, is.finished, is.refused_429, is.refused_503, is.gone, want.arrived,
      want.running, want.waiting, want.finished, want.refused_429, want.refused_503, want.gone);
}

}  // namespace headroom
