#include "sim/scenario/scenario.hpp"

namespace headroom {

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
