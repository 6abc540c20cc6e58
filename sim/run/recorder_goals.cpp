// Recorder: what a run has reached of the goals that a `sometimes` may ask for, beside those that figures count.
#include "sim/run/recorder.hpp"

namespace headroom {

void Recorder::reach_of_faults(const Effect& effect, const Cluster& cluster, Time at) {
  if (!effect.node.is_none()) {
    shares_.on_node(effect.node, cluster, at);
  }
  switch (effect.kind) {
    case EffectKind::restarted:
      if (away_[effect.node.value()]) {
        away_[effect.node.value()] = false;
        reach(Goal::joined);
      }
      break;
    case EffectKind::node_left:
      away_[effect.node.value()] = true;
      reach(Goal::left);
      break;
    case EffectKind::node_paused:
      reach(Goal::node_paused);
      break;
    case EffectKind::node_cut_off:
      reach(Goal::partitioned);
      break;
    case EffectKind::node_expelled:
      reach(Goal::expelled);
      break;
    case EffectKind::node_resumed:
    case EffectKind::node_reconnected:
      if (cluster.expelled(effect.node)) {
        reach(Goal::zombie);
      }
      break;
    case EffectKind::node_rejoined:
      reach(Goal::rejoined);
      break;
    case EffectKind::result_delayed:
      reach(Goal::result_delayed);
      break;
    case EffectKind::sweep_failed:
      reach(Goal::store_error);
      break;
    case EffectKind::work_lost:
      reach(Goal::work_lost);
      break;
    case EffectKind::claim_refused:
      reach(Goal::claim_refused);
      break;
    case EffectKind::lease_renewed:
      reach(Goal::lease_renewed);
      break;
    case EffectKind::stale_listed:
      reach(Goal::listed_stale);
      break;
    case EffectKind::wake_lost:
      reach(Goal::wake_lost);
      break;
    case EffectKind::workflow_paused:
      if (effect.live) {
        reach(Goal::paused);
      }
      break;
    case EffectKind::quotas_read:
      if (!effect.live) {
        reach(Goal::quota_unread);
      }
      break;
    default:
      break;
  }
}

void Recorder::reach_of_requests(const Effect& effect, const Cluster& cluster) {
  switch (effect.kind) {
    case EffectKind::request_admitted:
      if (!effect.live) {
        reach(Goal::handed_over);
      }
      break;
    case EffectKind::request_queued:
      reach(Goal::queued);
      break;
    case EffectKind::request_refused: {
      const auto refusal = static_cast<Refusal>(effect.detail);
      reach(of_tenant(refusal) ? Goal::refused_429 : Goal::refused_503);
      if (refusal == Refusal::tenant_wait_expired || refusal == Refusal::process_wait_expired) {
        reach(Goal::wait_expired);
      }
      break;
    }
    case EffectKind::request_gone:
      reach(Goal::gone);
      break;
    case EffectKind::request_abandoned:
      reach(Goal::abandoned);
      break;
    case EffectKind::request_finished:
    case EffectKind::drain_began:
      if (const Gate& gate = cluster.api()->gate(effect.process); gate.draining() && gate.inflight() == 0) {
        reach(Goal::drained);
      }
      break;
    case EffectKind::became_unready:
      reach(Goal::unready);
      break;
    case EffectKind::limits_changed:
      reach(Goal::limit_changed);
      break;
    case EffectKind::resource_awaited:
    case EffectKind::resource_timed_out:
      if (effect.detail == static_cast<std::uint8_t>(Resource::database_pool)) {
        reach(effect.kind == EffectKind::resource_awaited ? Goal::database_wait : Goal::database_timeout);
      }
      break;
    default:
      break;
  }
}

}  // namespace headroom
