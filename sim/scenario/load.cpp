#include "sim/scenario/load.hpp"

#include <algorithm>
#include <map>

#include "sim/scenario/grammar.hpp"

namespace headroom {
namespace {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

double per_second(Rate rate) {
  return static_cast<double>(rate.nanohertz) / 1e9;
}

}  // namespace

std::uint64_t arrivals_at_once(const ArrivalSpec& arrivals) {
  if (const auto* backlog = std::get_if<BacklogArrivals>(&arrivals)) {
    return backlog->n;
  }
  if (const auto* clients = std::get_if<ClosedLoopArrivals>(&arrivals)) {
    return clients->clients;
  }
  std::uint64_t most = 0;
  if (const auto* schedule = std::get_if<ScheduleArrivals>(&arrivals)) {
    std::map<Time, std::uint64_t> at_once;
    for (const ScheduledArrival& entry : schedule->at) {
      std::uint64_t& together = at_once[entry.at];
      together = std::min(kMaxRowsAtOnce + 1, together + entry.n);
      most = std::max(most, together);
    }
  }
  return most;
}

Duration longest(const DistributionSpec& distribution) {
  return std::visit(
      Overloaded{[](const ConstantSpec& spec) { return spec.value; }, [](const UniformSpec& spec) { return spec.high; },
                 [](const ExponentialSpec&) { return Duration::max(); },
                 [](const LognormalSpec&) { return Duration::max(); },
                 [](const ParetoSpec&) { return Duration::max(); }, [](const ErlangSpec&) { return Duration::max(); },
                 [](const EmpiricalSpec& spec) {
                   return spec.values.empty() ? Duration::zero() : *std::ranges::max_element(spec.values);
                 }},
      distribution);
}

Duration mean(const DistributionSpec& distribution) {
  return std::visit(
      Overloaded{[](const ConstantSpec& spec) { return spec.value; },
                 [](const UniformSpec& spec) { return spec.low + (spec.high - spec.low) / 2; },
                 [](const ExponentialSpec& spec) { return spec.mean; },
                 [](const LognormalSpec& spec) { return spec.mean; }, [](const ParetoSpec& spec) { return spec.mean; },
                 [](const ErlangSpec& spec) { return spec.mean; },
                 [](const EmpiricalSpec& spec) {
                   double sum = 0;
                   for (const Duration value : spec.values) {
                     sum += static_cast<double>(value.count());
                   }
                   const double n = static_cast<double>(std::max<std::size_t>(1, spec.values.size()));
                   return Duration::nanoseconds(static_cast<std::int64_t>(sum / n));
                 }},
      distribution);
}

std::optional<double> mean_rate(const ArrivalSpec& arrivals) {
  using PerSecond = std::optional<double>;
  return std::visit(Overloaded{[](const ConstantArrivals& spec) -> PerSecond { return per_second(spec.rate); },
                               [](const PoissonArrivals& spec) -> PerSecond { return per_second(spec.rate); },
                               [](const OnOffArrivals& spec) -> PerSecond {
                                 const double on = static_cast<double>(spec.mean_on.count());
                                 const double off = static_cast<double>(spec.mean_off.count());
                                 return (per_second(spec.rate_on) * on + per_second(spec.rate_off) * off) / (on + off);
                               },
                               [](const ParetoArrivals& spec) -> PerSecond { return per_second(spec.rate); },
                               [](const ScheduleArrivals&) -> PerSecond { return std::nullopt; },
                               [](const BacklogArrivals&) -> PerSecond { return std::nullopt; },
                               [](const TraceArrivals&) -> PerSecond { return std::nullopt; },
                               [](const ClosedLoopArrivals&) -> PerSecond { return std::nullopt; }},
                    arrivals);
}

bool gives_service(const ArrivalSpec& arrivals) {
  const auto* trace = std::get_if<TraceArrivals>(&arrivals);
  return trace != nullptr && trace->has_service;
}

double row_rate(const TenantSpec& tenant) {
  double rate = 0;
  if (tenant.rows && tenant.rows->arrivals) {
    rate += mean_rate(*tenant.rows->arrivals).value_or(0);
  }
  if (tenant.requests) {
    rate += mean_rate(tenant.requests->arrivals).value_or(0) * tenant.requests->fan_out;
  }
  return rate;
}

double request_load(const TenantSpec& tenant) {
  if (!tenant.requests || gives_service(tenant.requests->arrivals)) {
    return 0;
  }
  const double service = static_cast<double>(mean(tenant.requests->service).count()) / 1e9;
  return mean_rate(tenant.requests->arrivals).value_or(0) * service;
}

}  // namespace headroom
