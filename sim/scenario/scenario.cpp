#include "sim/scenario/scenario.hpp"

namespace headroom {

TenantLimits overridden(TenantLimits limits, const TenantLimitsAsWritten& own) {
  limits.max_inflight = own.max_inflight.value_or(limits.max_inflight);
  limits.max_queue_depth = own.max_queue_depth.value_or(limits.max_queue_depth);
  limits.rate_limit = own.rate_limit.value_or(limits.rate_limit);
  return limits;
}

std::optional<std::uint32_t> max_inflight_of(const AdmissionSection& admission, const ClusterSection& cluster) {
  if (admission.max_inflight) {
    return *admission.max_inflight;
  }
  if (!admission.database_pool) {
    return std::nullopt;
  }
  const std::uint32_t processes = std::uint32_t{cluster.nodes} * cluster.processes;
  return (admission.database_pool->size - admission.database_pool->reserve) / processes;
}

}  // namespace headroom
