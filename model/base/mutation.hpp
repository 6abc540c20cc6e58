// Faults that can be planted in the model, one at a time, so that it can be seen that a property notices each of them.
//
//   if (mutated(Mutation::cursor_not_kept)) {
//     return;
//   }
//
// Only the preset `mutants` (HEADROOM_MUTANTS) builds them: in every other build `mutated` is false while compiling,
// and nothing of a planted fault is in the program. What each of them is, and which property is known to see it, stands
// in the registry of tests/mutants.
#pragma once

#include <cstdint>

namespace headroom {

enum class Mutation : std::uint8_t {
  none,
  does_nothing,  // the canary: planted nowhere, so nobody can notice it

  // Quotas and ceilings.
  ceil_and_floor_swapped,
  quota_share_overflows,
  pending_counted_into_headroom,
  started_elsewhere_not_counted,
  settles_at_once,
  settling_ignores_what_runs,
  handed_back_shard_stays_charged,
  stale_fraction,
  idle_node_counts_as_one,
  shard_adopted_by_two,
  adopted_while_owned,
  quota_change_not_heard,
  headroom_not_looked_at_again,

  // Planners and sweeps.
  batch_exceeded_by_one,
  second_pass_skipped,
  published_second_pass_skipped,
  cursor_not_kept,
  cursor_one_on,
  cursor_by_index,
  route_cursor_missing,
  budget_dealt_per_route,
  present_divides_the_batch,
  turn_of_failed_sweep_lost,
  blocked_claim_ends_sweep,
  weights_ignored,
  deficit_lost,
  deficit_kept_by_the_idle,

  // Rows.
  duplicate_append_inserts,
  visibility_ignored,
  paused_row_claimed,
  epoch_unchecked,
  fence_unchecked,
  rearm_keeps_fence,
  result_recorded_twice,
  rearm_keeps_claim_counted,
  fresh_claim_rearmed,
  cancelled_claim_goes_on,
  dead_letter_dropped,
  attempt_not_counted,
  backoff_overflows,
  youngest_row_first,
  done_not_counted,
  released_row_lost,
  freed_worker_takes_nobody,
  failed_sweep_wait_has_no_cause,

  // Gates.
  barging,
  permit_raced_for,
  permit_leaked_on_expiry,
  permit_leaked_when_client_left,
  permit_leaked_on_nested_refusal,
  permit_leaked_on_timeout,
  permit_released_twice,
  process_cap_off_by_one,
  tenant_cap_not_looked_at,
  queue_depth_off_by_one,
  tenant_queue_unbounded,
  statuses_swapped,
  expired_wait_told_429,
  retry_after_missing,
  retry_after_one_too_long,
  expiry_and_grant_both_win,
  gone_waiter_granted,
  token_charged_on_refusal,
  token_not_taken_by_waiter,
  token_comes_back_early,
  no_hysteresis,
  ready_while_draining,
  drained_waiter_granted,
  drained_process_admits,
  hand_over_cursor_not_kept,
  youngest_waiter_first,
  blocked_tenant_blocks_the_queue,
  raised_limit_wakes_nobody,
  refusal_not_counted,
  refused_request_touches_the_pool,
  reserve_given_out,
  connection_leaked_by_failure,
  answered_without_rows,
  failed_handler_appends,
};
inline constexpr auto kLastMutation = Mutation::failed_handler_appends;

#ifdef HEADROOM_MUTANTS
// The fault of this process. Set before anything runs, and not again.
extern Mutation planted_mutation;
[[nodiscard]] inline bool mutated(Mutation mutation) {
  return planted_mutation == mutation;
}
#else
[[nodiscard]] consteval bool mutated(Mutation /*mutation*/) {
  return false;
}
#endif

}  // namespace headroom
