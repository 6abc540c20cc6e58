// Simulation: when faults come, and which of them a seed has under swarm testing.
#include <algorithm>
#include <utility>
#include <variant>

#include "sim/engine/variate.hpp"
#include "sim/run/simulation.hpp"

namespace headroom {
namespace {

// A duration that a kind of fault has; null: it has none.
template <class Kind>
Duration* duration_of(Kind& kind) {
  if constexpr (requires { kind.duration.count(); }) {
    return &kind.duration;
  } else {
    return nullptr;
  }
}

}  // namespace

// At random, with the rate from `at` on, and never sooner than `dwell` after the last.
std::optional<Time> Simulation::next_strike(std::uint32_t index) {
  const Fault& fault = faults_[index];
  if (fault.rate->nanohertz <= 0) {
    return std::nullopt;
  }
  const Fixed mean = Fixed::ratio(1'000'000'000'000'000'000, static_cast<std::uint64_t>(fault.rate->nanohertz));
  const Duration wait = Duration::nanoseconds((mean * ExponentialVariate().draw(fault_draws_[index])).rounded());
  const Time from = std::max(now_, fault.at);
  return from + std::max(wait, now_ >= fault.at && now_ > Time::zero() ? fault.dwell : Duration::zero());
}

// Swarm testing (Groce et al., ISSTA 2012): each kind of fault is there or not, and as strong as the seed makes it.
void Simulation::draw_swarm() {
  std::vector<Fault> chosen;
  std::vector<Stream> draws;
  for (std::uint32_t i = 0; i < faults_.size(); ++i) {
    Stream stream(seed_, i, Purpose::swarm);
    const bool there = stream.chance(Decimal{Decimal::kOne / 2});
    const auto strength = static_cast<std::int64_t>(1U << stream.below(5));  // times 1/4, 1/2, 1, 2 or 4
    if (!there) {
      continue;
    }
    Fault fault = faults_[i];
    if (fault.rate) {
      fault.rate->nanohertz = std::max<std::int64_t>(1, fault.rate->nanohertz / 4 * strength);
    }
    if (fault.every) {
      fault.every = std::max(Duration::nanoseconds(1), *fault.every / strength * 4);
    }
    std::visit(
        [&](auto& kind) {
          if (Duration* duration = duration_of(kind)) {
            const Duration longest = fault.every.value_or(Duration::max());  // the next one comes after this one
            *duration = std::clamp(*duration / 4 * strength, Duration::nanoseconds(1), longest);
          }
        },
        fault.kind);
    chosen.push_back(std::move(fault));
    draws.push_back(fault_draws_[i]);
  }
  faults_ = std::move(chosen);
  fault_draws_ = std::move(draws);
  handed_from_.assign(faults_.size(), NodeId::none());
  slow_until_.assign(faults_.size(), Time::zero());
}

}  // namespace headroom
