#include "sim/world/arrivals.hpp"

#include <algorithm>

#include "model/base/assert.hpp"
#include "sim/world/time_order.hpp"

namespace headroom {
namespace {

// Nanoseconds per second times nanohertz per hertz: the interval at one nanohertz, in nanoseconds.
constexpr std::uint64_t kNanosecondNanohertz = 1'000'000'000'000'000'000;

void check_rate(Rate rate) {
  HEADROOM_ASSERT(rate.nanohertz >= 0, "a rate of {} nHz", rate.nanohertz);
}

std::optional<Fixed> mean_interval(Rate rate) {
  check_rate(rate);
  if (rate.nanohertz == 0) return std::nullopt;
  return Fixed::ratio(kNanosecondNanohertz, static_cast<std::uint64_t>(rate.nanohertz));
}

std::optional<Arrival> arrival_at(Fixed instant) {
  const Time at = Time::at(Duration::nanoseconds(instant.rounded()));
  if (at == Time::max()) return std::nullopt;
  return Arrival{at, 1, std::nullopt};
}

Fixed fixed_length(Duration duration) {
  HEADROOM_ASSERT(duration > Duration::zero(), "a state that lasts {} ns on average", duration.count());
  return Fixed::whole(static_cast<std::uint64_t>(duration.count()));
}

}  // namespace

bool is_reactive(const ArrivalSpec& spec) {
  return std::holds_alternative<BacklogArrivals>(spec) || std::holds_alternative<ClosedLoopArrivals>(spec);
}

struct ArrivalProcess::SourceOf {
  Stream& stream;

  Source operator()(const ConstantArrivals& spec) const {
    check_rate(spec.rate);
    if (spec.rate.nanohertz == 0) return Nothing();
    return EvenlySpaced{static_cast<std::uint64_t>(spec.rate.nanohertz)};
  }
  Source operator()(const PoissonArrivals& spec) const { return renewal(spec.rate, ExponentialVariate()); }
  Source operator()(const ParetoArrivals& spec) const { return renewal(spec.rate, ParetoVariate(spec.shape)); }

  Source operator()(const OnOffArrivals& spec) const {
    const Modulated::State off{mean_interval(spec.rate_off), fixed_length(spec.mean_off)};
    const Modulated::State on{mean_interval(spec.rate_on), fixed_length(spec.mean_on)};
    if (!off.mean_interval && !on.mean_interval) return Nothing();
    const Fixed first_end = off.mean_length * ExponentialVariate().draw(stream);
    return Modulated{{off, on}, 0, Fixed(), first_end};
  }

  Source operator()(const ScheduleArrivals& spec) const {
    auto batches = std::make_shared<std::vector<ScheduledArrival>>(spec.at);
    sort_by_time(*batches);
    std::erase_if(*batches, [](const ScheduledArrival& batch) { return batch.n == 0; });
    return Scheduled{std::move(batches)};
  }

  Source operator()(const TraceArrivals& spec) const {
    HEADROOM_ASSERT(spec.entries != nullptr, "the trace {} was not read", spec.file);
    HEADROOM_ASSERT(std::ranges::is_sorted(*spec.entries, {}, &TraceEntry::at), "the trace {} is not in time order",
                    spec.file);
    return Traced{spec.entries, spec.has_service};
  }

  Source operator()(const BacklogArrivals&) const { return reactive(); }
  Source operator()(const ClosedLoopArrivals&) const { return reactive(); }

 private:
  template <class Variate>
  static Source renewal(Rate rate, Variate variate) {
    const std::optional<Fixed> interval = mean_interval(rate);
    if (!interval) return Nothing();
    return Renewal<Variate>{*interval, variate, Fixed()};
  }

  static Source reactive() {
    HEADROOM_ASSERT(false, "reactive arrivals are not known ahead");
    return Nothing();
  }
};

struct ArrivalProcess::NextOf {
  Stream& stream;

  std::optional<Arrival> operator()(Nothing) const { return std::nullopt; }

  std::optional<Arrival> operator()(EvenlySpaced& source) const {
    source.nanoseconds += kNanosecondNanohertz / source.nanohertz;
    source.rest += kNanosecondNanohertz % source.nanohertz;
    if (source.rest >= source.nanohertz) {
      source.rest -= source.nanohertz;
      ++source.nanoseconds;
    }
    const bool round_up = source.rest >= source.nanohertz - source.rest;
    return arrival_at(Fixed::whole(source.nanoseconds + (round_up ? 1 : 0)));
  }

  template <class Variate>
  std::optional<Arrival> operator()(Renewal<Variate>& source) const {
    source.now = source.now + source.mean_interval * source.variate.draw(stream);
    return arrival_at(source.now);
  }

  // Where the state changes first, the time to the next arrival is drawn anew: it has no memory.
  std::optional<Arrival> operator()(Modulated& source) const {
    while (source.now < Fixed::whole(static_cast<std::uint64_t>(Time::max().nanoseconds()))) {
      const Modulated::State& state = source.states[source.state];
      if (state.mean_interval) {
        const Fixed next = source.now + *state.mean_interval * ExponentialVariate().draw(stream);
        if (next < source.state_end) {
          source.now = next;
          return arrival_at(next);
        }
      }
      source.now = source.state_end;
      source.state = 1 - source.state;
      source.state_end = source.now + source.states[source.state].mean_length * ExponentialVariate().draw(stream);
    }
    return std::nullopt;
  }

  std::optional<Arrival> operator()(Scheduled& source) const {
    if (source.position == source.batches->size()) return std::nullopt;
    const ScheduledArrival& batch = (*source.batches)[source.position++];
    return Arrival{batch.at, batch.n, std::nullopt};
  }

  std::optional<Arrival> operator()(Traced& source) const {
    if (source.position == source.entries->size()) return std::nullopt;
    const TraceEntry& entry = (*source.entries)[source.position++];
    return Arrival{entry.at, 1, source.has_service ? std::optional(entry.service) : std::nullopt};
  }
};

ArrivalProcess::ArrivalProcess(const ArrivalSpec& spec, Stream stream)
    : stream_(stream), source_(std::visit(SourceOf{stream_}, spec)) {}

std::optional<Arrival> ArrivalProcess::next() {
  std::optional<Arrival> arrival = std::visit(NextOf{stream_}, source_);
  if (!arrival) source_ = Nothing();
  return arrival;
}

}  // namespace headroom
