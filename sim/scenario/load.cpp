#include "sim/scenario/load.hpp"

#include <algorithm>

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

std::uint64_t rows_at_once(const ArrivalSpec& arrivals) {
  if (const auto* backlog = std::get_if<BacklogArrivals>(&arrivals)) {
    return backlog->n;
  }
  if (const auto* clients = std::get_if<ClosedLoopArrivals>(&arrivals)) {
    return clients->clients;
  }
  std::uint64_t most = 0;
  if (const auto* schedule = std::get_if<ScheduleArrivals>(&arrivals)) {
    for (const ScheduledArrival& entry : schedule->at) {
      most = std::max(most, entry.n);
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
  using Rows = std::optional<double>;
  return std::visit(Overloaded{[](const ConstantArrivals& spec) -> Rows { return per_second(spec.rate); },
                               [](const PoissonArrivals& spec) -> Rows { return per_second(spec.rate); },
                               [](const OnOffArrivals& spec) -> Rows {
                                 const double on = static_cast<double>(spec.mean_on.count());
                                 const double off = static_cast<double>(spec.mean_off.count());
                                 return (per_second(spec.rate_on) * on + per_second(spec.rate_off) * off) / (on + off);
                               },
                               [](const ParetoArrivals& spec) -> Rows { return per_second(spec.rate); },
                               [](const ScheduleArrivals&) -> Rows { return std::nullopt; },
                               [](const BacklogArrivals&) -> Rows { return std::nullopt; },
                               [](const TraceArrivals&) -> Rows { return std::nullopt; },
                               [](const ClosedLoopArrivals&) -> Rows { return std::nullopt; }},
                    arrivals);
}

}  // namespace headroom
