#include "sim/world/load_balancer.hpp"

#include <algorithm>

#include "model/base/assert.hpp"

namespace headroom {

LoadBalancer::LoadBalancer(const LoadBalancerSpec& spec, std::uint16_t processes)
    : policy_(spec.policy), panic_share_(spec.panic_share), seen_(processes) {
  HEADROOM_ASSERT(processes > 0, "a load balancer in front of {} processes", processes);
}

void LoadBalancer::see_ready(ProcessId process, bool ready) {
  seen_[process.value()].ready = ready;
  judge_panic();
}

void LoadBalancer::see_up(ProcessId process, bool up) {
  seen_[process.value()].up = up;
  judge_panic();
}

std::uint16_t LoadBalancer::first_choice(std::uint64_t entity) const {
  if (policy_ == BalancingPolicy::sticky) {
    return static_cast<std::uint16_t>(entity % seen_.size());
  }
  return last_.is_none() ? std::uint16_t{0} : static_cast<std::uint16_t>((last_.value() + 1U) % seen_.size());
}

bool LoadBalancer::takes_requests(ProcessId process) const {
  const Seen& seen = seen_[process.value()];
  return seen.up && (seen.ready || panics_);
}

void LoadBalancer::judge_panic() {
  const std::int64_t up = std::ranges::count(seen_, true, &Seen::up);
  const std::int64_t ready = std::ranges::count_if(seen_, [](const Seen& seen) { return seen.up && seen.ready; });
  panics_ = ready * Decimal::kOne < panic_share_.billionths * up;
}

}  // namespace headroom
