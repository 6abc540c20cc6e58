#include "sim/engine/distribution.hpp"

#include <algorithm>

#include "model/base/assert.hpp"

namespace headroom {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::uint64_t unsigned_count(Duration duration) {
  return static_cast<std::uint64_t>(duration.count());
}

// sum / n to the nearest nanosecond, halves up.
constexpr Duration rounded_average(Wide sum, std::uint64_t n) {
  return Duration::nanoseconds(static_cast<std::int64_t>((2 * sum + n) / (2 * static_cast<Wide>(n))));
}

Duration draw_uniform(const UniformSpec& spec, Stream& stream) {
  const Wide values = static_cast<Wide>(unsigned_count(spec.high - spec.low)) + 1;
  const auto offset = static_cast<std::int64_t>((values * stream.next()) >> 64U);
  return spec.low + Duration::nanoseconds(offset);
}

Duration average(const std::vector<Duration>& values) {
  Wide sum = 0;
  for (const Duration value : values) sum += unsigned_count(value);
  return rounded_average(sum, values.size());
}

}  // namespace

struct Distribution::LawOf {
  static void check_duration(Duration duration) {
    HEADROOM_ASSERT(duration >= Duration::zero(), "a distribution over {} ns", duration.count());
  }

  template <class Variate>
  static Law scaled_law(Duration mean, Variate variate) {
    check_duration(mean);
    return Scaled<Variate>{mean, variate};
  }

  Law operator()(const ConstantSpec& spec) const {
    check_duration(spec.value);
    return spec;
  }
  Law operator()(const UniformSpec& spec) const {
    check_duration(spec.low);
    HEADROOM_ASSERT(spec.low <= spec.high, "uniform from {} to {} ns", spec.low.count(), spec.high.count());
    return spec;
  }
  Law operator()(const ExponentialSpec& spec) const { return scaled_law(spec.mean, ExponentialVariate()); }
  Law operator()(const LognormalSpec& spec) const { return scaled_law(spec.mean, LognormalVariate(spec.sigma)); }
  Law operator()(const ParetoSpec& spec) const { return scaled_law(spec.mean, ParetoVariate(spec.shape)); }
  Law operator()(const ErlangSpec& spec) const { return scaled_law(spec.mean, ErlangVariate(spec.k)); }
  Law operator()(const EmpiricalSpec& spec) const {
    HEADROOM_ASSERT(!spec.values.empty(), "an empirical distribution without values");
    std::ranges::for_each(spec.values, check_duration);
    return Empirical{std::make_shared<const std::vector<Duration>>(spec.values), average(spec.values)};
  }
};

Distribution::Distribution(const DistributionSpec& spec) : law_(std::visit(LawOf(), spec)) {}

struct Distribution::DrawFrom {
  Stream& stream;

  Duration operator()(const ConstantSpec& law) const { return law.value; }
  Duration operator()(const UniformSpec& law) const { return draw_uniform(law, stream); }
  Duration operator()(const Empirical& law) const {
    return (*law.values)[static_cast<std::size_t>(stream.below(law.values->size()))];
  }
  template <class Variate>
  Duration operator()(const Scaled<Variate>& law) const {
    return scaled(law.mean, law.variate.draw(stream));
  }
};

struct Distribution::MeanOf {
  Duration operator()(const ConstantSpec& law) const { return law.value; }
  Duration operator()(const UniformSpec& law) const {
    return rounded_average(static_cast<Wide>(unsigned_count(law.low)) + unsigned_count(law.high), 2);
  }
  Duration operator()(const Empirical& law) const { return law.mean; }
  template <class Variate>
  Duration operator()(const Scaled<Variate>& law) const {
    return law.mean;
  }
};

Duration Distribution::draw(Stream& stream) const {
  return std::visit(DrawFrom{stream}, law_);
}

Duration Distribution::mean() const {
  return std::visit(MeanOf(), law_);
}

}  // namespace headroom
