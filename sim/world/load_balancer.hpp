// Which process a request goes to.
//
//   LoadBalancer balancer(spec, processes);
//   balancer.see_ready(process, false);                      // once it has learnt of it
//   const ProcessId target = balancer.pick(entity, [&](ProcessId p) { return load_of(p); });
#pragma once

#include <cstdint>
#include <vector>

#include "model/base/ids.hpp"
#include "model/base/time.hpp"
#include "sim/engine/decimal.hpp"

namespace headroom {

enum class BalancingPolicy : std::uint8_t {
  round_robin,
  least_loaded,  // fewest requests inside, the first after the last one chosen among equals
  sticky,        // a tenant's requests go to one process, and on to the next that takes requests while it does not
};

struct LoadBalancerSpec {
  BalancingPolicy policy = BalancingPolicy::round_robin;
  Duration reaction_delay = Duration::seconds(1);    // from a change of readiness until it is heeded
  Decimal panic_share = Decimal{Decimal::kOne / 2};  // with a smaller share ready, readiness is ignored
};

class LoadBalancer {
 public:
  // All ready and up. Needs at least one process.
  LoadBalancer(const LoadBalancerSpec& spec, std::uint16_t processes);

  void see_ready(ProcessId process, bool ready);
  void see_up(ProcessId process, bool up);

  // `entity`: hash of the tenant, for `sticky`. `load`: requests inside a process. None: no process is up, or none is
  // ready and the panic share is 0.
  template <class Load>
  [[nodiscard]] ProcessId pick(std::uint64_t entity, Load load) {
    const std::uint16_t n = static_cast<std::uint16_t>(seen_.size());
    const std::uint16_t from = first_choice(entity);
    ProcessId best = ProcessId::none();
    for (std::uint16_t i = 0; i < n; ++i) {
      const ProcessId candidate(static_cast<std::uint16_t>((from + i) % n));
      if (!takes_requests(candidate)) {
        continue;
      }
      if (policy_ != BalancingPolicy::least_loaded) {
        best = candidate;
        break;
      }
      if (best.is_none() || load(candidate) < load(best)) {
        best = candidate;
      }
    }
    if (!best.is_none()) {
      last_ = best;
    }
    return best;
  }
  // Of the processes that are up too few are ready: readiness is ignored.
  [[nodiscard]] bool panics() const { return panics_; }

 private:
  struct Seen {
    bool up = true;
    bool ready = true;
  };
  [[nodiscard]] std::uint16_t first_choice(std::uint64_t entity) const;
  [[nodiscard]] bool takes_requests(ProcessId process) const;
  void judge_panic();

  BalancingPolicy policy_;
  Decimal panic_share_;
  std::vector<Seen> seen_;
  ProcessId last_;
  bool panics_ = false;
};

}  // namespace headroom
